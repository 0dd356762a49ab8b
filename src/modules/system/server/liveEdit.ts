import { and, asc, eq, inArray, ne, sql, type SQL } from 'drizzle-orm'
import {
  SHELF_MAX,
  SHELF_STOCK,
  liveCan,
  livePictureFault,
  livePictures,
  livePriceFault,
  liveStockFault,
  liveTimeFaults,
  liveTitleFault,
  type LivePicture,
} from '#src/areas/broadcast/broadcast.ts'
import { live_host, live_product, live_room } from '#src/areas/broadcast/live.table.ts'
import { channelOf } from '#src/areas/broadcast/liveChannel.server.ts'
import {
  giveBack,
  liveKinds,
  reserve,
  reserveShelf,
  todoAfter,
  type LiveRoom,
} from '#src/areas/broadcast/liveRooms.server.ts'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { upload } from '#src/areas/export/job.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { say, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { difference, sameContent } from '#src/server/call/versions.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { orderSent } from '#src/server/db/sequence.ts'
import { liveEdit as contract } from '../contract/live.ts'
import {
  logRoom,
  productFacts,
  readRoom,
  roomFor,
  roomsShown,
  saveRoom,
  shelfFault,
  shelfOf,
} from './live.ts'

type Plan = Pick<
  LiveRoom,
  | 'title'
  | 'channel'
  | 'host_id'
  | LivePicture
  | 'start_at'
  | 'end_at'
  | 'city_id'
  | 'mall_id'
  | 'coupon_ids'
  | 'comments_on'
  | 'goods_on'
>
const planKeys = [
  'title',
  'channel',
  'host_id',
  'cover',
  'share_image',
  'background',
  'start_at',
  'end_at',
  'city_id',
  'mall_id',
  'coupon_ids',
  'comments_on',
  'goods_on',
] as const
/** Fixed from the moment it is live: the channel's room is that host's, at that time. */
const lockedKeys = {
  start_at: 'start_at',
  end_at: 'end_at',
  host_id: 'host_id',
  channel: 'channel',
  city_id: 'city_id',
  mall_id: 'mid',
} as const
const lockedText: Text = ['直播中不能修改', 'Locked while it is live']

const refuse = (
  { staff }: Pick<WriteContext, 'staff'>,
  faults: Record<string, Text | undefined>,
) => {
  const found = Object.entries(faults).filter((one): one is [string, Text] => one[1] !== undefined)
  if (found.length > 0)
    throw invalid(Object.fromEntries(found.map(([key, text]) => [key, say(text, staff.lang)])))
}
const pictureFaults = async (
  { tx, install }: WriteContext,
  of: Plan,
  which: readonly LivePicture[],
): Promise<Record<string, Text | undefined>> => {
  const elsewhere = install.storesElsewhere
  const asked = which.filter(key => of[key] !== '')
  const found =
    asked.length === 0
      ? []
      : await tx
          .select()
          .from(upload)
          .where(
            inArray(
              upload.file_key,
              asked.map(key => of[key]),
            ),
          )
  // A store of pictures elsewhere tells us nothing of them; there only the form has measured.
  const unknownFault: Text | undefined = elsewhere
    ? undefined
    : ['图片还没有上传', 'The picture was not uploaded']
  return Object.fromEntries(
    asked.map(key => {
      const one = found.find(each => each.file_key === of[key])
      return [key, one ? livePictureFault(key, one) : unknownFault]
    }),
  )
}
const placeFaults = async (
  { tx, staff }: WriteContext,
  { city_id, mall_id }: Plan,
): Promise<Record<string, Text | undefined>> => {
  const [place] = await tx.select({ id: city.id }).from(city).where(eq(city.id, city_id))
  const [inside] =
    mall_id > 0
      ? await tx.select({ city_id: mall.city_id }).from(mall).where(eq(mall.id, mall_id))
      : []
  const mine =
    seesAll(staff.scope) ||
    (staff.scope.cities as readonly number[]).includes(city_id) ||
    (mall_id > 0 && (staff.scope.malls as readonly number[]).includes(mall_id))
  const cityFault = (): Text | undefined => {
    if (!place) return ['城市不存在', 'There is no such city']
    return mine ? undefined : ['请选择你负责的城市或商场', 'Choose a city or mall of yours']
  }
  return {
    city_id: cityFault(),
    mid:
      mall_id > 0 && inside?.city_id !== city_id
        ? ['商场须属于所选城市', 'The mall must be in the city']
        : undefined,
  }
}
const hostFault = (host: { verified: boolean; status: string } | undefined): Text | undefined => {
  if (!host) return ['主播不存在', 'There is no such host']
  if (!host.verified)
    return ['主播微信号未实名认证，不能开播', 'The host’s WeChat account is not verified']
  return host.status === 'off' ? ['主播已停用', 'The host is off'] : undefined
}
/**
 * A host hosts one session at a time: whoever plans for one holds the host's row until the end, and
 * the second is told of the first.
 */
