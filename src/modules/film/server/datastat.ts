import { asc, ilike } from 'drizzle-orm'
import { film } from '#src/areas/film/film.table.ts'
import { filmStat, type Stat, type StatAsked } from '#src/areas/filmStat/filmStat.server.ts'
import {
  addSums,
  periodBefore,
  ratesOf,
  STAT_DAYS,
  statBases,
  statBy,
  wholeDays,
  type StatSums,
} from '#src/areas/filmStat/filmStat.ts'
import { spanOf } from '#src/areas/log/logs.ts'
import { tooLong } from '#src/areas/log/tooLong.server.ts'
import { say } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import { implement, type Db, type Handler, type Staff } from '#src/server/call/implement.ts'
import { paged } from '#src/server/call/tree.ts'
import { like } from '#src/server/db/like.ts'
import { defineExport, startExport } from '#src/server/exports/exports.ts'
import { filmDatastat as contract, type FilmStatFilters as Filters } from '../contract/datastat.ts'

type Seer = Pick<Staff, 'scope' | 'lang'>
const USUAL_DAYS = 30
/** Whole days, 30 of them unless said otherwise; throws 422 for more than thirteen months. */
const askedOf = ({ from, to, compare: _, ...same }: Filters, now: number): StatAsked => {
  const span =
    from === undefined && to === undefined
      ? spanOf({}, USUAL_DAYS - 1, now)
      : spanOf({ from, to }, STAT_DAYS, now)
  if (!span) throw tooLong(STAT_DAYS)
  return { ...same, ...wholeDays(span) }
}
/** Days have no fellow in the period before; everything else has one of its own key. */
const beforeOf = async (db: Db, asked: StatAsked, staff: Seer): Promise<Stat[]> =>
  filmStat(db, { ...asked, ...periodBefore(asked) }, staff)
const shown = <S extends StatSums>(of: S) => ({ ...of, ...ratesOf(of) })
/** A mall outside malls has the key 0, and a row needs an id. */
const idOf = (key: number): number => key + 1

const rowsOf = async (db: Db, filters: Filters, { staff, now }: { staff: Seer; now: number }) => {
  const asked = askedOf(filters, now)
  const rows = await filmStat(db, asked, staff)
  const before = filters.compare ? await beforeOf(db, asked, staff) : []
  const was = new Map(before.map(row => [row.key, row]))
  const { by, basis: _, from, to, ...same } = asked
  return {
    asked,
    sums: shown(addSums(rows)),
    sums_before: filters.compare ? shown(addSums(before)) : null,
    rows: rows.map(row => ({
      ...shown(row),
      id: idOf(row.key),
      before: by === 'day' ? null : (was.get(row.key) ?? null),
      by,
      from,
      to,
      asked: same,
    })),
  }
}

const handlers = {
  lst: async ({ page, pageSize, ...filters }, { db, staff, now }) => {
    const { rows, asked, ...sums } = await rowsOf(db, filters, { staff, now })
    return {
      ...paged(rows, { page, pageSize }),
      ...sums,
      from: asked.from,
      to: asked.to,
      counted_at: now,
    }
  },
  films: async ({ keyword }, { db }) => ({
    list: await db
      .select({ id: film.id, name: film.name })
      .from(film)
      .where(keyword ? ilike(film.name, `%${like(keyword)}%`) : undefined)
      .orderBy(asc(film.name))
      .limit(100),
  }),
  export: async ({ format, columns, ids, ...filters }, context) => {
    const { rows, asked } = await rowsOf(context.tx, filters, context)
    const { lang } = context.staff
    return startExport(context, {
      page: 'film.datastat',
      filters: { ...filters, from: asked.from, to: asked.to - 1, ids },
      filters_text: `${say(statBy[asked.by], lang)} · ${say(statBases[asked.basis], lang)} ${dateOf(asked.from)} – ${dateOf(asked.to - 1)}`,
      rows_expected: chosenOf(rows, ids).length,
      format,
      columns,
    })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

type FileAsked = Filters & { ids?: readonly number[] | undefined }
const chosenOf = <R extends { id: number }>(
  rows: readonly R[],
  ids: readonly number[] | undefined,
): R[] => rows.filter(row => ids?.includes(row.id) ?? true)
const gmv = { kind: 'money', field: 'stat.gmv_cents' } as const
defineExport('film.datastat', {
  title: ['影票数据', 'Film statistics'],
  permit: contract.export.permit,
  columns: [
    { key: 'name', title: ['名称', 'Name'] },
    { key: 'orders', title: ['订单数', 'Orders'], kind: 'number' },
    { key: 'seats', title: ['座位数', 'Seats'], kind: 'number' },
    { key: 'box_cents', title: ['票房', 'Box office'], ...gmv },
    { key: 'average_cents', title: ['平均票价', 'Average price'], ...gmv },
    { key: 'coupon_cents', title: ['优惠券', 'Coupons'], kind: 'money' },
    { key: 'subsidy_cents', title: ['补贴', 'Subsidy'], kind: 'money' },
    {
      key: 'profit_cents',
      title: ['利润', 'Profit'],
      kind: 'money',
      field: 'product.settle_price_cents',
    },
    { key: 'success', title: ['出票成功率', 'Issue rate'] },
    { key: 'wait_s', title: ['平均出票（秒）', 'Seconds to issue'], kind: 'number' },
    { key: 'refunds', title: ['退款单数', 'Refunds'], kind: 'number' },
    { key: 'refunded_cents', title: ['退款金额', 'Refunded'], kind: 'money' },
    { key: 'new_buyers', title: ['新客数', 'New buyers'], kind: 'number' },
  ],
  rows: async ({ db, staff, filters, after, now }) => {
    if (after !== undefined) return { rows: [], next: undefined }
    const asked = filters as FileAsked
    const { rows } = await rowsOf(db, asked, { staff, now })
    return {
      rows: chosenOf(rows, asked.ids).map(row => ({
        name: row.name,
        orders: row.orders,
        seats: row.seats,
        box_cents: row.box_cents,
        average_cents: row.average_cents,
        coupon_cents: row.coupon_cents,
        subsidy_cents: row.subsidy_cents,
        profit_cents: row.profit_cents,
        success: row.success_bp === null ? '' : `${(row.success_bp / 100).toFixed(2)}%`,
        wait_s: row.wait_s,
        refunds: row.refunds,
        refunded_cents: row.refunded_cents,
        new_buyers: row.new_buyers,
      })),
      next: undefined,
    }
  },
})

export const filmDatastatServer = implement(contract, handlers)
