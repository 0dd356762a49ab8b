import { and, asc, desc, eq, gt, inArray, lte, sql, type SQL } from 'drizzle-orm'
import {
  BANNER_LIVE_MAX,
  bannerCan,
  bannerLive,
  bannerState,
  bannerStates,
  clickRate,
  pictureFault,
  positionNames,
  type BannerPosition,
  type BannerState,
  type BannerVerb,
} from '#src/areas/content/banner.ts'
import {
  banner,
  banner_city,
  type Audience,
  type LinkParams,
} from '#src/areas/content/content.table.ts'
import { upload } from '#src/areas/export/job.table.ts'
import { clicksByDay, clicksOnce, withoutRepeats } from '#src/areas/link/clicks.server.ts'
import { CLICK_DAYS, clickKeyword } from '#src/areas/link/clicks.ts'
import { linksShown, pickLink } from '#src/areas/link/links.server.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import { percent } from '#src/domain/money.ts'
import { hasEnded, mostAtOnce, overlap } from '#src/domain/period.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { comma, saidInBoth, say } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { eachRow } from '#src/server/call/batch.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import {
  arrange,
  equal,
  exporting,
  faultless,
  holding,
  listing,
  record,
} from '#src/server/call/record.ts'
import { forbidden, missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevert } from '#src/server/call/reverts.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { difference, sameContent } from '#src/server/call/versions.ts'
import { countOf } from '#src/server/db/paging.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { banner as contract } from '../contract/banner.ts'

type Row = typeof banner.$inferSelect
/** A banner with the cities it is shown in. */
type Banner = Row & { city_ids: number[] }
type Place = { position: BannerPosition; city_id: number; mid: number }
type Fields = {
  title: string
  position: BannerPosition
  image: string
  page_link_id: number
  link_params: LinkParams
  city_ids: number[]
  mid: number
  audience: Audience
  start_at: number
  end_at: number
}

const edited = [
  'title',
  'position',
  'image',
  'page_link_id',
  'link_params',
  'city_ids',
  'mid',
  'audience',
  'start_at',
  'end_at',
] as const
const keys = [...edited, 'status'] as const
const banners = record(banner, {
  object: 'banner',
  label: row => row.title,
  // What changes of a banner's cities and mall is logged with it: see `logged`.
  keys: [],
  // A person sees a banner that one of their cities shows, or one of their malls has.
  places: ({ scope }) =>
    seesAll(scope)
      ? undefined
      : sql`exists (select 1 from banner_city bc where bc.banner_id = ${banner.id} and ${within(scope, { city: sql`bc.city_id`, mall: banner.mall_id })})`,
  current: async (row, { tx, now }) => ({
    ...wire(await whole(tx, row)),
    status: bannerState(row, now),
  }),
})
const citiesOf = async (
  db: Db,
  ids: readonly number[],
): Promise<Map<number, { city_id: number; sort: number; city_name: string }[]>> => {
  const rows = ids.length
    ? await db
        .select({
          banner_id: banner_city.banner_id,
          city_id: banner_city.city_id,
          sort: banner_city.sort,
          city_name: city.city_name,
        })
        .from(banner_city)
        .innerJoin(city, eq(city.id, banner_city.city_id))
        .where(inArray(banner_city.banner_id, [...ids]))
        .orderBy(asc(city.sort), asc(city.id))
    : []
  return grouped(rows, row => row.banner_id)
}
const whole = async (db: Db, row: Row): Promise<Banner> => {
  const places = (await citiesOf(db, [row.id])).get(row.id) ?? []
  return { ...row, city_ids: places.map(one => one.city_id).sort((a, b) => a - b) }
}
const wire = ({ mall_id, ...row }: Banner) => ({ ...row, mid: mall_id })
/** Whoever changes a banner changes it wherever it is shown. */
const needAll = (
  { scope }: Pick<Staff, 'scope'>,
  of: { city_ids: readonly number[]; mid: number },
): void => {
  if (seesAll(scope) || (of.mid > 0 && (scope.malls as readonly number[]).includes(of.mid))) return
  if (!of.city_ids.every(id => (scope.cities as readonly number[]).includes(id)))
    throw ruled('other_cities', [
      '还投放在你的数据范围以外的城市，不能由你修改',
      'It is also shown in cities outside your scope: it is not yours to change',
    ])
}

