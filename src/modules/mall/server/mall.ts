import { and, asc, count, desc, eq, ilike, inArray, ne, or, sql, type SQL } from 'drizzle-orm'
import { city_setting } from '#src/areas/content/content.table.ts'
import {
  mall_board,
  mall_category,
  mall_floor,
  mall_recommend,
  hot_item,
  mall_category_backup,
} from '#src/areas/mall/mall.table.ts'
import {
  completeness,
  hoursFault,
  isNeeded,
  mallAfter,
  mallCan,
  mallKinds,
  mallStates,
  missingOf,
  moduleKeys,
  nameFault,
  NEAR_M,
  usualOptions,
  wanted,
  type Complete,
  type Hours,
  type MallOptions,
  type MallState,
  type MallVerb,
  type Wanted,
} from '#src/areas/mall/mall.ts'
import { mall_facility } from '#src/areas/merchant/facility.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { pickMerchants } from '#src/areas/merchant/merchantPicks.server.ts'
import { hotMallAtFirst } from '#src/areas/place/city.ts'
import { inCity, metres, type Pin } from '#src/areas/place/geo.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { citiesOf } from '#src/areas/place/places.server.ts'
import { hasDistrict } from '#src/areas/place/regions.server.ts'
import type { Sent } from '#src/contract/call.ts'
import { isCallable } from '#src/domain/phone.ts'
import { isPermutation } from '#src/domain/sequence.ts'
import { clause, comma, joined, say, type Lang, type Text } from '#src/domain/text.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/call/implement.ts'
import { invalid, missing, Refusal, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way } from '#src/server/call/reverts.ts'
import { within } from '#src/server/call/scope.ts'
import { difference, rowSaver, staleRow } from '#src/server/call/versions.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { like } from '#src/server/db/like.ts'
import { isNamed } from '#src/server/db/names.ts'
import { latinOf } from '#src/server/db/pinyin.ts'
import { hotMallList, lockSequence } from '#src/server/db/sequence.ts'
import { defineExport, startExport, chosenRows, type Chosen } from '#src/server/exports/exports.ts'
import { mall as contract } from '../contract/index.ts'
import { mallOf, mallScope, MONTH, needs, type Mall } from './shared.ts'

const saveMall = rowSaver(mall, 'mall')

const VISIT_KINDS = sql`('page', 'store', 'product', 'entry')`
/** Malls where a person's merchants trade are theirs to look up, too. */
const pickScope = (staff: Pick<Staff, 'scope'>) =>
  within(staff.scope, {
    city: mall.city_id,
    mall: mall.id,
    owner: sql`(select min(m.bd_admin_id) from store s join merchant m on m.id = s.merchant_id where s.mall_id = ${mall.id} and m.bd_admin_id in ${staff.scope.owners.length ? staff.scope.owners : [0]})`,
  })

const lacks: Record<Wanted, SQL> = {
  city: sql`false`,
  pin: sql`(${mall.lng_e6} is null or ${mall.lat_e6} is null)`,
  cover: sql`jsonb_array_length(${mall.covers}) = 0`,
  floor: sql`not exists (select 1 from mall_floor f where f.mid = ${mall.id} and f.is_show)`,
  logo: sql`${mall.logo} = ''`,
  phone: sql`${mall.phone} = ''`,
  open_hours: sql`jsonb_array_length(${mall.open_hours}) = 0`,
  address: sql`${mall.address} = ''`,
  intro: sql`${mall.intro} = ''`,
}
type Filters = {
  keyword?: string | undefined
  city_id?: number | undefined
  kind?: Mall['kind'] | undefined
  status?: MallState | undefined
  is_hot?: boolean | undefined
  incomplete?: boolean | undefined
  mine?: boolean | undefined
}
const filtered = (of: Filters & Chosen, staff: Staff): SQL | undefined =>
  and(
    chosenRows(mall.id, of),
    mallScope(staff),
    of.city_id === undefined ? undefined : eq(mall.city_id, of.city_id),
    of.kind && eq(mall.kind, of.kind),
    of.status && eq(mall.status, of.status),
    of.is_hot === undefined ? undefined : eq(mall.is_hot, of.is_hot),
    of.incomplete ? or(...Object.values(lacks)) : undefined,
    of.mine ? eq(mall.created_by, staff.id) : undefined,
    named(of.keyword),
  )
const named = (keyword: string | undefined) =>
  keyword
    ? or(
        ilike(mall.name, like(keyword)),
        ilike(mall.pinyin, like(keyword.toLowerCase())),
        ilike(mall.short_name, like(keyword)),
        sql`${mall.id}::text = ${keyword}`,
      )
    : undefined
