import { and, asc, count, desc, eq, gt, ilike, inArray, lte, sql, type SQL } from 'drizzle-orm'
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
import { clicksOnce, withoutRepeats } from '#src/areas/link/clicks.server.ts'
import { CLICK_DAYS, clickKeyword } from '#src/areas/link/clicks.ts'
import { linksShown, pickLink } from '#src/areas/link/links.server.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import { percent } from '#src/domain/money.ts'
import { hasEnded, mostAtOnce, overlap } from '#src/domain/period.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { forbidden, invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevert } from '#src/server/call/reverts.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { difference, sameContent, saveRow, staleRow } from '#src/server/call/versions.ts'
import { like } from '#src/server/db/like.ts'
import { lockSequence, orderSent } from '#src/server/db/sequence.ts'
import { defineExport, startExport } from '#src/server/exports/exports.ts'
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

/**
 * Banners of which a person sees something: one of their cities shows it, or one of their malls has
 * it.
 */
const inScope = ({ scope }: Pick<Staff, 'scope'>): SQL | undefined =>
  seesAll(scope)
    ? undefined
    : sql`exists (select 1 from banner_city bc where bc.banner_id = ${banner.id} and ${within(scope, { city: sql`bc.city_id`, mall: banner.mall_id })})`
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
const readBanner = async (db: Db, id: number, staff: Pick<Staff, 'scope'>): Promise<Banner> => {
  const [row] = await db
    .select()
    .from(banner)
    .where(and(eq(banner.id, id), inScope(staff)))
  if (!row) throw missing()
  return {
    ...row,
    city_ids: ((await citiesOf(db, [id])).get(id) ?? [])
      .map(one => one.city_id)
      .sort((a, b) => a - b),
  }
}
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
  { tx, install, staff, now }: WriteContext,
  position: BannerPosition,
  image: string,
): Promise<void> => {
  const [picture] = await tx.select().from(upload).where(eq(upload.file_key, image))
  // A store of pictures elsewhere tells us nothing of them; there only the form has measured.
  if (!picture && /^https?:/.test(install.uploadToken(staff.id, now).upload_url)) return
  const fault = picture
    ? pictureFault(position, picture)
    : (['图片还没有上传', 'The picture was not uploaded'] as const)
  if (fault) throw ruled('image_ratio', fault, {}, { fields: { image: say(fault, staff.lang) } })
}
const needPlace = async ({ tx, staff }: WriteContext, of: Fields): Promise<void> => {
  const known = await tx.select({ id: city.id }).from(city).where(inArray(city.id, of.city_ids))
  if (known.length !== new Set(of.city_ids).size)
    throw invalid({ city_ids: say(['有城市不存在', 'One of the cities is not there'], staff.lang) })
  if (of.mid === 0) {
    if (of.position === 'mall')
      throw invalid({
        mid: say(
          ['商场首页的轮播图须选择商场', 'A banner of a mall’s home needs the mall'],
          staff.lang,
        ),
      })
    return
  }
  const [place] = await tx.select({ city_id: mall.city_id }).from(mall).where(eq(mall.id, of.mid))
  if (!place || of.city_ids.length !== 1 || of.city_ids[0] !== place.city_id)
    throw invalid({
      mid: say(
        ['商场须属于所选的唯一城市', 'The mall must belong to the one city chosen'],
        staff.lang,
      ),
    })
}

const keys = [
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
  'status',
] as const
const wire = ({ mall_id, ...row }: Banner) => ({ ...row, mid: mall_id })
const logged = ({ log }: WriteContext, before: Banner | null, after: Banner, reason?: string) => {
  const changed = before
    ? difference(wire(before), wire(after), keys)
    : { before: null, after: Object.fromEntries(keys.map(key => [key, wire(after)[key]])) }
  log({
    object_type: 'banner',
    object_id: after.id,
    object_label: after.title,
    ...changed,
    ...(reason && { reason }),
  })
}

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

