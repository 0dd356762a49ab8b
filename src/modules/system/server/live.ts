import { and, asc, count, desc, eq, ilike, inArray, ne, sql, type SQL } from 'drizzle-orm'
import {
  RECOMMENDED_MAX,
  liveCan,
  liveChannels,
  livePriceFault,
  liveRefundRate,
  liveStates,
  liveStockFault,
  liveTabs,
  replayStates,
  type LiveTab,
  type LiveVerb,
  type NoticeState,
} from '#src/areas/broadcast/broadcast.ts'
import {
  live_host,
  live_product,
  live_room,
  live_subscriber,
} from '#src/areas/broadcast/live.table.ts'
import { channelOf } from '#src/areas/broadcast/liveChannel.server.ts'
import {
  closeRoom,
  queueNotices,
  releaseShelf,
  sendNotices,
  syncRooms,
  todoAfter,
  type LiveRoom,
} from '#src/areas/broadcast/liveRooms.server.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { product, product_version } from '#src/areas/product/product.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import { percent } from '#src/domain/money.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { clause, joinedNames, say, type Lang, type Text } from '#src/domain/text.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { difference, rowSaver, staleRow } from '#src/server/call/versions.ts'
import { like } from '#src/server/db/like.ts'
import { countOf, exactCount, listed } from '#src/server/db/paging.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { defineExport, startExport, chosenRows, type Chosen } from '#src/server/exports/exports.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { live as contract } from '../contract/live.ts'

/** Saves a room where nobody changed it meanwhile. */
export const saveRoom = rowSaver(live_room, 'live_room')

type Reader = Pick<Staff, 'scope'>
/** Rooms of my places that were not deleted. */
const roomScope = ({ scope }: Reader): SQL | undefined =>
  and(
    eq(live_room.gone, false),
    within(scope, { city: live_room.city_id, mall: live_room.mall_id }),
  )
export const readRoom = async (db: Db, id: number, staff: Reader): Promise<LiveRoom> => {
  const [row] = await db
    .select()
    .from(live_room)
    .where(and(eq(live_room.id, id), roomScope(staff)))
  if (!row) throw missing()
  return row
}
/** The room as its editor read it, if the verb may be done to it now. */
export const roomFor = async (
  { tx, staff }: Pick<WriteContext, 'tx' | 'staff'>,
  verb: LiveVerb,
  { id, version }: { id: number; version: number },
): Promise<LiveRoom> => {
  const row = await readRoom(tx, id, staff)
  if (row.version !== version) throw await staleRow(tx, 'live_room', row)
  const may = liveCan(verb, row)
  if (may !== true) throw ruled('wrong_state', may)
  return row
}

type Filters = {
  keyword?: string | undefined
  city_id?: number | undefined
  mid?: number | undefined
  host_id?: number | undefined
  tab?: LiveTab | undefined
}
const inTab = (tab: LiveTab): SQL =>
  tab === 'replay' ? ne(live_room.replay_state, 'none') : eq(live_room.state, tab)
const listWhere = (
  { keyword, city_id, mid, host_id, tab, ids }: Filters & Chosen,
  staff: Reader,
): SQL | undefined =>
  and(
    roomScope(staff),
    chosenRows(live_room.id, { ids }),
    tab && inTab(tab),
    keyword ? ilike(live_room.title, like(keyword)) : undefined,
    city_id === undefined ? undefined : eq(live_room.city_id, city_id),
    mid === undefined ? undefined : eq(live_room.mall_id, mid),
    host_id === undefined ? undefined : eq(live_room.host_id, host_id),
  )

/**
 * What each room brought: clicks on its products, orders paid, what they paid and what went back.
 */
