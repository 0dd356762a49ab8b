import {
  and,
  asc,
  count,
  eq,
  gt,
  ilike,
  inArray,
  isNull,
  ne,
  notInArray,
  or,
  sql,
  type SQL,
} from 'drizzle-orm'
import { city_setting, type LinkParams } from '#src/areas/content/content.table.ts'
import { upload } from '#src/areas/export/job.table.ts'
import { linksShown, pickLink } from '#src/areas/link/links.server.ts'
import { shop_category, store } from '#src/areas/merchant/merchant.table.ts'
import {
  ACT_AREA_MAX,
  RE_STORE_MAX,
  blockOrders,
  citySettingsAtFirst,
  hotMallAtFirst,
} from '#src/areas/place/city.ts'
import { city, mall, type CitySettings, type HotMall } from '#src/areas/place/place.table.ts'
import { citiesOf, needCity, rulesCity } from '#src/areas/place/places.server.ts'
import type { Sent } from '#src/contract/call.ts'
import { isLive, mostAtOnce, overlap, type Period } from '#src/domain/period.ts'
import { isCallable } from '#src/domain/phone.ts'
import { isPermutation, sequenceVersion } from '#src/domain/sequence.ts'
import { saidInBoth, say, type Lang, type Text } from '#src/domain/text.ts'
import { DAY, dayStart, unixNow } from '#src/domain/time.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { invalid, missing, Refusal, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way } from '#src/server/call/reverts.ts'
import { difference, rowSaver, sameContent, staleRow } from '#src/server/call/versions.ts'
import { like } from '#src/server/db/like.ts'
import { hotMallList, lockSequence, orderSent } from '#src/server/db/sequence.ts'
import { settings as contract } from '../contract/citySettings.ts'

type City = typeof city.$inferSelect
type Setting = typeof city_setting.$inferSelect
const saveSetting = rowSaver(city_setting, 'city_setting')
type Type = Setting['type']

const listOfCity = (type: Type, city_id: number) =>
  and(eq(city_setting.type, type), eq(city_setting.city_id, city_id))
const listKey = (type: Type, city_id: number) => `city_setting/${type}/${city_id}`
const present = async (db: Db, type: Type, city_id: number) =>
  (
    await db
      .select({ id: city_setting.id })
      .from(city_setting)
      .where(listOfCity(type, city_id))
      .orderBy(asc(city_setting.sort), asc(city_setting.id))
  ).map(row => row.id)
const versionOf = async (db: Db, type: Type, city_id: number) =>
  sequenceVersion(await present(db, type, city_id))

/** A city that the person may see; to change what it shows they must have all of it. */
const readCity = async (db: Db, city_id: number, staff: Pick<Staff, 'scope'>): Promise<City> => {
  const [row] = await db
    .select()
    .from(city)
    .where(and(eq(city.id, city_id), citiesOf(staff)))
  if (!row) throw missing()
  return row
}
const ownCity = async (context: WriteContext, city_id: number): Promise<City> => {
  needCity(context.staff, city_id)
  return readCity(context.tx, city_id, context.staff)
}
const periodFault = (of: Period, lang: Lang) => {
  if (of.start_at !== null && of.end_at !== null && of.end_at <= of.start_at)
    throw ruled(
      'end_before_start',
      ['结束时间须晚于开始时间', 'The end must be after the start'],
      {},
      { fields: { end_at: say(['须晚于开始时间', 'Must be after the start'], lang) } },
    )
}
const nextSort = (type: Type, city_id: number) =>
  sql`(select coalesce(max(s.sort), -1) + 1 from city_setting s where s.type = ${type} and s.city_id = ${city_id})`

/** Why a store is not shown to consumers although it is recommended; empty when it is. */
const storeFault = (
  row: { status: string; city_id: number; mall_status: string | null; mall_id: number },
  city_id: number,
): Text | undefined => {
  if (row.city_id !== city_id) return ['门店不在本城市', 'The store is in another city']
  if (row.status !== 'open') return ['门店未营业或已下架', 'The store is off shelf']
  const isMallOff = row.mall_id > 0 && row.mall_status !== 'online'
  return isMallOff ? ['所在商场未上架', 'Its mall is off shelf'] : undefined
}

const storeRows = (db: Db) =>
  db
    .select({
      row: city_setting,
      name: store.name,
      status: store.status,
      city: store.city_id,
      mall_id: store.mall_id,
      mall_name: mall.name,
      mall_status: mall.status,
      category: shop_category.name,
      city_name: city.city_name,
    })
    .from(city_setting)
    .innerJoin(city, eq(city.id, city_setting.city_id))
    .leftJoin(store, eq(store.id, city_setting.ref_id))
    .leftJoin(mall, eq(mall.id, store.mall_id))
    .leftJoin(shop_category, eq(shop_category.id, store.category_id))