const figuresOf = async (db: Db, mids: readonly number[], now: number) => {
  if (mids.length === 0)
    return new Map<
      number,
      {
        floors: number
        shown: number
        stores: number
        open: number
        offers: number
        gmv: string
        visits: number
      }
    >()
  const { rows } = await db.execute<{
    id: number
    floors: number
    shown: number
    stores: number
    open: number
    offers: number
    gmv: string
    visits: number
  }>(sql`select m.id, coalesce(f.n, 0) floors, coalesce(f.shown, 0) shown, coalesce(s.n, 0) stores, coalesce(s.open, 0) open, coalesce(p.n, 0) offers, coalesce(g.gmv, 0) gmv, coalesce(v.n, 0) visits
    from mall m left join (select mid, count(*)::int n, count(*) filter (where is_show)::int shown from mall_floor where mid in ${mids} group by 1) f on f.mid = m.id
    left join (select mall_id, count(*) filter (where status <> 'closed')::int n, count(*) filter (where status = 'open')::int open from store where mall_id in ${mids} group by 1) s on s.mall_id = m.id
    left join (select s.mall_id, count(distinct p.id)::int n from store s join product_store ps on ps.store_id = s.id and ps.status = 'on' join product p on p.id = ps.product_id and p.state = 'on_sale' where s.mall_id in ${mids} group by 1) p on p.mall_id = m.id
    left join (select mall_id, sum(paid_cents - refunded_cents) gmv from "order" where paid_at >= ${now - MONTH} and mall_id in ${mids} group by 1) g on g.mall_id = m.id
    left join (select mall_id, count(*)::int n from click_log where at >= ${now - MONTH} and mall_id in ${mids} and object_type in ${VISIT_KINDS} group by 1) v on v.mall_id = m.id where m.id in ${mids}`)
  return new Map(rows.map(row => [row.id, row]))
}
const completeOf = (row: Mall, shown_floors: number): Complete => ({
  city_id: row.city_id,
  lng_e6: row.lng_e6,
  lat_e6: row.lat_e6,
  covers: row.covers,
  shown_floors,
  logo: row.logo,
  phone: row.phone,
  open_hours: row.open_hours,
  address: row.address,
  intro: row.intro,
})
const rowOf = (
  row: Mall,
  city_name: string,
  of:
    | {
        floors: number
        shown: number
        stores: number
        open: number
        offers: number
        gmv: string
        visits: number
      }
    | undefined,
) => {
  const missing_ = missingOf(completeOf(row, of?.shown ?? 0))
  return {
    id: row.id,
    mid: row.id,
    name: row.name,
    short_name: row.short_name,
    city_id: row.city_id,
    city_name,
    district: row.district,
    kind: row.kind,
    status: row.status,
    logo: row.logo,
    is_hot: row.is_hot,
    hot_sort: row.hot_sort,
    sort: row.sort,
    floor_count: of?.floors ?? 0,
    store_count: of?.stores ?? 0,
    open_store_count: of?.open ?? 0,
    on_sale_count: of?.offers ?? 0,
    gmv_30d_cents: Number(of?.gmv ?? 0),
    visit_30d: of?.visits ?? 0,
    completeness: completeness(missing_),
    missing: missing_,
    updated_at: row.updated_at,
    version: row.version,
  }
}

type Order = 'sort' | 'gmv_30d' | 'updated_at'
const orderOf = (by: Order, now: number): SQL[] => {
  if (by === 'updated_at') return [desc(mall.updated_at), asc(mall.id)]
  if (by === 'sort') return [asc(mall.sort), asc(mall.id)]
  return [
    sql`(select sum(o.paid_cents - o.refunded_cents) from "order" o where o.mall_id = ${mall.id} and o.paid_at >= ${now - MONTH}) desc nulls last`,
    asc(mall.id),
  ]
}

const fields = [
  'name',
  'short_name',
  'city_id',
  'kind',
  'district',
  'address',
  'lng_e6',
  'lat_e6',
  'logo',
  'covers',
  'open_hours',
  'phone',
  'parking_note',
  'facility_note',
  'intro',
  'options',
  'rival_ids',
  'guide_rule',
  'is_hot',
  'hot_sort',
  'sort',
  'status',
  'close_reason',
] as const
type Fields = Partial<
  Pick<
    Mall,
    | 'name'
    | 'short_name'
    | 'city_id'
    | 'kind'
    | 'district'
    | 'address'
    | 'lng_e6'
    | 'lat_e6'
    | 'logo'
    | 'covers'
    | 'open_hours'
    | 'phone'
    | 'parking_note'
    | 'facility_note'
    | 'intro'
  >
> & { options?: MallOptions }
const optionsFault = (options: MallOptions): Text | undefined =>
  isPermutation(options.block_order as never[], moduleKeys as never[])
    ? undefined
    : ['模块顺序须恰好包含每个模块一次', 'The order holds each module once']
/** What is wrong with the fields by themselves. */
const faultsOf = (
  given: { [K in keyof Fields]?: Fields[K] | undefined },
  lang: Lang,
): Record<string, string> => {
  const found: Record<string, Text | undefined> = {
    name: given.name === undefined ? undefined : nameFault(given.name),
    phone:
      given.phone && !isCallable(given.phone)
        ? [
            '请填写手机号或座机，如 021-51234567',
            'A mobile or landline number, such as 021-51234567',
          ]
        : undefined,
    open_hours:
      given.open_hours === undefined ? undefined : hoursFault(given.open_hours as Hours[]),
    'options.block_order': given.options === undefined ? undefined : optionsFault(given.options),
    lat_e6:
      (given.lng_e6 === undefined || given.lng_e6 === null) ===
      (given.lat_e6 === undefined || given.lat_e6 === null)
        ? undefined
        : ['经纬度须一起填写', 'Longitude and latitude go together'],
  }
  return Object.fromEntries(
    Object.entries(found).flatMap(([key, text]) => (text ? [[key, say(text, lang)]] : [])),
  )
}
const cityFor = async (tx: Db, id: number, staff: Staff) => {
  const [row] = await tx
    .select()
    .from(city)
    .where(and(eq(city.id, id), citiesOf(staff)))
  if (!row) throw missing()
  return row
}
/** A district that is named is one of the city. */
const checkDistrict = (
  name: string | undefined,
  of: { adcode: string; city_name: string },
  lang: Lang,
) => {
  if (name && !hasDistrict(of.adcode, name))
    throw invalid({
      district: say(['{city}没有这个区县', '{city} has no such district'], lang, {
        city: of.city_name,
      }),
    })
}
/** A person's word for a pin outside the city, and why. */
type Confirmed = { confirmed: boolean; reason: string | undefined }
const wholePin = (of: {
  lng_e6?: number | null | undefined
  lat_e6?: number | null | undefined
}): Pin | undefined =>
  of.lng_e6 != null && of.lat_e6 != null ? { lng_e6: of.lng_e6, lat_e6: of.lat_e6 } : undefined
