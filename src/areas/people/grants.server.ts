/**
 * A person may change only rights that they hold themselves, whether they give or take them. Every
 * change of a role, of a person's roles and of the register of fields is judged here.
 */
import { sql } from 'drizzle-orm'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { checker, fieldMode } from '#src/server/call/permissions.ts'
import {
  beyond,
  fieldsFit,
  grantable,
  isAbove,
  notAbove,
  permsBeyond,
  rolesOf,
  superStays,
  tooWide,
  updating,
  type Admin,
  type Grant,
  type Measure,
  type Role,
} from './people.server.ts'
import { admin, role } from './people.table.ts'
import { knownPermits, permTitles } from './permits.server.ts'
import { diffOf, scopeFits } from './rights.ts'

const fieldsWider: Text = ['字段可见程度高于你的权限', 'fields that you may not see']
/** Rights as leaves, and the star, which is more than all of them. */
const leavesOf = (perms: readonly string[]): string[] => [
  ...knownPermits.filter(checker(perms)),
  ...(perms.includes('*') ? ['*'] : []),
]
const differing = <T>(a: readonly T[], b: readonly T[]): T[] => [
  ...a.filter(one => !b.includes(one)),
  ...b.filter(one => !a.includes(one)),
]

const rightsBeyond = ({ staff }: Measure, before: Grant, after: Grant): Text | undefined => {
  const { added, removed } = diffOf(leavesOf(before.perms), leavesOf(after.perms))
  const above = permsBeyond(staff, [...added, ...removed]).slice(0, 3)
  if (above.length === 0) return undefined
  const titles = above.map(perm => permTitles.get(perm) ?? { title: perm, en: perm })
  return [titles.map(of => of.title).join('、'), titles.map(of => of.en).join(', ')]
}
const scopeBeyond = ({ staff, cityOf }: Measure, before: Grant, after: Grant): boolean => {
  // Only what stands in one of two lists of one kind changes.
  const changed =
    before.scope_type === after.scope_type
      ? [{ ...after, scope_ids: differing(before.scope_ids, after.scope_ids) }]
      : [before, after]
  return changed.some(one => !scopeFits(staff.scope, one, cityOf))
}
const fieldsBeyond = (measure: Measure, before: Grant, after: Grant): boolean => {
  const modeOf = (of: Grant, key: string) => of.field_rules[key] ?? measure.defaults[key] ?? 'show'
  const keys = Object.keys(measure.defaults).filter(
    key => modeOf(before, key) !== modeOf(after, key),
  )
  return [before, after].some(of => !fieldsFit(measure, key => modeOf(of, key), keys))
}

/**
 * Says in words in what the difference between two states of a role, given or taken, is wider than
 * the asker's own rights. Undefined when the asker holds all of it.
 */
const changeBeyond = (measure: Measure, before: Grant, after: Grant): Text | undefined => {
  const rights = rightsBeyond(measure, before, after)
  if (rights) return rights
  if (scopeBeyond(measure, before, after))
    return ['数据范围大于你的范围', 'a data scope wider than yours']
  const [was, is] = [before.refund_limit_cents, after.refund_limit_cents]
  if (was !== is && Math.max(was, is) > measure.staff.refund_limit_cents)
    return ['退款额度高于你的额度', 'a refund limit above yours']
  if (fieldsBeyond(measure, before, after)) return fieldsWider
  return undefined
}
/** Refuses to begin or end a role that holds more than the asker. */
export const wholeWithin = (measure: Measure, of: Grant): void => {
  const why = beyond(measure, of)
  if (why) throw tooWide(why)
}

/**
 * True when members of the role would see more of a field, or less, than the asker sees, once it is
 * on or off: where no role of theirs says anything the field's default counts.
 */
const turnShows = async (tx: Db, measure: Measure, row: Role): Promise<boolean> => {
  const members = await tx
    .selectDistinct({ role_ids: admin.role_ids })
    .from(admin)
    .where(sql`${admin.role_ids} @> to_jsonb(${row.id}::int) and ${admin.status} <> 'left'`)
  const roles = await rolesOf(
    tx,
    members.flatMap(one => one.role_ids),
  )
  const on = new Map(roles.filter(one => one.status === 'on').map(one => [one.id, one]))
  return members.some(({ role_ids }) => {
    const others = role_ids.flatMap(id => (id === row.id ? [] : (on.get(id) ?? [])))
    if (others.length === 0) return false
    const modeOf = (of: readonly Role[]) => (key: string) =>
      fieldMode(
        of.map(one => one.field_rules[key]),
        measure.defaults[key],
      )
    const [without, joined] = [modeOf(others), modeOf([...others, row])]
    const keys = Object.keys(measure.defaults).filter(key => without(key) !== joined(key))
    return !fieldsFit(measure, without, keys) || !fieldsFit(measure, joined, keys)
  })
}

/** In whose measure a row is changed; `show` says what of a newer one they are told. */
type By<Row> = { tx: Db; measure: Measure; show: (row: Row) => object }
type Change = Partial<Grant> & { status?: Role['status']; name?: string; remark?: string | null }
/**
 * The one write of a role that stands: refuses where the difference is wider than the asker's own,
 * or the role changed since it was read.
 */
export const changeRole = async (
  { tx, measure, show }: By<Role>,
  row: Role,
  set: Change,
): Promise<Role> => {
  const turned = set.status !== undefined && set.status !== row.status
  const why = turned ? beyond(measure, row) : changeBeyond(measure, row, { ...row, ...set })
  if (why) throw tooWide(why)
  if (turned && (await turnShows(tx, measure, row))) throw tooWide(fieldsWider)
  return updating(role, 'role', show)(tx, row, set as Partial<Role>)
}

/**
 * Gives a person exactly these roles. What is new to them and what they lose must be within the
 * asker's own rights, and so must what they had and have in all. Called under `lockSupers`.
 */
export const giveRoles = async (
  { tx, measure, show }: By<Admin>,
  person: Admin,
  role_ids: readonly number[],
): Promise<Admin> => {
  const held = await rolesOf(tx, person.role_ids)
  notAbove(measure, person, held)
  const after = await grantable(tx, measure, role_ids, person.role_ids)
  for (const lost of held.filter(one => !role_ids.includes(one.id))) {
    const why = beyond(measure, lost)
    if (why) throw tooWide([`${lost.name}${why[0]}`, `${lost.name}: ${why[1]}`])
  }
  // The default of a field may be wider than what a lost role said.
  if (isAbove(measure, person, after))
    throw tooWide(['对方的权限会超出你的权限', 'their rights would exceed yours'])
  const done = await updating(admin, 'admin', show)(tx, person, {
    role_ids: after.map(one => one.id),
  })
  await superStays(tx)
  return done
}
