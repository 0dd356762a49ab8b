import { and, eq, inArray, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { city, mall } from '#src/areas/place/place.table.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { fieldMode, matches } from '#src/server/call/permissions.ts'
import { invalid, missing, ruled, type Refusal } from '#src/server/call/refuse.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { staleRow } from '#src/server/call/versions.ts'
import { admin, field_key, role } from './people.table.ts'
import { SUPER_ADMIN, aboveYou, superRemains } from './people.ts'
import { knownPermits } from './permits.server.ts'
import { modeFits, scopeFits, type FieldMode, type ScopeType } from './rights.ts'

export type Role = typeof role.$inferSelect
export type Admin = typeof admin.$inferSelect

/**
 * The refusal of a write that carried an old version: who changed the row since, and when. Not
 * found where it is gone.
 */
export const stale = async (
  tx: Db,
  object_type: string,
  current: object | undefined,
  id: number,
): Promise<Refusal> => {
  return current ? staleRow(tx, object_type, { ...current, id }) : missing()
}
type Versioned = PgTable & { id: PgColumn; version: PgColumn }
/**
 * Makes the update of a table's rows: guarded by the version that was read, and refused when it
 * changed since. `show` says what of the present row the caller may be told.
 */
export const updating =
  <T extends Versioned>(table: T, object_type: string, show: (row: T['$inferSelect']) => object) =>
  async (
    tx: Db,
    one: { id: number; version: number },
    set: Partial<T['$inferInsert']>,
  ): Promise<T['$inferSelect']> => {
    const [row] = (await tx
      .update(table as PgTable)
      .set({ ...set, version: sql`${table.version} + 1` } as never)
      .where(and(eq(table.id, one.id), eq(table.version, one.version)))
      .returning()) as T['$inferSelect'][]
    if (row) return row
    const [now] = (await tx
      .select()
      .from(table as PgTable)
      .where(eq(table.id, one.id))) as T['$inferSelect'][]
    throw await stale(tx, object_type, now && show(now), one.id)
  }

/** What an asker may hand out at most. */
export type Measure = {
  staff: Staff
  defaults: Readonly<Record<string, FieldMode>>
  cityOf: (mall: number) => number | undefined
}
export const measureOf = async (db: Db, staff: Staff): Promise<Measure> => {
  const keys = await db
    .select({ key: field_key.key, mode: field_key.default_mode })
    .from(field_key)
    .where(eq(field_key.status, 'on'))
  const malls = seesAll(staff.scope)
    ? []
    : await db.select({ id: mall.id, city_id: mall.city_id }).from(mall)
  const cities = new Map(malls.map(one => [one.id, one.city_id]))
  return {
    staff,
    defaults: Object.fromEntries(keys.map(one => [one.key, one.mode])),
    cityOf: id => cities.get(id),
  }
}
/** Rights of `perms` (keys and patterns) that the asker does not have. */
export const permsBeyond = (staff: Staff, perms: readonly string[]): string[] => {
  if (staff.can('*')) return []
  const covered = (pattern: string) => {
    const all = knownPermits.filter(permit => matches(pattern, permit))
    return all.length > 0 && all.every(staff.can)
  }
  return perms.filter(perm => !staff.can(perm) && !(perm.endsWith('.*') && covered(perm)))
}
/** True when nothing of the fields is shown further than the asker sees it. */
export const fieldsFit = (
  { staff, defaults }: Measure,
  modeOf: (key: string) => FieldMode,
  keys: readonly string[] = Object.keys(defaults),
): boolean => staff.can('*') || keys.every(key => modeFits(staff.field(key), modeOf(key)))
/** All that a role gives. */
export type Grant = {
  perms: readonly string[]
  scope_type: ScopeType
  scope_ids: readonly number[]
  field_rules: Readonly<Record<string, FieldMode>>
  refund_limit_cents: number
}
/**
 * What of a role is wider than the asker's own, in words; undefined when all of it may be handed
 * out.
 */
export const beyond = (measure: Measure, of: Grant): Text | undefined => {
  const { staff, defaults, cityOf } = measure
  if (permsBeyond(staff, of.perms).length > 0)
    return ['含有你没有的权限', 'It holds rights that you lack']
  if (!scopeFits(staff.scope, of, cityOf))
    return ['数据范围大于你的范围', 'Its data scope is wider than yours']
  if (of.refund_limit_cents > staff.refund_limit_cents)
    return ['退款额度高于你的额度', 'Its refund limit is above yours']
  if (!fieldsFit(measure, key => of.field_rules[key] ?? defaults[key] ?? 'show'))
    return ['字段可见程度高于你的权限', 'It shows fields that you may not see']
  return undefined
}
/**
 * True when a person with these roles has more than the asker in anything: rights, data, fields or
 * refund limit. A role that is off counts: it may be on again tomorrow.
 */
export const isAbove = (
  measure: Measure,
  person: Pick<Admin, 'scope_type' | 'scope_ids'>,
  roles: readonly Role[],
): boolean => {
  const { staff, defaults, cityOf } = measure
  const scopes =
    person.scope_type === 'inherit'
      ? roles
      : [{ scope_type: person.scope_type, scope_ids: person.scope_ids }]
  return (
    permsBeyond(
      staff,
      roles.flatMap(one => one.perms),
    ).length > 0 ||
    scopes.some(one => !scopeFits(staff.scope, one, cityOf)) ||
    roles.some(one => one.refund_limit_cents > staff.refund_limit_cents) ||
    (roles.length > 0 &&
      !fieldsFit(measure, key =>
        fieldMode(
          roles.map(one => one.field_rules[key]),
          defaults[key],
        ),
      ))
  )
}
export const tooWide = (why: Text): Refusal =>
  ruled('wider_than_own', [
    `不能授予或收回超出自己的权限：${why[0]}`,
    `You can’t give or take what you do not have: ${why[1]}`,
  ])

/**
 * Roles by id that may be handed out; refuses an unknown or disabled one, and one that is wider
 * than the asker's own. `held` are not asked again.
 */
export const grantable = async (
  tx: Db,
  measure: Measure,
  ids: readonly number[],
  held: readonly number[] = [],
): Promise<Role[]> => {
  if (ids.length === 0) return []
  // Held until the commit: none of them is deleted, disabled or widened meanwhile.
  const roles = await tx
    .select()
    .from(role)
    .where(inArray(role.id, [...ids]))
    .orderBy(role.id)
    .for('share')
  if (roles.length < new Set(ids).size)
    throw invalid({ role_ids: ['角色不存在，请刷新', 'No such role'] })
  for (const one of roles) {
    if (held.includes(one.id)) continue
    if (one.status === 'off')
      throw ruled('role_off', ['角色“{name}”已停用', 'The role {name} is disabled'], {
        name: one.name,
      })
    const why = beyond(measure, one)
    if (why) throw tooWide([`${one.name}${why[0]}`, `${one.name}: ${why[1]}`])
  }
  return roles
}
/**
 * Refuses what is done to a person whose rights exceed the asker's; their own account is for the
 * verbs to judge.
 */
export const notAbove = (measure: Measure, person: Admin, roles: readonly Role[]): void => {
  if (person.id !== measure.staff.id && isAbove(measure, person, roles))
    throw ruled('above', aboveYou)
}
export const rolesOf = async (db: Db, ids: readonly number[]): Promise<Role[]> =>
  ids.length === 0
    ? []
    : db
        .select()
        .from(role)
        .where(inArray(role.id, [...new Set(ids)]))

const SUPER_LOCK = 41_802
/**
 * Everything that could take the last super administrator away waits its turn here. Called before
 * the change.
 */
export const lockSupers = (tx: Db) => tx.execute(sql`select pg_advisory_xact_lock(${SUPER_LOCK})`)
/**
 * Called after the change, under the lock: one active person must still hold the role of the super
 * administrator.
 */
export const superStays = async (tx: Db): Promise<void> => {
  const left = await tx.execute(
    sql`select 1 from admin a join role r on r.code = ${SUPER_ADMIN} and r.status = 'on' and a.role_ids @> to_jsonb(r.id) where a.status = 'active' limit 1`,
  )
  if (left.rows.length === 0) throw ruled('last_super', superRemains)
}
const TREE_LOCK = 41_803
/** Changes of one tree's shape wait for each other. */
export const lockTree = (tx: Db, which: number) =>
  tx.execute(sql`select pg_advisory_xact_lock(${TREE_LOCK}, ${which})`)

/** Names of the cities and malls that scopes list. */
export const scopeNames = async (
  db: Db,
  of: readonly { scope_type: string; scope_ids: readonly number[] }[],
): Promise<
  (one: { scope_type: string; scope_ids: readonly number[] }) => Record<string, string>
> => {
  const ids = (type: string) => [
    ...new Set(of.filter(one => one.scope_type === type).flatMap(one => one.scope_ids)),
  ]
  const [cities, malls] = [ids('city'), ids('mall')]
  const names = {
    city: new Map(
      cities.length
        ? (
            await db
              .select({ id: city.id, name: city.city_name })
              .from(city)
              .where(inArray(city.id, cities))
          ).map(one => [one.id, one.name])
        : [],
    ),
    mall: new Map(
      malls.length
        ? (
            await db
              .select({ id: mall.id, name: mall.name })
              .from(mall)
              .where(inArray(mall.id, malls))
          ).map(one => [one.id, one.name])
        : [],
    ),
  }
  return one =>
    one.scope_type === 'city' || one.scope_type === 'mall'
      ? Object.fromEntries(
          one.scope_ids.map(id => [
            id,
            names[one.scope_type as 'city' | 'mall'].get(id) ?? `#${id}`,
          ]),
        )
      : {}
}
/** Refuses ids that are no city, or no mall. */
export const placesExist = async (db: Db, type: string, ids: readonly number[]): Promise<void> => {
  if (type !== 'city' && type !== 'mall') return
  const table = type === 'city' ? city : mall
  const found = ids.length
    ? await db
        .select({ id: table.id })
        .from(table)
        .where(inArray(table.id, [...ids]))
    : []
  if (found.length < new Set(ids).size)
    throw invalid({
      ids: type === 'city' ? ['城市不存在', 'No such city'] : ['商场不存在', 'No such mall'],
    })
}
