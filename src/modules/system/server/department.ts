import { and, asc, count, eq, ilike, inArray, or, sql, type SQL } from 'drizzle-orm'
import { lockTree, stale, updating } from '#src/areas/people/people.server.ts'
import { admin, department, role } from '#src/areas/people/people.table.ts'
import { DEPARTMENT_DEPTH, departmentCan } from '#src/areas/people/people.ts'
import { staffInScope } from '#src/areas/people/staff.server.ts'
import { comma, say } from '#src/domain/text.ts'
import {
  branchOf,
  childrenOf,
  depthOf,
  heightOf,
  mayStandUnder,
  orderWith,
  seatOf,
} from '#src/domain/tree.ts'
import { implement, type Db } from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way } from '#src/server/call/reverts.ts'
import { like } from '#src/server/db/like.ts'
import { isNamed } from '#src/server/db/names.ts'
import { department as contract, type DepartmentRow } from '../contract/department.ts'

type Row = typeof department.$inferSelect
const TREE = 1
const object_type = 'department'
const ofRow = (row: Row) => ({ object_type, object_id: row.id, object_label: row.name })
const shown = ({ id, name, parent_id, leader_id, phone, sort, status, version }: Row) => ({
  id,
  name,
  parent_id,
  leader_id,
  phone,
  sort,
  status,
  version,
})
const update = updating(department, object_type, shown)

/** All departments in tree order, with their counts. */
const listed = async (db: Db): Promise<DepartmentRow[]> => {
  const rows = await db.select().from(department).orderBy(department.sort, department.id)
  const people = await db
    .select({ id: admin.department_id, n: count() })
    .from(admin)
    .where(eq(admin.status, 'active'))
    .groupBy(admin.department_id)
  const own = new Map(people.map(one => [one.id, one.n]))
  const leaders = rows.flatMap(row => row.leader_id ?? [])
  const names = new Map(
    leaders.length
      ? (
          await db
            .select({ id: admin.id, name: admin.name })
            .from(admin)
            .where(inArray(admin.id, leaders))
        ).map(one => [one.id, one.name])
      : [],
  )
  const list: DepartmentRow[] = []
  const walk = (parent: DepartmentRow | null): number =>
    childrenOf(rows, parent?.id ?? null).reduce((sum, row) => {
      const entry: DepartmentRow = {
        ...shown(row),
        leader_name: row.leader_id === null ? null : (names.get(row.leader_id) ?? null),
        depth: (parent?.depth ?? 0) + 1,
        full_name: parent ? `${parent.full_name} / ${row.name}` : row.name,
        staff: own.get(row.id) ?? 0,
        staff_all: 0,
        children: childrenOf(rows, row.id).length,
      }
      list.push(entry)
      entry.staff_all = entry.staff + walk(entry)
      return sum + entry.staff_all
    }, 0)
  walk(null)
  return list
}
const one = async (db: Db, id: number) => {
  const list = await listed(db)
  const row = list.find(entry => entry.id === id)
  if (!row) throw missing()
  return { row, list }
}
/**
 * Locks the tree, and answers the department as it was read; refuses a version that is not the
 * present one.
 */
const held = async (tx: Db, { id, version }: { id: number; version: number }) => {
  await lockTree(tx, TREE)
  const found = await one(tx, id)
  if (found.row.version !== version) throw await stale(tx, object_type, found.row, id)
  return found
}
const nameFree = async (tx: Db, parent_id: number | null, name: string, but = 0) => {
  const [same] = await tx
    .select({ id: department.id })
    .from(department)
    .where(
      and(
        sql`coalesce(${department.parent_id}, 0) = ${parent_id ?? 0}`,
        isNamed(department.name, name),
        sql`${department.id} <> ${but}`,
      ),
    )
  if (same)
    throw ruled('name_taken', ['同级已有部门“{name}”', 'A sibling is called {name} already'], {
      name,
    })
}
const fits = (depth: number) => {
  if (depth > DEPARTMENT_DEPTH)
    throw ruled('too_deep', ['部门最多 {n} 级', 'At most {n} levels'], { n: DEPARTMENT_DEPTH })
}
/** `path` of a department and of all below it, from the rows as they are now. */
const rewritePaths = (tx: Db) =>
  tx.execute(sql`
  with recursive tree as (
    select id, '/' || id || '/' p from department where parent_id is null
    union all select d.id, t.p || d.id || '/' from department d join tree t on d.parent_id = t.id)
  update department d set path = tree.p from tree where tree.id = d.id and d.path <> tree.p`)
const renumber = async (tx: Db, ids: readonly number[]) => {
  for (const [sort, id] of ids.entries())
    await tx.update(department).set({ sort }).where(eq(department.id, id))
}

const nameLike = (keyword: string | undefined): SQL | undefined => {
  if (!keyword) return undefined
  const wanted = like(keyword)
  return or(ilike(admin.name, wanted), ilike(admin.account, wanted), ilike(admin.pinyin, wanted))
}
/** Active members of it or of its parent. */
const mayLead = (row: { id: number; parent_id: number | null }) =>
  and(
    eq(admin.status, 'active'),
    inArray(admin.department_id, [row.id, ...(row.parent_id === null ? [] : [row.parent_id])]),
  )