type StoreRow = Awaited<ReturnType<typeof storeRows>>[number]
const reStore = (
  {
    row,
    name,
    status,
    city: where,
    mall_id,
    mall_name,
    mall_status,
    category,
    city_name,
  }: StoreRow,
  now: number,
  lang: Lang,
) => {
  const fault: Text | undefined =
    status === null
      ? ['门店已删除', 'The store is gone']
      : storeFault({ status, city_id: where!, mall_status, mall_id: mall_id! }, row.city_id)
  return {
    id: row.id,
    city_id: row.city_id,
    city_name,
    store_id: row.ref_id!,
    store_name: name ?? row.title,
    logo: '',
    mid: mall_id ?? 0,
    mall_name: mall_name ?? '',
    category_name: category ?? '',
    status: status ?? 'closed',
    mode: 'manual' as const,
    sort: row.sort,
    start_at: row.start_at,
    end_at: row.end_at,
    is_live: !fault && isLive(row, now),
    blocked_reason: fault ? say(fault, lang) : '',
    version: row.version,
  }
}

type OwnStore = { name: string } & Parameters<typeof storeFault>[0]
const storesByIds = async (tx: Db, ids: readonly number[]): Promise<Map<number, OwnStore>> => {
  const rows = await tx
    .select({
      id: store.id,
      name: store.name,
      status: store.status,
      city_id: store.city_id,
      mall_id: store.mall_id,
      mall_status: mall.status,
    })
    .from(store)
    .leftJoin(mall, eq(mall.id, store.mall_id))
    .where(inArray(store.id, [...ids]))
  return new Map(rows.map(row => [row.id, row]))
}