const placeKey = ({ position, city_id, mid }: Place) => `banner/${position}/${city_id}/${mid}`
const presentOf = async (db: Db, { position, city_id, mid }: Place): Promise<number[]> =>
  (
    await db
      .select({ id: banner.id })
      .from(banner)
      .innerJoin(banner_city, eq(banner_city.banner_id, banner.id))
      .where(
        and(
          eq(banner.position, position),
          eq(banner.mall_id, mid),
          eq(banner_city.city_id, city_id),
        ),
      )
      .orderBy(asc(banner_city.sort), asc(banner.id))
  ).map(row => row.id)
const placesOf = (of: {
  position: BannerPosition
  mid: number
  city_ids: readonly number[]
}): Place[] =>
  [...new Set(of.city_ids)]
    .sort((a, b) => a - b)
    .map(city_id => ({ position: of.position, mid: of.mid, city_id }))

/**
 * At most eight live at any moment of its time, in each of its places; whoever is last is told
 * which ones they are.
 */
const needRoom = async (tx: Db, of: Fields, except: number, now: number): Promise<void> => {
  for (const { position, city_id, mid } of placesOf(of)) {
    const others = await tx
      .select({
        id: banner.id,
        title: banner.title,
        start_at: banner.start_at,
        end_at: banner.end_at,
      })
      .from(banner)
      .innerJoin(banner_city, eq(banner_city.banner_id, banner.id))
      .where(
        and(
          eq(banner.position, position),
          eq(banner.mall_id, mid),
          eq(banner_city.city_id, city_id),
          eq(banner.status, 'online'),
          gt(banner.end_at, now),
          sql`${banner.id} <> ${except}`,
        ),
      )
    if (
      mostAtOnce(others, { start_at: Math.max(of.start_at, now), end_at: of.end_at }) <
      BANNER_LIVE_MAX
    )
      continue
    const [where] = await tx.select({ name: city.city_name }).from(city).where(eq(city.id, city_id))
    throw ruled(
      'place_full',
      [
        '{city}的该位置同一时间最多上线 {max} 张，请先下线一张或错开时间',
        'At most {max} at a time in this position of {city}: take one offline or choose another time',
      ],
      { city: where?.name ?? city_id, max: BANNER_LIVE_MAX },
      { live: others.filter(one => overlap(one, of)).map(({ id, title }) => ({ id, title })) },
    )
  }
}
const needPicture = async (
  { tx, install, staff }: WriteContext,
  position: BannerPosition,
  image: string,
): Promise<void> => {
  const [picture] = await tx.select().from(upload).where(eq(upload.file_key, image))
  // A store of pictures elsewhere tells us nothing of them; there only the form has measured.
  if (!picture && install.storesElsewhere) return
  const fault = picture
    ? pictureFault(position, picture)
    : (['图片还没有上传', 'The picture was not uploaded'] as const)
  if (fault) throw ruled('image_ratio', fault, {}, { fields: { image: say(fault, staff.lang) } })
}
const needPlace = async ({ tx, staff }: WriteContext, of: Fields): Promise<void> => {
  const known = await tx.select({ id: city.id }).from(city).where(inArray(city.id, of.city_ids))
  const unknown = known.length !== new Set(of.city_ids).size
  faultless(staff, {
    city_ids: unknown ? ['有城市不存在', 'One of the cities is not there'] : undefined,
  })
  if (of.mid === 0 && of.position === 'mall')
    faultless(staff, {
      mid: ['商场首页的轮播图须选择商场', 'A banner of a mall’s home needs the mall'],
    })
  if (of.mid === 0) return
  const [place] = await tx.select({ city_id: mall.city_id }).from(mall).where(eq(mall.id, of.mid))
  const elsewhere = of.city_ids.length !== 1 || of.city_ids[0] !== place?.city_id
  faultless(staff, {
    mid: elsewhere
      ? ['商场须属于所选的唯一城市', 'The mall must belong to the one city chosen']
      : undefined,
  })
}

