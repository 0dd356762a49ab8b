import { and, asc, eq, gte, lt } from 'drizzle-orm'
import { payment } from '#src/areas/payment/payment.table.ts'
import type { Database } from '#src/server/db/database.ts'
import type { BillSource } from './bills.channel.ts'
import { writeTradeBill } from './bills.ts'
import { sharesOf } from './fundShares.server.ts'
import { writeFundBill } from './fundText.ts'
import { ourPayment, spanOfDay } from './matching.server.ts'
import type { BillRow, OurRow } from './reconcile.ts'
import { transfersOf } from './transfers.server.ts'

/** A row of a bill always has the channel's number; where trials gave none, ours stands for it. */
const billed = ({ payment_id: _, order_id: __, ...row }: OurRow): Omit<BillRow, 'line'> => ({
  ...row,
  channel_no: row.channel_no || row.our_no,
})
/**
 * Bills for trials: what the embedded channel moved on a day, as WeChat Pay writes it. `own`: the
 * house's number at it.
 */
export const embeddedBills = ({ db }: Pick<Database, 'db'>, own: string): BillSource => ({
  name: 'embedded',
  bill: async ({ day, form }) => {
    const span = spanOfDay(day)
    const paid = await db
      .select()
      .from(payment)
      .where(
        and(
          eq(payment.channel, 'embedded'),
          eq(payment.state, 'success'),
          gte(payment.success_at, span.from),
          lt(payment.success_at, span.to),
        ),
      )
      .orderBy(asc(payment.id))
    const payments = paid.map(ourPayment)
    const moved =
      form === 'trade'
        ? payments
        : [...payments, ...(await transfersOf(db, span)), ...(await sharesOf(db, { ...span, own }))]
    if (moved.length === 0) return { state: 'none' }
    const write = form === 'trade' ? writeTradeBill : writeFundBill
    return { state: 'ready', file: Buffer.from(write(moved.map(billed))) }
  },
})
