import { eq, inArray, sql } from 'drizzle-orm'
import {
  computeDays,
  countBuckets,
  countMetric,
  countedDays,
  drillRows,
  figuresBy,
  storeRanking,
  type DayFigures,
  type OverviewFilter,
} from '#src/areas/figures/overview.server.ts'
import {
  RECOMPUTE_MAX_DAYS,
  comparedWith,
  daysIn,
  daysOf,
  flows,
  moneyFigures,
  periodProblem,
  refundRate,
  type Metric,
  type MoneyFigure,
  type Period,
} from '#src/areas/figures/overview.ts'
import { daily_stat } from '#src/areas/figures/stat.table.ts'
import { orderKinds, orderStatuses, type OrderKind } from '#src/areas/order/order.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { refundStates } from '#src/areas/refund/refund.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import { clause, say, type Lang, type Text } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import { implement, type Db, type Staff } from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { defineExport, startExport } from '#src/server/exports/exports.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { dataIndex } from '../contract/dataIndex.ts'

const RECOMPUTE_LOCK = 4_180_011
type Asked = Period & OverviewFilter

/** Refuses a period that may not be asked for, and a city or mall that the person does not see. */
const checked = async (
  db: Db,
  asked: Asked,
  staff: Staff,
  now: number,
): Promise<{ period: Period; filter: OverviewFilter }> => {
  const wrong = periodProblem(asked, now)
  if (wrong) throw invalid({ [wrong.field]: say(wrong.text, staff.lang) })
  if (
    asked.city_id !== undefined &&
    (
      await db
        .select({ id: city.id })
        .from(city)
        .where(sql`${city.id} = ${asked.city_id} and ${seesCity(staff)}`)
    ).length === 0
  )
    throw missing()
  if (
    asked.mid &&
    (
      await db
        .select({ id: mall.id })
        .from(mall)
        .where(
          sql`${mall.id} = ${asked.mid} and ${within(staff.scope, { city: mall.city_id, mall: mall.id }) ?? sql`true`}`,
        )
    ).length === 0
  )
    throw missing()
  return {
    period: { from: asked.from, to: asked.to },
    filter: { city_id: asked.city_id, mid: asked.mid, kind: asked.kind },
  }
}
const seesCity = (staff: Staff) =>
  within(staff.scope, {
    city: city.id,
    mall: { several: sql`select m.id from mall m where m.city_id = ${city.id}` },
  }) ?? sql`true`

const added = (rows: readonly DayFigures[]): DayFigures =>
  rows.reduce(
    (sum, row) =>
      Object.fromEntries(
        Object.keys(sum).map(key => [
          key,
          sum[key as keyof DayFigures] + row[key as keyof DayFigures],
        ]),
      ) as DayFigures,
    {
      gmv_cents: 0,
      verified_cents: 0,
      refunded_cents: 0,
      new_members: 0,
      paid_orders: 0,
      verified_count: 0,
      refunded_count: 0,
    },
  )
const rate = (of: { refunded_cents: number; gmv_cents: number }) =>
  refundRate(of.refunded_cents, of.gmv_cents) ?? null
const shown = (sum: DayFigures, filter: OverviewFilter) => ({
  ...sum,
  new_members: filter.kind !== undefined || filter.mid !== undefined ? null : sum.new_members,
  refund_rate_bp: rate(sum),
})

const states: Record<string, Text> = {
  ...orderStatuses,
  ...refundStates,
  valid: ['已核销', 'Redeemed'],
  not_settled: ['未结算', 'Not settled'],
  settled: ['已结算', 'Settled'],
  pending: ['待审核', 'Pending'],
  approved: ['已通过', 'Approved'],
  paying: ['打款中', 'Paying'],
  wait_confirm: ['待用户确认', 'To be confirmed'],
  paid: ['已打款', 'Paid'],
  failed: ['打款失败', 'Failed'],
  normal: ['正常', 'Normal'],
  muted: ['禁言', 'Muted'],
  banned: ['封禁', 'Banned'],
  canceling: ['注销中', 'Cancelling'],
  canceled: ['已注销', 'Cancelled'],
  merged: ['已合并', 'Merged'],
}
/** 结算's own 冻结中 is not an order frozen by risk. */
const stateName = (metric: Metric, state: string, lang: Lang) => {
  const name = metric === 'freezing_settle' ? moneyFigures.freezing_settle : states[state]
  return name ? say(name, lang) : ''
}
const outside: Text = ['商场外', 'Outside malls']

const namesOf = async (
  db: Db,
  table: typeof city | typeof mall,
  ids: readonly number[],
): Promise<Map<number, string>> => {
  const wanted = [...new Set(ids)].filter(one => one > 0)
  if (wanted.length === 0) return new Map()
  const rows =
    table === city
      ? await db
          .select({ id: city.id, name: city.city_name })
          .from(city)
          .where(inArray(city.id, wanted))
      : await db.select({ id: mall.id, name: mall.name }).from(mall).where(inArray(mall.id, wanted))
  return new Map(rows.map(row => [row.id, row.name]))
}