const logged = (context: WriteContext, before: Banner | null, after: Banner, reason?: string) =>
  banners.log(context, after, {
    ...(before
      ? difference(wire(before), wire(after), keys)
      : { before: null, after: Object.fromEntries(keys.map(key => [key, wire(after)[key]])) }),
    ...(reason && { reason }),
  })

/**
 * Checks what is new in `next` and what its going online asks for. Takes the locks of every place
 * it leaves or enters.
 */
const check = async (
  context: WriteContext,
  next: Fields & { status: Row['status'] },
  was: Banner | undefined,
): Promise<void> => {
  const { tx, staff, now } = context
  needAll(staff, next)
  if (was) needAll(staff, { city_ids: was.city_ids, mid: was.mall_id })
  if (next.end_at <= next.start_at)
    throw ruled(
      'end_before_start',
      ['结束时间须晚于开始时间', 'The end must be after the start'],
      {},
      { fields: { end_at: say(['须晚于开始时间', 'Must be after the start'], staff.lang) } },
    )
  const places = [...placesOf(next), ...(was ? placesOf({ ...was, mid: was.mall_id }) : [])].map(
    placeKey,
  )
  for (const key of [...new Set(places)].sort()) await lockSequence(tx, key)
  const differs = (...of: (keyof Fields)[]) =>
    !was || of.some(key => !sameContent(wire(was)[key], next[key]))
  if (differs('city_ids', 'mid', 'position')) await needPlace(context, next)
  if (differs('image', 'position')) await needPicture(context, next.position, next.image)
  const goesOnline = next.status === 'online' && !hasEnded(next, now)
  if (differs('page_link_id', 'link_params') || (goesOnline && was?.status !== 'online'))
    await pickLink(tx, { page_link_id: next.page_link_id, params: next.link_params }, now)
  if (
    goesOnline &&
    (was?.status !== 'online' || differs('city_ids', 'mid', 'position', 'start_at', 'end_at'))
  )
    await needRoom(tx, next, was?.id ?? 0, now)
}
/** Puts a banner at the end of each place it is new in, and out of those it left. */
const settle = async (tx: Db, id: number, of: Fields, was: Banner | undefined): Promise<void> => {
  const moved = was !== undefined && (was.position !== of.position || was.mall_id !== of.mid)
  const stays = moved ? [] : (was?.city_ids ?? []).filter(one => of.city_ids.includes(one))
  if (was)
    await tx
      .delete(banner_city)
      .where(
        and(
          eq(banner_city.banner_id, id),
          stays.length ? sql`${banner_city.city_id} not in ${stays}` : undefined,
        ),
      )
  for (const { position, mid, city_id } of placesOf(of)) {
    if (stays.includes(city_id)) continue
    await tx.insert(banner_city).values({
      banner_id: id,
      city_id,
      sort: sql`(select coalesce(max(bc.sort), -1) + 1 from banner_city bc join banner b on b.id = bc.banner_id where bc.city_id = ${city_id} and b.position = ${position} and b.mall_id = ${mid})`,
    })
  }
}
const columns = ({ city_ids: _, mid, ...rest }: Fields) => ({ ...rest, mall_id: mid })
const each = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)

