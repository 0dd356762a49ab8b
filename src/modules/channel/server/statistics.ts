import { and, asc, ne, sql } from 'drizzle-orm'
import { channel_code, channel_cost } from '#src/areas/channelCode/channelCode.table.ts'
import { codes } from '#src/areas/channelCode/codes.server.ts'
import { rebuildDays } from '#src/areas/channelCode/stat.server.ts'
import {
  addChannel,
  channelBy,
  channelRates,
  REBUILD_DAYS,
  type ChannelSums,
} from '#src/areas/channelCode/stat.ts'
import {
  channelFunnel,
  channelHours,
  channelStat,
  type ChannelAsked,
  type ChannelStat,
} from '#src/areas/channelCode/statRows.server.ts'
import { percent } from '#src/domain/money.ts'
import { say } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { paged } from '#src/server/call/tree.ts'
import { countOf } from '#src/server/db/paging.ts'
import { defineExport, startExport } from '#src/server/exports/exports.ts'
import { channelStatistics as contract, type ChannelFilters } from '../contract/statistics.ts'
import { dayFrom, isPartial, needDay, rangeOf, startOf } from './statRange.ts'

type Seer = Pick<Staff, 'scope' | 'lang'>
const shown = <S extends ChannelSums>(of: S) => ({ ...of, ...channelRates(of) })

type Asked = Omit<ChannelFilters, 'compare'> & { compare?: boolean }
const rowsOf = async (db: Db, filters: Asked, at: { staff: Seer; now: number }) => {
  const { by, compare, compare_from, from: _, to: __, ...narrow } = filters
  const range = rangeOf(filters, at.now)
  const asked: ChannelAsked = { ...narrow, ...range }
  const told = await channelStat(db, by, asked, at)
  const length = range.to - range.from
  const begin = dayFrom(compare_from ?? range.from - length)
  const past = compare
    ? await channelStat(db, by, { ...narrow, from: begin, to: begin + length }, at)
    : undefined
  const was = new Map((past?.rows ?? []).map(row => [row.key, shown(row)]))
  const totals = (of: { rows: ChannelStat[]; people: number }) => ({
    ...shown(addChannel(of.rows)),
    people: of.people,
  })
  return {
    range,
    before_from: past ? begin : null,
    sums: totals(told),
    sums_before: past ? totals(past) : null,
    rows: told.rows.map((row, n) => ({
      ...shown(row),
      id: n + 1,
      by,
      before: by === 'day' ? null : (was.get(row.key) ?? null),
      ...range,
    })),
  }
}
/** Writes what a code cost on a day; a later entry takes the place of the one before. */
const setCost = async (
  context: WriteContext,
  { code_id, day, cost_cents }: { code_id: number; day: string; cost_cents: number },
  reason?: string,
) => {
  const { tx, staff, now } = context
  const code = await codes.read(tx, staff, code_id)
  const [row] = await tx
    .insert(channel_cost)
    .values({ code_id, day, cost_cents, by_id: staff.id, created_at: now })
    .onConflictDoUpdate({
      target: [channel_cost.code_id, channel_cost.day],
      set: { cost_cents, by_id: staff.id, version: sql`${channel_cost.version} + 1` },
    })
    .returning()
  codes.log(context, code, {
    after: { day, day_cost_cents: cost_cents },
    ...(reason && { reason }),
  })
  const from = startOf(day)!
  if (from < dayStart(now)) await rebuildDays(tx, { from, to: from + DAY })
  context.changed('channel_stat')
  return { id: row!.id, version: row!.version }
}
const isClosed = (day: string, now: number): boolean => day.slice(0, 7) < dateOf(now).slice(0, 7)

