import { asc, eq, gt, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { order } from '#src/areas/order/order.table.ts'
import { setting } from '#src/areas/people/people.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { oneByOne } from '#src/server/db/oneByOne.ts'
import { bookOrders } from './orderBooks.server.ts'

/** Up to which order all have their books. */
const BOOKED_TO = 'ledger_booked_to'
const LOCK = 41_812
/** So few at a time that nobody waits long for an account. */
const PIECE = 50

const bookedTo = async (db: Db): Promise<number> => {
  const [row] = await db
    .select({ value: setting.value })
    .from(setting)
    .where(eq(setting.key, BOOKED_TO))
  return Number(row?.value ?? 0)
}
/** Remembers that all orders up to one have their books. */
export const markBooked = (db: Db, id: number) =>
  db
    .insert(setting)
    .values({ key: BOOKED_TO, value: id })
    .onConflictDoUpdate({ target: setting.key, set: { value: id } })
const nextOf = async (db: Db, size: number): Promise<number[]> =>
  (
    await db
      .select({ id: order.id })
      .from(order)
      .where(gt(order.id, await bookedTo(db)))
      .orderBy(asc(order.id))
      .limit(size)
  ).map(row => row.id)

/**
 * Orders of these whose sums do not meet: what came in and went back by their payments against the
 * journal, or what is paid and not used against escrow.
 */
export const misfitsAmong = async (db: Db, ids: readonly number[]): Promise<string[]> => {
  const those = sql`any(${sql.param([...ids])}::int[])`
  const { rows } = await db.execute<{ order_no: string }>(sql`
    select o.order_no from "order" o
      left join (select e.order_id, sum(e.amount_cents) filter (where a.kind = 'escrow') escrow, sum(e.amount_cents) filter (where a.kind in ('wechat_cash', 'bank_cash', 'member_balance', 'points_expense') and t.biz in ('pay', 'card_sale', 'vip_sale', 'refund')) cash from ledger_entry e join ledger_account a on a.id = e.account_id join ledger_txn t on t.id = e.txn_id where e.order_id = ${those} group by 1) e on e.order_id = o.id
      left join (select order_id, sum(base_cents - gone_base_cents) filter (where status in ('not_settled', 'pending_tickets')) cents from settle_line where order_id = ${those} group by 1) l on l.order_id = o.id
      left join (select p.order_id, sum(case p.direction when 'in' then p.amount_cents else -p.amount_cents end) cents from payment p left join refund r on r.id = p.refund_id where p.order_id = ${those} and p.state = 'success' and p.channel <> 'ecard' and (p.direction = 'in' or r.state = 'done') group by 1) p on p.order_id = o.id
    where o.id = ${those} and o.ecard_channel_id is null and (coalesce(e.escrow, 0) + coalesce(l.cents, 0) <> 0 or coalesce(e.cash, 0) <> coalesce(p.cents, 0)) order by o.id`)
  return rows.map(row => row.order_no)
}
type Piece = { orders: number; postings: number; misfits: string[] }
/** Books the next orders in one transaction; undefined where none is left or another does it. */
const bookPiece = (database: Database, now: number, size: number): Promise<Piece | undefined> =>
  database.transaction(async tx => {
    const {
      rows: [lock],
    } = await tx.execute<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${LOCK}) mine`)
    const ids = lock!.mine ? await nextOf(tx, size) : []
    if (ids.length === 0) return undefined
    await markBooked(tx, ids.at(-1)!)
    const { postings } = await bookOrders(tx, ids, now)
    return { orders: ids.length, postings, misfits: await misfitsAmong(tx, ids) }
  })
/** The same one by one, where one of them can't be booked: that one is told, the others are booked. */
const bookEach = async (
  of: { database: Database; log: Pick<Logger, 'error'>; now: number },
  size: number,
): Promise<Piece> => {
  const { database, log, now } = of
  const ids = await nextOf(database.db, size)
  let postings = 0
  const orders = await oneByOne(
    ids.map(id => ({ id })),
    ({ id }) =>
      database.transaction(async tx => {
        postings += (await bookOrders(tx, [id], now)).postings
      }),
    (error, id) => log.error({ err: error, order: id }, 'an order could not be booked'),
  )
  if (ids.length > 0) await markBooked(database.db, ids.at(-1)!)
  return { orders, postings, misfits: await misfitsAmong(database.db, ids) }
}

/**
 * Books all orders that have no books yet, from the oldest on, some in each transaction: whoever is
 * killed meanwhile goes on where it was, and what is asked again changes nothing. Orders whose sums
 * do not meet are named in the server's log. Answers how many orders were booked. `pieces`: at most
 * so many transactions.
 */
export const bookRest = async (of: {
  database: Database
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  now: number
  size?: number
  pieces?: number
}): Promise<number> => {
  const { database, log, now, size = PIECE, pieces = Infinity } = of
  let [orders, postings] = [0, 0]
  for (let n = 0; n < pieces; n++) {
    let piece: Piece | undefined
    try {
      piece = await bookPiece(database, now, size)
    } catch (error) {
      log.warn({ err: error }, 'orders are booked one by one')
      piece = await bookEach(of, size)
    }
    if (!piece) break
    orders += piece.orders
    postings += piece.postings
    if (piece.misfits.length > 0)
      log.warn({ orders: piece.misfits }, 'sums of orders do not meet their books')
  }
  if (postings > 0) log.info({ orders, postings }, 'orders were booked')
  return orders
}
