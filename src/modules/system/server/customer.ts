import { and, asc, eq, gt, ilike, isNull, lte, ne, sql, type SQL } from 'drizzle-orm'
import {
  QR_WARN_S,
  contactTypes,
  covered,
  hoursFault,
  hoursMeet,
  isOpenAt,
  qrState,
  routeOf,
  scenes,
  valueFault,
  type ContactType,
  type Scene,
} from '#src/areas/content/contact.ts'
import { service_contact } from '#src/areas/content/content.table.ts'
import { setting } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { citiesOf, needAllCities, rulesCity } from '#src/areas/place/places.server.ts'
import type { Sent } from '#src/contract/call.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { say } from '#src/domain/text.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way } from '#src/server/call/reverts.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { difference, saveRow, staleRow } from '#src/server/call/versions.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { lockSequence, orderSent } from '#src/server/db/sequence.ts'
import { customer as contract } from '../contract/customer.ts'

type Contact = typeof service_contact.$inferSelect
type Fields = {
  scene: Scene
  city_id: number
  mall_id: number
  type: ContactType
  value: string
  qr: string
  hours: Contact['hours']
  auto_reply: string
  expires_at: number | null
}

/** National ones are everybody's to read. */
const inScope = ({ scope }: Pick<Staff, 'scope'>): SQL | undefined =>
  seesAll(scope)
    ? undefined
    : sql`(${service_contact.city_id} is null or ${within(scope, { city: service_contact.city_id, mall: service_contact.mall_id })})`
const readContact = async (db: Db, id: number, staff: Pick<Staff, 'scope'>): Promise<Contact> => {
  const [row] = await db
    .select()
    .from(service_contact)
    .where(and(eq(service_contact.id, id), inScope(staff)))
  if (!row) throw missing()
  return row
}
const needOwn = (
  staff: Pick<Staff, 'scope'>,
  of: { city_id: number | null; mall_id: number },
): void => {
  if (of.city_id === null) return needAllCities(staff)
  if (
    !rulesCity(staff, of.city_id) &&
    !(of.mall_id > 0 && (staff.scope.malls as readonly number[]).includes(of.mall_id))
  )
    throw missing()
}
/**
 * Two changes of who covers a scene wait for each other, so that the last two contacts can't be
 * switched off at once.
 */
const lock = (tx: Db, scene: Scene) => lockSequence(tx, `service_contact/${scene}`)
const sameGroup = (of: { scene: Scene; city_id: number | null; mall_id: number }) =>
  and(
    eq(service_contact.scene, of.scene),
    of.city_id === null ? isNull(service_contact.city_id) : eq(service_contact.city_id, of.city_id),
    eq(service_contact.mall_id, of.mall_id),
  )
const groupIds = async (db: Db, of: { scene: Scene; city_id: number | null; mall_id: number }) =>
  (
    await db
      .select({ id: service_contact.id })
      .from(service_contact)
      .where(sameGroup(of))
      .orderBy(asc(service_contact.priority), asc(service_contact.id))
  ).map(row => row.id)

const label = (row: Pick<Contact, 'scene' | 'type' | 'value'>) =>
  `${scenes[row.scene][0]} ${contactTypes[row.type][0]} ${row.value}`.slice(0, 60)
const rowsOf = (db: Db) =>
  db
    .select({ row: service_contact, city_name: city.city_name, mall_name: mall.name })
    .from(service_contact)
    .leftJoin(city, eq(city.id, service_contact.city_id))
    .leftJoin(mall, eq(mall.id, service_contact.mall_id))
const shown = (
  {
    row: { created_at: _, updated_at: __, off_reason, ...row },
    city_name,
    mall_name,
  }: Awaited<ReturnType<typeof rowsOf>>[number],
  now: number,
) => ({
  ...row,
  name: label(row),
  city_id: row.city_id ?? 0,
  city_name: city_name ?? '',
  mall_name: mall_name ?? '',
  off_reason: off_reason ?? '',
  qr_state: qrState(row.expires_at, now),
  open_now:
    row.status === 'on' && isOpenAt(row.hours, now) && qrState(row.expires_at, now) !== 'expired',
})

const place = (
  of: { city_id: number | null; mall_id: number },
  names: { city_name: string | null; mall_name: string | null },
) =>
  of.mall_id > 0 ? (names.mall_name ?? '') : of.city_id === null ? '全国' : (names.city_name ?? '')
const keys = [
  'scene',
  'city_id',
  'mall_id',
  'type',
  'value',
  'qr',
  'hours',
  'auto_reply',
  'expires_at',
  'status',
] as const

