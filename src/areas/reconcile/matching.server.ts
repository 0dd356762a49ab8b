/** Bills beside what we have: every row of one is an item, and so is what one has not. */
import { and, eq, gte, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { ledger_account, ledger_entry, ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { feeOf } from '#src/areas/settle/split.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { movesNamed } from './fundMoves.server.ts'
import { missingShares } from './fundShares.server.ts'
import { recon_bill, recon_item } from './reconcile.table.ts'
import {
  diffOf,
  itemsOf,
  missingItem,
  type Bill,
  type BillChannel,
  type BillForm,
  type BillRow,
  type ItemDraft,
  type OurRow,
} from './reconcile.ts'
import { transfersNamed, transfersOf } from './transfers.server.ts'

type Payment = typeof payment.$inferSelect
/** The embedded channel stands where WeChat Pay does. */
const WECHAT = ['wechat', 'embedded'] as const
const CHUNK = 500
const chunked = <T>(of: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(of.length / CHUNK) }, (_, n) =>
    of.slice(n * CHUNK, (n + 1) * CHUNK),
  )
const statusOf = (state: Payment['state']): OurRow['status'] =>
  state === 'closed' ? 'failed' : state
/** A payment as bills are compared with it. */
export const ourPayment = (p: Payment): OurRow => ({
  kind: p.direction === 'in' ? 'pay' : 'refund',
  our_no: p.out_no,
  channel_no: p.channel_no ?? '',
  cents: p.amount_cents,
  status: statusOf(p.state),
  fee_cents: p.direction === 'in' ? p.fee_cents || feeOf(p.amount_cents) : 0,
  at: p.success_at ?? p.created_at,
  payment_id: p.id,
  order_id: p.order_id,
})
/** A day's seconds: its end is the next one's beginning. */
export const spanOfDay = (day: string): { from: number; to: number } => {
  const from = momentNamed(day)!
  return { from, to: from + DAY }
}

/** A payment, and its fee, which a fund bill tells in a row of its own. */
const withFee = (of: OurRow): OurRow[] =>
  of.kind === 'pay' ? [of, { ...of, kind: 'fee', cents: of.fee_cents, fee_cents: 0 }] : [of]
/** The payments, their fees and the transfers that rows name, by our number or by the channel's. */
const paymentsNamed = async (db: Db, rows: readonly BillRow[]) => {
  const found = new Map<string, OurRow>()
  for (const some of chunked(rows)) {
    const known = await db
      .select()
      .from(payment)
      .where(
        and(
          inArray(payment.channel, [...WECHAT]),
          or(
            inArray(
              payment.out_no,
              some.map(row => row.our_no),
            ),
            inArray(
              payment.channel_no,
              some.map(row => row.channel_no),
            ),
          ),
        ),
      )
    const payments = known.map(ourPayment).flatMap(withFee)
    for (const one of [...payments, ...(await transfersNamed(db, some))]) {
      found.set(`${one.kind} our ${one.our_no}`, one)
      if (one.channel_no) found.set(`${one.kind} channel ${one.channel_no}`, one)
    }
  }
  return (row: Pick<BillRow, 'kind' | 'our_no' | 'channel_no'>): OurRow | undefined =>
    found.get(`${row.kind} our ${row.our_no}`) ?? found.get(`${row.kind} channel ${row.channel_no}`)
}
/** What the journal has on the bank account on a day, by the number of its document. */
const bankOf = async (db: Db, day: string): Promise<OurRow[]> => {
  const { from, to } = spanOfDay(day)
  const rows = await db
    .select({ no: ledger_txn.biz_no, at: ledger_entry.at, cents: ledger_entry.amount_cents })
    .from(ledger_entry)
    .innerJoin(ledger_account, eq(ledger_account.id, ledger_entry.account_id))
    .innerJoin(ledger_txn, eq(ledger_txn.id, ledger_entry.txn_id))
    .where(
      and(
        eq(ledger_account.kind, 'bank_cash'),
        gte(ledger_entry.at, from),
        lt(ledger_entry.at, to),
        isNull(ledger_txn.reverses_id),
        sql`not exists (select 1 from ledger_txn r where r.reverses_id = ${ledger_txn.id})`,
      ),
    )
    .orderBy(ledger_entry.id)
  return rows.map(({ no, at, cents }) => ({
    kind: cents > 0 ? 'income' : 'transfer',
    our_no: no,
    channel_no: '',
    cents: Math.abs(cents),
    status: 'success',
    fee_cents: 0,
    at,
    payment_id: null,
    order_id: null,
  }))
}
/** What we have that rows of a bill name. */
const oursNamed = async (db: Db, { channel, day, rows }: Omit<Bill, 'form'>) => {
  if (channel === 'wechat') {
    const payments = await paymentsNamed(db, rows)
    const moves = await movesNamed(db, rows, spanOfDay(day).from)
    return (row: BillRow): OurRow | undefined => payments(row) ?? moves(row)
  }
  const by = new Map((await bankOf(db, day)).map(one => [`${one.kind} ${one.our_no}`, one]))
  return (row: Pick<BillRow, 'kind' | 'our_no'>): OurRow | undefined =>
    row.our_no ? by.get(`${row.kind} ${row.our_no}`) : undefined
}

type Of = { day: string; channel: BillChannel; bill_id: number | null }
const rowOf = (of: Of, draft: ItemDraft): typeof recon_item.$inferInsert => ({
  ...of,
  ...draft,
  status: draft.diff === 'matched' ? 'resolved' : 'open',
})
/**
 * Writes the items of a bill; those that are known stay as they are, and are counted as duplicates.
 * What was only missing there so far is there now.
 */
export const writeBill = async (
  tx: Db,
  bill: Omit<Bill, 'form'>,
  bill_id: number,
): Promise<{ added: number; duplicates: number }> => {
  const named = await oursNamed(tx, bill)
  const of = { day: bill.day, channel: bill.channel, bill_id }
  let added = 0
  for (const some of chunked(bill.rows)) {
    await forgetMissing(tx, bill.channel, some)
    const drafts = some.flatMap(row => itemsOf(row, named(row)).map(one => rowOf(of, one)))
    const written = await tx
      .insert(recon_item)
      .values(drafts)
      .onConflictDoNothing()
      .returning({ kind: recon_item.kind, channel_no: recon_item.channel_no })
    const fresh = new Set(written.map(one => `${one.kind} ${one.channel_no}`))
    added += some.filter(row => fresh.has(`${row.kind} ${row.channel_no}`)).length
  }
  return { added, duplicates: bill.rows.length - added }
}
/** Takes away that a bill has nothing of these rows, as long as nobody has dealt with it. */
const forgetMissing = (tx: Db, channel: BillChannel, rows: readonly BillRow[]) =>
  tx.delete(recon_item).where(
    and(
      eq(recon_item.channel, channel),
      eq(recon_item.diff, 'missing_channel'),
      eq(recon_item.status, 'open'),
      inArray(
        recon_item.our_no,
        rows.map(row => row.our_no),
      ),
    ),
  )
/** Looks again at the open items of a day: what was missing here may have come since. */
const lookAgain = async (tx: Db, of: Omit<Of, 'bill_id'>): Promise<number> => {
  const open = await tx
    .select()
    .from(recon_item)
    .where(
      and(
        eq(recon_item.day, of.day),
        eq(recon_item.channel, of.channel),
        eq(recon_item.status, 'open'),
        sql`${recon_item.channel_status} is not null`,
      ),
    )
    .for('update')
  const rows = open.map(one => ({
    line: 0,
    kind: one.kind,
    at: one.at,
    our_no: one.our_no,
    channel_no: one.channel_no,
    cents: one.channel_cents!,
    fee_cents: one.fee_cents,
    status: one.channel_status!,
  }))
  const named = await oursNamed(tx, { ...of, rows })
  let changed = 0
  for (const [at, one] of open.entries()) {
    const ours = named(rows[at]!)
    const diff = diffOf(ours, rows[at])
    if (diff === one.diff) continue
    changed++
    await tx
      .update(recon_item)
      .set({
        diff,
        status: diff === 'matched' ? 'resolved' : 'open',
        our_cents: ours?.cents ?? null,
        payment_id: ours?.payment_id ?? null,
        order_id: ours?.order_id ?? null,
        version: one.version + 1,
      })
      .where(eq(recon_item.id, one.id))
  }
  return changed
}
/** A channel's day, and the bills of it that were imported. */
type Told = Omit<Of, 'bill_id'> & { forms: readonly (BillForm | null)[] }
/** What we have of a day that its bills should tell, but for shares. */
export const oursOf = async (db: Db, { day, channel, forms }: Told): Promise<OurRow[]> => {
  if (channel === 'bank') return bankOf(db, day)
  const { from, to } = spanOfDay(day)
  // Only the fund bill says what left: without it a transfer lacks nothing.
  const transfers = forms.includes('fund') ? await transfersOf(db, { from, to }) : []
  const rows = await db
    .select()
    .from(payment)
    .where(
      and(
        inArray(payment.channel, [...WECHAT]),
        eq(payment.state, 'success'),
        gte(payment.success_at, from),
        lt(payment.success_at, to),
      ),
    )
    .orderBy(payment.id)
  return [...rows.map(ourPayment), ...transfers]
}
/** Writes down what we have of a day and its bill has not; `own`: our number at WeChat. */
const writeMissing = async (tx: Db, told: Told, own: string): Promise<number> => {
  const of = { day: told.day, channel: told.channel, bill_id: null }
  const items = await tx
    .select({ kind: recon_item.kind, our_no: recon_item.our_no, channel_no: recon_item.channel_no })
    .from(recon_item)
    .where(and(eq(recon_item.day, of.day), eq(recon_item.channel, of.channel)))
  const known = new Set(
    items.flatMap(one => [`${one.kind} ${one.our_no}`, `${one.kind} ${one.channel_no}`]),
  )
  const missing = (await oursOf(tx, told)).filter(
    one =>
      !known.has(`${one.kind} ${one.our_no}`) &&
      !(one.channel_no && known.has(`${one.kind} ${one.channel_no}`)),
  )
  const isFund = told.channel === 'wechat' && told.forms.includes('fund')
  const shares = isFund ? await missingShares(tx, { ...spanOfDay(told.day), own }) : []
  let n = 0
  for (const some of chunked([...missing, ...shares]))
    n += (
      await tx
        .insert(recon_item)
        .values(some.map(one => rowOf(of, missingItem(one))))
        .onConflictDoNothing()
        .returning({ id: recon_item.id })
    ).length
  return n
}
/**
 * Compares the bills of a day with what we have, line by line, and says what both sides lack. Does
 * nothing for a channel without a bill of that day; `bill_id` is the first bill, if there is one.
 * `own`: our own number at WeChat, whose account the fund bill is of.
 */
export const matchDay = async (
  tx: Db,
  day: string,
  own: string,
): Promise<{ bill_id: number | undefined; changed: number }> => {
  const bills = await tx
    .select({ id: recon_bill.id, channel: recon_bill.channel, form: recon_bill.form })
    .from(recon_bill)
    .where(and(eq(recon_bill.day, day), isNull(recon_bill.waiting)))
  let changed = 0
  for (const channel of new Set(bills.map(one => one.channel))) {
    changed += await lookAgain(tx, { day, channel })
    const its = bills.filter(one => one.channel === channel)
    changed += await writeMissing(tx, { day, channel, forms: its.map(one => one.form) }, own)
  }
  return { bill_id: bills[0]?.id, changed }
}
