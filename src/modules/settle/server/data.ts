import { eq, inArray, sql } from 'drizzle-orm'
import { ageing, debtors } from '#src/areas/funds/ageing.server.ts'
import {
  figureEntries,
  figureLines,
  figureParts,
  figureSum,
  figureSums,
  figureTrend,
  isTold,
  type FundsAsked,
} from '#src/areas/funds/figures.server.ts'
import {
  FIGURE_DAYS,
  figureKeys,
  figureOf,
  figureTitles,
  type FigureKey,
} from '#src/areas/funds/figures.ts'
import { sweepToBank } from '#src/areas/funds/sweep.server.ts'
import {
  askReopen,
  closeDay,
  daysOf,
  decideReopen,
  runDayCheck,
  type DayRow as Day,
} from '#src/areas/ledger/days.server.ts'
import { ownerKey, ownerNames } from '#src/areas/ledger/journal.server.ts'
import { ledger_entry } from '#src/areas/ledger/ledger.table.ts'
import { accountKinds, type AccountKind, type OwnerKind } from '#src/areas/ledger/ledger.ts'
import { spanOf } from '#src/areas/log/logs.ts'
import { tooLong } from '#src/areas/log/tooLong.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { say } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { difference } from '#src/server/call/versions.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import { pageOf } from '#src/server/db/paging.ts'
import { defineExport, startExport } from '#src/server/exports/exports.ts'
import {
  funds as contract,
  type BehindRow,
  type DayRow,
  type FundsFilters,
} from '../contract/data.ts'

type Reader = Pick<Staff, 'id' | 'scope' | 'lang'>
const USUAL_DAYS = 30
/** What is asked for, with the last 30 days where no range is said; throws 422 for a longer one. */
const askedOf = ({ from, to, ...places }: FundsFilters, now: number): FundsAsked => {
  const span =
    from === undefined && to === undefined
      ? spanOf({}, USUAL_DAYS - 1, now)
      : spanOf({ from, to }, FIGURE_DAYS, now)
  if (!span) throw tooLong(FIGURE_DAYS)
  return { ...span, ...places }
}
const linesShown = async (
  db: Db,
  rows: readonly (typeof settle_line.$inferSelect)[],
): Promise<BehindRow[]> => {
  const ids = rows.map(row => row.item_id)
  const items =
    ids.length === 0
      ? []
      : await db
          .select({ id: order_item.id, title: order_item.title, no: order.order_no })
          .from(order_item)
          .innerJoin(order, eq(order.id, order_item.order_id))
          .where(oneOf(order_item.id, ids))
  const by = new Map(items.map(item => [item.id, item]))
  return rows.map(row => ({
    id: row.id,
    view: 'rows',
    at: row.created_at,
    what: by.get(row.item_id)?.title ?? '',
    order_no: by.get(row.item_id)?.no ?? '',
    order_kind: row.order_kind as OrderKind,
    status: row.status,
    biz: null,
    no: '',
    amount_cents: row.price_cents,
  }))
}
const entriesShown = async (
  db: Db,
  { lang }: Pick<Staff, 'lang'>,
  rows: readonly (typeof ledger_entry.$inferSelect)[],
  sign: 1 | -1,
): Promise<BehindRow[]> => {
  if (rows.length === 0) return []
  const told = await db.execute<{
    id: number
    no: string
    biz: NonNullable<BehindRow['biz']>
    kind: AccountKind
    owner_kind: OwnerKind
    owner_id: number
    order_no: string | null
    order_kind: OrderKind | null
  }>(sql`
    select e.id, t.no, t.biz, a.kind, a.owner_kind, a.owner_id, o.order_no, o.kind order_kind
    from ledger_entry e join ledger_txn t on t.id = e.txn_id join ledger_account a on a.id = e.account_id left join "order" o on o.id = e.order_id
    where ${oneOf(
      sql`e.id`,
      rows.map(row => row.id),
    )}`)
  const by = new Map(told.rows.map(one => [one.id, one]))
  const names = await ownerNames(db, told.rows)
  return rows.map(row => {
    const of = by.get(row.id)!
    return {
      id: row.id,
      view: 'rows',
      at: row.at,
      what: [say(accountKinds[of.kind], lang), names.get(ownerKey(of))].filter(Boolean).join(' · '),
      order_no: of.order_no ?? '',
      order_kind: of.order_kind,
      status: null,
      biz: of.biz,
      no: of.no,
      amount_cents: row.amount_cents * sign,
    }
  })
}
type Paged = { page: number; pageSize: number }
/** A page of the rows behind a figure, the latest first. */
const rowsBehind = async (
  db: Db,
  staff: Reader,
  key: FigureKey,
  { asked, ...paged }: Paged & { asked: FundsAsked },
): Promise<BehindRow[]> => {
  if (!isTold(key, asked)) return []
  const reader = `${staff.id}|funds.${key}|${JSON.stringify(asked)}`
  const common = { down: true as const, reader, ...paged }
  if (figureOf(key).from.of === 'lines') {
    const rows = await pageOf(db, settle_line, {
      where: figureLines(key, asked, staff),
      by: settle_line.created_at,
      ...common,
    })
    return linesShown(db, rows as (typeof settle_line.$inferSelect)[])
  }
  const { sign, ...found } = await figureEntries(db, key, asked, staff)
  const rows = await pageOf(db, ledger_entry, { ...found, by: ledger_entry.at, ...common })
  return entriesShown(db, staff, rows as (typeof ledger_entry.$inferSelect)[], sign)
}

