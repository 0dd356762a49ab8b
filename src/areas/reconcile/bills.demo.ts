import { and, asc, eq, gte, inArray, isNotNull, lt } from 'drizzle-orm'
import type { MoneyPart } from '#src/areas/ledger/money.demo.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { ourPayment } from './matching.server.ts'
import { recon_bill, recon_fetch, recon_item } from './reconcile.table.ts'
import { itemsOf, missingItem, type BillRow, type ItemDraft, type OurRow } from './reconcile.ts'
import { ourTransfer } from './transfers.server.ts'

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
/**
 * What the fund bill says of a day's transfers: all that we have, but one of another amount, one
 * that we still hold for under way, and one that we lack.
 */
const fundOf = async (db: Db, from: number): Promise<{ theirs: Row; ours?: OurRow }[]> => {
  const w = withdrawal
  const sent = and(eq(w.channel, 'wechat_transfer'), isNotNull(w.out_bill_no))
  const paid = await db
    .select()
    .from(w)
    .where(and(sent, eq(w.status, 'paid'), gte(w.paid_at, from), lt(w.paid_at, from + DAY)))
    .orderBy(asc(w.id))
  const paying = await db
    .select()
    .from(w)
    .where(and(sent, eq(w.status, 'paying')))
    .orderBy(asc(w.id))
    .limit(1)
  const told = (one: (typeof paid)[number], n: number): { theirs: Row; ours: OurRow } => {
    const ours = ourTransfer(one)
    const billed = asBilled(ours)
    const theirs: Row = {
      ...billed,
      status: 'success',
      at: one.paid_at ?? from + DAY / 2,
      channel_no: billed.channel_no || `1330000${dateOf(from).replaceAll('-', '')}${one.id}`,
      cents: n === 1 ? billed.cents - 100 : billed.cents,
    }
    return { theirs, ours }
  }
  return [
    ...[...paid, ...paying].map(told),
    {
      theirs: {
        kind: 'transfer',
        at: from + DAY / 2,
        our_no: `TX${from}999001`,
        channel_no: `1330000${dateOf(from).replaceAll('-', '')}999001`,
        cents: 32_000,
        fee_cents: 0,
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
  const fund = await fundOf(db, from)
  const created_at = Math.min(now, from + DAY + DAY / 3)
  await insertRows(db, recon_bill, [
    {
      id: 1,
      channel: 'wechat',
      form: 'trade',
      day,
      hash: `demo-${day}`,
      rows: bill.length,
      in_cents: sum(row => (row.kind === 'pay' ? row.cents : 0)),
      out_cents: sum(row => (row.kind === 'refund' ? row.cents : 0)),
      fee_cents: sum(row => row.fee_cents ?? 0),
      created_at,
    },
    {
      id: 2,
      channel: 'wechat',
      form: 'fund',
      day,
      hash: `demo-fund-${day}`,
      rows: fund.length,
      in_cents: 0,
      out_cents: fund.reduce((all, { theirs }) => all + theirs.cents, 0),
      fee_cents: 0,
      created_at,
    },
  ])
  const fetched = { day, state: 'done' as const, tries: 1, fetched_at: created_at }
  await insertRows(db, recon_fetch, [
    { id: 1, ...fetched, form: 'trade', bill_id: 1 },
    { id: 2, ...fetched, form: 'fund', bill_id: 2 },
  ])
  const transfers = fund.flatMap(one => itemsOf(one.theirs, one.ours))
  const drafts: ItemDraft[] = [
    ...bill.flatMap(one => itemsOf(one.theirs, one.ours)),
    ...ours.filter(one => !told.has(one)).map(missingItem),
  ]
  await insertRows(
    db,
    recon_item,
    [...drafts, ...transfers].map((draft, n) => ({
      id: n + 1,
      ...draft,
      day,
      channel: 'wechat',
      bill_id: n < drafts.length ? 1 : 2,
      status: draft.diff === 'matched' ? 'resolved' : 'open',
    })),
  )
}
/** Yesterday's bills of the payment channel, with open differences of four kinds. */
const bills: MoneyPart = {
  place: 95,
  branch: 'bills',
  make: ({ db, now }) => ({ run: () => {}, insert: () => seedBill(db, now) }),
}
export const money: readonly MoneyPart[] = [bills]