const broughtBy = async (db: Db, ids: readonly number[]) => {
  const { rows } = await db.execute<{
    id: number
    clicks: number
    orders: number
    paid: string
    refunded: string
    products: number
  }>(sql`
    select r.id, (select count(*)::int from live_click c where c.live_room_id = r.id) clicks, (select count(*)::int from live_product p where p.live_room_id = r.id) products, coalesce(o.orders, 0)::int orders, coalesce(o.paid, 0)::bigint paid, coalesce(o.refunded, 0)::bigint refunded
    from live_room r left join lateral (select count(*) orders, sum(o.paid_cents) paid, sum(o.refunded_cents) refunded from "order" o where o.live_room_id = r.id and o.paid_at is not null) o on true where r.id in ${ids}`)
  return new Map(
    rows.map(row => [
      row.id,
      {
        product_clicks: row.clicks,
        products: row.products,
        paid_orders: row.orders,
        gmv_cents: Number(row.paid),
        refund_bp: liveRefundRate(Number(row.refunded), Number(row.paid)),
      },
    ]),
  )
}
export const roomsShown = async (db: Db, rows: readonly LiveRoom[]) => {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.id)
  const [brought, hosts, cities, malls, notices] = await Promise.all([
    broughtBy(db, ids),
    db
      .select()
      .from(live_host)
      .where(
        inArray(
          live_host.id,
          rows.map(row => row.host_id),
        ),
      ),
    db
      .select({ id: city.id, name: city.city_name })
      .from(city)
      .where(
        inArray(
          city.id,
          rows.map(row => row.city_id),
        ),
      ),
    db
      .select({ id: mall.id, name: mall.name })
      .from(mall)
      .where(
        inArray(
          mall.id,
          rows.map(row => row.mall_id),
        ),
      ),
    db
      .select({ room: live_subscriber.live_room_id, notice: live_subscriber.notice, n: count() })
      .from(live_subscriber)
      .where(inArray(live_subscriber.live_room_id, ids))
      .groupBy(live_subscriber.live_room_id, live_subscriber.notice),
  ])
  const [hostOf, cityOf, mallOf, told] = [
    new Map(hosts.map(one => [one.id, one])),
    new Map(cities.map(one => [one.id, one.name])),
    new Map(malls.map(one => [one.id, one.name])),
    grouped(notices, one => one.room),
  ]
  return rows.map(
    ({ mall_id, todo, todo_until: _, gone: __, created_at: ___, updated_at: ____, ...row }) => {
      const host = hostOf.get(row.host_id)!
      const some = told.get(row.id) ?? []
      return {
        ...row,
        ...brought.get(row.id)!,
        host_name: host.name,
        host_wechat: host.wechat,
        city_name: cityOf.get(row.city_id) ?? '',
        mid: mall_id,
        mall_name: mallOf.get(mall_id) ?? '',
        untold: todo !== null,
        subscribers: some.reduce((sum, one) => sum + one.n, 0),
        notices: {
          none: 0,
          queued: 0,
          sending: 0,
          sent: 0,
          failed: 0,
          ...Object.fromEntries(some.map(one => [one.notice, one.n])),
        } satisfies Record<NoticeState, number>,
      }
    },
  )
}
export const logRoom = (
  { log }: Pick<WriteContext, 'log'>,
  row: LiveRoom,
  change: { before: object | null; after: object | null },
  reason?: string,
) =>
  log({
    object_type: 'live_room',
    object_id: row.id,
    object_label: row.title,
    ...change,
    ...(reason && { reason }),
  })
const change = async (
  context: WriteContext,
  verb: LiveVerb,
  { reason, ...one }: { id: number; version: number; reason?: string },
  set: Partial<LiveRoom>,
) => {
  const was = await roomFor(context, verb, one)
  const after = await saveRoom(context.tx, was, set)
  logRoom(context, after, difference(was, after, Object.keys(set)), reason)
  return { id: after.id, version: after.version }
}