/** Recommends stores of the city, each or with its reason why not. */
const recommend = async (
  context: WriteContext,
  {
    city_id,
    store_ids,
    start_at = null,
    end_at = null,
  }: {
    city_id: number
    store_ids: readonly number[]
    start_at?: number | null | undefined
    end_at?: number | null | undefined
  },
) => {
  const { tx, staff, now, log } = context
  await ownCity(context, city_id)
  periodFault({ start_at, end_at }, staff.lang)
  if (end_at !== null && end_at <= now)
    throw ruled('already_over', ['结束时间已过', 'That end is in the past'])
  await lockSequence(tx, listKey('re_store', city_id))
  const there = await tx.select().from(city_setting).where(listOfCity('re_store', city_id))
  const stores = await storesByIds(tx, store_ids)
  const result: { ok: number[]; failed: { store_id: number; reason: string }[] } = {
    ok: [],
    failed: [],
  }
  const repeated = new Set<number>()
  let live: Period[] = there
  const period = { start_at, end_at }
  const turnFault = (store_id: number): Text | undefined => {
    if (there.some(other => other.ref_id === store_id && overlap(other, period)))
      return ['该门店在此时段已在推荐位', 'It is recommended at that time already']
    return mostAtOnce(live, { start_at: Math.max(start_at ?? 0, now), end_at }) >= RE_STORE_MAX
      ? [`同一时间最多推荐 ${RE_STORE_MAX} 家`, `At most ${RE_STORE_MAX} at a time`]
      : undefined
  }
  const faultOf = (store_id: number): Text | undefined => {
    if (repeated.has(store_id)) return ['重复选择', 'Chosen twice']
    const row = stores.get(store_id)
    if (!row) return ['门店不存在', 'There is no such store']
    return storeFault(row, city_id) ?? turnFault(store_id)
  }
  for (const store_id of store_ids) {
    const row = stores.get(store_id)
    const fault = faultOf(store_id)
    repeated.add(store_id)
    if (fault) {
      result.failed.push({ store_id, reason: say(fault, staff.lang) })
      continue
    }
    const [made] = await tx
      .insert(city_setting)
      .values({
        city_id,
        type: 're_store',
        ref_id: store_id,
        title: row!.name.slice(0, 32),
        start_at,
        end_at,
        sort: nextSort('re_store', city_id),
      })
      .returning()
    live = [...live, period]
    log({
      object_type: 'city_setting',
      object_id: made!.id,
      object_label: row!.name,
      after: { type: 're_store', city_id, store_id, start_at, end_at },
    })
    result.ok.push(store_id)
  }
  if (result.ok.length === 0)
    throw ruled(
      'none_set',
      ['没有门店被推荐：{why}', 'No store was recommended: {why}'],
      { why: result.failed[0]?.reason ?? '' },
      { failed: result.failed },
    )
  return { ...result, list_version: await versionOf(tx, 're_store', city_id) }
}
const readSetting = async (context: WriteContext, id: number, type: Type): Promise<Setting> => {
  const [row] = await context.tx
    .select()
    .from(city_setting)
    .where(and(eq(city_setting.id, id), eq(city_setting.type, type)))
  if (!row || !rulesCity(context.staff, row.city_id)) throw missing()
  return row
}
const atOnce = {
  re_store: { max: RE_STORE_MAX, what: ['推荐门店', 'stores'] },
  act_area: { max: ACT_AREA_MAX, what: ['活动专区', 'areas'] },
} as const
const needTurn = (
  type: keyof typeof atOnce,
  others: readonly Period[],
  of: Period,
  now: number,
): void => {
  const { max, what } = atOnce[type]
  if (mostAtOnce(others, { start_at: Math.max(of.start_at ?? 0, now), end_at: of.end_at }) >= max)
    throw ruled('full', [`${what[0]}同一时间最多 ${max} 个`, `At most ${max} ${what[1]} at a time`])
}
const reschedule = async (
  context: WriteContext,
  {
    id,
    version,
    start_at,
    end_at,
  }: { id: number; version: number; start_at: number | null; end_at: number | null },
) => {
  const { tx, staff, now, log } = context
  const row = await readSetting(context, id, 're_store')
  if (row.version !== version) throw await staleRow(tx, 'city_setting', row)
  periodFault({ start_at, end_at }, staff.lang)
  await lockSequence(tx, listKey('re_store', row.city_id))
  const others = await tx
    .select()
    .from(city_setting)
    .where(and(listOfCity('re_store', row.city_id), ne(city_setting.id, id)))
  if (others.some(other => other.ref_id === row.ref_id && overlap(other, { start_at, end_at })))
    throw ruled('period_overlap', [
      '该门店在此时段已在推荐位',
      'It is recommended at that time already',
    ])
  needTurn('re_store', others, { start_at, end_at }, now)
  const after = await saveSetting(tx, { id, version }, { start_at, end_at })
  log({
    object_type: 'city_setting',
    object_id: id,
    object_label: row.title,
    ...difference(row, after, ['start_at', 'end_at']),
  })
  return { id, version: after.version }
}
const arrange = async (
  context: WriteContext,
  type: 're_store' | 'act_area',
  { city_id, ...sent }: { city_id: number; order: number[]; list_version: number },
) => {
  const { tx } = context
  const place = await ownCity(context, city_id)
  await lockSequence(tx, listKey(type, city_id))
  const before = await present(tx, type, city_id)
  const order = orderSent(sent, before)
  await tx.execute(
    sql`update city_setting set sort = given.at from (select id, at::int - 1 as at from unnest(${sql.param(order)}::int[]) with ordinality as of(id, at)) given where given.id = city_setting.id`,
  )
  context.log({
    object_type: 'city_setting',
    object_id: 0,
    object_label: saidInBoth(lang => `${place.city_name} ${say(blockOrders[type], lang)}`),
    before: { type, order: before },
    after: { type, order },
  })
  return { list_version: sequenceVersion(order) }
}
const remove = async (
  context: WriteContext,
  type: Type,
  city_id: number,
  ids: readonly number[],
) => {
  const { tx, log } = context
  await ownCity(context, city_id)
  await lockSequence(tx, listKey(type, city_id))
  const gone = await tx
    .delete(city_setting)
    .where(and(listOfCity(type, city_id), inArray(city_setting.id, [...ids])))
    .returning()
  for (const row of gone)
    log({
      object_type: 'city_setting',
      object_id: row.id,
      object_label: row.title,
      before: {
        type,
        city_id,
        ref_id: row.ref_id,
        title: row.title,
        start_at: row.start_at,
        end_at: row.end_at,
      },
      after: null,
    })
  return { gone, list_version: await versionOf(tx, type, city_id) }
}