const insert = async (
  context: WriteContext,
  of: Fields & { status: Row['status'] },
): Promise<Banner> => {
  const { tx } = context
  await check(context, of, undefined)
  const [made] = await tx
    .insert(banner)
    .values({ ...columns(of), status: of.status })
    .returning()
  await settle(tx, made!.id, of, undefined)
  const whole = { ...made!, city_ids: [...of.city_ids] }
  logged(context, null, whole)
  return whole
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
  const { tx, staff } = context
  const was = await readBanner(tx, read.id, staff)
  if (was.version !== read.version)
    throw await staleRow(tx, 'banner', { ...wire(was), status: bannerState(was, context.now) } as {
      id: number
    })
  const given = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>
  const next = {
    ...wire(was),
    ...given,
    ...(given.city_ids && { city_ids: [...new Set(given.city_ids)].sort((a, b) => a - b) }),
    ...(status && { status }),
  }
  await check(context, next, was)
  const { title, position, image, page_link_id, link_params, mid, audience, start_at, end_at } =
    next
  const after = await saveRow(tx, banner, 'banner', was, {
    title,
    position,
    image,
    page_link_id,
    link_params,
    mall_id: mid,
    audience,
    start_at,
    end_at,
    status: next.status,
    ...(off_reason !== undefined && { off_reason }),
  })
  await settle(tx, was.id, next, was)
  const whole = { ...after, city_ids: next.city_ids }
  logged(context, was, whole, reason)
  return whole
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
  read: { id: number; version: number },
  reason?: string,
): Promise<Banner> => {
  const row = await readBanner(context.tx, read.id, context.staff)
  // Who was quicker is said before what the state now forbids.
  if (row.version !== read.version)
    throw await staleRow(context.tx, 'banner', {
      ...wire(row),
      status: bannerState(row, context.now),
    } as { id: number })
  may(verb, row, context.now)
  return change(
    context,
    read,
    verb === 'online'
      ? { status: 'online', off_reason: null }
      : { status: 'offline', off_reason: reason ?? '' },
    reason,
  )
}
const arrange = async (
  context: WriteContext,
  { position, city_id, mid, ...sent }: Place & { order: number[]; list_version: number },
) => {
  const { tx, staff } = context
  if (
    !seesAll(staff.scope) &&
    !(staff.scope.cities as readonly number[]).includes(city_id) &&
    !(mid > 0 && (staff.scope.malls as readonly number[]).includes(mid))
  )
    throw missing()
  const place = { position, city_id, mid }
  await lockSequence(tx, placeKey(place))
  const before = await presentOf(tx, place)
  const order = orderSent(sent, before)
  await tx.execute(
    sql`update banner_city set sort = given.at from (select id, at::int - 1 as at from unnest(${sql.param(order)}::int[]) with ordinality as of(id, at)) given where given.id = banner_city.banner_id and banner_city.city_id = ${city_id}`,
  )
  const [where] = await tx.select({ name: city.city_name }).from(city).where(eq(city.id, city_id))
  context.log({
    object_type: 'banner_order',
    object_id: city_id,
    object_label: `${where?.name ?? ''} ${positionNames[position][0]}`,
    before: { position, city_id, mid, order: before },
    after: { position, city_id, mid, order },
  })
  return { list_version: sequenceVersion(order) }
}

type Filters = {
  city_id?: number | undefined
  mid?: number | undefined
  position?: BannerPosition | undefined
  status?: BannerState | undefined
  live?: number | undefined
  keyword?: string | undefined
}
const listWhere = (
  { city_id, mid, position, status, live, keyword }: Filters,
  staff: Pick<Staff, 'scope'>,
  now: number,
): SQL | undefined =>
  and(
    inScope(staff),
    position && eq(banner.position, position),
    mid === undefined ? undefined : eq(banner.mall_id, mid),
    keyword ? ilike(banner.title, like(keyword)) : undefined,
    city_id === undefined
      ? undefined
      : sql`exists (select 1 from banner_city at where at.banner_id = ${banner.id} and at.city_id = ${city_id})`,
    status === 'ended'
      ? and(eq(banner.status, 'online'), lte(banner.end_at, now))
      : status === 'online'
        ? and(eq(banner.status, 'online'), gt(banner.end_at, now))
        : status && eq(banner.status, status),
    live === 1
      ? and(eq(banner.status, 'online'), lte(banner.start_at, now), gt(banner.end_at, now))
      : undefined,
  )

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

