import { and, asc, count, eq, ilike, inArray, or, sql, type SQL } from 'drizzle-orm'
import { scenes, type Scene } from '#src/areas/content/contact.ts'
import {
  cityCan,
  cityChecks,
  cityStates,
  citySettingsAtFirst,
  insideChina,
  missingChecks,
  type CityState,
  type CityVerb,
} from '#src/areas/place/city.ts'
import { divisions, provinces } from '#src/areas/place/divisions.ts'
import { city } from '#src/areas/place/place.table.ts'
import { citiesOf, needAllCities, needCity } from '#src/areas/place/places.server.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { comma, say, type Lang } from '#src/domain/text.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { forbidden, invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way } from '#src/server/call/reverts.ts'
import { needsNoScope } from '#src/server/call/scope.ts'
import { difference, rowSaver, staleRow } from '#src/server/call/versions.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { like } from '#src/server/db/like.ts'
import { lockSequence, orderSent } from '#src/server/db/sequence.ts'
import { defineExport, startExport } from '#src/server/exports/exports.ts'
import { city as contract } from '../contract/city.ts'
import { usesOfCity, wordsOfUses } from './cityUses.ts'

type City = typeof city.$inferSelect
const saveCity = rowSaver(city, 'city')
const named = (keyword: string | undefined) =>
  keyword
    ? or(
        ilike(city.city_name, like(keyword)),
        ilike(city.pinyin, like(keyword.toLowerCase())),
        eq(city.adcode, keyword),
      )
    : undefined

// The query builder writes a lone table's column without its table, which an inner query would
// take for its own.
const here = sql.raw('"city"."id"')
const numbers = {
  mall_count: sql<number>`(select count(*)::int from mall m where m.city_id = ${here})`,
  store_count: sql<number>`(select count(*)::int from store s where s.city_id = ${here})`,
  member_count: sql<number>`(select count(*)::int from member m where m.city_id = ${here})`,
}
/**
 * The opening checklist. A home page scheme belongs to the page designs, which the console does not
 * have yet: the city's saved settings stand for it.
 */
const sceneKeys = Object.keys(scenes) as Scene[]
const checks = (now: number) => ({
  mall: sql<boolean>`exists (select 1 from mall m where m.city_id = ${here} and m.status = 'online')`,
  banner: sql<boolean>`exists (select 1 from banner b join banner_city bc on bc.banner_id = b.id where bc.city_id = ${here} and b.status = 'online' and b.end_at > ${now})`,
  home: sql<boolean>`"city"."settings" is not null`,
  contact: sql<boolean>`(select count(distinct k.scene) from service_contact k where k.status = 'on' and k.mall_id = 0 and (k.city_id = ${here} or k.city_id is null) and (k.expires_at is null or k.expires_at > ${now})) = ${sceneKeys.length}::int`,
})
const rowsOf = (db: Db, now: number) =>
  db.select({ row: city, ...numbers, ...checks(now) }).from(city)
type Read = Awaited<ReturnType<typeof rowsOf>>[number]
const shown = ({
  row: {
    settings: _,
    settings_version: __,
    hot_mall: ___,
    hot_mall_version: ____,
    created_at: _____,
    updated_at: ______,
    ...row
  },
  mall,
  banner,
  home,
  contact,
  ...rest
}: Read) => ({
  ...row,
  city_id: row.id,
  ...rest,
  checklist: [
    { key: 'mall' as const, ok: mall },
    { key: 'banner' as const, ok: banner },
    { key: 'home' as const, ok: home },
    { key: 'contact' as const, ok: contact },
  ],
})
const inOrder = [asc(city.sort), asc(city.id)]
const present = async (db: Db) =>
  (
    await db
      .select({ id: city.id })
      .from(city)
      .orderBy(...inOrder)
  ).map(row => row.id)

const listWhere = (
  { keyword, status }: { keyword?: string | undefined; status?: CityState | undefined },
  staff: Staff,
): SQL | undefined => and(status && eq(city.status, status), named(keyword), citiesOf(staff))

const readCity = async (tx: Db, id: number, staff: Pick<Staff, 'scope'>): Promise<City> => {
  needCity(staff, id)
  const [row] = await tx.select().from(city).where(eq(city.id, id))
  if (!row) throw missing()
  return row
}
const logged = ({ log }: Pick<WriteContext, 'log'>, before: City, after: City, reason?: string) =>
  log({
    object_type: 'city',
    object_id: after.id,
    object_label: after.city_name,
    ...difference(before, after, ['city_name', 'lng', 'lat', 'sort', 'is_default', 'status']),
    ...(reason && { reason }),
  })