const needHost = async (
  context: WriteContext,
  of: Pick<Plan, 'host_id' | 'start_at' | 'end_at'>,
  own: number,
): Promise<void> => {
  const { tx } = context
  const [host] = await tx
    .select()
    .from(live_host)
    .where(eq(live_host.id, of.host_id))
    .for('no key update')
  refuse(context, { host_id: hostFault(host) })
  const [other] = await tx
    .select({ title: live_room.title, start_at: live_room.start_at, end_at: live_room.end_at })
    .from(live_room)
    .where(
      and(
        eq(live_room.host_id, of.host_id),
        inArray(live_room.state, ['planned', 'living']),
        eq(live_room.gone, false),
        ne(live_room.id, own),
        sql`${live_room.start_at} < ${of.end_at} and ${live_room.end_at} > ${of.start_at}`,
      ),
    )
    .orderBy(asc(live_room.start_at))
    .limit(1)
  if (other)
    throw ruled(
      'host_busy',
      [
        '主播已有“{title}”（{from} – {to}），请换一位或错开时间',
        'The host has “{title}” ({from} – {to}): take another one, or another time',
      ],
      {
        title: other.title,
        from: timeFull(other.start_at).slice(5, 16),
        to: timeFull(other.end_at).slice(5, 16),
      },
      {
        fields: {
          start_at: say(
            ['与主播的另一场直播重叠', 'Overlaps another session of the host'],
            context.staff.lang,
          ),
        },
      },
    )
}
const couponWhere = ({
  city_id,
  keyword,
  now,
}: {
  city_id?: number | undefined
  keyword?: string | undefined
  now: number
}): SQL | undefined =>
  and(
    inArray(coupon.status, ['active', 'waiting']),
    sql`${coupon.claim_end_at} > ${now} and ${coupon.claimed_count} < ${coupon.total}`,
    city_id === undefined
      ? undefined
      : sql`(${coupon.city_ids} = '[]'::jsonb or ${coupon.city_ids} @> to_jsonb(${city_id}::int))`,
    keyword ? sql`${coupon.name} ilike ${like(keyword)}` : undefined,
  )
/** Coupons of all cities are everybody's to offer; others where one of their cities is. */
const couponsWithin = ({ scope }: Pick<Staff, 'scope'>): SQL | undefined => {
  const placed = within(scope, {
    city: { several: sql`select jsonb_array_elements_text(${coupon.city_ids})::int` },
  })
  return placed && sql`(${coupon.city_ids} = '[]'::jsonb or ${placed})`
}
const couponFault = async (
  { tx, now }: WriteContext,
  { coupon_ids, city_id }: Plan,
): Promise<Text | undefined> => {
  if (coupon_ids.length === 0) return undefined
  const good = await tx
    .select({ id: coupon.id })
    .from(coupon)
    .where(and(inArray(coupon.id, coupon_ids), couponWhere({ city_id, now })))
  return good.length < new Set(coupon_ids).size
    ? ['有优惠券已不能领取，请重新选择', 'One of the coupons can’t be claimed any more']
    : undefined
}
/** Fields that a session on the air keeps, each with the reason, where the plan changes one. */
const lockedFaults = (
  was: LiveRoom | undefined,
  changed: (key: keyof Plan) => boolean,
): Record<string, Text> =>
  was?.state === 'living'
    ? Object.fromEntries(
        Object.entries(lockedKeys)
          .filter(([key]) => changed(key as keyof Plan))
          .map(([, name]) => [name, lockedText]),
      )
    : {}
