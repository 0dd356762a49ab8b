import { and, eq, inArray, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { tell } from '#src/areas/notice/notify.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { needAllCities, needPlace, withCountrys } from '#src/areas/place/places.server.ts'
import { rulesLately } from '#src/areas/release/featureSwitch.server.ts'
import {
  decide,
  featureKeys,
  features,
  featureTitles,
  levelOf,
  nearest,
  type Asker,
  type Feature,
  type FeatureLevel,
} from '#src/areas/release/featureSwitch.ts'
import { feature_switch } from '#src/areas/release/release.table.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { equal, faultless, record, turning, unlessTaken } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { countOf } from '#src/server/db/paging.ts'
import { goodiesSwitch as contract, KILL_WORD } from '../contract/goodiesSwitch.ts'

type Switch = typeof feature_switch.$inferSelect
type Place = Pick<Switch, 'city_id' | 'mall_id'>

const switches = record(feature_switch, {
  object: 'feature_switch',
  label: row => featureTitles[row.feature][0],
  keys: ['city_id', 'mall_id', 'status', 'percent', 'min_version', 'testers'],
  // The country's are everybody's to read.
  places: staff =>
    withCountrys(staff, { city: feature_switch.city_id, mall: feature_switch.mall_id }),
})
const heldOwn = async (
  context: WriteContext,
  one: { id: number; version: number },
): Promise<Switch> => {
  const was = await switches.held(context, one)
  needPlace(context.staff, was)
  return was
}
/** What a switch says of its last change; the log has all the others. */
const signed = ({ staff, now }: WriteContext, reason?: string) => ({
  changed_by: staff.id,
  changed_at: now,
  ...(reason !== undefined && { reason }),
})
const atLevel = (level: FeatureLevel | undefined): SQL | undefined => {
  if (level === 'mall') return isNotNull(feature_switch.mall_id)
  if (level === 'city')
    return and(isNotNull(feature_switch.city_id), isNull(feature_switch.mall_id))
  return level && isNull(feature_switch.city_id)
}
const inOrder = sql`array_position(${sql.param(`{${featureKeys.join()}}`)}::text[], ${feature_switch.feature})`

const rowsOf = (db: Db) =>
  db
    .select({
      row: feature_switch,
      city_name: city.city_name,
      mall_name: mall.name,
      by: admin.name,
    })
    .from(feature_switch)
    .leftJoin(city, eq(city.id, feature_switch.city_id))
    .leftJoin(mall, eq(mall.id, feature_switch.mall_id))
    .leftJoin(admin, eq(admin.id, feature_switch.changed_by))
const namesOf = async (db: Db, ids: readonly number[]): Promise<Map<number, string>> => {
  if (ids.length === 0) return new Map()
  const found = await db
    .select({ id: member.id, name: member.nickname })
    .from(member)
    .where(inArray(member.id, [...ids]))
  return new Map(found.map(one => [one.id, one.name]))
}
/** A part is held off where the feature above has no switch that is on. */
const isHeldOff = (rules: readonly Switch[], { feature, ...place }: Switch): boolean => {
  const { parent } = features[feature]
  return parent !== null && nearest(rules, parent, place)?.status !== 'on'
}

/** The mall of a switch lies in its city. */
const sound = async ({ tx, staff }: WriteContext, { city_id, mall_id }: Place): Promise<void> => {
  const [there] = mall_id === null ? [] : await tx.select().from(mall).where(eq(mall.id, mall_id))
  const elsewhere = mall_id !== null && there?.city_id !== city_id
  faultless(staff, {
    mall_id: elsewhere ? ['商场须属于所选城市', 'The mall must be of the city chosen'] : undefined,
  })
}
const askerOf = (of: {
  member_id?: number | undefined
  city_id?: number | undefined
  mall_id?: number | undefined
  version: string
}): Asker => ({
  member_id: of.member_id ?? null,
  city_id: of.city_id ?? null,
  mall_id: of.mall_id ?? null,
  version: of.version,
})
const allRules = (db: Db) => db.select().from(feature_switch)

const handlers = {
  lst: async ({ page, pageSize, level, ...same }, { db, staff }) => {
    const where = and(switches.seen(staff), equal(feature_switch, same), atLevel(level))
    const rows = await rowsOf(db)
      .where(where)
      .orderBy(
        inOrder,
        sql`${feature_switch.city_id} nulls first`,
        sql`${feature_switch.mall_id} nulls first`,
      )
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const rules = await allRules(db)
    const names = await namesOf(
      db,
      rows.flatMap(({ row }) => row.testers),
    )
    return {
      list: rows.map(({ row, city_name, mall_name, by }) => ({
        ...row,
        level: levelOf(row),
        city_name: city_name ?? '',
        mall_name: mall_name ?? '',
        by: by ?? '',
        testers: row.testers.map(id => ({ id, name: names.get(id) ?? '' })),
        held_off: isHeldOff(rules, row),
      })),
      ...(await countOf(db, feature_switch, where)),
    }
  },
  turnOn: async ({ feature, city_id, mall_id, percent, reason }, context) => {
    needPlace(context.staff, { city_id, mall_id })
    await sound(context, { city_id, mall_id })
    const made = { feature, city_id, mall_id, percent, status: 'on' as const }
    return unlessTaken(switches.add(context, { ...made, ...signed(context, reason) }), () =>
      ruled('switch_exists', [
        '该范围已有开关，请直接调整放量',
        'There is a switch for that place: set its percentage',
      ]),
    )
  },
  setPercent: async ({ percent, reason, ...one }, context) => {
    const was = await heldOwn(context, one)
    if (was.status === 'on' && was.percent === percent)
      throw ruled('unchanged', ['放量没有变化', 'That is its percentage'])
    const values = { status: 'on' as const, percent, ...signed(context, reason) }
    return switches.save(context, was, values, reason)
  },
  turnOff: async ({ reason, ...one }, context) => {
    const was = await turning(heldOwn(context, one), 'off', {
      rule: 'wrong_state',
      on: ['已开启', 'Already on'],
      off: ['已关闭', 'Already off'],
    })
    return switches.save(context, was, { status: 'off', ...signed(context, reason) }, reason)
  },
  setMinVersion: async ({ min_version, ...one }, context) =>
    switches.save(context, await heldOwn(context, one), { min_version, ...signed(context) }),
  addTester: async ({ member_ids, ...one }, context) => {
    const was = await heldOwn(context, one)
    if (was.city_id !== null)
      throw ruled('national_only', [
        '体验成员在全国开关上设置，对所有范围生效',
        'Testers are set with the country’s switch, and hold everywhere',
      ])
    const testers = [...new Set(member_ids)].sort((a, b) => a - b)
    const known = await namesOf(context.tx, testers)
    const strange = testers.filter(id => !known.has(id)).slice(0, 5)
    faultless(context.staff, {
      member_ids:
        strange.length > 0
          ? [
              `没有编号为 ${strange.join('、')} 的会员`,
              `No member has the number ${strange.join(', ')}`,
            ]
          : undefined,
    })
    return switches.save(context, was, { testers, ...signed(context) })
  },
  killAll: async ({ reason, typed, group_ids }, context) => {
    const { tx, staff } = context
    needAllCities(staff)
    faultless(staff, {
      typed: typed === KILL_WORD ? undefined : [`请输入“${KILL_WORD}”`, `Type “${KILL_WORD}”`],
    })
    const off = await tx
      .update(feature_switch)
      .set({
        status: 'off',
        version: sql`${feature_switch.version} + 1`,
        ...signed(context, reason),
      })
      .where(equal(feature_switch, { feature: 'goodies', status: 'on' }))
      .returning()
    if (off.length === 0) throw ruled('wrong_state', ['好物频道已全部关闭', 'All of it is off'])
    for (const row of off)
      switches.log(context, row, { before: { status: 'on' }, after: { status: 'off' }, reason })
    const told = await tell(
      tx,
      group_ids,
      'serious',
      `【好物频道已一键关闭】操作人：${staff.name}，原因：${reason}`,
    )
    return { off: off.length, told: told.map(group => group.name) }
  },
  preview: async ({ member_id, ...where }, { db }) => {
    const name = (await namesOf(db, [member_id])).get(member_id)
    if (name === undefined) throw missing()
    const rules = await allRules(db)
    const asker = askerOf({ member_id, ...where })
    return {
      member: name,
      parts: featureKeys.map(feature => ({ feature, ...decide(rules, feature, asker) })),
    }
  },
  features: async (asked, { db }) => {
    const rules = await rulesLately(db)
    const asker = askerOf(asked)
    const isOn = (feature: Feature) => decide(rules, feature, asker).on
    return { on: featureKeys.filter(isOn) }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const goodiesSwitchServer = implement(contract, handlers)