const answer = ({ id, status, version }: City) => ({ id, status, version })
/** Why a city is not deleted, as a code. */
const whyKept = (row: City) => (row.is_default ? 'is_default' : 'not_preparing')
const may = (verb: CityVerb, row: City) => {
  const allowed = cityCan(verb, row)
  if (allowed !== true)
    throw ruled(
      verb === 'del' ? whyKept(row) : 'wrong_state',
      allowed,
      {},
      { current: answer(row) },
    )
}
const pinInside = (lng: string, lat: string, lang: Lang) => {
  if (!insideChina(lng, lat))
    throw invalid({ lng: say(['坐标须在中国境内', 'The pin must lie inside China'], lang) })
}
const taken = (field: string, lang: Lang) =>
  ruled(
    'city_exists',
    ['城市名称或行政区划代码已存在', 'There is a city of that name or code'],
    {},
    { fields: { [field]: say(['已存在', 'Taken'], lang) } },
  )
const once = async <T>(run: () => Promise<T>, lang: Lang): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    const fault = faultOf(error)
    if (fault?.kind === 'unique')
      throw taken(fault.constraint?.includes('adcode') ? 'adcode' : 'city_name', lang)
    throw error
  }
}

/** Changes that touch which city is the default, or which cities are open, wait for each other. */
const CITIES = 'cities'
type Verb = { id: number; version: number; reason?: string | undefined }
/** What a verb sets. */
const patches = {
  open: (row: City, now: number) => ({ status: 'open', opened_at: row.opened_at ?? now }),
  pause: () => ({ status: 'paused' }),
  setDefault: () => ({ is_default: true }),
} as const satisfies Record<string, (row: City, now: number) => Partial<City>>
const change = async (
  context: WriteContext,
  verb: 'open' | 'pause' | 'setDefault',
  { id, version, reason }: Verb,
): Promise<City> => {
  const { tx, staff, now } = context
  await lockSequence(tx, CITIES)
  const row = await readCity(tx, id, staff)
  if (row.version !== version) throw await staleRow(tx, 'city', row)
  may(verb, row)
  if (verb === 'open') {
    // Nobody switches a last contact off between the look at the checklist and the opening.
    for (const scene of sceneKeys.toSorted()) await lockSequence(tx, `service_contact/${scene}`)
    const [read] = await rowsOf(tx, now).where(eq(city.id, id))
    const lacking = missingChecks(shown(read!).checklist)
    if (lacking.length > 0)
      throw ruled(
        'checklist',
        ['还不能开城，缺少：{missing}', 'It can’t open yet, it lacks: {missing}'],
        {
          missing: lacking
            .map(key => say(cityChecks[key], staff.lang))
            .join(say(comma, staff.lang)),
        },
        { missing: lacking },
      )
  }
  if (verb === 'setDefault') {
    needAllCities(staff)
    const [was] = await tx
      .update(city)
      .set({ is_default: false, version: sql`${city.version} + 1` })
      .where(eq(city.is_default, true))
      .returning()
    if (was) logged(context, { ...was, is_default: true }, was)
  }
  const after = await saveCity(tx, row, patches[verb](row, now))
  logged(context, row, after, reason)
  return after
}