const insert = async (
  context: WriteContext,
  of: Fields & { status: Row['status'] },
): Promise<Banner> => {
  await check(context, of, undefined)
  const [made] = await context.tx.insert(banner).values(columns(of)).returning()
  await settle(context.tx, made!.id, of, undefined)
  const after = { ...made!, city_ids: of.city_ids }
  logged(context, null, after)
  return after
}
type Change = { [K in keyof Fields]?: Fields[K] | undefined } & {
  status?: Row['status']
  off_reason?: string | null
}
const change = async (
  context: WriteContext,
  read: { id: number; version: number },
  { status, off_reason, ...fields }: Change,
  reason?: string,
): Promise<Banner> => {
  const was = await whole(context.tx, await banners.held(context, read))
  const { id, version, views: _, created_at: __, updated_at: ___, ...before } = wire(was)
  const given = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>
  const next = {
    ...before,
    ...given,
    city_ids: given.city_ids ? each(given.city_ids) : was.city_ids,
    ...(status && { status }),
    ...(off_reason !== undefined && { off_reason }),
  }
  await check(context, next, was)
  const row = await banners.set(context, { id, version }, columns(next))
  await settle(context.tx, id, next, was)
  const after = { ...row, city_ids: next.city_ids }
  logged(context, was, after, reason)
  return after
}
const may = (verb: BannerVerb, row: Row, now: number) => {
  const allowed = bannerCan(verb, row, now)
  if (allowed !== true)
    throw ruled(
      verb === 'del' ? 'online' : 'wrong_state',
      allowed,
      {},
      { current: { id: row.id, status: bannerState(row, now), version: row.version } },
    )
}
const turn = async (
  context: WriteContext,
  verb: 'online' | 'offline',
  { reason, ...read }: { id: number; version: number; reason?: string | undefined },
): Promise<Banner> => {
  // The quicker person is named before what the state now forbids.
  may(verb, await banners.held(context, read), context.now)
  const off_reason = verb === 'online' ? null : (reason ?? '')
  return change(context, read, { status: verb, off_reason }, reason)
}
const sort = async (
  context: WriteContext,
  { position, city_id, mid, ...sent }: Place & { order: number[]; list_version: number },
) => {
  const { tx, staff } = context
  const { scope } = staff
  const ownCity = seesAll(scope) || (scope.cities as readonly number[]).includes(city_id)
  const ownMall = mid > 0 && (scope.malls as readonly number[]).includes(mid)
  if (!ownCity && !ownMall) throw missing()
  const place = { position, city_id, mid }
  await lockSequence(tx, placeKey(place))
  const before = await presentOf(tx, place)
  const { order, list_version } = await arrange(tx, sent, before, {
    sets: banner_city.sort,
    by: banner_city.banner_id,
    where: eq(banner_city.city_id, city_id),
  })
  const [where] = await tx.select({ name: city.city_name }).from(city).where(eq(city.id, city_id))
  context.log({
    object_type: 'banner_order',
    object_id: city_id,
    object_label: saidInBoth(lang => `${where?.name ?? ''} ${say(positionNames[position], lang)}`),
    before: { ...place, order: before },
    after: { ...place, order },
  })
  return { list_version }
}

type Filters = { keyword?: string; live?: number; status?: BannerState } & Partial<Place>
/** The state as it is now: what is online has ended when its time is over. */
const inState = (status: BannerState | undefined, now: number): SQL | undefined => {
  if (status === 'draft' || status === 'offline') return eq(banner.status, status)
  const over = status === 'ended' ? lte(banner.end_at, now) : gt(banner.end_at, now)
  return status && and(eq(banner.status, 'online'), over)
}

const clickCounts = async (
  db: Db,
  ids: readonly number[],
): Promise<Map<number, { clicks: number; users: number }>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<{ id: number; clicks: number; users: number }>(
    sql`select object_id as id, count(*)::int as clicks, count(distinct person)::int as users from ${withoutRepeats(sql`object_type = 'banner' and object_id in ${ids}`)} clicks group by object_id`,
  )
  return new Map(rows.map(row => [row.id, row]))
}

const shownRows = async (db: Db, rows: readonly Row[], now: number, city_id?: number) => {
  const ids = rows.map(row => row.id)
  const [cities, links, clicks, malls] = await Promise.all([
    citiesOf(db, ids),
    linksShown(
      db,
      rows.map(row => ({ page_link_id: row.page_link_id, params: row.link_params })),
      now,
    ),
    clickCounts(db, ids),
    db
      .select({ id: mall.id, name: mall.name })
      .from(mall)
      .where(inArray(mall.id, [0, ...new Set(rows.map(row => row.mall_id))])),
  ])
  const mallNames = new Map(malls.map(one => [one.id, one.name]))
  return rows.map(({ mall_id, created_at: _, updated_at: __, off_reason, ...row }, at) => {
    const places = cities.get(row.id) ?? []
    return {
      ...row,
      ...links[at]!,
      city_ids: places.map(one => one.city_id),
      city_names: places.map(one => one.city_name),
      mid: mall_id,
      mall_name: mallNames.get(mall_id) ?? '',
      sort: places.find(one => one.city_id === city_id)?.sort ?? places[0]?.sort ?? 0,
      status: bannerState(row, now),
      is_live: bannerLive(row, now),
      off_reason: off_reason ?? '',
      clicks: clicks.get(row.id)?.clicks ?? 0,
      users: clicks.get(row.id)?.users ?? 0,
    }
  })
}