/** Kinds of products that are sold in a room. */
const soldLive: readonly string[] = ['bulks', 'card', 'voucher']
/** Why a product can't stand on a shelf, or be sold from it; undefined for one that can. */
export const shelfFault = (
  of: {
    title: string
    state: string
    auditing: boolean
    sale_end_at: number
    city_id: number
    mall_id: number
    kind: string
  },
  room: Pick<LiveRoom, 'city_id' | 'mall_id' | 'start_at'>,
): Text | undefined => {
  if (of.state === 'auditing' || of.auditing)
    return ['待审核，审核通过后才能上架直播间', 'It waits for its audit']
  if (of.state !== 'on_sale') return ['已下架', 'It is off shelf']
  if (of.sale_end_at <= room.start_at) return ['开播前已停售', 'Its sale ends before the session']
  const isElsewhere =
    of.city_id !== room.city_id || (room.mall_id > 0 && of.mall_id !== room.mall_id)
  if (isElsewhere) return ['不在直播间的城市或商场', 'It is not in the room’s city or mall']
  return soldLive.includes(of.kind)
    ? undefined
    : ['直播间目前只能卖团购、卡券和代金券', 'Rooms sell group-buys, cards and vouchers for now']
}
const auditing = sql<boolean>`exists (select 1 from ${product_version} v where v.product_id = "product"."id" and v.state = 'auditing')`
export const productFacts = {
  id: product.id,
  title: product.title,
  image: sql<string>`coalesce("product"."images"->>0, '')`,
  state: product.state,
  kind: product.kind,
  price_cents: product.price_cents,
  available: sql<number>`greatest("product"."stock" - "product"."held", 0)`,
  sale_end_at: product.sale_end_at,
  city_id: product.city_id,
  mall_id: product.mall_id,
  auditing,
}
/** The shelf of a room in its order, with what is wrong with each product now. */
export const shelfOf = async (db: Db, room: LiveRoom, lang: Lang) => {
  const rows = await db
    .select({ product: productFacts, on: live_product })
    .from(live_product)
    .innerJoin(product, eq(product.id, live_product.product_id))
    .where(eq(live_product.live_room_id, room.id))
    .orderBy(asc(live_product.sort), asc(live_product.id))
  const { rows: counted } = await db.execute<{ id: number; clicks: number; sold: number }>(
    sql`select p.product_id id, (select count(*)::int from live_click c where c.live_room_id = ${room.id} and c.product_id = p.product_id) clicks, (select coalesce(sum(i.qty), 0)::int from "order" o join order_item i on i.order_id = o.id where o.live_room_id = ${room.id} and o.paid_at is not null and i.product_id = p.product_id) sold from live_product p where p.live_room_id = ${room.id}`,
  )
  const counts = new Map(counted.map(one => [one.id, one]))
  const open = liveCan('shelf', room) === true
  return rows.map(({ product: of, on }) => {
    const available = of.available + on.remaining
    const fault = open
      ? (shelfFault(of, room) ??
        livePriceFault(on.price_cents, of.price_cents) ??
        (on.remaining === 0 && room.state !== 'draft'
          ? undefined
          : liveStockFault(room.state === 'draft' ? on.stock : on.remaining, available)))
      : undefined
    return {
      id: of.id,
      room_id: room.id,
      room_version: room.version,
      room_state: room.state,
      title: of.title,
      image: of.image,
      product_state: of.state,
      normal_cents: of.price_cents,
      price_cents: on.price_cents,
      stock: on.stock,
      remaining: on.remaining,
      available,
      clicks: counts.get(of.id)?.clicks ?? 0,
      sold: counts.get(of.id)?.sold ?? 0,
      explained_at: on.explained_at,
      fault: fault ? say(fault, lang) : null,
    }
  })
}

