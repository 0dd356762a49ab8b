import { and, asc, desc, eq, gte, inArray, lte, ne, sql } from 'drizzle-orm'
import {
  clickRows,
  clicksAfter,
  clickSpan,
  clicksPage,
  clicksWhere,
  dropOldClicks,
  type ClickFilters,
} from '#src/areas/link/clicks.server.ts'
import { CLICK_DAYS, CLICKS_EXPORTED, clickEntries, clickTypes } from '#src/areas/link/clicks.ts'
import { click_log } from '#src/areas/log/trace.table.ts'
import { filterText } from '#src/areas/log/words.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { say } from '#src/domain/text.ts'
import { implement, type Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { exactCount } from '#src/server/db/paging.ts'
import { defineExport, startExport, chosenRows, type Chosen } from '#src/server/exports/exports.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { history } from '../contract/history.ts'

/** A pause of so long ends a visit. */
const VISIT_PAUSE_S = 30 * 60
const STEPS_MAX = 2000
const TOP = 50

defineTimer('clicks.retention', '20 3 * * *', async ({ database, now }) => {
  await dropOldClicks(database.db, now)
  return []
})

const filterNames = {
  object_type: { title: ['对象类型', 'Object'], kind: 'enum', options: clickTypes },
  object_id: { title: ['对象编号', 'Object ID'], kind: 'number' },
  device_id: { title: ['设备', 'Device'] },
  entry: { title: ['来源入口', 'Entry'], kind: 'enum', options: clickEntries },
} as const
defineExport('system.history', {
  title: ['用户浏览记录', 'Member browsing history'],
  permit: 'system.history.export',
  filters: () => filterNames,
  columns: [
    { key: 'at', title: ['时间', 'Time'], kind: 'time' },
    { key: 'nickname', title: ['会员', 'Member'] },
    { key: 'phone_masked', title: ['手机号', 'Phone'], field: 'member.phone' },
    { key: 'member_id', title: ['会员编号', 'Member ID'], kind: 'number' },
    { key: 'device_id', title: ['设备', 'Device'] },
    { key: 'object_type', title: ['对象类型', 'Object'] },
    { key: 'object_name', title: ['页面或对象', 'Page or object'] },
    { key: 'object_id', title: ['对象编号', 'Object ID'], kind: 'number' },
    { key: 'entry', title: ['来源入口', 'Entry'] },
    { key: 'city_name', title: ['城市', 'City'] },
    { key: 'mall_name', title: ['商场', 'Mall'] },
  ],
  count: async ({ db, staff, filters }) =>
    exactCount(
      db,
      click_log,
      await clicksWhere({ db, scope: staff.scope, now: Number(filters['end_at']) }, filters),
      CLICKS_EXPORTED,
    ),
  rows: async ({ db, staff, filters, after, limit }) => {
    const rows = await clicksAfter(
      db,
      and(
        await clicksWhere({ db, scope: staff.scope, now: Number(filters['end_at']) }, filters),
        chosenRows(click_log.id, filters),
      )!,
      after as [number, number] | undefined,
      limit,
    )
    const last = rows.at(-1)
    return {
      rows: (await clickRows(db, rows)).map(row => ({
        ...row,
        object_type: say(clickTypes[row.object_type], staff.lang),
        entry: say(
          clickEntries[row.entry as keyof typeof clickEntries] ?? [row.entry, row.entry],
          staff.lang,
        ),
      })),
      next: rows.length < limit ? undefined : [last!.at, last!.id],
    }
  },
})

type Clicked = Awaited<ReturnType<typeof clickRows>>[number]
type Made = { id: number; order_no: string; at: number }
type Visit = {
  from: number
  to: number
  device_id: string
  entry: string
  steps: ({ rest_s: number | null } & Clicked)[]
  orders: Made[]
}
/** Steps of one device without a pause between them, and the orders that each visit led to. */
const visitsOf = (steps: readonly Clicked[], orders: readonly Made[]): Visit[] => {
  const visits: Visit[] = []
  for (const row of steps) {
    const open = visits.at(-1)
    if (open && open.device_id === row.device_id && row.at - open.to <= VISIT_PAUSE_S) {
      open.steps.at(-1)!.rest_s = row.at - open.to
      open.to = row.at
      open.steps.push({ ...row, rest_s: null })
    } else
      visits.push({
        from: row.at,
        to: row.at,
        device_id: row.device_id,
        entry: row.entry,
        steps: [{ ...row, rest_s: null }],
        orders: [],
      })
  }
  // An order belongs to the visit it was made in, or that it closed.
  for (const one of orders)
    visits
      .findLast(visit => one.at >= visit.from && one.at <= visit.to + VISIT_PAUSE_S)
      ?.orders.push(one)
  return visits
}
/** Other members who came by the same devices. */
const othersOn = async (db: Db, device_ids: readonly string[], member_id: number) =>
  device_ids.length === 0
    ? []
    : await db
        .selectDistinct({
          device_id: click_log.device_id,
          id: member.id,
          nickname: member.nickname,
        })
        .from(click_log)
        .innerJoin(member, eq(member.id, click_log.member_id))
        .where(
          and(inArray(click_log.device_id, [...device_ids]), ne(click_log.member_id, member_id)),
        )
        .limit(100)

export default implement(history, {
  lstClickLog: async (input, { db, staff, now }) => clicksPage(db, staff, input, now),
  timeline: async ({ member_id, start_at, end_at }, { db, staff, now }) => {
    const [who] = await db
      .select({ member, city_name: city.city_name })
      .from(member)
      .leftJoin(city, eq(city.id, member.city_id))
      .where(and(eq(member.id, member_id), within(staff.scope, { city: member.city_id })))
    if (!who) throw missing()
    const asked = { member_id, start_at, end_at }
    const { from, to } = clickSpan(asked, now, CLICK_DAYS.open)
    const where = await clicksWhere(
      { db, scope: staff.scope, now },
      { member_id, start_at: from, end_at: to },
    )
    // The latest steps, told from the first to the last.
    const rows = (
      await db
        .select()
        .from(click_log)
        .where(where)
        .orderBy(desc(click_log.at), desc(click_log.id))
        .limit(STEPS_MAX + 1)
    ).reverse()
    const more = rows.length > STEPS_MAX
    if (more) rows.shift()
    const list = await clickRows(db, rows)
    const orders = await db
      .select({ id: order.id, order_no: order.order_no, at: order.created_at })
      .from(order)
      .where(
        and(
          eq(order.member_id, member_id),
          gte(order.created_at, from),
          lte(order.created_at, to),
          within(staff.scope, { city: order.city_id, mall: order.mall_id }),
        ),
      )
      .orderBy(asc(order.created_at))
      .limit(500)
    const deviceIds = [...new Set(list.map(row => row.device_id))]
    const shared = await othersOn(db, deviceIds, member_id)
    const visits = visitsOf(list, orders)
    return {
      member: {
        id: who.member.id,
        nickname: who.member.nickname,
        phone_masked: who.member.phone,
        city_name: who.city_name ?? '',
        register_at: who.member.register_at,
        account_state: who.member.account_state,
      },
      devices: deviceIds.map(device_id => ({
        device_id,
        clicks: list.filter(row => row.device_id === device_id).length,
        others: shared
          .filter(one => one.device_id === device_id)
          .map(({ id, nickname }) => ({ id, nickname })),
      })),
      visits: visits.reverse(),
      more,
    }
  },
  topPages: async (asked, { db, staff, now }) => {
    const { from, to } = clickSpan(asked, now, CLICK_DAYS.open)
    const where = await clicksWhere({ db, scope: staff.scope, now }, asked, CLICK_DAYS.open)
    const uv = sql<number>`count(distinct coalesce(${click_log.member_id}::text, ${click_log.device_id}))::int`
    const list = await db
      .select({
        id: sql<number>`max(${click_log.id})::int`,
        object_type: click_log.object_type,
        object_id: click_log.object_id,
        object_name: sql<string>`(array_agg(${click_log.object_name} order by ${click_log.id} desc))[1]`,
        pv: sql<number>`count(*)::int`,
        uv,
      })
      .from(click_log)
      .where(where)
      .groupBy(click_log.object_type, click_log.object_id)
      .orderBy(desc(sql`count(*)`), click_log.object_type, click_log.object_id)
      .limit(TOP)
    const entries = await db
      .select({ entry: click_log.entry, pv: sql<number>`count(*)::int`, uv })
      .from(click_log)
      .where(where)
      .groupBy(click_log.entry)
      .orderBy(desc(sql`count(*)`))
    return { list, entries, from, to }
  },
  export: async ({ format, columns, ...asked }, context) => {
    const { tx, staff, now } = context
    const { from, to } = clickSpan(asked, now)
    const filters: ClickFilters & Chosen = { ...asked, start_at: from, end_at: to }
    const rows_expected = await exactCount(
      tx,
      click_log,
      and(
        await clicksWhere({ db: tx, scope: staff.scope, now }, filters),
        chosenRows(click_log.id, filters),
      ),
      CLICKS_EXPORTED,
    )
    if (rows_expected > CLICKS_EXPORTED) {
      throw ruled(
        'export_narrow',
        [
          '超过 {max} 行：请缩短时间，或按会员、设备、对象、入口、商场筛选后再导出',
          'More than {max} rows: shorten the period, or filter by member, device, object, entry or mall',
        ],
        { max: CLICKS_EXPORTED.toLocaleString('en') },
      )
    }
    return startExport(context, {
      page: 'system.history',
      filters,
      filters_text: await filterText(tx, staff, filters, filterNames),
      rows_expected,
      format,
      columns,
      same: asked,
    })
  },
})
