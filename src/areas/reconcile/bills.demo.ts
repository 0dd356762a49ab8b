import { and, asc, eq, gte, inArray, lt } from 'drizzle-orm'
import type { MoneyPart } from '#src/areas/ledger/money.demo.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { ourPayment } from './matching.server.ts'
import { recon_bill, recon_item } from './reconcile.table.ts'
import { itemsOf, missingItem, type BillRow, type ItemDraft, type OurRow } from './reconcile.ts'

type Row = Omit<BillRow, 'line'>
const asBilled = ({ payment_id: _, order_id: __, ...ours }: OurRow): Row => ours
/**
 * What the channel says of a day: all that we have, but a cent more of a fee, one payment that it
 * has otherwise, one that it lacks, and one that we lack.
 */
const billOf = (ours: readonly OurRow[], at: number): { theirs: Row; ours?: OurRow }[] => {
  const pays = ours.filter(one => one.kind === 'pay')
  const [cent, other, lost] = [pays[1], pays[2], pays[3]]
  return [
    ...ours.flatMap(one => {
      if (one === lost) return []
      const theirs = asBilled(one)
      if (one === cent) return [{ theirs: { ...theirs, fee_cents: one.fee_cents + 1 }, ours: one }]
      return [
        { theirs: one === other ? { ...theirs, status: 'pending' as const } : theirs, ours: one },
      ]
    }),
    {
      theirs: {
        kind: 'pay',
        at: at + DAY / 2,
        our_no: `B${dateOf(at).replaceAll('-', '')}999001`,
        channel_no: `4200009${dateOf(at).replaceAll('-', '')}0001`,
        cents: 16_800,
        fee_cents: 101,
        status: 'success',
      },
    },
  ]
}
const seedBill = async (db: Db, now: number): Promise<void> => {
  const from = dayStart(now) - DAY
  const day = dateOf(from)
  const ours = (
    await db
      .select()
      .from(payment)
      .where(
        and(
          inArray(payment.channel, ['wechat', 'embedded']),
          eq(payment.state, 'success'),
          gte(payment.success_at, from),
          lt(payment.success_at, from + DAY),
        ),
      )
      .orderBy(asc(payment.id))
  ).map(ourPayment)
  const bill = billOf(ours, from)
  const told = new Set(bill.map(one => one.ours))
  const sum = (of: (row: Row) => number) => bill.reduce((all, { theirs }) => all + of(theirs), 0)
  await insertRows(db, recon_bill, [
    {
      id: 1,
      channel: 'wechat',
      day,
      hash: `demo-${day}`,
      rows: bill.length,
      in_cents: sum(row => (row.kind === 'pay' ? row.cents : 0)),
      out_cents: sum(row => (row.kind === 'refund' ? row.cents : 0)),
      fee_cents: sum(row => row.fee_cents),
      created_at: Math.min(now, from + DAY + DAY / 3),
    },
  ])
  const drafts: ItemDraft[] = [
    ...bill.flatMap(one => itemsOf(one.theirs, one.ours)),
    ...ours.filter(one => !told.has(one)).map(missingItem),
  ]
  await insertRows(
    db,
    recon_item,
    drafts.map((draft, n) => ({
      id: n + 1,
      ...draft,
      day,
      channel: 'wechat',
      bill_id: 1,
      status: draft.diff === 'matched' ? 'resolved' : 'open',
    })),
  )
}
/** Yesterday's bill of the payment channel, with open differences of four kinds. */
const bills: MoneyPart = {
  place: 95,
  branch: 'bills',
  make: ({ db, now }) => ({ run: () => {}, insert: () => seedBill(db, now) }),
}
export const money: readonly MoneyPart[] = [bills]
