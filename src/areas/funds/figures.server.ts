import { and, eq, gte, inArray, lte, sql, type SQL } from 'drizzle-orm'
import { dailySums } from '#src/areas/ledger/daily.server.ts'
import { ledger_account, ledger_entry } from '#src/areas/ledger/ledger.table.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import { figureKeys, figureOf, tellsOrderKind, type Figure, type FigureKey } from './figures.ts'

/** What the overview is asked for; both ends are moments of the first and the last day. */
export type FundsAsked = {
  from: number
  to: number
  city_id?: number | undefined
  mid?: number | undefined
  order_kind?: OrderKind | undefined
}
type Seer = Pick<Staff, 'scope'>
type Sum = { amount_cents: number; count: number }
/** Null where the figure says nothing of what was asked for. */
export type FigureSum = Sum | null

const strings = (of: readonly string[]) => sql`${sql.param([...of])}::text[]`
/** The first and the last second of a range. */
const spanOf = ({ from, to }: FundsAsked) => ({
  from: dayStart(from),
  to: dayStart(to) + DAY - 1,
})
const linesWhere = (key: FigureKey, asked: FundsAsked, staff: Seer): SQL => {
  const { from } = figureOf(key)
  const l = settle_line
  const span = spanOf(asked)
  return and(
    gte(l.created_at, span.from),
    lte(l.created_at, span.to),
    from.of === 'lines' && from.status ? eq(l.status, from.status) : undefined,
    asked.order_kind && eq(l.order_kind, asked.order_kind),
    asked.city_id === undefined ? undefined : eq(l.city_id, asked.city_id),
    asked.mid === undefined ? undefined : eq(l.mall_id, asked.mid),
    within(staff.scope, { city: l.city_id, mall: l.mall_id }),
  )!
}
/** Where sums of days, or transactions, count: by the names that both have. */
const placed = (of: string, { city_id, mid }: FundsAsked, { scope }: Seer): SQL | undefined => {
  const column = (name: string) => sql.raw(`${of}${name}`)
  return and(
    city_id === undefined ? undefined : sql`${column('city_id')} = ${city_id}`,
    mid === undefined ? undefined : sql`${column('mall_id')} = ${mid}`,
    within(scope, { city: column('city_id'), mall: column('mall_id') }),
  )
}
const sumsWhere = ({ from, basis }: Figure, asked: FundsAsked, staff: Seer): SQL => {
  if (from.of === 'lines') return sql`false`
  return and(
    sql`kind = any(${strings(from.kinds)})`,
    sql`day <= ${dateOf(asked.to)}`,
    basis === 'flow' ? sql`day >= ${dateOf(asked.from)}` : undefined,
    from.biz && sql`biz = any(${strings(from.biz)})`,
    asked.order_kind && sql`order_kind = ${asked.order_kind}`,
    placed('', asked, staff),
  )!
}
/** What a figure counts of sums: in cents, and in entries. */
const countedOf = ({ from }: Figure): { cents: SQL; n: SQL } => {
  if (from.of === 'lines') throw new Error('Lines are no entries')
  const sides = {
    debit: { cents: sql`debit_cents`, n: sql`debits` },
    credit: { cents: sql`(-credit_cents)`, n: sql`credits` },
    both: { cents: sql`(debit_cents - credit_cents)`, n: sql`(debits + credits)` },
  }
  const { cents, n } = sides[from.side]
  return { cents: from.sign === 1 ? cents : sql`(-${cents})`, n }
}
const fromLines = async (db: Db, key: FigureKey, asked: FundsAsked, staff: Seer): Promise<Sum> => {
  const [row] = await db
    .select({
      amount_cents: sql<number>`coalesce(sum(price_cents), 0)::float8`,
      count: sql<number>`count(*)::int`,
    })
    .from(settle_line)
    .where(linesWhere(key, asked, staff))
  return row!
}
const fromEntries = async (
  db: Db,
  key: FigureKey,
  asked: FundsAsked,
  staff: Seer,
): Promise<Sum> => {
  const figure = figureOf(key)
  const { cents, n } = countedOf(figure)
  const { rows } = await db.execute<Sum>(
    sql`select coalesce(sum(${cents}), 0)::float8 amount_cents, coalesce(sum(${n}), 0)::int count from ${dailySums(sumsWhere(figure, asked, staff))} s`,
  )
  return rows[0]!
}
/** Whether a figure says anything of what is asked for. */
export const isTold = (key: FigureKey, { order_kind }: FundsAsked): boolean =>
  order_kind === undefined || tellsOrderKind(figureOf(key))

