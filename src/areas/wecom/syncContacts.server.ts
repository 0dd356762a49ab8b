import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { placeStaff } from './places.server.ts'
import { wecom_department, wecom_staff } from './wecom.table.ts'
import type { ChangeKind, StaffState } from './wecom.ts'
import { keptWords } from './wecomFault.ts'
import { wecom_group } from './wecomGroup.table.ts'
import { wecom_change } from './wecomWork.table.ts'
import type { WecomDepartment, WecomUser } from './wire.channel.ts'

type Change = { object_id: number; name: string; kind: ChangeKind; was?: string; now?: string }
export type Fault = { key: string; why: string }
type Of = { run_id: number; now: number }

/**
 * Departments by what stands above them, from the top down; those that go round in a circle, or
 * stand under one that is not told, are left out and named.
 */
export const treeOfPayload = (
  rows: readonly WecomDepartment[],
): { sound: WecomDepartment[]; faults: Fault[] } => {
  const byId = new Map(rows.map(row => [row.id, row]))
  const sound: WecomDepartment[] = []
  const taken = new Set<number>()
  // A top that the app may see has a parent that it may not see.
  let level = rows.filter(row => !byId.has(row.parentid))
  while (level.length > 0) {
    for (const row of level) taken.add(row.id)
    sound.push(...level)
    level = rows.filter(row => !taken.has(row.id) && taken.has(row.parentid))
  }
  const faults = rows
    .filter(row => !taken.has(row.id))
    .map(row => ({
      key: `${row.id} ${row.name}`,
      why: keptWords(['上级部门循环，未采用', 'Its departments go round: not taken']),
    }))
  return { sound, faults }
}

const tell = async (
  tx: Db,
  { run_id, now }: Of,
  object: 'department' | 'staff',
  changes: readonly Change[],
): Promise<void> => {
  if (changes.length > 0)
    await tx
      .insert(wecom_change)
      .values(changes.map(one => ({ sync_id: run_id, object, at: now, ...one })))
}

/** What differs of a department from how it was kept. */
const changesOf = (
  was: { id: number; name: string; parent_id: number | null; is_deleted: boolean } | undefined,
  id: number,
  { name, parent_id }: { name: string; parent_id: number | null },
  nameOf: (id: number | null) => string,
): Change[] => {
  if (!was) return [{ object_id: id, name, kind: 'added' }]
  return [
    ...(was.is_deleted ? [{ object_id: id, name, kind: 'restored' as const }] : []),
    ...(was.name === name
      ? []
      : [{ object_id: id, name, kind: 'renamed' as const, was: was.name, now: name }]),
    ...(was.parent_id === parent_id
      ? []
      : [
          {
            object_id: id,
            name,
            kind: 'moved' as const,
            was: nameOf(was.parent_id),
            now: nameOf(parent_id),
          },
        ]),
  ]
}
/**
 * Takes the whole tree of departments as WeCom tells it: one that is told no more is kept as
 * deleted, with its history. Answers how much changed, and what was not taken.
 */
export const takeDepartments = async (
  tx: Db,
  rows: readonly WecomDepartment[],
  of: Of,
): Promise<{ changed: number; faults: Fault[] }> => {
  const { sound, faults } = treeOfPayload(rows)
  const before = await tx.select().from(wecom_department).for('update')
  const known = new Map(before.map(row => [row.dept_id, row]))
  const ids = new Map(before.map(row => [row.dept_id, row.id]))
  const names = new Map(before.map(row => [row.id, row.name]))
  const changes: Change[] = []
  for (const row of sound) {
    const parent_id = ids.get(row.parentid) ?? null
    const was = known.get(row.id)
    const values = {
      name: row.name.slice(0, 40),
      parent_id: sound.some(one => one.id === row.parentid) ? parent_id : null,
      sort: Math.min(row.order ?? 0, 2_000_000_000),
      leader_userids: row.department_leader ?? [],
      is_deleted: false,
      deleted_at: null,
      synced_at: of.now,
    }
    const [after] = await tx
      .insert(wecom_department)
      .values({ dept_id: row.id, ...values })
      .onConflictDoUpdate({
        target: wecom_department.dept_id,
        set: { ...values, version: sql`${wecom_department.version} + 1` },
      })
      .returning({ id: wecom_department.id })
    ids.set(row.id, after!.id)
    names.set(after!.id, values.name)
    changes.push(...changesOf(was, after!.id, values, id => names.get(id ?? 0) ?? ''))
  }
  // What goes round in a circle is neither taken nor taken for gone.
  const told = new Set(rows.map(row => row.id))
  const gone = before.filter(row => !row.is_deleted && !told.has(row.dept_id))
  if (gone.length > 0)
    await tx
      .update(wecom_department)
      .set({
        is_deleted: true,
        deleted_at: of.now,
        version: sql`${wecom_department.version} + 1`,
      })
      .where(
        inArray(
          wecom_department.id,
          gone.map(row => row.id),
        ),
      )
  changes.push(
    ...gone.map(row => ({ object_id: row.id, name: row.name, kind: 'removed' as const })),
    ...faults.flatMap(({ key, why }) => {
      const was = known.get(Number(key.split(' ')[0]))
      return was ? [{ object_id: was.id, name: was.name, kind: 'rejected' as const, now: why }] : []
    }),
  )
  await tell(tx, of, 'department', changes)
  return { changed: changes.length, faults }
}

