import { and, asc, eq, gt, isNull, lte, ne, sql, type SQL } from 'drizzle-orm'
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
  type Scene,
} from '#src/areas/content/contact.ts'
import { service_contact } from '#src/areas/content/content.table.ts'
import { setting } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { citiesOf, needPlace, withCountrys } from '#src/areas/place/places.server.ts'
import type { Sent } from '#src/contract/call.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { joined, joinedNames, saidIn, saidInBoth, say } from '#src/domain/text.ts'
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
  faultless,
  holding,
  record,
  reverting,
  turning,
} from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { way } from '#src/server/call/reverts.ts'
import { countOf } from '#src/server/db/paging.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { customer as contract } from '../contract/customer.ts'

type Contact = typeof service_contact.$inferSelect
/** Where contacts stand beside each other, in an order; without a city the whole country. */
type Group = Pick<Contact, 'scene' | 'city_id' | 'mall_id'>
type Fields = Group & Pick<Contact, 'type' | 'value' | 'qr' | 'hours' | 'auto_reply' | 'expires_at'>

const edited = [
  'scene',
  'city_id',
  'mall_id',
  'type',
  'value',
  'qr',
  'hours',
  'auto_reply',
  'expires_at',
] as const
const label = (row: Pick<Contact, 'scene' | 'type' | 'value'>) =>
  `${scenes[row.scene][0]} ${contactTypes[row.type][0]} ${row.value}`.slice(0, 60)
const contacts = record(service_contact, {
  object: 'service_contact',
  label,
  keys: [...edited, 'status'],
  // National ones are everybody's to read.
  places: staff =>
    withCountrys(staff, { city: service_contact.city_id, mall: service_contact.mall_id }),
})
/** What is sent and shown as city 0 is the whole country, which has no city. */
const placed = <T extends { city_id: number }>(of: T) => ({ ...of, city_id: of.city_id || null })
const needOwn = (staff: Pick<Staff, 'scope'>, { city_id, mall_id }: Group): void =>
  needPlace(staff, { city_id, mall_id: mall_id || null })
/** The contact as the person holds it, which is theirs to change. */
const heldOwn = async (
  context: WriteContext,
  one: { id: number; version: number },
): Promise<Contact> => {
  const was = await contacts.held(context, one)
  needOwn(context.staff, was)
  return was
}
/**
 * Two changes of who covers a scene wait for each other, so that the last two contacts can't be
 * switched off at once.
 */
const lock = (tx: Db, scene: Scene) => lockSequence(tx, `service_contact/${scene}`)
const inGroup = ({ scene, city_id, mall_id }: Group): SQL | undefined =>
  and(
    equal(service_contact, { scene, mall_id, ...(city_id !== null && { city_id }) }),
    city_id === null ? isNull(service_contact.city_id) : undefined,
  )
const idsIn = async (db: Db, of: Group): Promise<number[]> => {
  const rows = await db
    .select({ id: service_contact.id })
    .from(service_contact)
    .where(inGroup(of))
    .orderBy(asc(service_contact.priority), asc(service_contact.id))
  return rows.map(row => row.id)
}
const groupName = async (tx: Db, { city_id, mall_id }: Group): Promise<string> => {
  if (city_id === null) return joined(['全国', 'Everywhere'])
  const [names] = await tx
    .select({ city: city.city_name, mall: mall.name })
    .from(city)
    .leftJoin(mall, eq(mall.id, mall_id))
    .where(eq(city.id, city_id))
  return (mall_id > 0 ? names?.mall : names?.city) ?? ''
}

const rowsOf = (db: Db) =>
  db
    .select({ row: service_contact, city_name: city.city_name, mall_name: mall.name })
    .from(service_contact)
    .leftJoin(city, eq(city.id, service_contact.city_id))
    .leftJoin(mall, eq(mall.id, service_contact.mall_id))