type Area = {
  title: string
  sub_title: string
  image: string
  page_link_id: number
  link_params: LinkParams
  audience: Setting['audience']
  start_at: number
  end_at: number
}
const areaKeys = [
  'title',
  'sub_title',
  'image',
  'page_link_id',
  'link_params',
  'audience',
  'start_at',
  'end_at',
] as const
const saveArea = async (
  context: WriteContext,
  {
    id,
    version,
    city_id,
    ...area
  }: Area & { id?: number | undefined; version?: number | undefined; city_id: number },
) => {
  const { tx, staff, now, log } = context
  await ownCity(context, city_id)
  periodFault(area, staff.lang)
  const was = id === undefined ? undefined : await readSetting(context, id, 'act_area')
  if (was && was.city_id !== city_id) throw missing()
  if (was && version === undefined)
    throw invalid({ version: say(['缺少版本号', 'The version is missing'], staff.lang) })
  if (was && was.version !== version) throw await staleRow(tx, 'city_setting', was)
  await lockSequence(tx, listKey('act_area', city_id))
  if (was?.image !== area.image) {
    const [picture] = await tx
      .select({ id: upload.id })
      .from(upload)
      .where(eq(upload.file_key, area.image))
    if (!picture && !context.install.storesElsewhere)
      throw ruled(
        'image_ratio',
        ['图片还没有上传', 'The picture was not uploaded'],
        {},
        { fields: { image: say(['请上传图片', 'Upload a picture'], staff.lang) } },
      )
  }
  if (
    !was ||
    was.page_link_id !== area.page_link_id ||
    !sameContent(was.link_params, area.link_params)
  )
    await pickLink(tx, { page_link_id: area.page_link_id, params: area.link_params }, now)
  const others = await tx
    .select()
    .from(city_setting)
    .where(and(listOfCity('act_area', city_id), was ? ne(city_setting.id, was.id) : undefined))
  // A slot is what it leads to: the same target twice at a time would be the same area twice.
  if (
    others.some(
      other =>
        other.page_link_id === area.page_link_id &&
        sameContent(other.link_params, area.link_params) &&
        overlap(other, area),
    )
  )
    throw ruled(
      'period_overlap',
      ['同一跳转目标的专区时间不能重叠', 'Two areas of one target may not overlap in time'],
      {},
      { fields: { start_at: say(['与已有专区重叠', 'Overlaps another area'], staff.lang) } },
    )
  needTurn('act_area', others, area, now)
  if (!was) {
    const [made] = await tx
      .insert(city_setting)
      .values({ ...area, city_id, type: 'act_area', sort: nextSort('act_area', city_id) })
      .returning()
    log({
      object_type: 'city_setting',
      object_id: made!.id,
      object_label: made!.title,
      after: { type: 'act_area', city_id, ...area },
    })
    return {
      id: made!.id,
      version: made!.version,
      list_version: await versionOf(tx, 'act_area', city_id),
    }
  }
  const after = await saveSetting(tx, { id: was.id, version: was.version }, area)
  log({
    object_type: 'city_setting',
    object_id: was.id,
    object_label: after.title,
    ...difference(was, after, areaKeys),
  })
  return {
    id: was.id,
    version: after.version,
    list_version: await versionOf(tx, 'act_area', city_id),
  }
}
const areasOf = async (db: Db, city_id: number, now: number, live?: boolean) => {
  const rows = await db
    .select({
      row: city_setting,
      city_name: city.city_name,
      clicks: sql<number>`(select count(*)::int from click_log k where k.object_type = 'act_area' and k.object_id = ${city_setting.id})`,
    })
    .from(city_setting)
    .innerJoin(city, eq(city.id, city_setting.city_id))
    .where(listOfCity('act_area', city_id))
    .orderBy(asc(city_setting.sort), asc(city_setting.id))
  const links = await linksShown(
    db,
    rows.map(({ row }) => ({ page_link_id: row.page_link_id ?? 0, params: row.link_params })),
    now,
  )
  const list = rows.map(
    (
      {
        row: {
          id,
          title,
          sub_title,
          image,
          page_link_id,
          link_params,
          audience,
          sort,
          start_at,
          end_at,
          version,
          ...row
        },
        city_name,
        clicks,
      },
      at,
    ) => ({
      id,
      city_id: row.city_id,
      city_name,
      title,
      sub_title,
      image,
      page_link_id: page_link_id!,
      link_params,
      ...links[at]!,
      audience,
      sort,
      start_at,
      end_at,
      is_live: links[at]!.link_ok && isLive({ start_at, end_at }, now),
      clicks,
      version,
    }),
  )
  return live ? list.filter(row => row.is_live) : list
}

// The query builder writes a lone table's column without its table, which an inner query would
// take for its own.
const gmv = (now: number): SQL<number> =>
  sql<number>`(select coalesce(sum(o.paid_cents), 0)::bigint from "order" o where o.mall_id = "mall"."id" and o.paid_at >= ${dayStart(now) - 29 * DAY})`
const hotOf = async (db: Db, place: City, now: number, lang: Lang) => {
  const hot = place.hot_mall ?? hotMallAtFirst
  const fault = (row: { status: string; city_id: number }): string => {
    if (row.city_id !== place.id)
      return say(['商场不在本城市', 'The mall is in another city'], lang)
    return row.status === 'online' ? '' : say(['商场未上架', 'The mall is off shelf'], lang)
  }
  const fields = {
    mid: mall.id,
    name: mall.name,
    logo: mall.logo,
    status: mall.status,
    city_id: mall.city_id,
  }
  const rows =
    hot.mode === 'manual'
      ? await db
          .select({ ...fields, sort: city_setting.sort })
          .from(city_setting)
          .innerJoin(mall, eq(mall.id, city_setting.ref_id))
          .where(listOfCity('hot_mall', place.id))
          .orderBy(asc(city_setting.sort))
      : // By distance each consumer has an order of their own: what is shown is whom it chooses from.
        (
          await db
            .select(fields)
            .from(mall)
            .where(and(eq(mall.city_id, place.id), eq(mall.status, 'online')))
            .orderBy(
              ...(hot.mode === 'gmv' ? [sql`${gmv(now)} desc`] : [asc(mall.sort)]),
              asc(mall.id),
            )
            .limit(hot.limit_count)
        ).map((row, sort) => ({ ...row, sort }))
  return {
    hot,
    malls: rows.map(({ city_id, ...row }) => ({
      ...row,
      blocked_reason: fault({ status: row.status, city_id }),
    })),
  }
}