/** All that a contact must be by itself and beside the others of its place. */
const sound = async (
  { tx, staff, now }: WriteContext,
  of: Fields,
  except: number,
  on: boolean,
): Promise<void> => {
  const [bound] = await tx
    .select({ value: setting.value })
    .from(setting)
    .where(eq(setting.key, 'wecom'))
  const accounts = (bound?.value as { accounts?: string[] } | undefined)?.accounts ?? []
  const wrong = valueFault(of.type, of.value, accounts)
  const badHours = hoursFault(of.hours)
  if (wrong || badHours)
    throw invalid({
      ...(wrong && { value: say(wrong, staff.lang) }),
      ...(badHours && { hours: say(badHours, staff.lang) }),
    })
  if (of.expires_at !== null && of.expires_at <= now)
    throw invalid({ expires_at: say(['到期时间已过', 'That is in the past'], staff.lang) })
  if (of.mall_id > 0) {
    const [own] = await tx
      .select({ city_id: mall.city_id })
      .from(mall)
      .where(eq(mall.id, of.mall_id))
    if (!own || own.city_id !== of.city_id)
      throw invalid({
        mall_id: say(['商场须属于所选城市', 'The mall must be of the city chosen'], staff.lang),
      })
  }
  if (of.city_id > 0) {
    const [there] = await tx.select({ id: city.id }).from(city).where(eq(city.id, of.city_id))
    if (!there) throw invalid({ city_id: say(['城市不存在', 'There is no such city'], staff.lang) })
  }
  if (!on) return
  await noOverlap(tx, of, except)
}
/** Shifts of one channel: of two phones of a scene and place, only one is on duty at a time. */
const noOverlap = async (
  tx: Db,
  of: Pick<Fields, 'scene' | 'mall_id' | 'type' | 'hours'> & { city_id: number | null },
  except: number,
): Promise<void> => {
  const others = await tx
    .select()
    .from(service_contact)
    .where(
      and(
        sameGroup({ ...of, city_id: of.city_id || null }),
        eq(service_contact.type, of.type),
        eq(service_contact.status, 'on'),
        ne(service_contact.id, except),
      ),
    )
  const other = others.find(one => hoursMeet(one.hours, of.hours))
  if (other)
    throw ruled(
      'hours_overlap',
      [
        '与“{name}”的工作时间重叠：同一场景同一天同类渠道不能重叠',
        'Its hours overlap those of “{name}”: contacts of one scene, day and kind may not',
      ],
      { name: other.value || contactTypes[other.type][0] },
      { other: other.id },
    )
}
/** Refuses what would leave an open city without anybody in a scene. */
const staysCovered = async (
  { tx, now }: Pick<WriteContext, 'tx' | 'now'>,
  scene: Scene,
  without: Contact,
  instead?: Contact,
): Promise<void> => {
  const rest = await tx
    .select()
    .from(service_contact)
    .where(
      and(
        eq(service_contact.scene, scene),
        eq(service_contact.status, 'on'),
        ne(service_contact.id, without.id),
      ),
    )
  const all = instead ? [...rest, instead] : rest
  const open = await tx
    .select({ id: city.id, name: city.city_name })
    .from(city)
    .where(eq(city.status, 'open'))
    .orderBy(asc(city.sort))
  // What was not covered before is no reason to forbid this.
  const bare = open.filter(
    one => covered([...rest, without], scene, one.id, now) && !covered(all, scene, one.id, now),
  )
  if (bare.length > 0)
    throw ruled(
      'last_contact',
      [
        '这是{cities}“{scene}”场景最后一个可用渠道，请先启用另一个',
        'It is the last contact for “{scene}” in {cities}: enable another first',
      ],
      { cities: bare.map(one => one.name).join('、'), scene: scenes[scene][0] },
      { cities: bare.map(one => one.id) },
    )
}
const columns = ({ city_id, ...rest }: Fields) => ({ ...rest, city_id: city_id || null })