const handlers = {
  lst: async ({ page, pageSize, ...filters }, { db, staff, now }) => {
    const { rows, range, ...more } = await rowsOf(db, filters, { staff, now })
    return {
      ...paged(rows, { page, pageSize }),
      ...more,
      ...range,
      partial: isPartial(range, now),
    }
  },
  overview: async (input, { db, staff, now }) => {
    const range = rangeOf(input, now)
    const { mid, group, staff_id } = input
    const asked: ChannelAsked = { mid, group, staff_id, ...range }
    const { rows } = await channelStat(db, 'day', asked, { staff, now })
    const byDay = new Map(rows.map(row => [row.key, shown(row)]))
    const days = Array.from({ length: (range.to - range.from) / DAY }, (_, n) => {
      const day = dateOf(range.from + n * DAY)
      const of = byDay.get(day)
      return {
        day,
        scans: of?.scans ?? 0,
        adds: of?.adds ?? 0,
        re_adds: of?.re_adds ?? 0,
        lost: of?.lost ?? 0,
        lost_same_day: of?.lost_same_day ?? 0,
        net: of?.net ?? 0,
      }
    })
    const people = await channelFunnel(db, asked, staff)
    return {
      days,
      // Whoever scanned WeCom's own picture was never counted: nobody is added without a scan.
      funnel: {
        scans: Math.max(
          people.added,
          days.reduce((sum, one) => sum + one.scans, 0),
        ),
        ...people,
      },
      hours: await channelHours(db, asked, staff),
      partial: isPartial(range, now),
    }
  },
  codes: async ({ keyword, but, page, pageSize }, { db, staff }) => {
    const t = channel_code
    const where = and(
      codes.seen(staff),
      ne(t.status, 'draft'),
      but === undefined ? undefined : ne(t.id, but),
      holding(keyword, [t.name], t.id),
    )
    const list = await db
      .select({ id: t.id, name: t.name })
      .from(t)
      .where(where)
      .orderBy(asc(t.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, t, where)) }
  },
  setCost: async (input, context) => {
    needDay(input.day, context.now)
    if (isClosed(input.day, context.now))
      throw ruled('closed_month', [
        '该月已结束，请由有财务权限的同事使用“补录往月成本”',
        'That month is over: whoever may enters it as a cost of a closed month',
      ])
    return setCost(context, input)
  },
  setClosedCost: async ({ reason, ...input }, context) => {
    needDay(input.day, context.now)
    if (!isClosed(input.day, context.now))
      throw ruled('open_month', [
        '本月成本请使用“录入渠道成本”',
        'A cost of this month is entered the usual way',
      ])
    return setCost(context, input, reason)
  },
  rebuild: async ({ from, to }, context) => {
    const { tx, staff, now } = context
    if (!seesAll(staff.scope))
      throw ruled('needs_all', ['重算影响全部商场，需要全部数据权限', 'It needs all places'])
    const range = rangeOf({ from, to: Math.min(to, now) }, now)
    const days = (range.to - range.from) / DAY
    if (days > REBUILD_DAYS)
      throw ruled('too_long', ['一次最多重算 92 天', 'At most 92 days at once'])
    const n = await rebuildDays(tx, range)
    context.log({
      object_type: 'channel_code',
      object_id: 0,
      object_label: `${dateOf(range.from)} – ${dateOf(range.to - 1)}`,
      after: { days },
    })
    context.changed('channel_stat')
    return { days, rows: n }
  },
  export: async ({ format, columns, ids, ...filters }, context) => {
    const { rows, range } = await rowsOf(context.tx, filters, context)
    const { lang } = context.staff
    return startExport(context, {
      page: 'channel.statistics',
      filters: { ...filters, from: range.from, to: range.to - 1, ids },
      filters_text: `${say(channelBy[filters.by], lang)} ${dateOf(range.from)} – ${dateOf(range.to - 1)}`,
      rows_expected: rows.filter(row => ids?.includes(row.id) ?? true).length,
      format,
      columns,
    })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

const share = (bp: number | null): string => (bp === null ? '' : percent(bp))
defineExport('channel.statistics', {
  title: ['渠道报表', 'Channel statistics'],
  permit: contract.export.permit,
  columns: [
    { key: 'name', title: ['名称', 'Name'] },
    { key: 'scans', title: ['扫码', 'Scans'], kind: 'number' },
    { key: 'adds', title: ['新增', 'Adds'], kind: 'number' },
    { key: 're_adds', title: ['其中再次添加', 'Re-adds among them'], kind: 'number' },
    { key: 'people', title: ['新增人数', 'People'], kind: 'number' },
    { key: 'lost', title: ['流失', 'Lost'], kind: 'number' },
    { key: 'lost_same_day', title: ['当日流失', 'Lost the same day'], kind: 'number' },
    { key: 'net', title: ['净增', 'Net'], kind: 'number' },
    { key: 'add_rate', title: ['添加率', 'Add rate'] },
    { key: 'kept', title: ['7 日留存', 'Kept 7 days'] },
    { key: 'bound_rate', title: ['会员绑定率', 'Bound'] },
    { key: 'first_rate', title: ['首单率', 'First orders'] },
    { key: 'orders', title: ['订单', 'Orders'], kind: 'number' },
    { key: 'paid_cents', title: ['支付金额', 'Paid'], kind: 'money' },
    { key: 'cost_cents', title: ['成本', 'Cost'], kind: 'money' },
    { key: 'cost_per_add', title: ['单个新增成本', 'Cost per add'], kind: 'money' },
    { key: 'roi', title: ['投产比', 'ROI'] },
  ],
  rows: async ({ db, staff, filters, after, now }) => {
    if (after !== undefined) return { rows: [], next: undefined }
    const asked = filters as Asked & { ids?: readonly number[] }
    const { rows } = await rowsOf(db, asked, { staff, now })
    return {
      rows: rows
        .filter(row => asked.ids?.includes(row.id) ?? true)
        .map(row => ({
          name: row.name,
          scans: row.scans,
          adds: row.adds,
          re_adds: row.re_adds,
          people: row.people,
          lost: row.lost,
          lost_same_day: row.lost_same_day,
          net: row.net,
          add_rate: share(row.add_bp),
          kept: share(row.retained_bp),
          bound_rate: share(row.bound_bp),
          first_rate: share(row.first_bp),
          orders: row.orders,
          paid_cents: row.paid_cents,
          cost_cents: row.cost_cents,
          cost_per_add: row.cost_per_add,
          roi: share(row.roi_bp),
        })),
      next: undefined,
    }
  },
})

export const channelStatisticsServer = implement(contract, handlers)