const saveHot = async (
  context: WriteContext,
  {
    city_id,
    version,
    mids,
    ...hot
  }: HotMall & { city_id: number; version: number; mids: number[] },
) => {
  const { tx, staff, now, log } = context
  const place = await ownCity(context, city_id)
  await lockSequence(tx, hotMallList(city_id))
  const before = await hotOf(tx, place, now, staff.lang)
  if (place.hot_mall_version !== version)
    throw await staleRow(tx, 'city_hot_mall', {
      ...before.hot,
      id: city_id,
      malls: before.malls,
      version: place.hot_mall_version,
    } as { id: number })
  if (hot.mode === 'manual') {
    if (new Set(mids).size !== mids.length)
      throw ruled('repeated', ['商场重复', 'A mall stands twice'])
    if (mids.length === 0)
      throw invalid({ mids: say(['手动排序至少选择一个商场', 'Choose a mall'], staff.lang) })
    const malls = await tx
      .select({ id: mall.id })
      .from(mall)
      .where(and(inArray(mall.id, mids), eq(mall.city_id, city_id), eq(mall.status, 'online')))
    const bad = mids.filter(mid => !malls.some(row => row.id === mid))
    if (bad.length > 0)
      throw ruled(
        'mall_not_online',
        ['有商场不在本城市或未上架', 'A mall is of another city or off shelf'],
        {},
        { mids: bad },
      )
    if (mids.length > hot.limit_count)
      throw ruled(
        'over_limit',
        ['手动排序的商场不能多于展示数量 {n}', 'More malls than the {n} shown'],
        { n: hot.limit_count },
      )
    await tx.delete(city_setting).where(listOfCity('hot_mall', city_id))
    await tx
      .insert(city_setting)
      .values(mids.map((mid, sort) => ({ city_id, type: 'hot_mall' as const, ref_id: mid, sort })))
    await tx.execute(sql`update mall set is_hot = (given.at is not null), hot_sort = coalesce(given.at, 0), version = mall.version + 1 from (select m.id, of.at::int as at from mall m left join unnest(${sql.param(mids)}::int[]) with ordinality as of(id, at) on of.id = m.id where m.city_id = ${city_id}) given
      where given.id = mall.id and (mall.is_hot, mall.hot_sort) is distinct from (given.at is not null, coalesce(given.at, 0))`)
  }
  const [after] = await tx
    .update(city)
    .set({ hot_mall: hot, hot_mall_version: version + 1 })
    .where(and(eq(city.id, city_id), eq(city.hot_mall_version, version)))
    .returning()
  if (!after) throw await staleRow(tx, 'city_hot_mall', place)
  log({
    object_type: 'city_hot_mall',
    object_id: city_id,
    object_label: place.city_name,
    before: {
      ...before.hot,
      mids: before.hot.mode === 'manual' ? before.malls.map(row => row.mid) : [],
    },
    after: { ...hot, mids: hot.mode === 'manual' ? mids : [] },
  })
  return { city_id, version: version + 1 }
}

const countOf = (type: Type, where: SQL = sql`true`) =>
  sql<number>`(select count(*)::int from city_setting s where s.type = ${type} and s.city_id = "city"."id" and ${where})`
/**
 * Copies the areas that are not over yet, each by itself: what is refused stays behind, with why.
 */
const copyAreas = async (context: WriteContext, from_city_id: number, city_id: number) => {
  const { tx, staff, now } = context
  const areas = await tx
    .select()
    .from(city_setting)
    .where(
      and(
        listOfCity('act_area', from_city_id),
        or(isNull(city_setting.end_at), gt(city_setting.end_at, now)),
      ),
    )
    .orderBy(asc(city_setting.sort))
  const skipped: { title: string; reason: string }[] = []
  let copied = 0
  for (const area of areas) {
    const { title, sub_title, image, link_params, audience } = area
    try {
      await tx.transaction(inner =>
        saveArea(
          { ...context, tx: inner },
          {
            city_id,
            title,
            sub_title,
            image,
            page_link_id: area.page_link_id!,
            link_params,
            audience,
            start_at: area.start_at ?? now,
            end_at: area.end_at ?? now + 365 * DAY,
          },
        ),
      )
      copied++
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      skipped.push({ title, reason: error.in(staff.lang) })
    }
  }
  return { copied, skipped }
}
/** The settings of another city, without what names its mall and its people. */
const copiedSettings = (from: City, place: City): CitySettings | null =>
  from.settings && {
    ...from.settings,
    default_mid: place.settings?.default_mid ?? 0,
    service_phone: place.settings?.service_phone ?? '',
    home_title: place.settings?.home_title || from.settings.home_title,
  }