const handlers = {
  lst: async (
    { page, pageSize, scene, city_id, mall_id, type, status, qr_state, keyword },
    { db, staff, now },
  ) => {
    const where = and(
      inScope(staff),
      scene && eq(service_contact.scene, scene),
      city_id === undefined
        ? undefined
        : city_id === 0
          ? isNull(service_contact.city_id)
          : eq(service_contact.city_id, city_id),
      mall_id === undefined ? undefined : eq(service_contact.mall_id, mall_id),
      type && eq(service_contact.type, type),
      status && eq(service_contact.status, status),
      keyword ? ilike(service_contact.value, like(keyword)) : undefined,
      qr_state === 'expired'
        ? lte(service_contact.expires_at, now)
        : qr_state === 'expiring'
          ? and(
              gt(service_contact.expires_at, now),
              lte(service_contact.expires_at, now + QR_WARN_S),
            )
          : undefined,
    )
    const rows = await rowsOf(db)
      .where(where)
      .orderBy(
        asc(service_contact.scene),
        sql`${service_contact.city_id} nulls first`,
        asc(service_contact.mall_id),
        asc(service_contact.priority),
        asc(service_contact.id),
      )
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const enabled = await db.select().from(service_contact).where(eq(service_contact.status, 'on'))
    const open = await db
      .select({ city_id: city.id, city_name: city.city_name })
      .from(city)
      .where(and(eq(city.status, 'open'), citiesOf(staff)))
      .orderBy(asc(city.sort))
    const uncovered = open.flatMap(one =>
      (Object.keys(scenes) as Scene[])
        .filter(key => !covered(enabled, key, one.city_id, now))
        .map(key => ({ ...one, scene: key })),
    )
    return {
      list: rows.map(row => shown(row, now)),
      ...(await countOf(db, service_contact, where)),
      uncovered,
    }
  },
  group: async ({ scene, city_id, mall_id }, { db, staff, now }) => {
    const of = { scene, city_id: city_id || null, mall_id }
    const rows = await rowsOf(db)
      .where(and(sameGroup(of), inScope(staff)))
      .orderBy(asc(service_contact.priority), asc(service_contact.id))
    return {
      list: rows.map(row => shown(row, now)),
      list_version: sequenceVersion(await groupIds(db, of)),
    }
  },
  create: async (fields, context) => {
    const { tx, staff, log } = context
    const of = columns(fields)
    needOwn(staff, of)
    await lock(tx, of.scene)
    await sound(context, fields, 0, true)
    const [last] = await tx
      .select({ n: sql<number | null>`max(${service_contact.priority})` })
      .from(service_contact)
      .where(sameGroup(of))
    const [made] = await tx
      .insert(service_contact)
      .values({ ...of, priority: (last?.n ?? -1) + 1 })
      .returning()
    log({
      object_type: 'service_contact',
      object_id: made!.id,
      object_label: label(made!),
      after: { ...fields },
    })
    return { id: made!.id, version: made!.version }
  },
  edit: async ({ id, version, ...fields }, context) => {
    const { tx, staff, now, log } = context
    const was = await readContact(tx, id, staff)
    const of = columns(fields)
    needOwn(staff, was)
    needOwn(staff, of)
    if (was.version !== version) throw await staleRow(tx, 'service_contact', was)
    for (const scene of [...new Set([was.scene, of.scene])].sort()) await lock(tx, scene)
    // An end that has passed is shown as such; only a new one is asked to lie ahead.
    await sound(
      context,
      { ...fields, expires_at: fields.expires_at === was.expires_at ? null : fields.expires_at },
      id,
      was.status === 'on',
    )
    if (
      was.status === 'on' &&
      (was.scene !== of.scene || was.city_id !== of.city_id || was.mall_id !== of.mall_id)
    )
      await staysCovered(
        context,
        was.scene,
        was,
        was.scene === of.scene ? { ...was, ...of } : undefined,
      )
    const after = await saveRow(tx, service_contact, 'service_contact', was, {
      ...of,
      updated_at: now,
    })
    log({
      object_type: 'service_contact',
      object_id: id,
      object_label: label(after),
      ...difference(was, after, keys),
    })
    return { id, version: after.version }
  },
  sort: async ({ scene, city_id, mall_id, ...sent }, context) => {
    const { tx, staff, log } = context
    const of = { scene, city_id: city_id || null, mall_id }
    needOwn(staff, of)
    await lock(tx, scene)
    const before = await groupIds(tx, of)
    const order = orderSent(sent, before)
    await tx.execute(
      sql`update service_contact set priority = given.at from (select id, at::int - 1 as at from unnest(${sql.param(order)}::int[]) with ordinality as of(id, at)) given where given.id = service_contact.id`,
    )
    const [name] =
      of.city_id === null
        ? []
        : await tx
            .select({ city_name: city.city_name, mall_name: mall.name })
            .from(city)
            .leftJoin(mall, eq(mall.id, mall_id))
            .where(eq(city.id, of.city_id))
    log({
      object_type: 'service_contact',
      object_id: 0,
      object_label: `${scenes[scene][0]} ${place(of, { city_name: name?.city_name ?? null, mall_name: name?.mall_name ?? null })}`,
      before: { order: before },
      after: { order },
    })
    return { list_version: sequenceVersion(order) }
  },
  testRoute: async ({ scene, city_id, mall_id, time }, { db, staff, now }) => {
    const [seen] = await db
      .select({ id: city.id })
      .from(city)
      .where(and(eq(city.id, city_id), citiesOf(staff)))
    if (!seen) throw missing()
    const rows = await rowsOf(db).where(
      and(
        eq(service_contact.scene, scene),
        sql`(${service_contact.city_id} is null or ${service_contact.city_id} = ${city_id})`,
      ),
    )
    const byId = new Map(rows.map(row => [row.row.id, row]))
    const { chosen, in_hours, level, steps } = routeOf(
      rows.map(({ row }) => row),
      { scene, city_id, mall_id, at: time },
    )
    return {
      chosen: chosen ? shown(byId.get(chosen.id)!, now) : null,
      in_hours,
      level: level ?? null,
      reply:
        chosen && !in_hours
          ? byId.get(chosen.id)!.row.auto_reply ||
            say(
              [
                '当前非工作时间，我们会尽快回复你',
                'We are closed now and will answer as soon as we can',
              ],
              staff.lang,
            )
          : '',
      steps: steps.map(step => ({ ...step, chosen: step.level === level })),
    }
  },
  setAutoReply: async ({ id, version, text }, context) => {
    const { tx, staff, log } = context
    const was = await readContact(tx, id, staff)
    needOwn(staff, was)
    if (was.version !== version) throw await staleRow(tx, 'service_contact', was)
    const after = await saveRow(tx, service_contact, 'service_contact', was, { auto_reply: text })
    log({
      object_type: 'service_contact',
      object_id: id,
      object_label: label(after),
      ...difference(was, after, keys),
    })
    return { id, version: after.version }
  },
  enable: async ({ id, version }, context) => {
    const { tx, staff, now, log } = context
    const was = await readContact(tx, id, staff)
    needOwn(staff, was)
    if (was.version !== version) throw await staleRow(tx, 'service_contact', was)
    if (was.status === 'on') throw ruled('wrong_state', ['已启用', 'It is enabled'])
    if (qrState(was.expires_at, now) === 'expired')
      throw ruled('qr_expired', ['二维码已过期，请先更换', 'Its QR has expired: change it first'])
    await lock(tx, was.scene)
    await noOverlap(tx, was, id)
    const after = await saveRow(tx, service_contact, 'service_contact', was, {
      status: 'on',
      off_reason: null,
    })
    log({
      object_type: 'service_contact',
      object_id: id,
      object_label: label(after),
      before: { status: 'off' },
      after: { status: 'on' },
    })
    return { id, version: after.version }
  },
  disable: async ({ id, version, reason }, context) => {
    const { tx, staff, log } = context
    const was = await readContact(tx, id, staff)
    needOwn(staff, was)
    if (was.version !== version) throw await staleRow(tx, 'service_contact', was)
    if (was.status === 'off') throw ruled('wrong_state', ['已停用', 'It is disabled'])
    await lock(tx, was.scene)
    await staysCovered(context, was.scene, was)
    const after = await saveRow(tx, service_contact, 'service_contact', was, {
      status: 'off',
      off_reason: reason,
    })
    log({
      object_type: 'service_contact',
      object_id: id,
      object_label: label(after),
      before: { status: 'on' },
      after: { status: 'off' },
      reason,
    })
    return { id, version: after.version }
  },
  del: async ({ id, version }, context) => {
    const { tx, staff, log } = context
    const was = await readContact(tx, id, staff)
    needOwn(staff, was)
    if (was.version !== version) throw await staleRow(tx, 'service_contact', was)
    await lock(tx, was.scene)
    if (was.status === 'on') await staysCovered(context, was.scene, was)
    await tx
      .delete(service_contact)
      .where(and(eq(service_contact.id, id), eq(service_contact.version, version)))
    log({
      object_type: 'service_contact',
      object_id: id,
      object_label: label(was),
      before: Object.fromEntries(keys.map(key => [key, was[key]])),
      after: null,
    })
    return { id, deleted: true as const }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

defineRevertBy('service_contact', (db, staff, id) => readContact(db, id, staff), [
  way(
    contract.edit,
    handlers.edit,
    ['scene', 'city_id', 'mall_id', 'type', 'value', 'qr', 'hours', 'auto_reply', 'expires_at'],
    old => ({ ...old, city_id: old['city_id'] ?? 0 }) as Sent<typeof contract.edit>,
  ),
])

export const customerServer = implement(contract, handlers)