const handlers = {
  lst: async ({ page, pageSize, ...filters }, { db, staff, now }) => {
    const { position, city_id, mid = 0 } = filters
    const where = listWhere(filters, staff, now)
    // One place is shown in its own order, anything else by what was changed last.
    const placed = position !== undefined && city_id !== undefined
    const at = sql`(select bc.sort from banner_city bc where bc.banner_id = ${banner.id} and bc.city_id = ${city_id ?? 0})`
    const rows = await db
      .select()
      .from(banner)
      .where(where)
      .orderBy(...(placed ? [asc(at), asc(banner.id)] : [desc(banner.updated_at), desc(banner.id)]))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const [total] = await db.select({ n: count() }).from(banner).where(where)
    return {
      list: await shownRows(db, rows, now, city_id),
      total: total!.n,
      list_version: placed ? sequenceVersion(await presentOf(db, { position, city_id, mid })) : 0,
    }
  },
  create: async ({ status, ...fields }, context) => {
    if (status === 'online' && !context.staff.can('system.banner.online')) throw forbidden()
    const made = await insert(context, {
      ...fields,
      city_ids: [...new Set(fields.city_ids)].sort((a, b) => a - b),
      status,
    })
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
    if ('order' in input) return arrange(context, input)
    const { id, version, to_status, reason, ...fields } = input
    let after = await change(context, { id, version }, fields, reason)
    if (to_status) {
      if (!context.staff.can(`system.banner.${to_status}`)) throw forbidden()
      if (to_status === 'offline' && !reason)
        throw invalid({ reason: say(['请填写原因', 'Give a reason'], context.staff.lang) })
      after = await turn(context, to_status, after, reason)
    }
    return { id, version: after.version }
  },
  del: async ({ id }, context) => {
    const { tx, staff, now } = context
    const [there] = await tx.select().from(banner).where(eq(banner.id, id)).for('update')
    if (!there) {
      context.log({
        object_type: 'banner',
        object_id: id,
        object_label: '',
        after: { already: true },
      })
      return { id, deleted: true as const, already: true, list_version: sequenceVersion([]) }
    }
    const row = await readBanner(tx, id, staff)
    needAll(staff, { city_ids: row.city_ids, mid: row.mall_id })
    may('del', row, now)
    await tx.delete(banner).where(eq(banner.id, id))
    const { before } = difference(wire(row), {}, keys)
    context.log({
      object_type: 'banner',
      object_id: id,
      object_label: row.title,
      before,
      after: null,
    })
    return {
      id,
      deleted: true as const,
      list_version: sequenceVersion(
        await presentOf(tx, {
          position: row.position,
          city_id: row.city_ids[0] ?? 0,
          mid: row.mall_id,
        }),
      ),
    }
  },
  copy: async ({ id, city_ids }, context) => {
    const row = await readBanner(context.tx, id, context.staff)
    if (row.mall_id > 0)
      throw ruled('mall_banner', [
        '商场的轮播图不能复制到其他城市',
        'A mall’s banner can’t be copied to other cities',
      ])
    const fresh = [...new Set(city_ids)]
      .filter(one => !row.city_ids.includes(one))
      .sort((a, b) => a - b)
    if (fresh.length === 0)
      throw ruled('already_there', ['已投放在所选的城市', 'It is shown in those cities already'])
    const { title, position, image, page_link_id, link_params, audience, start_at, end_at } = row
    const made = await insert(context, {
      title,
      position,
      image,
      page_link_id,
      link_params,
      audience,
      start_at,
      end_at,
      mid: 0,
      city_ids: fresh,
      status: 'draft',
    })
    return { id: made.id, city_ids: fresh }
  },
  sort: async (input, context) => arrange(context, input),
  online: async (read, context) => ({
    id: read.id,
    version: (await turn(context, 'online', read)).version,
  }),
  offline: async ({ reason, ...read }, context) => ({
    id: read.id,
    version: (await turn(context, 'offline', read, reason)).version,
  }),
  batchOffline: async ({ rows, reason }, context) => {
    const versions = new Map(rows.map(row => [row.id, row.version]))
    return eachRow(context, [...versions.keys()], (one, id) =>
      turn(one, 'offline', { id, version: versions.get(id)! }, reason),
    )
  },
  clicks: async (
    { page, pageSize, banner_id, position, city_id, mid, member_id, keyword, start_at, end_at },
    { db, staff, now },
  ) => {
    const until = end_at ?? now + 1
    const from = start_at ?? Math.max(0, until - 7 * 86_400)
    if (until - from > CLICK_DAYS.named * 86_400 || until <= from)
      throw invalid({
        start_at: say(
          [`时间范围最多 ${CLICK_DAYS.named} 天`, `At most ${CLICK_DAYS.named} days`],
          staff.lang,
        ),
      })
    if (keyword && clickKeyword(keyword) === 'part')
      throw invalid({
        keyword: say(['请输入完整手机号', 'Enter the whole phone number'], staff.lang),
      })
    const objects =
      position &&
      (await db.select({ id: banner.id }).from(banner).where(eq(banner.position, position))).map(
        row => row.id,
      )
    const { list, ...totals } = await clicksOnce(
      db,
      staff,
      {
        object_type: 'banner',
        object_id: banner_id,
        objects,
        city_id,
        mid,
        member_id,
        keyword,
        start_at: from,
        end_at: until - 1,
        page,
        pageSize,
      },
      now,
      CLICK_DAYS.named,
    )
    const ids = [...new Set(list.map(row => row.object_id))]
    const named = new Map(
      ids.length
        ? (
            await db
              .select({ id: banner.id, title: banner.title, position: banner.position })
              .from(banner)
              .where(inArray(banner.id, ids))
          ).map(row => [row.id, row])
        : [],
    )
    return {
      list: list.map(
        ({ object_type: _, object_id, object_name, visitor: __, nickname, ...row }) => ({
          ...row,
          nickname: nickname ?? '',
          banner_id: object_id,
          banner_title: named.get(object_id)?.title ?? object_name,
          position: named.get(object_id)?.position ?? '',
        }),
      ),
      ...totals,
    }
  },
  export: async ({ format, ...filters }, context) => {
    const [rows] = await context.tx
      .select({ n: count() })
      .from(banner)
      .where(listWhere(filters, context.staff, context.now))
    const { lang } = context.staff
    const text = [
      filters.position && say(positionNames[filters.position], lang),
      filters.status && say(bannerStates[filters.status], lang),
      filters.keyword,
    ]
      .filter(Boolean)
      .join(' ')
    return startExport(context, {
      page: 'system.banner',
      filters,
      filters_text: text,
      rows_expected: rows!.n,
      format,
    })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

defineExport('system.banner', {
  title: ['轮播图点击数据', 'Banner clicks'],
  permit: 'system.banner.export',
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
  rows: async ({ db, staff, filters, now, after, limit }) => {
    const rows = await db
      .select()
      .from(banner)
      .where(
        and(
          listWhere(filters as Filters, staff, now),
          after === undefined ? undefined : sql`${banner.id} > ${after}`,
        ),
      )
      .orderBy(asc(banner.id))
      .limit(limit)
    const list = await shownRows(db, rows, now)
    return {
      rows: list.map(row => {
        const rate = clickRate(row.clicks, row.views)
        return {
          ...row,
          position: say(positionNames[row.position], staff.lang),
          status: say(bannerStates[row.status], staff.lang),
          cities: row.city_names.join(say(['、', ', '], staff.lang)),
          rate: rate === null ? '' : percent(rate),
        }
      }),
      next: rows.length < limit ? undefined : rows.at(-1)?.id,
    }
  },
})

defineRevert('banner', {
  permit: () => 'system.banner.edit',
  fields: keys,
  current: async (db, staff, id) => {
    const [row] = await db
      .select()
      .from(banner)
      .where(and(eq(banner.id, id), inScope(staff)))
    return (
      row &&
      wire({
        ...row,
        city_ids: ((await citiesOf(db, [id])).get(id) ?? [])
          .map(one => one.city_id)
          .sort((a, b) => a - b),
      })
    )
  },
  apply: async (context, row, before, { version }, reason) => {
    await change(context, { id: row.object_id!, version }, before as Change, reason)
    context.changed('banner')
  },
})

export const bannerServer = implement(contract, handlers)