/** The pin lies inside the chosen city, or somebody stands by it with a reason. */
const checkPin = (
  pin: Pin,
  of: { lng: string; lat: string; city_name: string },
  { confirmed, reason }: Confirmed,
  lang: Lang,
) => {
  if (inCity(pin, of)) return
  if (confirmed && (reason ?? '').trim().length >= 2) return
  throw ruled(
    'pin_outside_city',
    confirmed
      ? ['坐标不在{city}，请写明原因', 'The pin is outside {city}: say why']
      : ['坐标不在{city}，请确认并写明原因', 'The pin is outside {city}: confirm it with a reason'],
    { city: of.city_name },
    { fields: { lng_e6: say(['坐标不在所选城市', 'Outside the city'], lang) } },
  )
}
const once = async <T>(run: () => Promise<T>, lang: Lang): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (faultOf(error)?.kind === 'unique')
      throw ruled(
        'name_taken_in_city',
        ['本市已有同名商场', 'The city has a mall of that name'],
        {},
        { fields: { name: say(['本市已有同名商场', 'Taken in this city'], lang) } },
      )
    throw error
  }
}
const done = (row: Mall) => ({ mid: row.id, id: row.id, status: row.status, version: row.version })
const logged = ({ log }: Pick<WriteContext, 'log'>, before: Mall, after: Mall, reason?: string) =>
  log({
    object_type: 'mall',
    object_id: after.id,
    object_label: after.name,
    ...difference(before, after, fields),
    ...(reason ? { reason } : {}),
  })
const may = (verb: MallVerb, row: Mall) => {
  const allowed = mallCan(verb, row)
  if (allowed !== true)
    throw ruled(verb === 'del' ? 'not_draft' : 'wrong_state', allowed, {}, { current: done(row) })
}

const rivalNames = async (db: Db, ids: readonly number[]): Promise<Record<string, string>> =>
  Object.fromEntries(
    (ids.length === 0
      ? []
      : await db
          .select({ id: merchant.id, name: merchant.name })
          .from(merchant)
          .where(inArray(merchant.id, [...ids]))
    ).map(one => [String(one.id), one.name]),
  )
/** Refuses a merchant that is new among the rivals and that the person doesn't see. */
const refuseStrangers = async (
  tx: Db,
  { scope, lang }: Staff,
  { before, rival_ids }: { before: readonly number[]; rival_ids: readonly number[] },
): Promise<void> => {
  const fresh = rival_ids.filter(one => !before.includes(one))
  if (fresh.length === 0) return
  const seen = within(scope, { city: merchant.city_id, owner: merchant.bd_admin_id })
  const known = await tx.$count(merchant, and(inArray(merchant.id, fresh), seen))
  if (known < fresh.length)
    throw invalid({
      rival_ids: say(['有不存在或看不到的商户', 'A merchant is unknown or not yours to see'], lang),
    })
}