/** How another city shows its hot malls; those that it chose by hand are its own. */
const copiedHot = (from: City, place: City): City['hot_mall'] => {
  if (from.hot_mall?.mode !== 'manual') return from.hot_mall
  return { ...from.hot_mall, mode: place.hot_mall?.mode === 'manual' ? 'manual' : 'gmv' }
}
/** Writes what is copied, unless somebody changed the city meanwhile. */
const saveCopied = async (
  tx: Db,
  place: City,
  settings: CitySettings | null,
  hot: City['hot_mall'],
): Promise<void> => {
  // A city in preparation may have saved neither.
  if (!settings && !hot) return
  const [after] = await tx
    .update(city)
    .set({
      ...(settings && { settings, settings_version: place.settings_version + 1 }),
      ...(hot && { hot_mall: hot, hot_mall_version: place.hot_mall_version + 1 }),
    })
    .where(
      and(
        eq(city.id, place.id),
        eq(city.settings_version, place.settings_version),
        eq(city.hot_mall_version, place.hot_mall_version),
      ),
    )
    .returning({ id: city.id })
  if (after) return
  const current = { ...(place.settings ?? citySettingsAtFirst), id: place.id }
  throw await staleRow(tx, 'city_settings', { ...current, version: place.settings_version })
}

const handlers = {
  lst: async ({ page, pageSize, keyword, status }, { db, staff, now }) => {
    const where = and(
      citiesOf(staff),
      status && eq(city.status, status),
      keyword
        ? or(ilike(city.city_name, like(keyword)), ilike(city.pinyin, like(keyword.toLowerCase())))
        : undefined,
    )
    const rows = await db
      .select({
        row: city,
        re_store_count: countOf('re_store'),
        hot_mall_count: countOf('hot_mall'),
        act_area_count: countOf('act_area'),
        broken_stores: sql<number>`(select count(*)::int from city_setting s left join store t on t.id = s.ref_id left join mall m on m.id = t.mall_id where s.type = 're_store' and s.city_id = "city"."id" and (s.end_at is null or s.end_at > ${now}) and (t.status is distinct from 'open' or (t.mall_id > 0 and m.status is distinct from 'online')))`,
        broken_malls: sql<number>`(select count(*)::int from city_setting s left join mall m on m.id = s.ref_id where s.type = 'hot_mall' and s.city_id = "city"."id" and "city"."hot_mall"->>'mode' = 'manual' and m.status is distinct from 'online')`,
        updated: sql<string>`greatest("city"."updated_at", (select max(s.updated_at) from city_setting s where s.city_id = "city"."id"))`,
      })
      .from(city)
      .where(where)
      .orderBy(asc(city.sort), asc(city.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const [total] = await db.select({ n: count() }).from(city).where(where)
    const areas = await Promise.all(rows.map(({ row }) => areasOf(db, row.id, now)))
    return {
      list: rows.map(({ row, broken_stores, broken_malls, updated, ...counts }, at) => ({
        city_id: row.id,
        city_name: row.city_name,
        status: row.status,
        ...counts,
        broken_count:
          broken_stores +
          broken_malls +
          areas[at]!.filter(area => !area.link_ok && (area.end_at === null || area.end_at > now))
            .length,
        settings: row.settings ?? citySettingsAtFirst,
        updated_at: Number(updated),
        version: row.settings_version,
      })),
      total: total!.n,
    }
  },
  edit: async ({ city_id, version, settings }, context) => {
    const { tx, staff, log } = context
    const place = await ownCity(context, city_id)
    if (
      !isPermutation(
        settings.block_order.map(block => Object.keys(blockOrders).indexOf(block)),
        Object.keys(blockOrders).map((_, at) => at),
      )
    )
      throw invalid({
        block_order: say(['须恰好包含三个板块', 'Must hold the three blocks'], staff.lang),
      })
    if (settings.service_phone && !isCallable(settings.service_phone))
      throw invalid({
        service_phone: say(
          ['请填写手机号、400 或座机号码', 'A mobile, 400 or landline number'],
          staff.lang,
        ),
      })
    if (settings.default_mid > 0) {
      const [own] = await tx
        .select({ id: mall.id })
        .from(mall)
        .where(
          and(
            eq(mall.id, settings.default_mid),
            eq(mall.city_id, city_id),
            eq(mall.status, 'online'),
          ),
        )
      if (!own)
        throw ruled(
          'mall_not_online',
          ['默认商场须是本城市已上架的商场', 'The default mall must be online and of this city'],
          {},
          {
            fields: {
              default_mid: say(
                ['不在本城市或未上架', 'Not of this city, or off shelf'],
                staff.lang,
              ),
            },
          },
        )
    }
    const [after] = await tx
      .update(city)
      .set({ settings: settings as CitySettings, settings_version: version + 1 })
      .where(and(eq(city.id, city_id), eq(city.settings_version, version)))
      .returning()
    if (!after)
      throw await staleRow(tx, 'city_settings', {
        ...(place.settings ?? citySettingsAtFirst),
        id: city_id,
        version: place.settings_version,
      } as { id: number })
    log({
      object_type: 'city_settings',
      object_id: city_id,
      object_label: place.city_name,
      ...difference(
        place.settings ?? citySettingsAtFirst,
        settings,
        Object.keys(citySettingsAtFirst),
      ),
    })
    return { city_id, version: version + 1 }
  },
  getReStoreList: async ({ city_id, keyword, page, pageSize }, { db, staff, now }) => {
    await readCity(db, city_id, staff)
    const where = and(
      listOfCity('re_store', city_id),
      keyword ? ilike(store.name, like(keyword)) : undefined,
    )
    const rows = await storeRows(db)
      .where(where)
      .orderBy(asc(city_setting.sort), asc(city_setting.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const [total] = await db
      .select({ n: count() })
      .from(city_setting)
      .leftJoin(store, eq(store.id, city_setting.ref_id))
      .where(where)
    return {
      list: rows.map(row => reStore(row, now, staff.lang)),
      total: total!.n,
      max: RE_STORE_MAX,
      list_version: await versionOf(db, 're_store', city_id),
    }
  },
  setReStore: async (input, context) => {
    if ('order' in input) return arrange(context, 're_store', input)
    return 'store_ids' in input ? recommend(context, input) : reschedule(context, input)
  },
  setPeriod: async (input, context) => reschedule(context, input),
  editActArea: async (input, context) => saveArea(context, input),
  sortReStore: async (input, context) => arrange(context, 're_store', input),
  delReStore: async ({ city_id, ids, id }, context) => {
    const wanted = ids ?? (id === undefined ? [] : [id])
    if (wanted.length === 0)
      throw invalid({ ids: say(['请选择门店', 'Choose stores'], context.staff.lang) })
    const { gone, list_version } = await remove(context, 're_store', city_id, wanted)
    return { deleted: gone.map(row => row.id), list_version }
  },
  setHotMallSettings: async (input, context) => saveHot(context, input),
  getMallListByCity: async ({ city_id, keyword, status }, { db, staff, now }) => {
    const place = await readCity(db, city_id, staff)
    const rows = await db
      .select({
        mid: mall.id,
        name: mall.name,
        city_id: mall.city_id,
        status: mall.status,
        is_hot: mall.is_hot,
        hot_sort: mall.hot_sort,
        store_count: mall.store_count,
        gmv_30d_cents: gmv(now),
      })
      .from(mall)
      .where(
        and(
          eq(mall.city_id, city_id),
          status && eq(mall.status, status),
          keyword
            ? or(ilike(mall.name, like(keyword)), ilike(mall.pinyin, like(keyword.toLowerCase())))
            : undefined,
        ),
      )
      .orderBy(asc(mall.pinyin), asc(mall.id))
      .limit(1000)
    return {
      list: rows.map(row => ({
        ...row,
        city_name: place.city_name,
        gmv_30d_cents: Number(row.gmv_30d_cents),
      })),
      total: rows.length,
    }
  },
  getHotMallSettings: async ({ city_id }, { db, staff, now }) => {
    const place = await readCity(db, city_id, staff)
    const { hot, malls } = await hotOf(db, place, now, staff.lang)
    return { city_id, city_name: place.city_name, ...hot, malls, version: place.hot_mall_version }
  },
  getActAreaList: async ({ city_id, live }, { db, staff, now }) => {
    await readCity(db, city_id, staff)
    const list = await areasOf(db, city_id, now, live === 1)
    return {
      list,
      total: list.length,
      max: ACT_AREA_MAX,
      list_version: await versionOf(db, 'act_area', city_id),
    }
  },
  setActArea: async (input, context) =>
    'order' in input ? arrange(context, 'act_area', input) : saveArea(context, input),
  sortActArea: async (input, context) => arrange(context, 'act_area', input),
  delActArea: async ({ id }, context) => {
    const [row] = await context.tx
      .select()
      .from(city_setting)
      .where(and(eq(city_setting.id, id), eq(city_setting.type, 'act_area')))
    if (!row) {
      context.log({
        object_type: 'city_setting',
        object_id: id,
        object_label: '',
        after: { already: true },
      })
      return { id, deleted: true as const, already: true, list_version: sequenceVersion([]) }
    }
    const { list_version } = await remove(context, 'act_area', row.city_id, [id])
    return { id, deleted: true as const, list_version }
  },
  copyFrom: async ({ city_id, from_city_id }, context) => {
    const { tx, staff, log } = context
    const place = await ownCity(context, city_id)
    const from = await readCity(tx, from_city_id, staff)
    if (from.id === place.id)
      throw invalid({ from_city_id: say(['请选择另一个城市', 'Choose another city'], staff.lang) })
    const skipped_stores = await tx.$count(city_setting, listOfCity('re_store', from.id))
    const malls = await tx.$count(city_setting, listOfCity('hot_mall', from.id))
    const skipped_malls = from.hot_mall?.mode === 'manual' ? malls : 0
    const { copied, skipped } = await copyAreas(context, from.id, city_id)
    const settings = copiedSettings(from, place)
    const hot = copiedHot(from, place)
    await saveCopied(tx, place, settings, hot)
    log({
      object_type: 'city_settings',
      object_id: city_id,
      object_label: place.city_name,
      before: { settings: place.settings, hot_mall: place.hot_mall },
      after: {
        settings: settings ?? place.settings,
        hot_mall: hot ?? place.hot_mall,
        from_city_id,
        copied_areas: copied,
        skipped_stores,
        skipped_malls,
      },
    })
    return {
      copied_areas: copied,
      skipped_stores,
      skipped_malls,
      skipped_areas: skipped,
      settings: Boolean(settings),
    }
  },
  stores: async ({ city_id, keyword, page, pageSize }, { db, staff, now }) => {
    await readCity(db, city_id, staff)
    const taken = db
      .select({ id: city_setting.ref_id })
      .from(city_setting)
      .where(
        and(
          listOfCity('re_store', city_id),
          or(isNull(city_setting.end_at), gt(city_setting.end_at, now)),
        ),
      )
    const where = and(
      eq(store.city_id, city_id),
      eq(store.status, 'open'),
      sql`(${store.mall_id} = 0 or exists (select 1 from mall m where m.id = ${store.mall_id} and m.status = 'online'))`,
      notInArray(store.id, taken),
      keyword ? ilike(store.name, like(keyword)) : undefined,
    )
    const list = await db
      .select({
        id: store.id,
        name: store.name,
        mall_name: sql<string>`coalesce(${mall.name}, '')`,
        category_name: sql<string>`coalesce(${shop_category.name}, '')`,
      })
      .from(store)
      .leftJoin(mall, eq(mall.id, store.mall_id))
      .leftJoin(shop_category, eq(shop_category.id, store.category_id))
      .where(where)
      .orderBy(asc(store.name), asc(store.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const [total] = await db.select({ n: count() }).from(store).where(where)
    return { list, total: total!.n }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

defineRevertBy(
  'city_settings',
  async (db, staff, id) => {
    const { settings, settings_version } = await readCity(db, id, staff)
    return { ...(settings ?? citySettingsAtFirst), version: settings_version }
  },
  [
    way(
      contract.edit,
      handlers.edit,
      Object.keys(citySettingsAtFirst),
      ({ id, version, ...settings }) => ({
        city_id: id,
        version,
        settings: settings as CitySettings,
      }),
    ),
  ],
)
defineRevertBy(
  'city_hot_mall',
  async (db, staff, id) => {
    const place = await readCity(db, id, staff)
    const { hot, malls } = await hotOf(db, place, unixNow(), 'zh')
    return {
      ...hot,
      mids: hot.mode === 'manual' ? malls.map(row => row.mid) : [],
      version: place.hot_mall_version,
    }
  },
  [
    way(
      contract.setHotMallSettings,
      handlers.setHotMallSettings,
      ['title', 'show', 'mode', 'limit_count', 'style', 'mids'],
      ({ id, version, title, show, mode, limit_count, style, mids }) => ({
        city_id: id,
        version,
        title,
        show,
        mode,
        limit_count,
        style,
        mids,
      }),
    ),
  ],
)
defineRevertBy(
  'city_setting',
  async (db, staff, id) => {
    const [row] = await db.select().from(city_setting).where(eq(city_setting.id, id))
    return row && rulesCity(staff, row.city_id) ? row : undefined
  },
  [
    way(
      contract.editActArea,
      handlers.editActArea,
      areaKeys,
      old =>
        Object.fromEntries(
          ['id', 'version', 'city_id', ...areaKeys].map(key => [key, old[key]]),
        ) as Sent<typeof contract.editActArea>,
    ),
    way(
      contract.setPeriod,
      handlers.setPeriod,
      ['start_at', 'end_at'],
      ({ id, version, start_at, end_at }) => ({ id, version, start_at, end_at }),
    ),
  ],
)

export const citySettingsServer = implement(contract, handlers)