const states: Readonly<Record<number, StaffState>> = {
  1: 'active',
  2: 'disabled',
  4: 'inactive',
  5: 'left',
}
/**
 * Takes all colleagues as WeCom tells them, and who of them may contact customers. One who is told
 * no more has left: their customers and chats wait to be handed over.
 */
export const takeColleagues = async (
  tx: Db,
  { users, contact }: { users: readonly WecomUser[]; contact: readonly string[] },
  of: Of,
): Promise<number> => {
  const may = new Set(contact)
  const before = await tx.select().from(wecom_staff).orderBy(wecom_staff.id).for('no key update')
  const known = new Map(before.map(row => [row.userid, row]))
  const changes: Change[] = []
  for (const user of users) {
    const was = known.get(user.userid)
    const status = states[user.status] ?? 'inactive'
    const values = {
      name: user.name.slice(0, 32),
      avatar: user.avatar ?? was?.avatar ?? '',
      position: (user.position ?? '').slice(0, 32),
      department_ids: user.department,
      main_department: user.main_department ?? user.department[0] ?? 1,
      status,
      has_contact_right: may.has(user.userid),
      has_group_right: may.has(user.userid),
      left_at: status === 'left' ? (was?.left_at ?? of.now) : null,
      synced_at: of.now,
    }
    const [after] = await tx
      .insert(wecom_staff)
      .values({ userid: user.userid, is_verified: status === 'active', ...values })
      .onConflictDoUpdate({
        target: wecom_staff.userid,
        set: { ...values, version: sql`${wecom_staff.version} + 1` },
      })
      .returning({ id: wecom_staff.id })
    if (!was) changes.push({ object_id: after!.id, name: values.name, kind: 'added' })
    else if (was.status !== status)
      changes.push({
        object_id: was.id,
        name: values.name,
        kind: 'state',
        was: was.status,
        now: status,
      })
  }
  const left = before.filter(
    row => row.status !== 'left' && !users.some(user => user.userid === row.userid),
  )
  await leave(
    tx,
    left.map(row => row.id),
    of.now,
  )
  changes.push(
    ...left.map(row => ({
      object_id: row.id,
      name: row.name,
      kind: 'state' as const,
      was: row.status,
      now: 'left',
    })),
  )
  await placeStaff(tx)
  await tell(tx, of, 'staff', changes)
  return changes.length
}
/** Colleagues who left: they receive nobody, and the chats that they own tell of it. */
const leave = async (tx: Db, ids: readonly number[], now: number): Promise<void> => {
  if (ids.length === 0) return
  await tx
    .update(wecom_staff)
    .set({
      status: 'left',
      has_contact_right: false,
      has_group_right: false,
      left_at: now,
      version: sql`${wecom_staff.version} + 1`,
    })
    .where(and(inArray(wecom_staff.id, [...ids]), notInArray(wecom_staff.status, ['left'])))
  await tx
    .update(wecom_group)
    .set({ status: 'owner_left', version: sql`${wecom_group.version} + 1` })
    .where(and(inArray(wecom_group.owner_id, [...ids]), eq(wecom_group.status, 'normal')))
}