export default implement(dataIndex, {
  overview: async ({ compare, ...asked }, { db, staff, now }) => {
    const { period, filter } = await checked(db, asked, staff, now)
    const reading = { db, scope: staff.scope, now }
    const other = comparedWith(period, compare)
    const figures = (of: Period) => figuresBy(reading, 'date', of, filter).then(added)
    const today = dateOf(now)
    const past: Period = {
      from: period.from,
      to: period.to < today ? period.to : dateOf(dayStart(now) - DAY),
    }
    const counted = past.to >= past.from ? await countedDays(db, past) : { days: 0, oldest: null }
    const money = Object.fromEntries(
      await Promise.all(
        (Object.keys(moneyFigures) as MoneyFigure[]).map(
          async key => [key, await countMetric(reading, key, period, filter)] as const,
        ),
      ),
    ) as Record<MoneyFigure, Awaited<ReturnType<typeof countMetric>>>
    return {
      orders: await countBuckets(reading, period, filter),
      money,
      flows: shown(await figures(period), filter),
      compared: other ? { ...shown(await figures(other), filter), ...other } : null,
      snapshot: {
        days: counted.days,
        expected: past.to >= past.from ? daysIn(past) : 0,
        oldest_at: counted.oldest,
      },
      computed_at: now,
    }
  },
  trend: async ({ compare, ...asked }, { db, staff, now }) => {
    const { period, filter } = await checked(db, asked, staff, now)
    const reading = { db, scope: staff.scope, now }
    const days = new Map(
      (await figuresBy(reading, 'date', period, filter)).map(row => [row.key, row]),
    )
    const other = comparedWith(period, compare)
    const before = other
      ? new Map((await figuresBy(reading, 'date', other, filter)).map(row => [row.key, row]))
      : undefined
    return {
      days: daysOf(period).map(date => {
        const one = days.get(date) ?? added([])
        return {
          date,
          gmv_cents: one.gmv_cents,
          verified_cents: one.verified_cents,
          refunded_cents: one.refunded_cents,
          new_members: one.new_members,
          refund_rate_bp: rate(one),
        }
      }),
      compared: other
        ? daysOf(other).map(date => ({ date, gmv_cents: before!.get(date)?.gmv_cents ?? 0 }))
        : [],
      kinds: (await figuresBy(reading, 'kind', period, filter))
        .filter(row => row.key in orderKinds && row.paid_orders > 0)
        .map(row => ({
          kind: row.key as OrderKind,
          gmv_cents: row.gmv_cents,
          paid_orders: row.paid_orders,
        }))
        .sort((a, b) => b.gmv_cents - a.gmv_cents),
    }
  },
  ranking: async ({ by, ...asked }, { db, staff, now }) => {
    const { period, filter } = await checked(db, asked, staff, now)
    const reading = { db, scope: staff.scope, now }
    const all = added(await figuresBy(reading, 'date', period, filter)).gmv_cents
    const share = (cents: number) => (all > 0 ? Math.round((cents * 10_000) / all) : null)
    if (by === 'store')
      return {
        list: (await storeRanking(reading, period, filter, 20)).map(row => ({
          id: Number(row.key),
          name: row.name,
          gmv_cents: row.gmv_cents,
          paid_orders: row.paid_orders,
          share_bp: share(row.gmv_cents),
        })),
      }
    const rows = (await figuresBy(reading, by === 'city' ? 'city_id' : 'mall_id', period, filter))
      .filter(row => row.paid_orders > 0)
      .sort((a, b) => b.gmv_cents - a.gmv_cents)
      .slice(0, 20)
    const names = await namesOf(
      db,
      by === 'city' ? city : mall,
      rows.map(row => Number(row.key)),
    )
    return {
      list: rows.map(row => ({
        id: Number(row.key),
        name: names.get(Number(row.key)) ?? say(outside, staff.lang),
        gmv_cents: row.gmv_cents,
        paid_orders: row.paid_orders,
        share_bp: share(row.gmv_cents),
      })),
    }
  },
  drill: async ({ metric, page, pageSize, ...asked }, { db, staff, now }) => {
    const { period, filter } = await checked(db, asked, staff, now)
    const reading = { db, scope: staff.scope, now }
    const [rows, counted] = [
      await drillRows(reading, metric, { period, filter }, { page, pageSize }),
      await countMetric(reading, metric, period, filter),
    ]
    const [cities, malls] = [
      await namesOf(
        db,
        city,
        rows.map(row => row.city_id),
      ),
      await namesOf(
        db,
        mall,
        rows.map(row => row.mid ?? 0),
      ),
    ]
    return {
      list: rows.map(({ city_id, mid, state, ...row }) => ({
        ...row,
        state: stateName(metric, state, staff.lang),
        city_name: cities.get(city_id) ?? '',
        mall_name: mid === null ? '' : (malls.get(mid) ?? say(outside, staff.lang)),
      })),
      total: counted?.count ?? 0,
      cents: counted?.cents ?? 0,
    }
  },
  recompute: async ({ date, reason }, { tx, staff, now, log }) => {
    const start = momentNamed(date)
    if (start === undefined)
      throw invalid({
        date: say(
          ['没有这一天，请按 2026-11-20 填写', 'No such day; write it as 2026-11-20'],
          staff.lang,
        ),
      })
    const today = dayStart(now)
    if (start >= today)
      throw ruled('today_is_live', [
        '今天的数据是实时的，不需要重算',
        'Today is live; there is nothing to count again',
      ])
    if (start < today - RECOMPUTE_MAX_DAYS * DAY)
      throw ruled(
        'too_old',
        [
          '只能重算最近 {n} 天，{date} 已超出',
          'Only the last {n} days can be counted again; {date} is older',
        ],
        { n: RECOMPUTE_MAX_DAYS, date },
      )
    const { rows } = await tx.execute<{ got: boolean }>(
      sql`select pg_try_advisory_xact_lock(${RECOMPUTE_LOCK}) got`,
    )
    if (!rows[0]!.got)
      throw ruled('running', [
        '正在重算，请等它完成后再试',
        'It is being counted already, try again when that is done',
      ])
    const sum = async () => {
      const [row] = await tx
        .select({
          gmv: sql<string>`coalesce(sum(${daily_stat.gmv_cents}), 0)`,
          verified: sql<string>`coalesce(sum(${daily_stat.verified_cents}), 0)`,
          refunded: sql<string>`coalesce(sum(${daily_stat.refunded_cents}), 0)`,
        })
        .from(daily_stat)
        .where(eq(daily_stat.date, date))
      return {
        gmv_cents: Number(row!.gmv),
        verified_cents: Number(row!.verified),
        refunded_cents: Number(row!.refunded),
      }
    }
    const before = await sum()
    await computeDays(tx, { from: date, to: date }, now)
    const after = await sum()
    log({ object_type: 'daily_stat', object_id: 0, object_label: date, before, after, reason })
    return { date, gmv_cents: after.gmv_cents, computed_at: now }
  },
  export: async ({ format, columns, ...asked }, context) => {
    const { period } = await checked(context.tx, asked, context.staff, context.now)
    const place = [
      asked.city_id && (await namesOf(context.tx, city, [asked.city_id])).get(asked.city_id),
      asked.mid === 0
        ? say(outside, context.staff.lang)
        : asked.mid && (await namesOf(context.tx, mall, [asked.mid])).get(asked.mid),
      asked.kind && say(orderKinds[asked.kind], context.staff.lang),
    ].filter(Boolean)
    return startExport(context, {
      page: 'system.dataIndex',
      filters: asked,
      filters_text: [`${period.from} – ${period.to}`, ...place].join(
        say(clause, context.staff.lang),
      ),
      rows_expected: daysIn(period),
      format,
      columns,
    })
  },
})

