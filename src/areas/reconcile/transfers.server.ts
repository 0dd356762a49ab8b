/** Withdrawals that WeChat paid, beside the transfers of its fund bill. */
import { and, eq, gte, inArray, lt, or } from 'drizzle-orm'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { BillRow, OurRow } from './reconcile.ts'

type Withdrawal = typeof withdrawal.$inferSelect
const w = withdrawal
const byWechat = eq(w.channel, 'wechat_transfer')
const statusOf = (status: Withdrawal['status']): OurRow['status'] => {
  if (status === 'paid') return 'success'
  return status === 'paying' || status === 'wait_confirm' ? 'pending' : 'failed'
}
/** A withdrawal as the fund bill is compared with it: what was sent is its net amount. */
export const ourTransfer = (of: Withdrawal): OurRow => ({
  kind: 'transfer',
  our_no: of.out_bill_no ?? '',
  channel_no: of.channel_no ?? '',
  cents: of.net_cents,
  status: statusOf(of.status),
  fee_cents: 0,
  at: of.paid_at ?? of.applied_at,
  payment_id: null,
  order_id: null,
})
/**
 * The withdrawals that rows of a bill name, by our number at the channel or by the channel's. A
 * transfer under a number that was given up names none: it was paid beside the one that holds.
 */
export const transfersNamed = async (db: Db, rows: readonly BillRow[]): Promise<OurRow[]> => {
  const named = rows.filter(row => row.kind === 'transfer')
  if (named.length === 0) return []
  const found = await db
    .select()
    .from(w)
    .where(
      and(
        byWechat,
        or(
          inArray(
            w.out_bill_no,
            named.map(row => row.our_no),
          ),
          inArray(
            w.channel_no,
            named.map(row => row.channel_no),
          ),
        ),
      ),
    )
  return found.map(ourTransfer)
}
/** The transfers that we hold for paid within a span (unix seconds, its end excluded). */
export const transfersOf = async (
  db: Db,
  { from, to }: { from: number; to: number },
): Promise<OurRow[]> => {
  const rows = await db
    .select()
    .from(w)
    .where(and(byWechat, eq(w.status, 'paid'), gte(w.paid_at, from), lt(w.paid_at, to)))
    .orderBy(w.id)
  return rows.map(ourTransfer)
}