/** Locks the mall's row, so that what its rules count can't change under them. */
const lockMall = async (tx: Db, mid: number, staff: Staff): Promise<Mall> => {
  await mallOf(tx, mid, staff)
  const [row] = await tx.select().from(mall).where(eq(mall.id, mid)).for('update')
  if (!row) throw missing()
  return row
}
const stale = async (tx: Db, row: Mall, version: number) => {
  if (row.version !== version) throw await staleRow(tx, 'mall', row)
}
const publishable = async (tx: Db, row: Mall, lang: Lang): Promise<void> => {
  const [n] = await tx
    .select({ n: count() })
    .from(mall_floor)
    .where(and(eq(mall_floor.mid, row.id), eq(mall_floor.is_show, true)))
  const lacking = missingOf(completeOf(row, n!.n)).filter(isNeeded)
  if (lacking.length > 0)
    throw ruled(
      'publish_incomplete',
      ['还缺：{what}', 'Still missing: {what}'],
      { what: lacking.map(key => say(wanted[key], lang)).join(say(comma, lang)) },
      { missing: lacking },
    )
}
/** A mall that closes leaves nothing behind: no open store, no offer on sale, no code to redeem. */
const closable = async (tx: Db, mid: number, now: number): Promise<void> => {
  const { rows } = await tx.execute<{
    stores: number
    offers: number
    codes: number
  }>(sql`select (select count(*)::int from store where mall_id = ${mid} and status in ('open', 'resting')) stores,
    (select count(distinct p.id)::int from product p join product_store ps on ps.product_id = p.id and ps.status = 'on' join store s on s.id = ps.store_id where s.mall_id = ${mid} and p.state = 'on_sale') offers,
    (select count(*)::int from order_code c join "order" o on o.id = c.order_id where o.mall_id = ${mid} and c.state in ('unused', 'part_used', 'locked') and c.valid_until > ${now}) codes`)
  const { stores, offers, codes } = rows[0]!
  if (stores > 0)
    throw ruled(
      'has_open_store',
      ['还有 {n} 家门店在营业', '{n} stores are still open'],
      { n: stores },
      { stores, offers, codes },
    )
  if (offers > 0)
    throw ruled(
      'has_product_on_sale',
      ['还有 {n} 个商品在售', '{n} products are still on sale'],
      { n: offers },
      { stores, offers, codes },
    )
  if (codes > 0)
    throw ruled(
      'has_codes',
      ['还有 {n} 个未核销的券码', '{n} codes are not redeemed yet'],
      { n: codes },
      { stores, offers, codes },
    )
}
const goTo = async (
  context: WriteContext,
  { mid, version }: { mid: number; version: number },
  to: 'online' | 'offline' | 'closed',
  reason?: string,
) => {
  const { tx, staff, now } = context
  const row = await lockMall(tx, mid, staff)
  await stale(tx, row, version)
  may(mallAfter[to], row)
  if (to !== 'online' && (reason ?? '').trim().length < 2)
    throw invalid({ reason: say(['请写明原因', 'Say why'], staff.lang) })
  if (to === 'online') await publishable(tx, row, staff.lang)
  if (to === 'closed') await closable(tx, mid, now)
  const after = await saveMall(
    tx,
    { id: mid, version },
    {
      status: to,
      ...(to === 'online'
        ? { online_at: now }
        : { is_hot: false, hot_sort: 0, close_reason: reason! }),
      ...(to === 'closed' ? { closed_at: now } : {}),
    },
  )
  logged(context, row, after, reason)
  return done(after)
}
/**
 * A city that chooses its hot malls by hand shows these: its list and the marks of its malls are
 * one thing.
 */
const tellCity = async (tx: Db, city_id: number, { mode }: { mode: string }) => {
  if (mode !== 'manual') return
  await tx
    .delete(city_setting)
    .where(and(eq(city_setting.city_id, city_id), eq(city_setting.type, 'hot_mall')))
  const hot = await tx
    .select({ id: mall.id })
    .from(mall)
    .where(and(eq(mall.city_id, city_id), eq(mall.is_hot, true)))
    .orderBy(asc(mall.hot_sort), asc(mall.id))
  if (hot.length > 0)
    await tx
      .insert(city_setting)
      .values(hot.map(({ id }, sort) => ({ city_id, type: 'hot_mall' as const, ref_id: id, sort })))
  await tx
    .update(city)
    .set({ hot_mall_version: sql`${city.hot_mall_version} + 1` })
    .where(eq(city.id, city_id))
}
const setHot = async (
  context: WriteContext,
  { mid, version }: { mid: number; version: number },
  is_hot: boolean,
  replace_mid?: number,
) => {
  const { tx, staff } = context
  // One at a time in a city, so that its hot count holds; the city's settings take the same lock,
  // and take it first.
  await lockSequence(tx, hotMallList((await mallOf(tx, mid, staff)).city_id))
  const row = await lockMall(tx, mid, staff)
  await stale(tx, row, version)
  const [place] = await tx
    .select({ hot_mall: city.hot_mall })
    .from(city)
    .where(eq(city.id, row.city_id))
  const shown = place!.hot_mall ?? hotMallAtFirst
  if (!is_hot) {
    const after = await saveMall(tx, { id: mid, version }, { is_hot: false, hot_sort: 0 })
    logged(context, row, after)
    await tellCity(tx, row.city_id, shown)
    return done(after)
  }
  may('setHot', row)
  const hot = await tx
    .select()
    .from(mall)
    .where(and(eq(mall.city_id, row.city_id), eq(mall.is_hot, true), ne(mall.id, mid)))
    .orderBy(asc(mall.hot_sort), asc(mall.id))
  const replaced = replace_mid === undefined ? undefined : hot.find(one => one.id === replace_mid)
  if (replace_mid !== undefined && !replaced)
    throw invalid({ replace_mid: say(['它已不是热门商场', 'It is no longer hot'], staff.lang) })
  if (hot.length >= shown.limit_count && !replaced)
    throw ruled(
      'hot_full',
      [
        '本市热门已满 {n} 个，请选择替换哪一个',
        'The city has its {n} hot malls: choose one to replace',
      ],
      { n: shown.limit_count },
      { current_hot: hot.map(one => ({ mid: one.id, name: one.name })) },
    )
  if (replaced) {
    const out = await saveMall(tx, replaced, { is_hot: false, hot_sort: 0 })
    logged(context, replaced, out)
  }
  const after = await saveMall(
    tx,
    { id: mid, version },
    { is_hot: true, hot_sort: replaced?.hot_sort ?? (hot.at(-1)?.hot_sort ?? 0) + 1 },
  )
  logged(context, row, after)
  await tellCity(tx, row.city_id, shown)
  return done(after)
}