type Joined = Awaited<ReturnType<typeof rowsOf>>[number]
const shown = ({ row, city_name, mall_name }: Joined, now: number) => {
  const qr_state = qrState(row.expires_at, now)
  return {
    ...row,
    name: label(row),
    city_id: row.city_id ?? 0,
    city_name: city_name ?? '',
    mall_name: mall_name ?? '',
    off_reason: row.off_reason ?? '',
    qr_state,
    open_now: row.status === 'on' && isOpenAt(row.hours, now) && qr_state !== 'expired',
  }
}

/** All that a contact must be by itself and beside the others of its place. */
const sound = async (
  { tx, staff, now }: WriteContext,
  of: Fields,
  was?: Contact,
): Promise<void> => {
  const [bound] = await tx
    .select({ value: setting.value })
    .from(setting)
    .where(eq(setting.key, 'wecom'))
  const accounts = (bound?.value as { accounts?: string[] } | undefined)?.accounts ?? []
  faultless(staff, {
    value: valueFault(of.type, of.value, accounts),
    hours: hoursFault(of.hours),
  })
  // An end that has passed is shown as such; only a new one is asked to lie ahead.
  const late = of.expires_at !== null && of.expires_at <= now && of.expires_at !== was?.expires_at
  faultless(staff, { expires_at: late ? ['到期时间已过', 'That is in the past'] : undefined })
  const [own] = of.mall_id > 0 ? await tx.select().from(mall).where(eq(mall.id, of.mall_id)) : []
  const elsewhere = of.mall_id > 0 && own?.city_id !== (of.city_id ?? 0)
  faultless(staff, {
    mall_id: elsewhere ? ['商场须属于所选城市', 'The mall must be of the city chosen'] : undefined,
  })
  const [there] = of.city_id ? await tx.select().from(city).where(eq(city.id, of.city_id)) : []
  faultless(staff, {
    city_id: of.city_id && !there ? ['城市不存在', 'There is no such city'] : undefined,
  })
  if (was?.status !== 'off') await noOverlap(tx, of, was?.id)
}
/** Shifts of one channel: of two phones of a scene and place, only one is on duty at a time. */
const noOverlap = async (tx: Db, of: Group & Fields, except = 0): Promise<void> => {
  const others = await tx
    .select()
    .from(service_contact)
    .where(
      and(
        inGroup(of),
        equal(service_contact, { type: of.type, status: 'on' }),
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
  { tx, now }: WriteContext,
  without: Contact,
  instead?: Contact,
): Promise<void> => {
  const { scene } = without
  const rest = await tx
    .select()
    .from(service_contact)
    .where(and(equal(service_contact, { scene, status: 'on' }), ne(service_contact.id, without.id)))
  const all = instead?.scene === scene ? [...rest, instead] : rest
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
      { cities: joinedNames(bare.map(one => one.name)), scene: joined(scenes[scene]) },
      { cities: bare.map(one => one.id) },
    )
}
/** Every scene of an open city in which nobody would answer. */
const uncovered = async (db: Db, staff: Staff, now: number) => {
  const enabled = await db.select().from(service_contact).where(eq(service_contact.status, 'on'))
  const open = await db
    .select({ city_id: city.id, city_name: city.city_name })
    .from(city)
    .where(and(eq(city.status, 'open'), citiesOf(staff)))
    .orderBy(asc(city.sort))
  return open.flatMap(one =>
    (Object.keys(scenes) as Scene[])
      .filter(scene => !covered(enabled, scene, one.city_id, now))
      .map(scene => ({ ...one, scene })),
  )
}
const expiring = (state: 'expiring' | 'expired' | undefined, now: number): SQL | undefined => {
  const { expires_at } = service_contact
  if (state === 'expired') return lte(expires_at, now)
  return state && and(gt(expires_at, now), lte(expires_at, now + QR_WARN_S))
}

const handlers = {
  lst: async ({ page, pageSize, city_id, qr_state, keyword, ...same }, { db, staff, now }) => {
    const where = and(
      contacts.seen(staff),
      equal(service_contact, { ...same, city_id: city_id || undefined }),
      city_id === 0 ? isNull(service_contact.city_id) : undefined,
      holding(keyword, [service_contact.value]),
      expiring(qr_state, now),
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
    return {
      list: rows.map(row => shown(row, now)),
      ...(await countOf(db, service_contact, where)),
      uncovered: await uncovered(db, staff, now),
    }
  },
  group: async (asked, { db, staff, now }) => {
    const of = placed(asked)
    const rows = await rowsOf(db)
      .where(and(inGroup(of), contacts.seen(staff)))
      .orderBy(asc(service_contact.priority), asc(service_contact.id))
    return {
      list: rows.map(row => shown(row, now)),
      list_version: sequenceVersion(await idsIn(db, of)),
    }
  },
  create: async (fields, context) => {
    const of = placed(fields)
    needOwn(context.staff, of)
    await lock(context.tx, of.scene)
    await sound(context, of)
    const [last] = await context.tx
      .select({ n: sql<number | null>`max(${service_contact.priority})` })
      .from(service_contact)
      .where(inGroup(of))
    return contacts.add(context, { ...of, priority: (last?.n ?? -1) + 1 })
  },
  edit: async ({ id, version, ...fields }, context) => {
    const of = placed(fields)
    const was = await heldOwn(context, { id, version })
    needOwn(context.staff, of)
    for (const scene of [...new Set([was.scene, of.scene])].sort()) await lock(context.tx, scene)
    await sound(context, of, was)
    const moves = was.scene !== of.scene || was.city_id !== of.city_id || was.mall_id !== of.mall_id
    if (was.status === 'on' && moves) await staysCovered(context, was, { ...was, ...of })
    return contacts.save(context, was, { ...of, updated_at: context.now })
  },
  sort: async (asked, { tx, staff, log }) => {
    const { order: _, list_version: __, ...of } = placed(asked)
    needOwn(staff, of)
    await lock(tx, of.scene)
    const before = await idsIn(tx, of)
    const { order, list_version } = await arrange(tx, asked, before, {
      sets: service_contact.priority,
      by: service_contact.id,
    })
    const where = await groupName(tx, of)
    log({
      object_type: 'service_contact',
      object_id: 0,
      object_label: saidInBoth(lang => `${say(scenes[of.scene], lang)} ${saidIn(where, lang)}`),
      before: { order: before },
      after: { order },
    })
    return { list_version }
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
  setAutoReply: async ({ text, ...one }, context) =>
    contacts.save(context, await heldOwn(context, one), { auto_reply: text }),
  enable: async (one, context) => {
    const was = await turning(heldOwn(context, one), 'on')
    if (qrState(was.expires_at, context.now) === 'expired')
      throw ruled('qr_expired', ['二维码已过期，请先更换', 'Its QR has expired: change it first'])
    await lock(context.tx, was.scene)
    await noOverlap(context.tx, was, was.id)
    return contacts.save(context, was, { status: 'on', off_reason: null })
  },
  disable: async ({ reason, ...one }, context) => {
    const was = await turning(heldOwn(context, one), 'off')
    await lock(context.tx, was.scene)
    await staysCovered(context, was)
    return contacts.save(context, was, { status: 'off', off_reason: reason }, reason)
  },
  del: async (one, context) => {
    const was = await heldOwn(context, one)
    await lock(context.tx, was.scene)
    if (was.status === 'on') await staysCovered(context, was)
    return contacts.remove(context, was)
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(contacts, [
  way(
    contract.edit,
    handlers.edit,
    edited,
    old => ({ ...old, city_id: old['city_id'] ?? 0 }) as Sent<typeof contract.edit>,
  ),
])

export const customerServer = implement(contract, handlers)