/** The parts of a figure by their names; what no city or no mall has is the house's own, or outside. */
const named = async (
  db: Db,
  staff: Reader,
  parts: readonly { key: string; amount_cents: number; count: number }[],
  of: 'city' | 'mall',
) => {
  const ids = parts.map(part => Number(part.key)).filter(id => id > 0)
  const found =
    of === 'city'
      ? await db
          .select({ id: city.id, name: city.city_name })
          .from(city)
          .where(inArray(city.id, [...ids, 0]))
      : await db
          .select({ id: mall.id, name: mall.name })
          .from(mall)
          .where(inArray(mall.id, [...ids, 0]))
  const names = new Map(found.map(one => [one.id, one.name]))
  const none =
    of === 'city' ? (['总部', 'Head office'] as const) : (['商场外', 'Outside malls'] as const)
  return parts.map(({ key, ...sum }) => ({
    name: names.get(Number(key)) ?? say(none, staff.lang),
    ...sum,
  }))
}
const idOfDay = (day: string): number => Number(day.replaceAll('-', ''))
const dayShown = (
  day: string,
  row: Day | undefined,
  names: ReadonlyMap<number, string>,
): DayRow => {
  const nameOf = (id: number | null | undefined) => (id == null ? '' : (names.get(id) ?? ''))
  return {
    id: idOfDay(day),
    view: 'days',
    name: day,
    day,
    status: row?.status ?? 'open',
    checks: row?.checks ?? [],
    checked_at: row?.checked_at ?? null,
    closed_by: nameOf(row?.closed_by),
    closed_at: row?.closed_at ?? null,
    asked_by: row?.status === 'closed' ? row.asked_by : null,
    asked_name: nameOf(row?.asked_by),
    asked_at: row?.asked_at ?? null,
    reopened_by: nameOf(row?.reopened_by),
    reopen_reason: row?.reopen_reason ?? '',
  }
}
const told = ['status', 'checked_at', 'asked_by', 'reopened_by', 'reopen_reason'] as const
/** A step of a day as a call makes it, with its line in the log; answers the day. */
const stepped = async (
  { tx, log }: WriteContext,
  { was, after }: { was: Day; after: Day },
  reason?: string,
): Promise<DayRow> => {
  log({
    object_type: 'settle_day',
    object_id: after.id,
    object_label: after.day,
    ...difference(was, after, told),
    ...(reason && { reason }),
  })
  const people = [after.closed_by, after.asked_by, after.reopened_by].filter(id => id !== null)
  const names = await tx
    .select({ id: admin.id, name: admin.name })
    .from(admin)
    .where(inArray(admin.id, [...people, 0]))
  return dayShown(after.day, after, new Map(names.map(one => [one.id, one.name])))
}
const stepOf = (day: string, { staff, now }: WriteContext) => ({ day, me: staff.id, now })