const handlers = {
  lst: async ({ page, pageSize, ...filters }, { db, staff }) => {
    const where = listWhere(filters, staff)
    const soonFirst =
      filters.tab === 'planned' || filters.tab === 'living' || filters.tab === 'draft'
    const rows = await db
      .select()
      .from(live_room)
      .where(where)
      .orderBy(soonFirst ? asc(live_room.start_at) : desc(live_room.start_at), desc(live_room.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return listed({ page, pageSize }, rows, roomsShown(db, rows), () =>
      countOf(db, live_room, where),
    )
  },
  counts: async (filters, { db, staff, install, now }) => {
    const rows = await db
      .select({
        state: live_room.state,
        n: count(),
        replays: sql<number>`count(*) filter (where ${live_room.replay_state} <> 'none')::int`,
      })
      .from(live_room)
      .where(listWhere(filters, staff))
      .groupBy(live_room.state)
    const of = Object.fromEntries(rows.map(row => [row.state, row.n]))
    const counts = Object.fromEntries(
      (Object.keys(liveTabs) as LiveTab[]).map(tab => [
        tab,
        tab === 'replay' ? rows.reduce((sum, row) => sum + row.replays, 0) : (of[tab] ?? 0),
      ]),
    ) as Record<LiveTab, number>
    return {
      counts,
      channel: channelOf(db, install, now)?.name ?? ('none' as const),
      told_by_sms: install.gateways.sms !== null,
    }
  },
  hosts: async ({ keyword, page, pageSize }, { db }) => {
    const where = keyword
      ? sql`(${ilike(live_host.name, like(keyword))} or ${ilike(live_host.wechat, like(keyword))})`
      : undefined
    return {
      list: await db
        .select({
          id: live_host.id,
          name: live_host.name,
          wechat: live_host.wechat,
          verified: live_host.verified,
          status: live_host.status,
        })
        .from(live_host)
        .where(where)
        .orderBy(desc(live_host.verified), asc(live_host.id))
        .limit(pageSize)
        .offset((page - 1) * pageSize),
      ...(await countOf(db, live_host, where)),
    }
  },
  shelf: async ({ id, keyword, page, pageSize }, { db, staff }) => {
    const all = await shelfOf(db, await readRoom(db, id, staff), staff.lang)
    const found = keyword
      ? all.filter(row => row.title.toLowerCase().includes(keyword.toLowerCase()))
      : all
    return {
      list: found.slice((page - 1) * pageSize, page * pageSize),
      total: found.length,
      list_version: sequenceVersion(all.map(row => row.id)),
    }
  },
  syncRooms: async (_, { tx, install, now }) => syncRooms(tx, install, now),
  setRecommend: async (one, context) => {
    const { tx, staff } = context
    const { city_id } = await readRoom(tx, one.id, staff)
    await lockSequence(tx, `live/recommended/${city_id}`)
    const taken = await tx
      .select({ id: live_room.id, title: live_room.title })
      .from(live_room)
      .where(
        and(
          eq(live_room.city_id, city_id),
          eq(live_room.recommended, true),
          eq(live_room.gone, false),
          ne(live_room.id, one.id),
        ),
      )
    if (taken.length >= RECOMMENDED_MAX)
      throw ruled(
        'recommended_full',
        [
          '本城市推荐位已满 {max} 个：{names}。请先取消一个',
          'The city has {max} recommended rooms: {names}. Take one off first',
        ],
        { max: RECOMMENDED_MAX, names: joinedNames(taken.map(room => room.title)) },
        { taken },
      )
    return change(context, 'setRecommend', one, { recommended: true })
  },
  cancelRecommend: (one, context) =>
    change(context, 'cancelRecommend', one, { recommended: false }),
  pushProduct: async ({ product_id, ...one }, context) => {
    const { tx, now } = context
    const was = await roomFor(context, 'pushProduct', one)
    const row = (await shelfOf(tx, was, context.staff.lang)).find(each => each.id === product_id)
    if (!row)
      throw ruled('not_on_shelf', ['商品不在这个直播间的货架上', 'It is not on the room’s shelf'])
    if (row.product_state !== 'on_sale')
      throw ruled('not_on_sale', ['商品已下架，不能讲解', 'It is off shelf'])
    const after = await saveRoom(tx, was, {})
    await tx
      .update(live_product)
      .set({ explained_at: now })
      .where(and(eq(live_product.live_room_id, was.id), eq(live_product.product_id, product_id)))
    logRoom(context, after, { before: null, after: { product_id } })
    return { id: after.id, version: after.version }
  },
  publishReplay: (one, context) =>
    change(context, 'publishReplay', one, { replay_state: 'published' }),
  // A room is recommended for its replay: without it, no longer.
  hideReplay: (one, context) =>
    change(context, 'hideReplay', one, { replay_state: 'hidden', recommended: false }),
  cancel: async ({ reason, ...one }, context) => {
    const { tx } = context
    const was = await roomFor(context, 'cancel', one)
    const after = await closeRoom(tx, was, {
      state: 'cancelled',
      state_reason: reason,
      todo: todoAfter(was, 'delete'),
    })
    if (!after) throw await staleRow(tx, 'live_room', await readRoom(tx, one.id, context.staff))
    const told = await queueNotices(tx, was.id)
    logRoom(
      context,
      after,
      {
        before: { state: was.state },
        after: { state: 'cancelled', ...(told > 0 && { notices: told }) },
      },
      reason,
    )
    return { id: after.id, version: after.version, told }
  },
  del: async (one, context) => {
    const { tx } = context
    const was = await roomFor(context, 'del', one)
    const [waiting] = await tx
      .select({ n: count() })
      .from(live_subscriber)
      .where(eq(live_subscriber.live_room_id, was.id))
    if (was.state === 'planned' && waiting!.n > 0)
      throw ruled(
        'subscribed',
        [
          '有 {n} 人预约了这场直播，请改用“取消直播”，系统会通知他们',
          '{n} people wait for it: cancel it instead, so that they are told',
        ],
        { n: waiting!.n },
      )
    const after = await saveRoom(tx, was, {
      gone: true,
      recommended: false,
      todo: todoAfter(was, 'delete'),
    })
    await releaseShelf(tx, was.id)
    logRoom(context, after, { before: { state: was.state }, after: { gone: true } })
    return { id: was.id, deleted: true as const }
  },
  export: async ({ format, columns, ...filters }, context) => {
    const { staff, tx } = context
    const rows_expected = await exactCount(tx, live_room, listWhere(filters, staff), 1_000_000)
    return startExport(context, {
      page: 'system.live',
      filters,
      filters_text: [say(liveTabs[filters.tab], staff.lang), filters.keyword]
        .filter(Boolean)
        .join(say(clause, staff.lang)),
      rows_expected,
      format,
      columns,
    })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

defineExport('system.live', {
  title: ['直播数据', 'Live rooms'],
  permit: 'system.live.export',
  filters: () => ({
    tab: { title: ['状态', 'State'], kind: 'enum', options: liveTabs },
    city_id: { title: ['城市', 'City'], kind: 'name', of: 'city' },
    mid: { title: ['商场', 'Mall'], kind: 'name', of: 'mall' },
    host_id: { title: ['主播编号', 'Host'], kind: 'number' },
    keyword: { title: ['标题', 'Title'] },
  }),
  columns: [
    { key: 'id', title: ['编号', 'ID'], kind: 'number' },
    { key: 'title', title: ['标题', 'Title'] },
    { key: 'channel', title: ['渠道', 'Channel'] },
    { key: 'room_no', title: ['房间号', 'Room'] },
    { key: 'host_name', title: ['主播', 'Host'] },
    { key: 'city_name', title: ['城市', 'City'] },
    { key: 'mall_name', title: ['商场', 'Mall'] },
    { key: 'start_at', title: ['开始', 'From'], kind: 'time' },
    { key: 'end_at', title: ['结束', 'Until'], kind: 'time' },
    { key: 'state', title: ['状态', 'State'] },
    { key: 'replay_state', title: ['回放', 'Replay'] },
    { key: 'products', title: ['商品数', 'Products'], kind: 'number' },
    { key: 'viewers', title: ['观看人数', 'Viewers'], kind: 'number' },
    { key: 'peak', title: ['最高在线', 'Peak'], kind: 'number' },
    { key: 'product_clicks', title: ['商品点击', 'Clicks'], kind: 'number' },
    { key: 'paid_orders', title: ['支付订单', 'Paid orders'], kind: 'number' },
    { key: 'gmv_cents', title: ['成交额', 'GMV'], kind: 'money', field: 'stat.amount_cents' },
    { key: 'refund_rate', title: ['退款率', 'Refund rate'] },
    { key: 'synced_at', title: ['同步时间', 'Synced'], kind: 'time' },
  ],
  rows: async ({ db, staff, filters, after, limit }) => {
    const rows = await db
      .select()
      .from(live_room)
      .where(
        and(
          listWhere(filters as Filters, staff),
          after === undefined ? undefined : sql`${live_room.id} > ${after}`,
        ),
      )
      .orderBy(asc(live_room.id))
      .limit(limit)
    const shown = (await roomsShown(db, rows)).map(row => ({
      ...row,
      channel: say(liveChannels[row.channel], staff.lang),
      state: say(liveStates[row.state], staff.lang),
      replay_state: say(replayStates[row.replay_state], staff.lang),
      refund_rate: row.refund_bp === null ? '' : percent(row.refund_bp),
    }))
    return { rows: shown, next: rows.length < limit ? undefined : rows.at(-1)?.id }
  },
})
defineTimer('live.sync', '*/2 * * * *', async ({ database, install, now }) => {
  const { rooms } = await syncRooms(database.db, install, now)
  const sent = await sendNotices(database.db, install, now)
  return rooms + sent > 0 ? ['live_room', 'product'] : []
})

export const liveServer = implement(contract, handlers)