/** A session that moves takes no product along that is sold elsewhere only. */
const needShelfWithin = async (context: WriteContext, room: LiveRoom): Promise<void> => {
  const shelf = await shelfOf(context.tx, room, context.staff.lang)
  if (shelf.some(row => row.fault !== null))
    refuse(context, {
      city_id: [
        '货架上有不属于新城市或商场的商品，请先移除',
        'The shelf has products of elsewhere: take them off first',
      ],
    })
}
/** What is new in a plan is checked when it is saved; the rest when it is submitted. */
const check = async (
  context: WriteContext,
  next: Plan,
  was: LiveRoom | undefined,
): Promise<void> => {
  const changed = (key: keyof Plan) => !was || !sameContent(was[key], next[key])
  const changesTime = changed('start_at') || changed('end_at')
  const changesHost = changed('host_id')
  const changesPlace = changed('city_id') || changed('mall_id')
  const changesCoupons = changed('coupon_ids') || changed('city_id')
  const pictures = (Object.keys(livePictures) as LivePicture[]).filter(changed)
  const [host] = changesHost
    ? await context.tx.select().from(live_host).where(eq(live_host.id, next.host_id))
    : []
  refuse(context, {
    title: liveTitleFault(next.title),
    ...(changesTime ? liveTimeFaults(next, context.now) : {}),
    ...(changesHost ? { host_id: hostFault(host) } : {}),
    ...(changesPlace ? await placeFaults(context, next) : {}),
    ...(await pictureFaults(context, next, pictures)),
    ...(changesCoupons ? { coupon_ids: await couponFault(context, next) } : {}),
    ...lockedFaults(was, changed),
  })
  if (!was) return
  if (was.state !== 'draft') needPictures(context, next)
  if (changesPlace) await needShelfWithin(context, { ...was, ...next })
  if (was.state === 'planned' && (changesHost || changesTime)) await needHost(context, next, was.id)
}
const needPictures = (context: WriteContext, of: Plan) =>
  refuse(
    context,
    Object.fromEntries(
      Object.entries(livePictures).map(([key, { name }]) => [
        key,
        of[key as LivePicture] === ''
          ? ([`请上传${name[0]}`, `Upload the ${name[1].toLowerCase()}`] as Text)
          : undefined,
      ]),
    ),
  )

/**
 * A change of the shelf: the room's version goes on, so that two editors never mix; the channel
 * hears of nothing, the shelf is our own.
 */
const reshelve = async (
  context: WriteContext,
  one: { id: number; version: number },
  run: (room: LiveRoom) => Promise<{ before: object | null; after: object | null }>,
) => {
  const was = await roomFor(context, 'shelf', one)
  const after = await saveRoom(context.tx, was, {})
  logRoom(context, after, await run(was))
  return { id: after.id, version: after.version }
}
const onShelf = async (tx: Db, live_room_id: number, product_id: number) => {
  const [row] = await tx
    .select()
    .from(live_product)
    .where(
      and(eq(live_product.live_room_id, live_room_id), eq(live_product.product_id, product_id)),
    )
    .for('update')
  if (!row) throw missing()
  return row
}
const reserved = (room: LiveRoom) => room.state !== 'draft'