const handlers = {
  lst: async ({ page, pageSize, ...filters }, { db, staff, now }) => {
    const sums = await figureSums(db, askedOf(filters, now), staff)
    const list = figureKeys.map((key, at) => ({
      id: at + 1,
      view: 'figures' as const,
      key,
      basis: figureOf(key).basis,
      amount_cents: sums.get(key)?.amount_cents ?? null,
      count: sums.get(key)?.count ?? null,
    }))
    return { list: list.slice((page - 1) * pageSize, page * pageSize), total: list.length }
  },
  rows: async ({ page, pageSize, figure, ...filters }, { db, staff, now }) => {
    const asked = askedOf(filters, now)
    const [list, sum] = await Promise.all([
      rowsBehind(db, staff, figure, { asked, page, pageSize }),
      figureSum(db, figure, asked, staff),
    ])
    return { list, total: sum?.count ?? 0, amount_cents: sum?.amount_cents ?? null }
  },
  look: async ({ figure, ...filters }, { db, staff, now }) => {
    const asked = askedOf(filters, now)
    const by = (split: 'order_kind' | 'city_id' | 'mall_id') =>
      figureParts(db, { key: figure, by: split }, asked, staff)
    const [days, kinds, cities, malls] = await Promise.all([
      figureTrend(db, figure, asked, staff),
      by('order_kind'),
      by('city_id'),
      by('mall_id'),
    ])
    return {
      days,
      kinds: kinds.map(({ key, ...sum }) => ({ key: (key || null) as OrderKind | null, ...sum })),
      cities: await named(db, staff, cities, 'city'),
      malls: await named(db, staff, malls, 'mall'),
    }
  },
  ageing: async (_, { db, staff, now }) => {
    const [told_ages, owing] = await Promise.all([ageing(db, staff, now), debtors(db, staff)])
    return { ages: told_ages, debtors: owing }
  },
  days: async ({ page, pageSize }, { db, now }) => {
    const { total, days } = await daysOf(db, { now, page, pageSize })
    return { list: days.map(({ day, row, names }) => dayShown(day, row, names)), total }
  },
  runCheck: async ({ day }, context) =>
    stepped(context, await runDayCheck(context.tx, { day, now: context.now })),
  closeDay: async ({ day }, context) =>
    stepped(context, await closeDay(context.tx, stepOf(day, context))),
  reopenDay: async ({ day, reason }, context) =>
    stepped(context, await askReopen(context.tx, { ...stepOf(day, context), reason }), reason),
  approveReopen: async ({ day }, context) =>
    stepped(context, await decideReopen(context.tx, stepOf(day, context), true)),
  rejectReopen: async ({ day }, context) =>
    stepped(context, await decideReopen(context.tx, stepOf(day, context), false)),
  sweep: async (asked, context) => {
    const { tx, staff, now } = context
    const posted = await sweepToBank(tx, { ...asked, me: staff.id, now })
    context.log({
      object_type: 'ledger_txn',
      object_id: posted.id,
      object_label: posted.no,
      before: null,
      after: { biz: 'bank_sweep', biz_no: asked.bank_no, amount_cents: asked.amount_cents },
    })
    return { no: posted.no }
  },
  export: async ({ format, columns, ids, ...filters }, context) => {
    const asked = askedOf(filters, context.now)
    const rows = await daysOfFigures(context.tx, context.staff, { ...asked, ids })
    return startExport(context, {
      page: 'settle.data',
      filters: { ...asked, ids },
      filters_text: `${dateOf(asked.from)} – ${dateOf(asked.to)}`,
      rows_expected: rows.length,
      format,
      columns,
    })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

type FileAsked = FundsAsked & { ids?: readonly number[] | undefined }
/** The figures day by day, those that were chosen; whoever sees no money has no days either. */
const daysOfFigures = async (db: Db, staff: Reader, { ids, ...asked }: FileAsked) => {
  const all = await Promise.all(
    figureKeys.map(async key => [key, await figureTrend(db, key, asked, staff)] as const),
  )
  const trends = all.filter((_, at) => ids?.includes(at + 1) ?? true)
  if (!trends.some(([, points]) => points.some(one => one.count > 0))) return []
  return trends[0]![1].map(({ day }, at) => ({
    day,
    ...Object.fromEntries(figureKeys.map(key => [key, null])),
    ...Object.fromEntries(
      trends.map(([key, points]) => [key, isTold(key, asked) ? points[at]!.amount_cents : null]),
    ),
  }))
}
defineExport('settle.data', {
  title: ['资金日报', 'Funds by day'],
  permit: contract.export.permit,
  columns: [
    { key: 'day', title: ['日期', 'Day'] },
    ...figureKeys.map(key => ({ key, title: figureTitles[key], kind: 'money' as const })),
  ],
  rows: async ({ db, staff, filters, after }) => {
    if (after !== undefined) return { rows: [], next: undefined }
    return { rows: await daysOfFigures(db, staff, filters as FileAsked), next: undefined }
  },
})

export const fundsServer = implement(contract, handlers)