/** An edit needs the right of every other verb whose work it does along the way. */
const needsOfEdit = (
  staff: Staff,
  asked: {
    to_status: keyof typeof mallAfter | undefined
    is_hot: boolean | undefined
    hot_sort: number | undefined
    sort: number | undefined
    options: MallOptions | undefined
  },
): void => {
  if (asked.to_status) needs(staff, `mall.${mallAfter[asked.to_status]}`)
  if (asked.is_hot !== undefined || asked.hot_sort !== undefined) needs(staff, 'mall.setHot')
  if (asked.sort !== undefined) needs(staff, 'mall.setSort')
  if (asked.options !== undefined) needs(staff, 'mall.setMallOptions')
}
/** A mall with stores stays in its city. */
const checkMovable = async (tx: Db, mid: number, lang: Lang): Promise<void> => {
  const { rows } = await tx.execute<{ n: number }>(
    sql`select count(*)::int n from store where mall_id = ${mid}`,
  )
  if (rows[0]!.n > 0)
    throw ruled(
      'city_locked',
      ['商场已有 {n} 家门店，不能换城市', 'The mall has {n} stores: it stays in its city'],
      { n: rows[0]!.n },
      { fields: { city_id: say(['已有门店，不能换城市', 'It has stores'], lang) } },
    )
}
/** An edit that moves a mall keeps its district and its pin within the city. */
const checkPlace = async (
  { tx, staff }: WriteContext,
  row: Mall,
  next: Mall,
  confirmed: Confirmed,
): Promise<void> => {
  const where = await cityFor(tx, next.city_id, staff)
  const moves = where.id !== row.city_id
  if (moves) await checkMovable(tx, row.id, staff.lang)
  if (moves || next.district !== row.district) checkDistrict(next.district, where, staff.lang)
  const pin = wholePin(next)
  const movesPin = next.lng_e6 !== row.lng_e6 || next.lat_e6 !== row.lat_e6
  if (pin && (moves || movesPin)) checkPin(pin, where, confirmed, staff.lang)
}
/** Writes an edit; the mall's boards go with it to another city. */
const saveFields = async (
  context: WriteContext,
  row: Mall,
  set: Partial<typeof mall.$inferInsert>,
  reason: string | undefined,
): Promise<Mall> => {
  if (Object.keys(set).length === 0) return row
  const { tx, staff } = context
  const after = await once(() => tx.transaction(inner => saveMall(inner, row, set)), staff.lang)
  if (after.city_id !== row.city_id)
    for (const table of [mall_recommend, mall_board, hot_item])
      await tx.update(table).set({ city_id: after.city_id }).where(eq(table.mid, row.id))
  logged(context, row, after, reason)
  return after
}

defineExport('mall', {
  title: ['商场', 'Malls'],
  permit: 'mall.export',
  columns: [
    { key: 'mid', title: ['编号', 'ID'] },
    { key: 'name', title: ['商场', 'Mall'] },
    { key: 'city_name', title: ['城市', 'City'] },
    { key: 'district', title: ['区县', 'District'] },
    { key: 'kind', title: ['类型', 'Kind'] },
    { key: 'status', title: ['状态', 'Status'] },
    { key: 'store_count', title: ['门店数', 'Stores'], kind: 'number' },
    { key: 'on_sale_count', title: ['在售商品', 'On sale'], kind: 'number' },
    {
      key: 'gmv_30d_cents',
      title: ['30 天成交额', 'GMV 30 d'],
      kind: 'money',
      field: 'stat.gmv_cents',
    },
    { key: 'visit_30d', title: ['30 天访问', 'Visits 30 d'], kind: 'number' },
    { key: 'completeness', title: ['资料完整度 %', 'Completeness %'], kind: 'number' },
    { key: 'missing', title: ['缺少', 'Missing'] },
    { key: 'updated_at', title: ['更新时间', 'Updated'], kind: 'time' },
  ],
  rows: async ({ db, staff, filters, now, after, limit }) => {
    const rows = await db
      .select({ row: mall, city_name: city.city_name })
      .from(mall)
      .innerJoin(city, eq(city.id, mall.city_id))
      .where(and(filtered(filters as Filters, staff), sql`${mall.id} > ${Number(after ?? 0)}`))
      .orderBy(asc(mall.id))
      .limit(limit)
    const figures = await figuresOf(
      db,
      rows.map(one => one.row.id),
      now,
    )
    return {
      rows: rows.map(({ row, city_name }) => {
        const one = rowOf(row, city_name, figures.get(row.id))
        return {
          ...one,
          kind: say(mallKinds[one.kind], staff.lang),
          status: say(mallStates[one.status], staff.lang),
          missing: one.missing
            .map(key => say(wanted[key], staff.lang))
            .join(say(comma, staff.lang)),
        }
      }),
      next: rows.at(-1)?.row.id,
    }
  },
})