const handlers = {
  detail: async ({ id }, { db, staff }) => {
    const room = await readRoom(db, id, staff)
    const [shown] = await roomsShown(db, [room])
    const coupons = room.coupon_ids.length
      ? await db
          .select({ id: coupon.id, name: coupon.name })
          .from(coupon)
          .where(inArray(coupon.id, room.coupon_ids))
      : []
    return {
      ...shown!,
      coupons: room.coupon_ids.flatMap(one => coupons.find(each => each.id === one) ?? []),
    }
  },
  products: async ({ id, keyword, page, pageSize }, { db, staff, now }) => {
    const room = await readRoom(db, id, staff)
    const where = and(
      eq(product.state, 'on_sale'),
      inArray(product.kind, [...liveKinds]),
      eq(product.city_id, room.city_id),
      room.mall_id > 0 ? eq(product.mall_id, room.mall_id) : undefined,
      sql`${product.sale_end_at} > ${Math.max(now, room.start_at)} and ${product.stock} > ${product.held}`,
      keyword ? sql`${product.title} ilike ${like(keyword)}` : undefined,
      sql`not exists (select 1 from product_version v where v.product_id = "product"."id" and v.state = 'auditing')`,
      sql`not exists (select 1 from live_product l where l.live_room_id = ${id} and l.product_id = "product"."id")`,
    )
    const rows = await db
      .select({
        id: product.id,
        title: product.title,
        price_cents: product.price_cents,
        available: sql<number>`"product"."stock" - "product"."held"`,
      })
      .from(product)
      .where(where)
      .orderBy(asc(product.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, product, where)) }
  },
  coupons: async ({ page, pageSize, ...filters }, { db, staff, now }) => {
    const where = and(couponWhere({ ...filters, now }), couponsWithin(staff))
    return {
      list: await db
        .select({ id: coupon.id, name: coupon.name })
        .from(coupon)
        .where(where)
        .orderBy(asc(coupon.id))
        .limit(pageSize)
        .offset((page - 1) * pageSize),
      ...(await countOf(db, coupon, where)),
    }
  },
  save: async ({ id, version, mid, ...plan }, context) => {
    const { tx } = context
    const next: Plan = { ...plan, mall_id: mid, coupon_ids: [...new Set(plan.coupon_ids)] }
    if (id === undefined) {
      await check(context, next, undefined)
      const [made] = await tx.insert(live_room).values(next).returning()
      logRoom(context, made!, {
        before: null,
        after: Object.fromEntries(planKeys.map(key => [key, next[key]])),
      })
      return { id: made!.id, version: made!.version }
    }
    const was = await roomFor(context, 'save', { id, version: version ?? -1 })
    await check(context, next, was)
    const diff = difference(was, next, planKeys)
    if (Object.keys(diff.after).length === 0) return { id, version: was.version }
    const after = await saveRoom(tx, was, {
      ...next,
      ...(was.state !== 'draft' && { todo: todoAfter(was, 'edit') }),
    })
    logRoom(context, after, diff)
    return { id, version: after.version }
  },
  submit: async (one, context) => {
    const { tx, install, now, staff } = context
    const was = await roomFor(context, 'submit', one)
    const channel = channelOf(tx, install, now)
    if (!channel)
      throw ruled('no_channel', [
        '还没有配置直播平台（WECHAT_APPID），草稿已保留',
        'No live platform is set up (WECHAT_APPID); the draft stays',
      ])
    const takes = channel.takes(was.channel)
    if (takes !== true)
      throw ruled('channel', takes, {}, { fields: { channel: say(takes, staff.lang) } })
    needPictures(context, was)
    refuse(context, {
      title: liveTitleFault(was.title),
      ...liveTimeFaults(was, now),
      ...(await placeFaults(context, was)),
      ...(await pictureFaults(context, was, Object.keys(livePictures) as LivePicture[])),
      coupon_ids: await couponFault(context, was),
    })
    const shelf = await shelfOf(tx, was, staff.lang)
    if (shelf.length === 0)
      throw ruled('shelf_empty', [
        '货架上还没有商品，请先添加',
        'The shelf is empty: add products first',
      ])
    const bad = shelf.find(row => row.fault !== null)
    if (bad)
      throw ruled(
        'shelf',
        ['商品“{name}”：{fault}', '“{name}”: {fault}'],
        { name: bad.title, fault: bad.fault! },
        { product_id: bad.id },
      )
    await needHost(context, was, was.id)
    const after = await saveRoom(tx, was, {
      state: 'planned',
      todo: 'create',
    })
    await reserveShelf(tx, was.id)
    logRoom(context, after, { before: { state: 'draft' }, after: { state: 'planned' } })
    return { id: after.id, version: after.version }
  },
  addProducts: async ({ product_ids, ...one }, context) =>
    reshelve(context, one, async room => {
      const { tx, staff } = context
      const have = new Set(
        (
          await tx
            .select({ id: live_product.product_id })
            .from(live_product)
            .where(eq(live_product.live_room_id, room.id))
        ).map(row => row.id),
      )
      const wanted = [...new Set(product_ids)].filter(id => !have.has(id))
      if (have.size + wanted.length > SHELF_MAX)
        throw ruled(
          'shelf_full',
          ['一场直播最多 {max} 个商品，现有 {n} 个', 'At most {max} products; there are {n}'],
          { max: SHELF_MAX, n: have.size },
        )
      if (wanted.length === 0) return { before: null, after: { product_ids: [] } }
      const found = new Map(
        (await tx.select(productFacts).from(product).where(inArray(product.id, wanted))).map(
          row => [row.id, row],
        ),
      )
      // The products' stocks are taken in the order of their ids, the shelf in the order they were
      // chosen.
      for (const id of [...wanted].sort((a, b) => a - b)) {
        const of = found.get(id)
        if (!of) throw missing()
        const fault =
          shelfFault(of, room) ??
          (of.available < 1 ? (['已售罄', 'It is sold out'] as Text) : undefined)
        if (fault)
          throw ruled(
            'product',
            ['商品“{name}”不能添加：{fault}', '“{name}” can’t be added: {fault}'],
            { name: of.title, fault: say(fault, staff.lang) },
            { product_id: id },
          )
        if (reserved(room)) await reserve(tx, id, Math.min(SHELF_STOCK, of.available))
      }
      const [last] = await tx
        .select({ sort: sql<number>`coalesce(max(${live_product.sort}), 0)::int` })
        .from(live_product)
        .where(eq(live_product.live_room_id, room.id))
      await tx.insert(live_product).values(
        wanted.map((product_id, at) => {
          const of = found.get(product_id)!
          const stock = Math.min(SHELF_STOCK, of.available)
          return {
            live_room_id: room.id,
            product_id,
            sort: last!.sort + 1 + at,
            price_cents: of.price_cents,
            stock,
            remaining: reserved(room) ? stock : 0,
          }
        }),
      )
      return { before: null, after: { product_ids: wanted } }
    }),
  sortProducts: async ({ id, ...sent }, context) => {
    const { tx, staff } = context
    // The row is held, so that nobody changes the shelf meanwhile; the order has a version of its
    // own, and leaves the room's as it is.
    await tx.select({ id: live_room.id }).from(live_room).where(eq(live_room.id, id)).for('update')
    const room = await readRoom(tx, id, staff)
    const may = liveCan('shelf', room)
    if (may !== true) throw ruled('wrong_state', may)
    const present = (
      await tx
        .select({ id: live_product.product_id })
        .from(live_product)
        .where(eq(live_product.live_room_id, id))
        .orderBy(asc(live_product.sort), asc(live_product.id))
    ).map(row => row.id)
    const order = orderSent(sent, present)
    for (const [at, product_id] of order.entries())
      await tx
        .update(live_product)
        .set({ sort: at + 1 })
        .where(
          and(
            eq(live_product.live_room_id, id),
            eq(live_product.product_id, product_id),
            ne(live_product.sort, at + 1),
          ),
        )
    logRoom(context, room, { before: { order: present }, after: { order } })
    return { list_version: sequenceVersion(order) }
  },
  setLivePrice: async ({ product_id, price_cents, stock, ...one }, context) =>
    reshelve(context, one, async room => {
      const { tx } = context
      const row = await onShelf(tx, room.id, product_id)
      const [of] = await tx.select(productFacts).from(product).where(eq(product.id, product_id))
      const sold = reserved(room) ? row.stock - row.remaining : 0
      const isSoldOut = stock === sold && sold > 0
      const soldFault = (): Text | undefined =>
        stock < sold ? [`已售出 ${sold} 件，不能更少`, `${sold} are sold already`] : undefined
      const leftFault = () => liveStockFault(stock - sold, of!.available + row.remaining)
      refuse(context, {
        price_cents: livePriceFault(price_cents, of!.price_cents),
        stock: soldFault() ?? (isSoldOut ? undefined : leftFault()),
      })
      const more = reserved(room) ? stock - row.stock : 0
      if (more > 0) await reserve(tx, product_id, more)
      else await giveBack(tx, product_id, -more)
      await tx
        .update(live_product)
        .set({ price_cents, stock, remaining: row.remaining + more })
        .where(eq(live_product.id, row.id))
      return {
        before: { product_id, price_cents: row.price_cents, stock: row.stock },
        after: { product_id, price_cents, stock },
      }
    }),
  removeProduct: async ({ product_id, ...one }, context) =>
    reshelve(context, one, async room => {
      const { tx } = context
      const row = await onShelf(tx, room.id, product_id)
      const [left] = await tx
        .select({ n: sql<number>`count(*)::int` })
        .from(live_product)
        .where(eq(live_product.live_room_id, room.id))
      if (reserved(room) && left!.n === 1)
        throw ruled('shelf_empty', [
          '已提交的直播间至少保留一个商品',
          'A submitted room keeps at least one product',
        ])
      await tx.delete(live_product).where(eq(live_product.id, row.id))
      await giveBack(tx, product_id, row.remaining)
      return { before: { product_id, price_cents: row.price_cents, stock: row.stock }, after: null }
    }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const liveEditServer = implement(contract, handlers)
