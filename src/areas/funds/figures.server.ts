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
/** The column of a reading in which a figure adds up the rows that are its own. */
type Column = { key: FigureKey; cents: SQL; n: SQL; its: SQL | undefined }
const ofLines = (key: FigureKey): Column => {
  const { from } = figureOf(key)
  const its = from.of === 'lines' && from.status ? sql`status = ${from.status}` : undefined
  return { key, cents: sql`price_cents`, n: sql`1`, its }
}
const ofEntries =
  (asked: FundsAsked, staff: Seer) =>
  (key: FigureKey): Column => {
    const figure = figureOf(key)
    return { key, ...countedOf(figure), its: sumsWhere(figure, asked, staff) }
  }
/** Reads several figures in one go over the rows that they are all made of. */
const readColumns = async (
  db: Db,
  columns: readonly Column[],
  from: SQL,
): Promise<(readonly [FigureKey, Sum])[]> => {
  if (columns.length === 0) return []
  const sums = columns.flatMap(({ cents, n, its }, at) => {
    const only = its ? sql`filter (where ${its})` : sql``
    return [
      sql`coalesce(sum(${cents}) ${only}, 0)::float8 as ${sql.identifier(`cents${at}`)}`,
      sql`coalesce(sum(${n}) ${only}, 0)::int as ${sql.identifier(`n${at}`)}`,
    ]
  })
  const { rows } = await db.execute<Record<string, number>>(
    sql`select ${sql.join(sums, sql`, `)} from ${from}`,
  )
  return columns.map(({ key }, at) => [
    key,
    { amount_cents: rows[0]![`cents${at}`]!, count: rows[0]![`n${at}`]! },
  ])
}
/** Whether a figure says anything of what is asked for. */
export const isTold = (key: FigureKey, { order_kind }: FundsAsked): boolean =>
  order_kind === undefined || tellsOrderKind(figureOf(key))

/**
 * What figures come to, in cents and in the rows that each opens: two readings, one of the lines and
 * one of the journal's sums.
 */
export const figureSums = async (
  db: Db,
  asked: FundsAsked,
  staff: Seer,
  keys: readonly FigureKey[] = figureKeys,
): Promise<ReadonlyMap<FigureKey, FigureSum>> => {
  const told = keys.filter(key => isTold(key, asked))
  const lines = told.filter(key => figureOf(key).from.of === 'lines')
  const entries = told.filter(key => figureOf(key).from.of === 'entries')
  const kinds = entries.flatMap(key => {
    const { from } = figureOf(key)
    return from.of === 'entries' ? from.kinds : []
  })
  const until = and(
    sql`kind = any(${strings([...new Set(kinds)])})`,
    sql`day <= ${dateOf(asked.to)}`,
    placed('', asked, staff),
  )!
  const read = await Promise.all([
    readColumns(
      db,
      lines.map(ofLines),
      sql`settle_line where ${linesWhere('total', asked, staff)}`,
    ),
    readColumns(db, entries.map(ofEntries(asked, staff)), sql`${dailySums(until)} s`),
  ])
  const sums = new Map(read.flat())
  return new Map(keys.map(key => [key, sums.get(key) ?? null]))
}
/** What one figure comes to; null where it says nothing of what is asked for. */
export const figureSum = async (
  db: Db,
  key: FigureKey,
  asked: FundsAsked,
  staff: Seer,
): Promise<FigureSum> => (await figureSums(db, asked, staff, [key])).get(key) ?? null

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