const server = implement(contract, {
  lst: async ({ page, pageSize, limit, simp, order_by, sort, ...filters }, { db, staff, now }) => {
    const size = limit ?? pageSize
    if (simp || (limit ?? 0) > 100 || !staff.can('mall.view')) {
      const where = and(
        ne(mall.status, 'draft'),
        filters.city_id === undefined ? undefined : eq(mall.city_id, filters.city_id),
        named(filters.keyword),
        pickScope(staff),
      )
      const [list, [all]] = await Promise.all([
        db
          .select({
            mid: mall.id,
            name: mall.name,
            city_id: mall.city_id,
            city_name: city.city_name,
          })
          .from(mall)
          .innerJoin(city, eq(city.id, mall.city_id))
          .where(where)
          .orderBy(asc(mall.pinyin), asc(mall.id))
          .limit(size)
          .offset((page - 1) * size),
        db.select({ n: count() }).from(mall).where(where),
      ])
      return { list, total: all!.n }
    }
    const where = filtered(filters, staff)
    const { status: _, ...others } = filters
    const [rows, [all], states] = await Promise.all([
      db
        .select({ row: mall, city_name: city.city_name })
        .from(mall)
        .innerJoin(city, eq(city.id, mall.city_id))
        .where(where)
        .orderBy(...orderOf(sort ?? order_by, now))
        .limit(size)
        .offset((page - 1) * size),
      db.select({ n: count() }).from(mall).where(where),
      db
        .select({ status: mall.status, n: count() })
        .from(mall)
        .where(filtered(others, staff))
        .groupBy(mall.status),
    ])
    const figures = await figuresOf(
      db,
      rows.map(one => one.row.id),
      now,
    )
    return {
      list: rows.map(({ row, city_name }) => rowOf(row, city_name, figures.get(row.id))),
      total: all!.n,
      stat: {
        online: 0,
        draft: 0,
        offline: 0,
        closed: 0,
        ...Object.fromEntries(states.map(one => [one.status, one.n])),
      },
    }
  },
  filterLst: async (
    { city_id, keyword, include_outside, include, page, pageSize },
    { db, staff },
  ) => {
    const kept = (include ?? []).filter(mid => mid > 0)
    const where = and(
      pickScope(staff),
      or(
        and(
          eq(mall.status, 'online'),
          city_id === undefined ? undefined : eq(mall.city_id, city_id),
          named(keyword),
        ),
        kept.length ? inArray(mall.id, kept) : undefined,
      ),
    )
    const [rows, [all]] = await Promise.all([
      db
        .select({
          id: mall.id,
          name: mall.name,
          pinyin: mall.pinyin,
          city_id: mall.city_id,
          city_name: city.city_name,
          status: mall.status,
        })
        .from(mall)
        .innerJoin(city, eq(city.id, mall.city_id))
        .where(where)
        .orderBy(asc(mall.pinyin), asc(mall.id))
        .limit(pageSize)
        .offset((page - 1) * pageSize),
      db.select({ n: count() }).from(mall).where(where),
    ])
    const outside =
      page === 1 && (include_outside || include?.includes(0))
        ? [
            {
              id: 0,
              mid: 0,
              name: say(['商场外', 'Outside malls'], staff.lang),
              city_id: city_id ?? 0,
              city_name: '',
              letter: '',
              status: 'online',
            },
          ]
        : []
    return {
      total: all!.n + outside.length,
      list: [
        ...outside,
        ...rows.map(({ pinyin: latinName, ...row }) => ({
          ...row,
          mid: row.id,
          letter: (latinName[0] ?? '').toUpperCase(),
          ...(row.status === 'online'
            ? {}
            : { disabled_reason: say(mallStates[row.status], staff.lang) }),
        })),
      ],
    }
  },
  detail: async ({ mid }, { db, staff, now }) => {
    const row = await mallOf(db, mid, staff)
    const [[where], figures, floors] = await Promise.all([
      db.select({ city_name: city.city_name }).from(city).where(eq(city.id, row.city_id)),
      figuresOf(db, [mid], now),
      db.execute<{ id: number; name: string; level_no: number; store_count: number }>(
        sql`select f.id, f.name, f.level_no, (select count(*)::int from store s where s.floor_id = f.id and s.status <> 'closed') store_count from mall_floor f where f.mid = ${mid} order by f.sort, f.level_no`,
      ),
    ])
    const of = figures.get(mid)
    const {
      created_at: _,
      created_by: __,
      pinyin: ___,
      category_settings_version: ____,
      ...own
    } = row
    return {
      ...own,
      mid,
      city_name: where!.city_name,
      options: row.options ?? usualOptions,
      rival_names: await rivalNames(db, row.rival_ids),
      category_settings: row.category_settings,
      store_count: of?.stores ?? 0,
      on_sale_count: of?.offers ?? 0,
      floors: floors.rows,
      missing: missingOf(completeOf(row, of?.shown ?? 0)),
    }
  },
  create: async ({ publish, confirm_pin, reason, ...given }, context) => {
    const { tx, staff, log } = context
    if (publish) needs(staff, 'mall.publish')
    const faults = faultsOf(given as Fields, staff.lang)
    if (Object.keys(faults).length > 0) throw invalid(faults)
    const where = await cityFor(tx, given.city_id, staff)
    checkDistrict(given.district, where, staff.lang)
    const pin = wholePin(given)
    if (pin) checkPin(pin, where, { confirmed: confirm_pin ?? false, reason }, staff.lang)
    const [last] = await tx.select({ sort: mall.sort }).from(mall).orderBy(desc(mall.sort)).limit(1)
    const made = await once(
      () =>
        tx.transaction(
          async inner =>
            (
              await inner
                .insert(mall)
                .values({
                  ...(Object.fromEntries(
                    Object.entries(given).filter(([, value]) => value !== undefined),
                  ) as Fields),
                  name: given.name,
                  city_id: given.city_id,
                  kind: given.kind,
                  pinyin: latinOf(given.name),
                  short_name: given.short_name || [...given.name].slice(0, 6).join(''),
                  district: given.district ?? '',
                  address: given.address ?? '',
                  open_hours: given.open_hours ?? [],
                  status: 'draft',
                  created_by: staff.id,
                  sort: (last?.sort ?? 0) + 1,
                })
                .returning()
            )[0]!,
        ),
      staff.lang,
    )
    log({
      object_type: 'mall',
      object_id: made.id,
      object_label: made.name,
      after: given,
      ...(reason ? { reason } : {}),
    })
    return publish ? goTo(context, done(made), 'online') : done(made)
  },
  edit: async (
    { mid, version, to_status, reason, confirm_pin, is_hot, replace_mid, hot_sort, sort, ...given },
    context,
  ) => {
    const { tx, staff } = context
    const row = await lockMall(tx, mid, staff)
    await stale(tx, row, version)
    may('edit', row)
    needsOfEdit(staff, { to_status, is_hot, hot_sort, sort, options: given.options })
    const set = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as Fields
    const faults = faultsOf(set, staff.lang)
    if (Object.keys(faults).length > 0) throw invalid(faults)
    const confirmed = { confirmed: confirm_pin ?? false, reason }
    await checkPlace(context, row, { ...row, ...set }, confirmed)
    const all = {
      ...set,
      ...(set.name === undefined ? {} : { pinyin: latinOf(set.name) }),
      ...(hot_sort === undefined ? {} : { hot_sort }),
      ...(sort === undefined ? {} : { sort }),
    }
    const saved = await saveFields(context, row, all, reason)
    const turnsHot = is_hot !== undefined && is_hot !== row.is_hot
    const after = turnsHot
      ? { ...saved, ...(await setHot(context, done(saved), is_hot, replace_mid)) }
      : saved
    return to_status ? goTo(context, done(after), to_status, reason) : done(after)
  },
  publish: async (one, context) => goTo(context, one, 'online'),
  offline: async ({ reason, ...one }, context) => goTo(context, one, 'offline', reason),
  close: async ({ reason, ...one }, context) => goTo(context, one, 'closed', reason),
  setMallOptions: async ({ mid, version, options }, context) => {
    const { tx, staff } = context
    const row = await lockMall(tx, mid, staff)
    await stale(tx, row, version)
    may('edit', row)
    const fault = optionsFault(options)
    if (fault) throw invalid({ 'options.block_order': say(fault, staff.lang) })
    const after = await saveMall(tx, { id: mid, version }, { options })
    logged(context, row, after)
    return { mid, options, version: after.version }
  },
  rivals: (asked, { db, staff }) => pickMerchants({ db, staff }, asked),
  setRivals: async ({ mid, version, rival_ids: given, reason }, context) => {
    const { tx, staff } = context
    const row = await lockMall(tx, mid, staff)
    await stale(tx, row, version)
    may('edit', row)
    const rival_ids = [...new Set(given)].sort((a, b) => a - b)
    await refuseStrangers(tx, staff, { before: row.rival_ids, rival_ids })
    const after = await saveMall(tx, { id: mid, version }, { rival_ids })
    logged(context, row, after, reason)
    return done(after)
  },
  setGuideRule: async ({ mid, version, guide_rule, reason }, context) => {
    const { tx, staff } = context
    const row = await lockMall(tx, mid, staff)
    await stale(tx, row, version)
    may('edit', row)
    const after = await saveMall(tx, { id: mid, version }, { guide_rule })
    logged(context, row, after, reason)
    return done(after)
  },
  setHot: async ({ is_hot, replace_mid, ...one }, context) =>
    setHot(context, one, is_hot, replace_mid),
  setSort: async ({ mid, version, sort }, context) => {
    const { tx, staff } = context
    const row = await lockMall(tx, mid, staff)
    await stale(tx, row, version)
    may('edit', row)
    const after = await saveMall(tx, { id: mid, version }, { sort })
    logged(context, row, after)
    return done(after)
  },
  del: async ({ mid, reason }, context) => {
    const { tx, staff, log } = context
    const [there] = await tx.select({ id: mall.id }).from(mall).where(eq(mall.id, mid))
    if (!there) return { mid, deleted: true, already: true }
    const row = await lockMall(tx, mid, staff)
    may('del', row)
    const { rows } = await tx.execute<{
      stores: number
      floors: number
      banners: number
      orders: number
    }>(
      sql`select (select count(*)::int from store where mall_id = ${mid}) stores, (select count(*)::int from mall_floor where mid = ${mid}) floors, (select count(*)::int from banner where mall_id = ${mid}) banners, (select count(*)::int from "order" where mall_id = ${mid}) orders`,
    )
    const children = rows[0]!
    if (Object.values(children).some(n => n > 0))
      throw ruled(
        'has_children',
        [
          '还有门店 {stores}、楼层 {floors}、轮播 {banners}、订单 {orders}，不能删除',
          'It has stores {stores}, floors {floors}, banners {banners}, orders {orders}',
        ],
        children,
        { children },
      )
    for (const table of [mall_category_backup, mall_category, mall_recommend, mall_board, hot_item])
      await tx.delete(table).where(eq(table.mid, mid))
    await tx.delete(mall_facility).where(eq(mall_facility.mall_id, mid))
    await tx.delete(mall).where(eq(mall.id, mid))
    log({
      object_type: 'mall',
      object_id: mid,
      object_label: row.name,
      before: { name: row.name, city_id: row.city_id },
      ...(reason ? { reason } : {}),
    })
    return { mid, deleted: true }
  },
  batchOffline: async ({ malls, reason }, context) => {
    const result = { ok: [] as number[], failed: [] as { id: number; code: string; msg: string }[] }
    for (const { mid, version } of [...new Map(malls.map(one => [one.mid, one])).values()].sort(
      (a, b) => a.mid - b.mid,
    )) {
      try {
        await context.tx.transaction(tx =>
          goTo({ ...context, tx }, { mid, version }, 'offline', reason),
        )
        result.ok.push(mid)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        result.failed.push({
          id: mid,
          code: String(error.data['rule'] ?? error.status),
          msg: error.in(context.staff.lang),
        })
      }
    }
    return result
  },
  export: async ({ format, columns, ...filters }, context) => {
    const [all] = await context.tx
      .select({ n: count() })
      .from(mall)
      .where(filtered(filters, context.staff))
    const words = [
      filters.keyword,
      filters.kind && say(mallKinds[filters.kind], context.staff.lang),
      filters.status && say(mallStates[filters.status], context.staff.lang),
      filters.incomplete && say(['资料不完整', 'Incomplete'], context.staff.lang),
      filters.is_hot && say(['热门', 'Hot'], context.staff.lang),
    ]
      .filter(Boolean)
      .join(say(clause, context.staff.lang))
    return startExport(context, {
      page: 'mall',
      filters,
      filters_text: words || say(['全部', 'All'], context.staff.lang),
      rows_expected: all!.n,
      format,
      columns,
    })
  },
  checkDuplicate: async ({ mid, city_id, name, lng_e6, lat_e6 }, { db, staff }) => {
    const pin = lng_e6 !== undefined && lat_e6 !== undefined ? { lng_e6, lat_e6 } : undefined
    // A box by index first, the true distance after.
    const box =
      pin &&
      sql`${mall.lng_e6} between ${pin.lng_e6 - 12_000} and ${pin.lng_e6 + 12_000} and ${mall.lat_e6} between ${pin.lat_e6 - 6000} and ${pin.lat_e6 + 6000}`
    const same =
      name && city_id !== undefined
        ? and(eq(mall.city_id, city_id), isNamed(mall.name, name))
        : undefined
    if (!box && !same) return { list: [] }
    const rows = await db
      .select({ row: mall, city_name: city.city_name })
      .from(mall)
      .innerJoin(city, eq(city.id, mall.city_id))
      .where(and(mallScope(staff), mid === undefined ? undefined : ne(mall.id, mid), or(box, same)))
      .limit(50)
    const list = rows
      .map(({ row, city_name }) => {
        const away =
          pin && row.lng_e6 !== null && row.lat_e6 !== null
            ? Math.round(metres(pin, { lng_e6: row.lng_e6, lat_e6: row.lat_e6 }))
            : null
        return {
          id: row.id,
          mid: row.id,
          name: row.name,
          city_name,
          status: row.status,
          lng_e6: row.lng_e6 ?? 0,
          lat_e6: row.lat_e6 ?? 0,
          metres: away,
          same_name: row.city_id === city_id && row.name === name,
        }
      })
      .filter(one => one.same_name || (one.metres !== null && one.metres <= NEAR_M))
    return { list: list.sort((a, b) => (a.metres ?? 1e9) - (b.metres ?? 1e9)) }
  },
})