const handlers = {
  list: async ({ simp, page, pageSize: asked, keyword, status }, { db, staff, now }) => {
    const pageSize = asked ?? (simp === 1 ? 100 : 20)
    // A person who does not manage cities chooses among them, whatever they ask for.
    if (simp === 1 || !staff.can('system.city.view'))
      return db
        .select({ id: city.id, city_name: city.city_name })
        .from(city)
        .where(and(inArray(city.status, ['open', 'paused']), named(keyword), citiesOf(staff)))
        .orderBy(asc(city.pinyin))
        .limit(pageSize)
        .offset((page - 1) * pageSize)
    const where = listWhere({ keyword, status }, staff)
    const list = await rowsOf(db, now)
      .where(where)
      .orderBy(...inOrder)
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const [total] = await db.select({ n: count() }).from(city).where(where)
    return {
      list: list.map(shown),
      total: total!.n,
      list_version: sequenceVersion(await present(db)),
    }
  },
  options: async ({ page, pageSize, keyword }, { db, staff }) => {
    const where = and(named(keyword), citiesOf(staff))
    const list = await db
      .select({ id: city.id, city_name: city.city_name, status: city.status })
      .from(city)
      .where(where)
      .orderBy(asc(city.pinyin))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const [total] = await db.select({ n: count() }).from(city).where(where)
    return { list, total: total!.n }
  },
  getCityData: async ({ id }, { db, staff, now }) => {
    if (id === undefined) {
      needsNoScope(staff)
      const added = new Map(
        (await db.select({ adcode: city.adcode, id: city.id }).from(city)).map(row => [
          row.adcode,
          row.id,
        ]),
      )
      return provinces.map(province => ({
        ...province,
        children: province.children.map(one => ({ ...one, city_id: added.get(one.adcode) ?? 0 })),
      }))
    }
    const [read] = await rowsOf(db, now).where(and(eq(city.id, id), citiesOf(staff)))
    if (!read) throw missing()
    const admins = await db.execute<{ name: string }>(sql`
      select distinct a.name from admin a where a.status = 'active' and (
        (a.scope_type = 'city' and a.scope_ids @> to_jsonb(${id}::int))
        or (a.scope_type = 'inherit' and exists (select 1 from role r where r.status = 'on' and r.scope_type = 'city' and a.role_ids @> to_jsonb(r.id) and r.scope_ids @> to_jsonb(${id}::int)))
      ) order by a.name limit 50`)
    return {
      ...shown(read),
      settings: read.row.settings ?? citySettingsAtFirst,
      settings_version: read.row.settings_version,
      admin_names: admins.rows.map(row => row.name),
    }
  },
  divisions: async ({ page, pageSize, keyword }, { db }) => {
    const added = new Set(
      (await db.select({ adcode: city.adcode }).from(city)).map(row => row.adcode),
    )
    const typed = keyword?.toLowerCase() ?? ''
    const found = provinces.flatMap(province =>
      province.children
        .filter(
          one =>
            !added.has(one.adcode) &&
            (one.city_name.includes(typed) ||
              one.pinyin.startsWith(typed) ||
              one.adcode.startsWith(typed) ||
              province.name.startsWith(typed)),
        )
        .map(one => ({
          id: Number(one.adcode),
          city_name: one.city_name,
          province: province.name,
          pinned: one.lng !== null,
        })),
    )
    return { list: found.slice((page - 1) * pageSize, page * pageSize), total: found.length }
  },
  add: async ({ sort, ...given }, context) => {
    const { tx, staff } = context
    needAllCities(staff)
    const division = divisions.get(given.adcode)
    if (!division)
      throw invalid({
        adcode: say(
          ['行政区划表里没有这个代码', 'The division table has no such code'],
          staff.lang,
        ),
      })
    const [lng, lat] = [given.lng ?? division.lng, given.lat ?? division.lat]
    if (lng === null || lat === null)
      throw invalid({ lng: say(['请填写中心坐标', 'Give the pin'], staff.lang) })
    pinInside(lng, lat, staff.lang)
    const fields = {
      adcode: given.adcode,
      city_name: given.city_name ?? division.city_name,
      initial: given.initial ?? division.initial,
      pinyin: given.pinyin || division.pinyin,
      lng,
      lat,
    }
    await lockSequence(tx, CITIES)
    const [last] = await tx.select({ sort: sql<number | null>`max(${city.sort})` }).from(city)
    const [made] = await once(
      () =>
        tx
          .insert(city)
          .values({ ...fields, sort: sort ?? (last?.sort ?? -1) + 1, status: 'preparing' })
          .returning(),
      staff.lang,
    )
    context.log({
      object_type: 'city',
      object_id: made!.id,
      object_label: made!.city_name,
      after: {
        city_name: made!.city_name,
        adcode: made!.adcode,
        lng: made!.lng,
        lat: made!.lat,
        status: made!.status,
      },
    })
    return answer(made!)
  },
  edit: async ({ id, version, to_status, is_default, reason, ...fields }, context) => {
    const { tx, staff } = context
    const row = await readCity(tx, id, staff)
    if (row.version !== version) throw await staleRow(tx, 'city', row)
    const [lng, lat] = [fields.lng ?? row.lng, fields.lat ?? row.lat]
    pinInside(lng, lat, staff.lang)
    const set = Object.fromEntries(
      Object.entries({ ...fields, lng, lat }).filter(([, value]) => value !== undefined),
    )
    let after = await once(() => saveCity(tx, row, set), staff.lang)
    logged(context, row, after, reason)
    // The state and the default flag are verbs of their own, with rights of their own.
    const verbs = [
      ...(to_status && to_status !== row.status
        ? [to_status === 'open' ? ('open' as const) : ('pause' as const)]
        : []),
      ...(is_default && !row.is_default ? ['setDefault' as const] : []),
    ]
    if (is_default === false && row.is_default)
      throw ruled('one_default', [
        '必须有一个默认城市，请把另一个城市设为默认',
        'There must be a default city: make another the default',
      ])
    for (const verb of verbs) {
      if (!staff.can(`system.city.${verb}`)) throw forbidden()
      if (verb !== 'setDefault' && !reason)
        throw invalid({ reason: say(['请填写原因', 'Give a reason'], staff.lang) })
      after = await change(context, verb, { id, version: after.version, reason })
    }
    return answer(after)
  },
  del: async ({ id }, context) => {
    const { tx, staff } = context
    needAllCities(staff)
    await lockSequence(tx, CITIES)
    const [row] = await tx.select().from(city).where(eq(city.id, id)).for('update')
    if (!row) {
      context.log({
        object_type: 'city',
        object_id: id,
        object_label: '',
        after: { already: true },
      })
      return { id, deleted: true as const, already: true }
    }
    may('del', row)
    const used = await usesOfCity(tx, id)
    const what = wordsOfUses(used, staff.lang)
    if (what !== '')
      throw ruled(
        'has_data',
        ['还不能删除，仍有：{what}', 'It can’t be deleted, there are still: {what}'],
        { what },
        used,
      )
    await tx.delete(city).where(eq(city.id, id))
    context.log({
      object_type: 'city',
      object_id: id,
      object_label: row.city_name,
      before: { city_name: row.city_name, adcode: row.adcode, status: row.status },
      after: null,
    })
    return { id, deleted: true as const }
  },
  open: async (input, context) => answer(await change(context, 'open', input)),
  pause: async (input, context) => answer(await change(context, 'pause', input)),
  setDefault: async (input, context) => answer(await change(context, 'setDefault', input)),
  sort: async (sent, context) => {
    const { tx, staff } = context
    needAllCities(staff)
    await lockSequence(tx, CITIES)
    const before = await present(tx)
    const order = orderSent(sent, before)
    await tx.execute(
      sql`update city set sort = given.at from (select id, at::int - 1 as at from unnest(${sql.param(order)}::int[]) with ordinality as of(id, at)) given where given.id = city.id`,
    )
    context.log({
      object_type: 'city',
      object_id: 0,
      object_label: '',
      before: { order: before },
      after: { order },
    })
    return { list_version: sequenceVersion(order) }
  },
  export: async ({ format, columns, ...filters }, context) => {
    const [rows] = await context.tx
      .select({ n: count() })
      .from(city)
      .where(listWhere(filters, context.staff))
    const text = [
      filters.status && say(cityStates[filters.status], context.staff.lang),
      filters.keyword,
    ]
      .filter(Boolean)
      .join(' ')
    return startExport(context, {
      page: 'system.city',
      filters,
      filters_text: text,
      rows_expected: rows!.n,
      format,
      columns,
    })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

defineExport('system.city', {
  title: ['城市管理', 'Cities'],
  permit: 'system.city.export',
  columns: [
    { key: 'id', title: ['编号', 'ID'], kind: 'number' },
    { key: 'city_name', title: ['城市', 'City'] },
    { key: 'adcode', title: ['行政区划代码', 'Division code'] },
    { key: 'pinyin', title: ['拼音', 'Pinyin'] },
    { key: 'lng', title: ['经度', 'Longitude'] },
    { key: 'lat', title: ['纬度', 'Latitude'] },
    { key: 'status', title: ['状态', 'State'] },
    { key: 'default', title: ['默认', 'Default'] },
    { key: 'mall_count', title: ['商场', 'Malls'], kind: 'number' },
    { key: 'store_count', title: ['门店', 'Stores'], kind: 'number' },
    { key: 'member_count', title: ['会员', 'Members'], kind: 'number' },
    { key: 'opened_at', title: ['开城时间', 'Opened'], kind: 'time' },
  ],
  rows: async ({ db, staff, filters, now, after, limit }) => {
    const rows = await rowsOf(db, now)
      .where(
        and(
          listWhere(filters as { keyword?: string; status?: CityState }, staff),
          after === undefined ? undefined : sql`${city.id} > ${after}`,
        ),
      )
      .orderBy(asc(city.id))
      .limit(limit)
    return {
      rows: rows.map(shown).map(row => ({
        ...row,
        status: say(cityStates[row.status], staff.lang),
        default: row.is_default ? say(['是', 'Yes'], staff.lang) : '',
      })),
      next: rows.length < limit ? undefined : rows.at(-1)?.row.id,
    }
  },
})

defineRevertBy('city', (db, staff, id) => readCity(db, id, staff), [
  way(
    contract.edit,
    handlers.edit,
    ['city_name', 'lng', 'lat', 'sort'],
    ({ id, version, city_name, lng, lat, sort }) => ({ id, version, city_name, lng, lat, sort }),
  ),
])

export const cityServer = implement(contract, handlers)
