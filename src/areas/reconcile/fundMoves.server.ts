/** What the journal has of a fund bill's rows that are neither payments, refunds nor transfers. */
import { and, eq, gte, inArray, lt, or, sql, type SQL } from 'drizzle-orm'
import { ledger_account, ledger_entry, ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { dist_split_order, dist_split_receiver } from '#src/areas/split/split.table.ts'
import type { ReceiverState } from '#src/areas/split/split.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { recon_item } from './reconcile.table.ts'
import type { BillRow, ItemKind, OurRow } from './reconcile.ts'

type Named = Pick<BillRow, 'kind' | 'our_no' | 'channel_no' | 'cents'>
const nobodys = { channel_no: '', status: 'success', fee_cents: 0, payment_id: null } as const
const numbersOf = (rows: readonly Named[], kind: ItemKind): string[] =>
  rows.flatMap(row => (row.kind === kind && row.our_no ? row.our_no : []))

/** What transactions moved on WeChat's account, whichever way (cents). */
const moved = (db: Db, where: SQL | undefined) =>
  db
    .select({
      no: ledger_txn.biz_no,
      key: ledger_txn.idem_key,
      at: ledger_txn.created_at,
      cents: sql<number>`abs(${ledger_entry.amount_cents})`.mapWith(Number),
    })
    .from(ledger_txn)
    .innerJoin(ledger_entry, eq(ledger_entry.txn_id, ledger_txn.id))
    .innerJoin(ledger_account, eq(ledger_account.id, ledger_entry.account_id))
    .where(and(eq(ledger_account.kind, 'wechat_cash'), where))
    .orderBy(ledger_txn.id)

/**
 * The fees that came back with refunds, by the refund's number at the channel. What a refund out of
 * several payments brought back is spread over them by their amounts.
 */
const feesBack = async (db: Db, rows: readonly Named[]): Promise<OurRow[]> => {
  const numbers = numbersOf(rows, 'fee_back')
  if (numbers.length === 0) return []
  const paid = await db
    .select({
      id: payment.id,
      out_no: payment.out_no,
      order_id: payment.order_id,
      refund_id: payment.refund_id,
      cents: payment.amount_cents,
      whole:
        sql<number>`(select sum(x.amount_cents) from payment x where x.refund_id = payment.refund_id and x.direction = 'out' and x.state = 'success')`.mapWith(
          Number,
        ),
    })
    .from(payment)
    .where(and(inArray(payment.out_no, numbers), eq(payment.direction, 'out')))
  const keys = paid.map(one => `fee_back:${one.refund_id}`)
  const posted = new Map(
    (keys.length === 0 ? [] : await moved(db, inArray(ledger_txn.idem_key, keys))).map(one => [
      one.key,
      one,
    ]),
  )
  return paid.flatMap((one): OurRow[] => {
    const back = posted.get(`fee_back:${one.refund_id}`)
    if (!back) return []
    const cents = Math.round((back.cents * one.cents) / Math.max(1, one.whole))
    const { id: payment_id, order_id, out_no: our_no } = one
    return [{ ...nobodys, kind: 'fee_back', our_no, cents, at: back.at, payment_id, order_id }]
  })
}
/** Shares that were given back, by the number that asked for it. */
const sharesBack = async (db: Db, rows: readonly Named[]): Promise<OurRow[]> => {
  const keys = numbersOf(rows, 'share_back').map(no => `split:back:${no}`)
  if (keys.length === 0) return []
  const found = await moved(db, inArray(ledger_txn.idem_key, keys))
  return found.map(({ key, cents, at }) => ({
    ...nobodys,
    kind: 'share_back',
    our_no: key.slice('split:back:'.length),
    cents,
    at,
    order_id: null,
  }))
}
const shareSays = {
  waiting: 'pending',
  processing: 'pending',
  done: 'success',
  failed: 'failed',
  skipped: 'failed',
} as const satisfies Record<ReceiverState, OurRow['status']>
/** The shares of a request, one for each receiver: all have its number. */
const shares = async (db: Db, rows: readonly Named[]): Promise<OurRow[]> => {
  const numbers = numbersOf(rows, 'share')
  if (numbers.length === 0) return []
  const r = dist_split_receiver
  const found = await db
    .select({
      our_no: r.out_no,
      cents: r.amount_cents,
      at: r.done_at,
      status: r.status,
      order_id: dist_split_order.order_id,
    })
    .from(r)
    .innerJoin(dist_split_order, eq(dist_split_order.id, r.split_id))
    .where(inArray(r.out_no, numbers))
    .orderBy(r.id)
  return found.map(({ our_no, cents, at, status, order_id }) => ({
    ...nobodys,
    kind: 'share',
    our_no: our_no!,
    cents,
    at: at ?? 0,
    status: shareSays[status],
    order_id,
  }))
}
/** A payout reaches the bank on its day or on the next. */
const SWEPT_S = 2 * DAY
/** What WeChat paid out to the bank and a person noted, on that day or on the next. */
const sweeps = async (db: Db, rows: readonly Named[], from: number): Promise<OurRow[]> => {
  const named = rows.filter(row => row.kind === 'sweep')
  if (named.length === 0) return []
  const numbers = named.flatMap(row => [row.our_no, row.channel_no])
  const { created_at } = ledger_txn
  const near = and(gte(created_at, from), lt(created_at, from + SWEPT_S))
  const found = await moved(
    db,
    and(eq(ledger_txn.biz, 'bank_sweep'), or(inArray(ledger_txn.biz_no, numbers), near)),
  )
  return found.map(({ no, cents, at }) => ({
    ...nobodys,
    kind: 'sweep',
    our_no: no,
    cents,
    at,
    order_id: null,
  }))
}

const kinds = ['fee_back', 'share', 'share_back', 'sweep'] as const
/** Items that were matched before, so that nothing of ours answers to two rows. */
const matchedBefore = (db: Db, ours: readonly OurRow[], from: number) => {
  const t = recon_item
  const numbers = ours.map(one => one.our_no)
  const near = and(eq(t.kind, 'sweep'), gte(t.at, from - SWEPT_S), lt(t.at, from + SWEPT_S))
  return db
    .select({ kind: t.kind, our_no: t.our_no, channel_no: t.channel_no, cents: t.our_cents })
    .from(t)
    .where(
      and(
        eq(t.channel, 'wechat'),
        eq(t.diff, 'matched'),
        inArray(t.kind, [...kinds]),
        or(inArray(t.our_no, numbers), inArray(t.channel_no, numbers), near),
      ),
    )
}
/** Gives each of ours to one row: by its number, of several by the amount; a payout by that alone. */
const dealing = (ours: readonly OurRow[]) => {
  const taken = new Set<OurRow>()
  const free = (fits: (one: OurRow) => boolean) => ours.filter(one => !taken.has(one) && fits(one))
  const of = (row: Named): OurRow | undefined => {
    const names = [row.our_no, row.channel_no].filter(Boolean)
    const same = free(one => one.kind === row.kind && names.includes(one.our_no))
    if (same.length > 0) return same.find(one => one.cents === row.cents) ?? same[0]
    if (row.kind !== 'sweep') return undefined
    const alike = free(one => one.kind === 'sweep' && one.cents === row.cents)
    return alike.length === 1 ? alike[0] : undefined
  }
  return (row: Named): OurRow | undefined => {
    const found = of(row)
    if (found) taken.add(found)
    return found
  }
}
/**
 * What we have of rows of a fund bill: each of ours answers to one row. Shares of one request are
 * told apart by their amounts; a payout to the bank goes by its number, else by an amount that just
 * one payout of that day and the next has. `from` is the bill's day (unix seconds).
 */
export const movesNamed = async (db: Db, rows: readonly Named[], from: number) => {
  const ours = [
    ...(await feesBack(db, rows)),
    ...(await sharesBack(db, rows)),
    ...(await shares(db, rows)),
    ...(await sweeps(db, rows, from)),
  ]
  const deal = dealing(ours)
  if (ours.length > 0)
    for (const one of await matchedBefore(db, ours, from)) deal({ ...one, cents: one.cents ?? 0 })
  return deal
}
