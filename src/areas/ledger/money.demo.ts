import { asc, eq, sql } from 'drizzle-orm'
import { order } from '#src/areas/order/order.table.ts'
import { markBooked } from '#src/areas/settle/backfill.server.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import type { OrderBook, OrderEvent, Surroundings } from '#src/areas/settle/orderBook.ts'
import { readBookFacts } from '#src/areas/settle/orderFacts.server.ts'
import type { Line } from '#src/areas/settle/orderLines.ts'
import {
  applyEvent,
  closeLines,
  eventsOf,
  isBooked,
  openBook,
} from '#src/areas/settle/orderPostings.ts'
import { settle_merchant } from '#src/areas/settle/settleMerchant.table.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows, newLoad } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { newBook, type Book } from './book.ts'
import { ledger_account, ledger_entry, ledger_txn } from './ledger.table.ts'
import { accountKey } from './ledger.ts'

/** A settlement line of the demo, as it is at the moment of the replay. */
export type DemoLine = Line & {
  order_id: number
  order_kind: string
  city_id: number
  mall_id: number
  created_at: number
  held: boolean
  hold_reason: string
  held_by: number | null
  batch_id: number | null
  settled_at: number | null
  /** Its order is shared at the payment channel: no batch takes it. */
  shared?: boolean
  /** Its order is held up: no batch takes it either. */
  frozen: boolean
}
/** What every step of the money's history finds. */
export type MoneyWorld = {
  db: Db
  random: Random
  /** Unix seconds that the data grows up to. */
  now: number
  scale: number
  /** The journal of the demo: `book.post` writes into it, `book.balance` answers what is there. */
  book: Book
  /** The books of all orders, with their lines as they are at the moment of the replay. */
  orders: readonly OrderBook[]
  /** Every line of a merchant that was sold so far. */
  linesOf: (merchant_id: number) => readonly DemoLine[]
  merchant_ids: () => readonly number[]
  /** Lets something happen at a moment of the replay: not before the day that is being played. */
  at: (at: number, run: () => void) => void
}
export type MoneyDay = { day: string; from: number; to: number }
/** What one area adds to the money's history. */
export type MoneyStep = {
  /** Called as a day begins; what happens in it is left to `world.at`. */
  run: (day: MoneyDay) => void
  /** Writes the rows that it kept, once all days are over. */
  insert: () => Promise<unknown>
}
/**
 * A part of the history of money: found in `src/areas/…/*.demo.ts`, as `export const money`. Parts
 * of a smaller place come first within a day, and are inserted first.
 */
export type MoneyPart = {
  place: number
  branch: string
  make: (world: MoneyWorld) => MoneyStep | Promise<MoneyStep>
}
const files = import.meta.glob<{ money?: readonly MoneyPart[] }>('../*/*.demo.ts', { eager: true })
const parts = () =>
  Object.values(files)
    .flatMap(file => file.money ?? [])
    .sort((a, b) => a.place - b.place)

const ORDERS = 1000
type Happening = { at: number; run: () => void }
type Moved = { at: number; book: OrderBook; event: OrderEvent }
/** What steps let happen, in the order of time; among what happens at once the first told is first. */
const newSchedule = () => {
  /** The latest comes first, so that the next is taken off the end. */
  const ahead: Happening[] = []
  return {
    add: (one: Happening) => {
      let [low, high] = [0, ahead.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (ahead[middle]!.at <= one.at) high = middle
        else low = middle + 1
      }
      ahead.splice(low, 0, one)
    },
    next: (before: number): Happening | undefined =>
      ahead.length > 0 && ahead.at(-1)!.at < before ? ahead.pop() : undefined,
  }
}

/** The lines and the events of every order. */
const readOrders = async (db: Db, around: Surroundings, now: number) => {
  const ids = (await db.select({ id: order.id }).from(order).orderBy(asc(order.id))).map(
    one => one.id,
  )
  const books: OrderBook[] = []
  const events: Moved[] = []
  for (let at = 0; at < ids.length; at += ORDERS)
    for (const facts of await readBookFacts(db, ids.slice(at, at + ORDERS), 'all')) {
      const book = openBook(facts, [], around)
      books.push(book)
      for (const event of eventsOf(facts)) events.push({ at: Math.min(event.at, now), book, event })
    }
  events.sort((a, b) => a.at - b.at)
  return { books, events }
}
const frozenOrders = async (db: Db): Promise<ReadonlySet<number>> =>
  new Set(
    (await db.select({ id: order.id }).from(order).where(eq(order.frozen, true))).map(
      one => one.id,
    ),
  )