defineExport('system.dataIndex', {
  title: ['经营数据总览', 'Operations data overview'],
  permit: 'system.dataIndex.export',
  columns: [
    { key: 'date', title: ['日期', 'Day'] },
    { key: 'paid_orders', title: ['支付订单', 'Paid orders'], kind: 'number' },
    { key: 'gmv_cents', title: flows.gmv, kind: 'money', field: 'stat.amount_cents' },
    { key: 'verified_count', title: ['核销次数', 'Redemptions'], kind: 'number' },
    { key: 'verified_cents', title: flows.verified, kind: 'money', field: 'stat.amount_cents' },
    { key: 'refunded_count', title: ['退款笔数', 'Refunds'], kind: 'number' },
    {
      key: 'refunded_cents',
      title: flows.refunded_flow,
      kind: 'money',
      field: 'stat.amount_cents',
    },
    { key: 'refund_rate', title: ['退款率', 'Refund rate'] },
    { key: 'new_members', title: flows.new_members, kind: 'number' },
  ],
  rows: async ({ db, staff, filters, now, after }) => {
    if (after !== undefined) return { rows: [], next: undefined }
    const asked = filters as Asked
    const days = new Map(
      (await figuresBy({ db, scope: staff.scope, now }, 'date', asked, asked)).map(row => [
        row.key,
        row,
      ]),
    )
    const rows = daysOf(asked).map(date => {
      const one = days.get(date) ?? added([])
      const bp = rate(one)
      return {
        date,
        ...shown(one, asked),
        refund_rate: bp === null ? '—' : `${(bp / 100).toFixed(2)}%`,
      }
    })
    return { rows, next: undefined }
  },
})

// A day that a stopped server missed is counted with the next night's.
defineTimer('stat.night', '10 0 * * *', async ({ database, now }) => {
  const yesterday = dateOf(dayStart(now) - DAY)
  const { rows } = await database.db.execute<{ last: string | null }>(
    sql`select max(date) last from daily_stat`,
  )
  const from =
    rows[0]!.last && rows[0]!.last < yesterday
      ? dateOf(momentNamed(rows[0]!.last)! + DAY)
      : yesterday
  await database.unhurried(() =>
    database.transaction(
      async tx => {
        await tx.execute(sql`select pg_advisory_xact_lock(${RECOMPUTE_LOCK})`)
        await computeDays(tx, { from, to: yesterday }, now)
      },
      { deadlineMs: 600_000 },
    ),
  )
  return ['stat']
})