/** What a figure comes to, in cents and in the rows that it opens. */
export const figureSum = async (
  db: Db,
  key: FigureKey,
  asked: FundsAsked,
  staff: Seer,
): Promise<FigureSum> => {
  if (!isTold(key, asked)) return null
  const read = figureOf(key).from.of === 'lines' ? fromLines : fromEntries
  return read(db, key, asked, staff)
}
/** Every figure, by its key. */
export const figureSums = async (
  db: Db,
  asked: FundsAsked,
  staff: Seer,
): Promise<ReadonlyMap<FigureKey, FigureSum>> =>
  new Map(
    await Promise.all(
      figureKeys.map(async key => [key, await figureSum(db, key, asked, staff)] as const),
    ),
  )

export type Point = { day: string } & Sum
/** A figure day by day: what moved on each, or what there was at its end. Days without any are 0. */
export const figureTrend = async (
  db: Db,
  key: FigureKey,
  asked: FundsAsked,
  staff: Seer,
): Promise<Point[]> => {
  const figure = figureOf(key)
  const days: string[] = []
  for (let at = dayStart(asked.from); at <= asked.to; at += DAY) days.push(dateOf(at))
  const byDay =
    figure.from.of === 'lines'
      ? sql`select to_char(to_timestamp(created_at) at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, sum(price_cents)::float8 amount_cents, count(*)::int count from settle_line where ${linesWhere(key, asked, staff)} group by 1`
      : sql`select day, sum(${countedOf(figure).cents})::float8 amount_cents, sum(${countedOf(figure).n})::int count from ${dailySums(sumsWhere(figure, asked, staff))} s group by 1`
  const { rows } = isTold(key, asked) ? await db.execute<Point>(byDay) : { rows: [] }
  if (figure.basis === 'flow') {
    const by = new Map(rows.map(row => [row.day, row]))
    return days.map(day => by.get(day) ?? { day, amount_cents: 0, count: 0 })
  }
  // A balance is all that moved until the end of its day.
  const moved = rows.toSorted((a, b) => (a.day < b.day ? -1 : 1))
  const so_far: Sum = { amount_cents: 0, count: 0 }
  let at = 0
  return days.map(day => {
    for (; at < moved.length && moved[at]!.day <= day; at++) {
      so_far.amount_cents += moved[at]!.amount_cents
      so_far.count += moved[at]!.count
    }
    return { day, ...so_far }
  })
}

type Split = 'order_kind' | 'city_id' | 'mall_id'
export type Part = { key: string } & Sum
/** The parts of a figure by kind of order, city or mall, the largest first; together they are it. */
export const figureParts = async (
  db: Db,
  of: { key: FigureKey; by: Split },
  asked: FundsAsked,
  staff: Seer,
): Promise<Part[]> => {
  const figure = figureOf(of.key)
  if (!isTold(of.key, asked)) return []
  const by = sql.raw(of.by)
  const parts =
    figure.from.of === 'lines'
      ? sql`select ${by}::text as key, sum(price_cents)::float8 amount_cents, count(*)::int count from settle_line where ${linesWhere(of.key, asked, staff)} group by 1`
      : sql`select ${by}::text as key, sum(${countedOf(figure).cents})::float8 amount_cents, sum(${countedOf(figure).n})::int count from ${dailySums(sumsWhere(figure, asked, staff))} s group by 1`
  const { rows } = await db.execute<Part>(sql`${parts} order by 2 desc, 1`)
  return rows
}

/** The lines that a figure of orders is made of. */
export const figureLines = linesWhere
/**
 * The entries that a figure of the journal is made of, to be read in order of time: those of the
 * accounts of its kinds, by their index.
 */
export const figureEntries = async (db: Db, key: FigureKey, asked: FundsAsked, staff: Seer) => {
  const { from, basis } = figureOf(key)
  if (from.of === 'lines') throw new Error('Lines are no entries')
  const e = ledger_entry
  const accounts = await db
    .select({ id: ledger_account.id })
    .from(ledger_account)
    .where(inArray(ledger_account.kind, [...from.kinds]))
  const span = spanOf(asked)
  const sides = {
    debit: sql`${e.amount_cents} > 0`,
    credit: sql`${e.amount_cents} < 0`,
    both: undefined,
  }
  const ofTxn = and(from.biz && sql`t.biz = any(${strings(from.biz)})`, placed('t.', asked, staff))
  return {
    where: and(
      lte(e.at, span.to),
      basis === 'flow' ? gte(e.at, span.from) : undefined,
      sides[from.side],
      ofTxn && sql`exists (select 1 from ledger_txn t where t.id = ${e.txn_id} and ${ofTxn})`,
      asked.order_kind &&
        sql`exists (select 1 from "order" o where o.id = ${e.order_id} and o.kind = ${asked.order_kind})`,
    ),
    among: [{ column: e.account_id, values: accounts.map(row => row.id) }],
    sign: from.sign,
  }
}