const dressed = (book: OrderBook, frozen: ReadonlySet<number>): DemoLine[] => {
  const { order: of } = book.facts
  return book.lines.map(line =>
    Object.assign(line, {
      order_id: of.id,
      order_kind: of.kind,
      city_id: of.city_id,
      mall_id: of.mall_id,
      created_at: of.created_at,
      held: false,
      hold_reason: '',
      held_by: null,
      batch_id: null,
      settled_at: null,
      frozen: frozen.has(of.id),
    }),
  )
}
/** Redemptions say where their money is, as their lines do. */
const tellUses = (db: Db, now: number) =>
  db.execute(sql`
    update verify_record v set settle_state = w.state
    from (select l.verify_id, case when bool_and(l.status in ('settled', 'refunded')) then 'settled' when bool_or(l.batch_id is not null) then 'settling' when max(l.freeze_until_at) <= ${now} then 'available' else 'holding' end state from settle_line l where l.verify_id is not null group by 1) w
    where v.id = w.verify_id and v.state = 'valid' and v.settle_state <> w.state`)

/** The rows of the journal: hundreds of thousands, which nothing here looks at again. */
const newJournal = () =>
  [
    newLoad(ledger_txn, [
      'id',
      'biz',
      'biz_id',
      'biz_no',
      'idem_key',
      'city_id',
      'mall_id',
      'reverses_id',
      'maker_id',
      'checker_id',
      'memo',
      'created_at',
      'day',
      'amount_cents',
    ]),
    newLoad(ledger_entry, [
      'txn_id',
      'account_id',
      'at',
      'amount_cents',
      'balance_after_cents',
      'order_id',
      'line_id',
    ]),
  ] as const
/**
 * The history of money, played day by day in the order of time: orders are paid, used and given
 * back, and between them the steps of other areas settle, pay out and charge. One journal holds it.
 */
const seedMoney = async (
  db: Db,
  random: Random,
  of: { now: number; scale: number },
): Promise<void> => {
  const { now } = of
  const [txns, entries] = newJournal()
  const book = newBook({ txn: txns.add, entry: entries.add })
  // Terms that are set so far are those of before any sale.
  const bearers = new Map(
    (await db.select().from(settle_merchant)).map(one => [one.merchant_id, one.fee_bearer]),
  )
  let ids = 0
  /** What the event that is being played has taken of balances already. */
  const taken = new Map<string, number>()
  const around: Surroundings = {
    posted: book.has,
    newId: () => ++ids,
    bearerOf: id => bearers.get(id) ?? 'platform',
    spend: (account, cents) => {
      const key = accountKey(account)
      const before = taken.get(key) ?? 0
      const some = Math.min(cents, -book.balance(account) - before)
      taken.set(key, before + some)
      return some
    },
    whole: true,
  }
  const { books, events } = await readOrders(db, around, now)
  const frozen = await frozenOrders(db)
  const lines = books.flatMap(one => dressed(one, frozen))
  const own = new Map<number, DemoLine[]>()
  for (const line of lines) {
    const some = own.get(line.merchant_id)
    if (some) some.push(line)
    else own.set(line.merchant_id, [line])
  }
  const schedule = newSchedule()
  const world = (branch: string): MoneyWorld => ({
    db,
    random: random.branch(branch),
    now,
    scale: of.scale,
    book,
    orders: books,
    linesOf: id => own.get(id) ?? [],
    merchant_ids: () => [...own.keys()],
    at: (at, run) => schedule.add({ at, run }),
  })
  const steps = []
  for (const part of parts()) steps.push(await part.make(world(part.branch)))
  const play = ({ book: own, event }: Moved): void => {
    if (isBooked(own, event)) return
    taken.clear()
    for (const one of applyEvent(own, event)) book.post(one)
  }
  let next = 0
  for (let from = dayStart(events[0]?.at ?? now); from <= now; from += DAY) {
    const to = Math.min(from + DAY, now + 1)
    for (const step of steps) step.run({ day: dateOf(from), from, to })
    while (next < events.length && events[next]!.at < to) {
      const moved = events[next++]!
      for (let one = schedule.next(moved.at); one; one = schedule.next(moved.at)) one.run()
      play(moved)
    }
    for (let one = schedule.next(to); one; one = schedule.next(to)) one.run()
  }
  for (const one of books) closeLines(one)
  await insertRows(db, settle_line, lines)
  await insertRows(db, ledger_account, book.rows().accounts)
  await txns.insert(db)
  await entries.insert(db)
  for (const step of steps) await step.insert()
  await tellUses(db, now)
  await markBooked(db, books.at(-1)?.facts.order.id ?? 0)
}
export const demo: readonly DemoStep[] = [
  { place: 99, branch: 'money', title: '资金与账本 / money and its journal', run: seedMoney },
]