const list = listing(banners, {
  by: banner.updated_at,
  down: true,
  where: ({ keyword, city_id, mid, position, status, live }: Filters, { now }) =>
    and(
      holding(keyword, [banner.title]),
      equal(banner, { position, mall_id: mid }),
      inState(status, now),
      city_id === undefined
        ? undefined
        : sql`exists (select 1 from banner_city at where at.banner_id = ${banner.id} and at.city_id = ${city_id})`,
      live === 1 ? and(inState('online', now), lte(banner.start_at, now)) : undefined,
    ),
  shown: (db, rows, { now }) => shownRows(db, rows, now),
})

const handlers = {
  lst: async ({ page, pageSize, ...filters }, { db, staff, now }) => {
    const { position, city_id, mid = 0 } = filters
    const where = list.where(filters, { staff, now })
    // One place is shown in its own order, anything else by what was changed last.
    const place = position && city_id !== undefined ? { position, city_id, mid } : undefined
    const at = sql`(select bc.sort from banner_city bc where bc.banner_id = ${banner.id} and bc.city_id = ${city_id ?? 0})`
    const rows = await db
      .select()
      .from(banner)
      .where(where)
      .orderBy(...(place ? [asc(at), asc(banner.id)] : [desc(banner.updated_at), desc(banner.id)]))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const { total } = await countOf(db, banner, where)
    return {
      list: await shownRows(db, rows, now, city_id),
      total,
      list_version: place ? sequenceVersion(await presentOf(db, place)) : 0,
    }
  },
  create: async ({ status, ...fields }, context) => {
    if (status === 'online' && !context.staff.can('system.banner.online')) throw forbidden()
    const made = await insert(context, { ...fields, city_ids: each(fields.city_ids), status })
    const place = { position: made.position, city_id: made.city_ids[0]!, mid: made.mall_id }
    const order = await presentOf(context.tx, place)
    return {
      id: made.id,
      sort: order.indexOf(made.id),
      version: made.version,
      list_version: sequenceVersion(order),
    }
  },
  edit: async (input, context) => {
    if ('order' in input) return sort(context, input)
    const { id, version, to_status, reason, ...fields } = input
    const after = await change(context, { id, version }, fields, reason)
    if (!to_status) return after
    if (!context.staff.can(`system.banner.${to_status}`)) throw forbidden()
    const silent = to_status === 'offline' && !reason
    faultless(context.staff, { reason: silent ? ['请填写原因', 'Give a reason'] : undefined })
    return turn(context, to_status, { id, version: after.version, reason })
  },
  del: async ({ id }, context) => {
    const { tx, staff, now, log } = context
    const [there] = await tx.select().from(banner).where(eq(banner.id, id)).for('update')
    if (!there) {
      log({ object_type: 'banner', object_id: id, object_label: '', after: { already: true } })
      return { id, deleted: true as const, already: true, list_version: sequenceVersion([]) }
    }
    const row = await whole(tx, await banners.read(tx, staff, id))
    const { city_ids, position, mall_id: mid } = row
    needAll(staff, { city_ids, mid })
    may('del', row, now)
    await tx.delete(banner).where(eq(banner.id, id))
    const { before } = difference(wire(row), {}, keys)
    banners.log(context, row, { before, after: null })
    const left = await presentOf(tx, { position, city_id: city_ids[0] ?? 0, mid })
    return { id, deleted: true as const, list_version: sequenceVersion(left) }
  },
  copy: async ({ id, city_ids }, context) => {
    const row = await whole(context.tx, await banners.read(context.tx, context.staff, id))
    if (row.mall_id > 0)
      throw ruled('mall_banner', [
        '商场的轮播图不能复制到其他城市',
        'A mall’s banner can’t be copied to other cities',
      ])
    const fresh = each(city_ids).filter(one => !row.city_ids.includes(one))
    if (fresh.length === 0)
      throw ruled('already_there', ['已投放在所选的城市', 'It is shown in those cities already'])
    const { title, position, image, page_link_id, link_params, audience, start_at, end_at } = row
    const same = { title, position, image, page_link_id, link_params, audience, start_at, end_at }
    const made = await insert(context, { ...same, mid: 0, city_ids: fresh, status: 'draft' })
    return { id: made.id, city_ids: fresh }
  },
  sort: async (input, context) => sort(context, input),
  online: async (read, context) => turn(context, 'online', read),
  offline: async (read, context) => turn(context, 'offline', read),
  batchOffline: async ({ rows, reason }, context) => {
    const versions = new Map(rows.map(row => [row.id, row.version]))
    return eachRow(context, [...versions.keys()], (one, id) =>
      turn(one, 'offline', { id, version: versions.get(id)!, reason }),
    )
  },
  clicks: async ({ banner_id, position, keyword, start_at, end_at, ...asked }, context) => {
    const { db, staff, now } = context
    const until = end_at ?? now + 1
    const from = start_at ?? Math.max(0, until - 7 * DAY)
    const days = CLICK_DAYS.named
    faultless(staff, {
      start_at:
        until - from > days * DAY || until <= from
          ? [`时间范围最多 ${days} 天`, `At most ${days} days`]
          : undefined,
    })
    faultless(staff, {
      keyword:
        keyword && clickKeyword(keyword) === 'part'
          ? ['请输入完整手机号', 'Enter the whole phone number']
          : undefined,
    })
    const named = { id: banner.id, title: banner.title, position: banner.position }
    const objects =
      position && (await db.select(named).from(banner).where(eq(banner.position, position)))
    const of = {
      ...asked,
      object_type: 'banner' as const,
      object_id: banner_id,
      objects: objects?.map(row => row.id),
      keyword,
      start_at: from,
      end_at: until - 1,
    }
    const { list, ...totals } = await clicksOnce({ db, staff, now }, of, days)
    const found = await db
      .select(named)
      .from(banner)
      .where(inArray(banner.id, [0, ...new Set(list.map(row => row.object_id))]))
    const byId = new Map(found.map(row => [row.id, row]))
    return {
      list: list.map(row => ({
        ...row,
        nickname: row.nickname ?? '',
        banner_id: row.object_id,
        banner_title: byId.get(row.object_id)?.title ?? row.object_name,
        position: byId.get(row.object_id)?.position ?? '',
      })),
      ...totals,
    }
  },
  clickDays: async ({ banner_id }, { db, staff, now }) => ({
    days: await clicksByDay(
      db,
      staff.scope,
      { object_type: 'banner', object_id: banner_id, days: 30 },
      now,
    ),
  }),
  export: exporting(list, {
    page: 'system.banner',
    title: ['轮播图点击数据', 'Banner clicks'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'title', title: ['标题', 'Title'] },
      { key: 'position', title: ['位置', 'Position'] },
      { key: 'cities', title: ['城市', 'Cities'] },
      { key: 'mall_name', title: ['商场', 'Mall'] },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'start_at', title: ['开始时间', 'From'], kind: 'time' },
      { key: 'end_at', title: ['结束时间', 'Until'], kind: 'time' },
      { key: 'views', title: ['曝光', 'Exposures'], kind: 'number' },
      { key: 'clicks', title: ['点击', 'Clicks'], kind: 'number' },
      { key: 'users', title: ['点击人数', 'People'], kind: 'number' },
      { key: 'rate', title: ['点击率', 'Click rate'] },
    ],
    words: ({ position, status, keyword }, lang) => [
      position && say(positionNames[position], lang),
      status && say(bannerStates[status], lang),
      keyword,
    ],
    cells: (row, { lang }) => {
      const rate = clickRate(row.clicks, row.views)
      return {
        ...row,
        position: say(positionNames[row.position], lang),
        status: say(bannerStates[row.status], lang),
        cities: row.city_names.join(say(comma, lang)),
        rate: rate === null ? '' : percent(rate),
      }
    },
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

defineRevert('banner', {
  permit: () => 'system.banner.edit',
  fields: keys,
  current: async (db, staff, id) => {
    const row = await banners.find(db, staff, id)
    return row && wire(await whole(db, row))
  },
  apply: async (context, { row, before, now, reason }) => {
    const read = { id: row.object_id!, version: now.version }
    await change(context, read, before as Change, reason)
    context.changed('banner')
  },
})

export const bannerServer = implement(contract, handlers)
