import { eq, sql } from 'drizzle-orm'
import { lineOf, merchants, ours } from '#src/areas/ledger/ledger.ts'
import { post } from '#src/areas/ledger/post.server.ts'
import { channel_pay } from '#src/areas/payment/channel.table.ts'
import { applyWithdrawal } from '#src/areas/payout/applying.server.ts'
import type { TransferChannel } from '#src/areas/payout/transfer.channel.ts'
import { sendTransfers } from '#src/areas/payout/transfers.server.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import {
  approveWithdrawal,
  payWithdrawal,
  settleTransfer,
  type Withdrawal,
} from '#src/areas/payout/withdrawals.server.ts'
import { openStates } from '#src/areas/payout/withdrawing.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { freshMerchant } from './merchants.ts'

let given = 0
/** A merchant of a test's own with so much money to ask for. */
export const merchantWith = async (
  database: Database,
  cents: number,
  of: Parameters<typeof freshMerchant>[1] = {},
) => {
  const one = await freshMerchant(database, of)
  await database.transaction(tx =>
    post(tx, {
      biz: 'charge_in',
      biz_id: one.id,
      biz_no: 'TEST',
      idem_key: `test:given:Q:${++given}`,
      at: unixNow(),
      lines: [
        ...lineOf(ours('bank_cash'), cents),
        ...lineOf(merchants('merchant_balance', one.id), -cents),
      ],
    }),
  )
  return one
}
type Owner = Awaited<ReturnType<typeof merchantWith>>
type More = Partial<Parameters<typeof applyWithdrawal>[1]>
/** What a merchant asks for, by WeChat unless said otherwise. */
const asked = (owner: Owner, amount_cents: number, more: More = {}) => ({
  owner_kind: 'merchant' as const,
  owner_id: owner.id,
  amount_cents,
  channel: 'wechat_transfer' as const,
  payee_name: owner.bank_holder ?? owner.name,
  payee_no: `o${owner.id}`,
  now: unixNow(),
  ...more,
})
export const applied = (database: Database, owner: Owner, cents: number, more: More = {}) =>
  database.transaction(tx => applyWithdrawal(tx, asked(owner, cents, more)))
/** Somebody at a row as it stands. */
export const stepOf = ({ id, version }: Pick<Withdrawal, 'id' | 'version'>, by: number) => ({
  id,
  version,
  by: { id: by },
  now: unixNow(),
})
/** One that was approved by one person and handed to its channel by another. */
export const handed = async (
  database: Database,
  owner: Owner,
  cents: number,
  { by, more }: { by: readonly [number, number]; more?: More },
): Promise<Withdrawal> => {
  const row = await applied(database, owner, cents, more)
  return database.transaction(async tx => {
    const { after } = await approveWithdrawal(tx, stepOf(row, by[0]))
    return (await payWithdrawal(tx, stepOf(after, by[1]))).after
  })
}
export const rowOf = async ({ db }: Database, id: number): Promise<Withdrawal> =>
  (await db.select().from(withdrawal).where(eq(withdrawal.id, id)))[0]!
/** One turn of the timer: what the channel tells by itself, then what is due. */
export const turn = async (database: Database, channel: TransferChannel, now: number) => {
  for (const notice of await channel.due(now))
    await database.transaction(tx => settleTransfer(tx, { ...notice, now }))
  return sendTransfers({
    database,
    channel,
    log: { warn: () => {} },
    now,
    failed: () => {},
  })
}
const open = sql.raw(openStates.map(state => `'${state}'`).join(', '))
/** What breaks the money of withdrawals (invariants 1, 5 and 6), by the name of the rule. */
export const broken = async ({ db }: Database): Promise<Record<string, unknown[]>> => {
  const rules = {
    'withdrawing is the sum of what is open': sql`
      select a.owner_id, a.balance_cents from ledger_account a where a.kind = 'merchant_withdrawing'
        and -a.balance_cents <> (select coalesce(sum(w.amount_cents), 0) from withdrawal w join ledger_txn t on t.idem_key = 'withdraw:apply:' || w.id where w.owner_kind in ('merchant', 'film') and w.owner_id = a.owner_id and w.status in (${open}))`,
    'each posts its end once, and the right one': sql`
      select w.no, w.status, t.biz from withdrawal w join ledger_txn a on a.idem_key = 'withdraw:apply:' || w.id left join ledger_txn t on t.idem_key = 'withdraw:end:' || w.id
        where coalesce(t.biz, '') <> case when w.status = 'paid' then 'withdraw_paid' when w.status in ('rejected', 'canceled') then 'withdraw_back' else '' end`,
    'money leaves once': sql`
      select regexp_replace(c.out_no, 'R[0-9]+$', '') no from channel_pay c where c.kind = 'transfer' and c.state = 'success' group by 1 having count(*) > 1`,
    'what left is paid, or about to be told': sql`
      select c.out_no, w.status from channel_pay c join withdrawal w on w.no = regexp_replace(c.out_no, 'R[0-9]+$', '') where c.kind = 'transfer' and c.state = 'success' and w.status not in ('paid', 'paying', 'wait_confirm')`,
    'what is paid by the channel left there': sql`
      select w.no from withdrawal w join ledger_txn a on a.idem_key = 'withdraw:apply:' || w.id left join channel_pay c on c.out_no = w.out_bill_no where w.status = 'paid' and w.channel = 'wechat_transfer' and w.out_bill_no is not null and (c.state is distinct from 'success' or c.amount_cents <> w.net_cents)`,
    'a transaction sums to nothing': sql`
      select txn_id from ledger_entry group by 1 having sum(amount_cents) <> 0`,
  }
  const found: Record<string, unknown[]> = {}
  for (const [name, rule] of Object.entries(rules)) {
    const { rows } = await db.execute(rule)
    if (rows.length > 0) found[name] = rows
  }
  return found
}
/** What the channel's book holds of a withdrawal's numbers. */
export const billsOf = ({ db }: Database, no: string) =>
  db
    .select({ out_no: channel_pay.out_no, state: channel_pay.state })
    .from(channel_pay)
    .where(sql`${channel_pay.out_no} like ${`${no}%`}`)
    .orderBy(channel_pay.id)