const server = implement(contract, {
  lst: async (_, { db }) => ({ list: await listed(db) }),
  members: async ({ department_id, below, keyword, page, pageSize }, { db, staff }) => {
    const { row, list } = await one(db, department_id)
    const where = and(
      inArray(admin.department_id, below ? [...branchOf(list, row.id)] : [row.id]),
      sql`${admin.status} <> 'left'`,
      nameLike(keyword),
      staffInScope(staff),
    )
    const [total] = await db.select({ n: count() }).from(admin).where(where)
    const rows = await db
      .select()
      .from(admin)
      .where(where)
      .orderBy(asc(admin.pinyin), asc(admin.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const roles = new Map(
      (await db.select({ id: role.id, name: role.name }).from(role)).map(entry => [
        entry.id,
        entry.name,
      ]),
    )
    return {
      total: total!.n,
      list: rows.map(person => ({
        id: person.id,
        name: person.name,
        account: person.account,
        department_id: person.department_id,
        department_name: list.find(entry => entry.id === person.department_id)?.name ?? null,
        status: person.status,
        roles: person.role_ids.map(id => roles.get(id) ?? `#${id}`).join(say(comma, staff.lang)),
        leads: list.some(
          entry => entry.leader_id === person.id && entry.id === person.department_id,
        ),
      })),
    }
  },
  leaders: async ({ department_id, keyword, page, pageSize }, { db, staff }) => {
    const { row } = await one(db, department_id)
    const where = and(mayLead(row), nameLike(keyword), staffInScope(staff))
    const [total] = await db.select({ n: count() }).from(admin).where(where)
    return {
      total: total!.n,
      list: await db
        .select({ id: admin.id, name: admin.name, account: admin.account })
        .from(admin)
        .where(where)
        .orderBy(asc(admin.pinyin))
        .limit(pageSize)
        .offset((page - 1) * pageSize),
    }
  },
  pick: async ({ keyword, but, page, pageSize }, { db }) => {
    const list = await listed(db)
    const gone = but === undefined ? new Set<number>() : branchOf(list, but)
    const found = list.filter(
      row => row.status === 'on' && !gone.has(row.id) && row.full_name.includes(keyword ?? ''),
    )
    return {
      total: found.length,
      list: found
        .slice((page - 1) * pageSize, page * pageSize)
        .map(({ id, full_name }) => ({ id, full_name })),
    }
  },
  create: async ({ parent_id, name, phone, leader_id }, { tx, staff, log }) => {
    await lockTree(tx, TREE)
    const { row: parent, list } = await one(tx, parent_id)
    fits(parent.depth + 1)
    await nameFree(tx, parent_id, name)
    if (leader_id !== undefined) {
      // A new department has no members yet: its leader comes from the one above.
      const [leader] = await tx
        .select({ id: admin.id })
        .from(admin)
        .where(
          and(
            eq(admin.id, leader_id),
            eq(admin.status, 'active'),
            eq(admin.department_id, parent_id),
            staffInScope(staff),
          ),
        )
      if (!leader)
        throw ruled('not_a_member', [
          '负责人须是本部门或上级部门的在职成员',
          'The leader must be an active member of it or of its parent',
        ])
    }
    const [made] = await tx
      .insert(department)
      .values({
        parent_id,
        name,
        phone: phone || null,
        leader_id: leader_id ?? null,
        sort: childrenOf(list, parent_id).length,
      })
      .returning()
    await rewritePaths(tx)
    log({ ...ofRow(made!), after: { parent_id, name, phone, leader_id } })
    return { id: made!.id, version: made!.version }
  },
  edit: async ({ name, phone, ...at }, { tx, log }) => {
    const { row } = await held(tx, at)
    await nameFree(tx, row.parent_id, name, row.id)
    const after = await update(tx, at, { name, phone: phone || null })
    log({
      ...ofRow(after),
      before: { name: row.name, phone: row.phone },
      after: { name: after.name, phone: after.phone },
    })
    return { id: after.id, version: after.version }
  },
  move: async ({ parent_id = null, sort, ...at }, { tx, log }) => {
    const { row, list } = await held(tx, at)
    const may = mayStandUnder(list, row.id, parent_id)
    if (may !== true) throw ruled('wrong_place', may)
    fits(depthOf(list, parent_id) + heightOf(list, row.id))
    if (parent_id !== row.parent_id) await nameFree(tx, parent_id, row.name, row.id)
    const order = orderWith(list, row.id, parent_id, sort)
    // A member of its former parent leads it no more.
    const [leader] =
      row.leader_id === null
        ? []
        : await tx
            .select({ id: admin.id })
            .from(admin)
            .where(and(eq(admin.id, row.leader_id), mayLead({ id: row.id, parent_id })))
    const after = await update(tx, at, {
      parent_id,
      leader_id: parent_id === row.parent_id ? row.leader_id : (leader?.id ?? null),
    })
    await renumber(tx, order)
    await rewritePaths(tx)
    log({
      ...ofRow(after),
      before: { parent_id: row.parent_id, sort: seatOf(list, row.id), leader_id: row.leader_id },
      after: { parent_id, sort: order.indexOf(row.id), leader_id: after.leader_id },
    })
    return { id: after.id, version: after.version }
  },
  setLeader: async ({ admin_id, ...at }, { tx, staff, log }) => {
    const { row } = await held(tx, at)
    if (admin_id !== undefined) {
      // Held until the commit: who leads does not leave meanwhile.
      const [leader] = await tx
        .select({ id: admin.id })
        .from(admin)
        .where(and(eq(admin.id, admin_id), mayLead(row), staffInScope(staff)))
        .for('share')
      if (!leader)
        throw ruled('not_a_member', [
          '负责人须是本部门或上级部门的在职成员',
          'The leader must be an active member of it or of its parent',
        ])
    }
    const after = await update(tx, at, { leader_id: admin_id ?? null })
    log({
      ...ofRow(after),
      before: { leader_id: row.leader_id },
      after: { leader_id: after.leader_id },
    })
    return { id: after.id, version: after.version }
  },
  enable: async (at, { tx, log }) => {
    const { row } = await held(tx, at)
    const may = departmentCan('enable', row)
    if (may !== true) throw ruled('wrong_state', may)
    const after = await update(tx, at, { status: 'on' })
    log({ ...ofRow(after), before: { status: 'off' }, after: { status: 'on' } })
    return { id: after.id, version: after.version }
  },
  disable: async ({ reason, ...at }, { tx, log }) => {
    const { row } = await held(tx, at)
    const may = departmentCan('disable', row)
    if (may !== true) throw ruled(row.staff_all > 0 ? 'staff_remain' : 'wrong_state', may)
    const after = await update(tx, at, { status: 'off' })
    log({ ...ofRow(after), before: { status: 'on' }, after: { status: 'off' }, reason })
    return { id: after.id, version: after.version }
  },
  merge: async ({ target_id, reason, ...at }, { tx, log }) => {
    const { row, list } = await held(tx, at)
    const target = list.find(entry => entry.id === target_id)
    if (!target) throw invalid({ target_id: ['目标部门不存在', 'No such department'] })
    const may = mayStandUnder(list, row.id, target_id)
    if (may !== true) throw ruled('wrong_place', may)
    if (target.status === 'off')
      throw ruled('target_off', ['目标部门已停用', 'The target is disabled'])
    const children = childrenOf(list, row.id)
    for (const child of children) {
      fits(target.depth + heightOf(list, child.id))
      await nameFree(tx, target_id, child.name, child.id)
    }
    // A scope "own department" follows its holder, so it moves with the staff.
    const moved = await tx
      .update(admin)
      .set({ department_id: target_id, version: sql`${admin.version} + 1` })
      .where(eq(admin.department_id, row.id))
      .returning({ id: admin.id })
    const last = childrenOf(list, target_id).length
    for (const [i, child] of children.entries())
      await tx
        .update(department)
        .set({ parent_id: target_id, sort: last + i, version: sql`${department.version} + 1` })
        .where(eq(department.id, child.id))
    await gone(tx, at)
    await rewritePaths(tx)
    log({
      object_type,
      object_id: row.id,
      object_label: row.name,
      before: { name: row.name, parent_id: row.parent_id },
      after: { target_id, staff: moved.length, departments: children.length },
      reason,
    })
    return { id: target_id, staff: moved.length, departments: children.length }
  },
  del: async (at, { tx, log }) => {
    const { row } = await held(tx, at)
    const [{ n } = { n: 0 }] = await tx
      .select({ n: count() })
      .from(admin)
      .where(eq(admin.department_id, row.id))
    const may = departmentCan('del', { ...row, staff: n })
    if (may !== true) throw ruled('not_empty', may, {}, { children: row.children, staff: n })
    await gone(tx, at)
    log({
      object_type,
      object_id: row.id,
      object_label: row.name,
      before: { name: row.name, parent_id: row.parent_id },
      after: null,
    })
    return { id: row.id }
  },
})
const gone = async (tx: Db, { id, version }: { id: number; version: number }) => {
  const [row] = await tx
    .delete(department)
    .where(and(eq(department.id, id), eq(department.version, version)))
    .returning({ id: department.id })
  if (!row) throw await stale(tx, object_type, { id }, id)
}

defineRevertBy(
  object_type,
  async (db, _, id) => {
    const { row, list } = await one(db, id)
    return { ...row, sort: seatOf(list, id) }
  },
  [
    way(contract.edit, server.handlers.edit, ['name', 'phone'], ({ id, version, name, phone }) => ({
      id,
      version,
      name,
      phone: phone ?? '',
    })),
    way(
      contract.setLeader,
      server.handlers.setLeader,
      ['leader_id'],
      ({ id, version, leader_id }) => ({ id, version, admin_id: leader_id ?? undefined }),
    ),
    way(
      contract.move,
      server.handlers.move,
      ['parent_id', 'sort'],
      ({ id, version, parent_id, sort }) => ({
        id,
        version,
        parent_id: parent_id ?? undefined,
        sort,
      }),
    ),
  ],
)
export default server
