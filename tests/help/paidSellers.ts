import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { distributors, lineOf, ours, type AccountKind } from '#src/areas/ledger/ledger.ts'
import { balanceOf, post } from '#src/areas/ledger/post.server.ts'
import { applyWithdrawal } from '#src/areas/payout/applying.server.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { aBuyer } from './cardOrders.ts'

export type Seller = typeof distributor.$inferSelect
let made = 0
/** Moves so much into an account of a seller; below zero out of it. */
export const give = (database: Database, kind: AccountKind, id: number, cents: number) =>
  database.transaction(tx =>
    post(tx, {
      biz: 'adjust',
      biz_id: id,
      biz_no: 'TEST',
      idem_key: `test:seller:Q:${++made}`,
      at: unixNow(),
      lines: [...lineOf(ours('bank_cash'), cents), ...lineOf(distributors(kind, id), -cents)],
    }),
  )
/** A seller of a test's own with so much commission to ask for. */
export const sellerWith = async (
  database: Database,
  cents: number,
  of: Partial<typeof distributor.$inferInsert> = {},
): Promise<Seller> => {
  const n = ++made
  const person = of.kind === 'store' ? undefined : await aBuyer(database)
  const [row] = await database.db
    .insert(distributor)
    .values({
      kind: 'expert',
      member_id: person?.id ?? null,
      name: `卖家Q${n}`,
      phone: `137${String(10_000_000 + n)}`,
      invite_code: `TQ${n}`,
      city_id: 1,
      real_name_ok: true,
      status: 'active',
      joined_at: unixNow(),
      ...of,
    })
    .returning()
  if (cents > 0) await give(database, 'distributor_balance', row!.id, cents)
  return row!
}
type More = Partial<Parameters<typeof applyWithdrawal>[1]>
/** What a seller asks for, by WeChat unless said otherwise. */
export const commissionAsked = (
  database: Database,
  seller: Seller,
  amount_cents: number,
  more: More = {},
) =>
  database.transaction(tx =>
    applyWithdrawal(tx, {
      owner_kind: 'distributor',
      owner_id: seller.id,
      amount_cents,
      channel: 'wechat_transfer',
      payee_name: seller.name,
      payee_no: `o${seller.id}`,
      now: unixNow(),
      ...more,
    }),
  )
/** What a seller has, is being paid and owes (cents). */
export const moneyOfSeller = async ({ db }: Database, id: number) => ({
  balance: 0 - (await balanceOf(db, distributors('distributor_balance', id))),
  withdrawing: 0 - (await balanceOf(db, distributors('distributor_withdrawing', id))),
  debt: await balanceOf(db, distributors('distributor_debt', id)),
})