const undone = joined(['撤回上一步', 'The last step is taken back'])
const written = [
  'name',
  'short_name',
  'city_id',
  'kind',
  'district',
  'address',
  'lng_e6',
  'lat_e6',
  'logo',
  'covers',
  'open_hours',
  'phone',
  'parking_note',
  'facility_note',
  'intro',
]
defineRevertBy('mall', (db, staff, id) => mallOf(db, id, staff), [
  way(
    contract.edit,
    server.handlers.edit,
    written,
    old =>
      ({
        mid: old['id'],
        version: old['version'],
        ...Object.fromEntries(written.map(key => [key, old[key]])),
      }) as Sent<typeof contract.edit>,
  ),
  way(
    contract.setMallOptions,
    server.handlers.setMallOptions,
    ['options'],
    ({ id, version, options }) => ({ mid: id, version, options }),
  ),
  way(
    contract.setRivals,
    server.handlers.setRivals,
    ['rival_ids'],
    ({ id, version, rival_ids }) => ({ mid: id, version, rival_ids, reason: undone }),
  ),
  way(
    contract.setGuideRule,
    server.handlers.setGuideRule,
    ['guide_rule'],
    ({ id, version, guide_rule }) => ({ mid: id, version, guide_rule, reason: undone }),
  ),
  way(contract.setSort, server.handlers.setSort, ['sort'], ({ id, version, sort }) => ({
    mid: id,
    version,
    sort,
  })),
  way(contract.setHot, server.handlers.setHot, ['is_hot'], ({ id, version, is_hot }) => ({
    mid: id,
    version,
    is_hot,
  })),
])
export default server
