import { and, eq, sql } from 'drizzle-orm'
import { ledger_account } from '#src/areas/ledger/ledger.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { applyWithdrawal } from '#src/areas/payout/applying.server.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Random } from './random.ts'

/** Above this many waiting withdrawals nobody asks, so that a console left alone is not flooded. */
const WAITING_MAX = 60
const LEAST = 200_00
type Owner = { of: typeof merchant.$inferSelect; cents: number }
type Asking = { random: Random; now: number }
const ask = async (tx: Db, { of, cents }: Owner, { random, now }: Asking): Promise<void> => {
  const byBank = of.bank_no !== null && random.chance(0.6)
  await applyWithdrawal(tx, {
    owner_kind: 'merchant',
    owner_id: of.id,
    amount_cents: Math.max(LEAST / 2, Math.floor((-cents * random.int(20, 80)) / 100)),
    channel: byBank ? 'bank' : 'wechat_transfer',
    payee_name: of.bank_holder ?? of.name,
    payee_no: byBank ? of.bank_no! : `oUpF8u${of.merchant_no}`,
    ...(byBank && of.bank_name && { bank_name: of.bank_name }),
    now,
  })
}
/**
 * A merchant with money asks for some of it, at their own account or by WeChat. One who may not ask
 * just now (a new account, a reserve, twice a day) leaves it to the next. False where nobody may.
 */
export const askForMoney = async ({ tx, ...asking }: { tx: Db } & Asking): Promise<boolean> => {
  if ((await tx.$count(withdrawal, eq(withdrawal.status, 'pending'))) >= WAITING_MAX) return false
  const owners = await tx
    .select({ of: merchant, cents: ledger_account.balance_cents })
    .from(ledger_account)
    .innerJoin(merchant, eq(merchant.id, ledger_account.owner_id))
    .where(
      and(
        eq(ledger_account.kind, 'merchant_balance'),
        sql`${ledger_account.balance_cents} <= ${-LEAST}`,
        eq(merchant.status, 'active'),
      ),
    )
    .orderBy(merchant.id)
  for (const owner of asking.random.shuffle(owners))
    try {
      await tx.transaction(inner => ask(inner, owner, asking))
      return true
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  return false
}
