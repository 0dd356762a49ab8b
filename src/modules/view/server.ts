import { and, asc, count, eq, ne, or, sql, type SQL } from 'drizzle-orm'
import { rolesOn, sharedWith } from '#src/areas/people/audience.server.ts'
import { admin, department, role } from '#src/areas/people/people.table.ts'
import { pageByPath } from '#src/areas/people/permits.server.ts'
import { saved_view } from '#src/areas/workbench/view.table.ts'
import { VIEWS_MAX, viewSearch } from '#src/areas/workbench/view.ts'
import type { View } from '#src/contract/views.ts'
import { say } from '#src/domain/text.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/call/implement.ts'
import { forbidden, invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { rowSaver, staleRow } from '#src/server/call/versions.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { pinyinOf } from '#src/server/db/pinyin.ts'
import { views } from './contract.ts'

type Row = typeof saved_view.$inferSelect
const object_type = 'saved_view'
const saveView = rowSaver(saved_view, object_type)
const PUBLISH = views.publish.permit

/**
 * What this person may open: their own, their department's (and of those above it), their roles'.
 */
const mayOpen = (staff: Staff): SQL =>
  or(eq(saved_view.admin_id, staff.id), sharedWith(staff, saved_view))!
const pageOpen = (staff: Staff, page: string): boolean => {
  const known = pageByPath.get(page)
  return known !== undefined && staff.can(known.permit)
}
const read = async (db: Db, staff: Staff, where: SQL): Promise<View[]> => {
  const rows = await db
    .select({ of: saved_view, owner: admin.name, team: department.name, role: role.name })
    .from(saved_view)
    .innerJoin(admin, eq(admin.id, saved_view.admin_id))
    .leftJoin(department, eq(department.id, saved_view.department_id))
    .leftJoin(role, eq(role.id, saved_view.role_id))
    .where(where)
    .orderBy(asc(saved_view.share), asc(saved_view.id))
  return rows
    .filter(({ of }) => pageOpen(staff, of.page))
    .map(
      ({
        of: { id, version, page, name, pinyin, search, look, share, role_id, is_default, admin_id },
        owner,
        team,
        role: named,
      }) => ({
        id,
        version,
        page,
        name,
        pinyin,
        search,
        look: look as View['look'],
        share,
        role_id,
        is_default,
        mine: admin_id === staff.id,
        owner,
        audience: team ?? named ?? '',
      }),
    )
}
/**
 * A view that may be changed by this person, held for it: their own, or a published one by the
 * right to publish.
 */
const held = async (
  { tx, staff }: WriteContext,
  { id, version }: { id: number; version: number },
): Promise<Row> => {
  const [row] = await tx
    .select()
    .from(saved_view)
    .where(and(eq(saved_view.id, id), mayOpen(staff)))
    .for('update')
  if (!row || !pageOpen(staff, row.page)) throw missing()
  if (
    row.admin_id !== staff.id
      ? row.share === 'mine' || !staff.can(PUBLISH)
      : row.share !== 'mine' && !staff.can(PUBLISH)
  )
    throw forbidden()
  if (row.version !== version) throw await staleRow(tx, object_type, row)
  return row
}
const line = (row: Row) => ({ object_type, object_id: row.id, object_label: row.name })
/** A default takes the place of the one before it, for the same people. */
const alone = async (
  tx: Db,
  row: Pick<Row, 'id' | 'admin_id' | 'page' | 'share' | 'department_id' | 'role_id'>,
): Promise<void> => {
  const same = {
    mine: () => eq(saved_view.admin_id, row.admin_id),
    team: () => eq(saved_view.department_id, row.department_id!),
    role: () => eq(saved_view.role_id, row.role_id!),
  }[row.share]()
  await tx
    .update(saved_view)
    .set({ is_default: false, version: sql`${saved_view.version} + 1` })
    .where(
      and(
        same,
        eq(saved_view.page, row.page),
        eq(saved_view.share, row.share),
        eq(saved_view.is_default, true),
        ne(saved_view.id, row.id),
      ),
    )
}
/** Names are once a person and page. */
const once = async <T>(staff: Staff, does: () => Promise<T>): Promise<T> => {
  try {
    return await does()
  } catch (error) {
    if (faultOf(error)?.kind === 'unique')
      throw invalid({
        name: say(
          ['这个列表已有同名视图，请换个名称', 'This list has a view of that name: choose another'],
          staff.lang,
        ),
      })
    throw error
  }
}
const answer = async (tx: Db, staff: Staff, id: number): Promise<View> =>
  (await read(tx, staff, eq(saved_view.id, id)))[0]!

export default implement(views, {
  lst: async (_, { db, staff }) => read(db, staff, mayOpen(staff)),
  save: async ({ page, name, search, look, is_default }, { tx, staff, log }) => {
    if (!pageOpen(staff, page)) throw missing()
    // One person's saves wait for each other, so that the bound holds and of two defaults one
    // stands.
    await tx.select({ id: admin.id }).from(admin).where(eq(admin.id, staff.id)).for('no key update')
    const [{ n }] = (await tx
      .select({ n: count() })
      .from(saved_view)
      .where(eq(saved_view.admin_id, staff.id))) as [{ n: number }]
    if (n >= VIEWS_MAX)
      throw ruled(
        'too_many',
        ['最多保存 {n} 个视图，请先删除一些', 'At most {n} views; delete some first'],
        { n: VIEWS_MAX },
      )
    if (is_default)
      await alone(tx, {
        id: 0,
        admin_id: staff.id,
        page,
        share: 'mine',
        department_id: null,
        role_id: null,
      })
    const [row] = await once(staff, () =>
      tx
        .insert(saved_view)
        .values({
          admin_id: staff.id,
          page,
          name,
          pinyin: pinyinOf(name).slice(0, 255),
          search: viewSearch(search),
          look,
          is_default,
        })
        .returning(),
    )
    log({ ...line(row!), before: null, after: { name, page, search: row!.search, is_default } })
    return answer(tx, staff, row!.id)
  },
  edit: async ({ id, version, ...of }, context) => {
    const { tx, staff, log } = context
    const was = await held(context, { id, version })
    if (of.is_default) await alone(tx, was)
    const after = await once(staff, () =>
      saveView(tx, was, {
        ...of,
        ...(of.name !== undefined && { pinyin: pinyinOf(of.name).slice(0, 255) }),
        ...(of.search !== undefined && { search: viewSearch(of.search) }),
      }),
    )
    log({
      ...line(after),
      before: { name: was.name, search: was.search, is_default: was.is_default },
      after: { name: after.name, search: after.search, is_default: after.is_default },
    })
    return answer(tx, staff, id)
  },
  del: async (one, context) => {
    const was = await held(context, one)
    await context.tx.delete(saved_view).where(eq(saved_view.id, was.id))
    context.log({
      ...line(was),
      before: { name: was.name, page: was.page, share: was.share, search: was.search },
      after: null,
    })
    return { id: was.id }
  },
  publish: async ({ id, version, share, role_id, is_default }, context) => {
    const { tx, staff, log } = context
    const was = await held(context, { id, version })
    const [me] = await tx
      .select({ department_id: admin.department_id })
      .from(admin)
      .where(eq(admin.id, was.admin_id))
    if (share === 'team' && me!.department_id === null)
      throw ruled('no_department', [
        '视图的主人不属于任何部门，不能发布给团队',
        'Its owner belongs to no department: there is no team to publish to',
      ])
    const [to] =
      share === 'role' && role_id !== undefined
        ? await tx
            .select()
            .from(role)
            .where(and(eq(role.id, role_id), eq(role.status, 'on')))
            .for('share')
        : []
    if (share === 'role' && !to)
      throw invalid({
        role_id: say(['请选择一个启用中的角色', 'Choose a role that is on'], staff.lang),
      })
    const next = {
      share,
      department_id: share === 'team' ? me!.department_id : null,
      role_id: to?.id ?? null,
      is_default,
    }
    if (is_default) await alone(tx, { ...was, ...next })
    const after = await saveView(tx, was, next)
    log({
      ...line(after),
      before: {
        share: was.share,
        role_id: was.role_id,
        department_id: was.department_id,
        is_default: was.is_default,
      },
      after: next,
    })
    return answer(tx, staff, id)
  },
  roles: (input, { db }) => rolesOn(db, input),
})
