import { createHash, randomInt } from 'node:crypto'
import {
  and,
  asc,
  count,
  desc,
  eq,
  gte,
  inArray,
  notExists,
  notInArray,
  or,
  type SQL,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { op_log } from '#src/areas/log/log.table.ts'
import { rolesOn, sharedWith } from '#src/areas/people/audience.server.ts'
import { admin, department, role } from '#src/areas/people/people.table.ts'
import { layout, layout_link } from '#src/areas/workbench/layout.table.ts'
import { pathsOf, type Layout } from '#src/areas/workbench/layout.ts'
import { workQueues } from '#src/areas/workbench/queues.ts'
import { say, type Text } from '#src/domain/text.ts'
import { dayStart, timeFull } from '#src/domain/time.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/call/implement.ts'
import { conflict, forbidden, invalid, missing, Refusal, ruled } from '#src/server/call/refuse.ts'
import { isNamed } from '#src/server/db/names.ts'
import { pinyinOf } from '#src/server/db/pinyin.ts'
import { done, layouts, type LayoutRow } from './contract.ts'

/** Layouts of one person, of one department; links of one person. */
const MOST = 60
const LINKS_KEPT = 300
type Row = typeof layout.$inferSelect
const changer = alias(admin, 'changer')

const of = async (db: Db, id: number) =>
  (
    await db
      .select({ department_id: admin.department_id, role_ids: admin.role_ids })
      .from(admin)
      .where(eq(admin.id, id))
  )[0]!
/**
 * What a person sees: their own, those of their department and the ones above it, those of their
 * roles; whoever recommends sees every role's.
 */
const seenBy = (staff: Staff): SQL =>
  or(
    and(eq(layout.kind, 'mine'), eq(layout.admin_id, staff.id)),
    sharedWith(staff, layout),
    staff.can('home.recommendLayout') ? eq(layout.kind, 'role') : undefined,
  )!
const mayChange = (row: Pick<Row, 'kind'>, staff: Staff) =>
  row.kind === 'mine' ||
  staff.can(row.kind === 'team' ? 'home.publishLayout' : 'home.recommendLayout')

const rowsOf = async (db: Db, staff: Staff, where: SQL | undefined): Promise<LayoutRow[]> => {
  const me = await of(db, staff.id)
  const rows = await db
    .select({
      row: layout,
      by_name: changer.name,
      department: department.name,
      role: role.name,
      role_on: role.status,
    })
    .from(layout)
    .innerJoin(changer, eq(changer.id, layout.changed_by))
    .leftJoin(department, eq(department.id, layout.department_id))
    .leftJoin(role, eq(role.id, layout.role_id))
    .where(where)
    .orderBy(asc(layout.name), asc(layout.id))
  const recommended = new Set(
    rows.flatMap(({ row, role_on }) =>
      row.role_id !== null && role_on === 'on' ? [row.role_id] : [],
    ),
  )
  const first = me.role_ids.find(id => recommended.has(id))
  return rows.map(({ row, by_name, ...named }) => ({
    id: row.id,
    kind: row.kind,
    name: row.name,
    state: row.state,
    version: row.version,
    role_id: row.role_id,
    for_name: named.department ?? named.role,
    by_name,
    updated_at: row.updated_at,
    start: row.role_id !== null && row.role_id === first,
    may_change: mayChange(row, staff),
    pinyin: pinyinOf(row.name),
  }))
}
const answer = async ({ tx, staff }: WriteContext, id: number): Promise<LayoutRow> =>
  (await rowsOf(tx, staff, eq(layout.id, id)))[0]!
/** What the log keeps: which pages, not what was searched for in them. */
const logged = (row: Pick<Row, 'name' | 'kind' | 'department_id' | 'role_id' | 'state'>) => ({
  name: row.name,
  kind: row.kind,
  department_id: row.department_id,
  role_id: row.role_id,
  pages: pathsOf((row.state as Partial<Layout>).panes ?? []),
})

/**
 * The row to change; one that a person does not see is not there, one that they only see is not
 * theirs to change.
 */
const toChange = async ({ tx, staff }: WriteContext, id: number): Promise<Row> => {
  const [row] = await tx
    .select()
    .from(layout)
    .where(and(eq(layout.id, id), seenBy(staff)))
    .for('update')
  if (!row) throw missing()
  if (!mayChange(row, staff)) throw forbidden()
  return row
}
const stale = async (tx: Db, row: Row, staff: Staff) => {
  const [who] = await tx
    .select({ name: admin.name })
    .from(admin)
    .where(eq(admin.id, row.changed_by))
  return conflict(
    [
      '「{name}」已被{who}于 {at} 修改，请打开最新的布局后再试',
      '{who} changed {name} at {at}: open it as it is now, then try again',
    ],
    {
      name: row.name,
      who:
        row.changed_by === staff.id
          ? say(['你在另一个窗口', 'You, in another window,'], staff.lang)
          : who!.name,
      at: timeFull(row.updated_at),
    },
    { id: row.id, name: row.name, version: row.version },
  )
}
const nameTaken: Text = [
  '已有同名布局，请换一个名称',
  'There is a layout of this name, take another',
]
const sameName = (row: Pick<Row, 'kind' | 'admin_id' | 'department_id'>, name: string) =>
  and(
    eq(layout.kind, row.kind),
    row.kind === 'mine'
      ? eq(layout.admin_id, row.admin_id)
      : eq(layout.department_id, row.department_id!),
    isNamed(layout.name, name),
  )
/** The unique indexes decide; this says it at the field. */
const freeName = async (
  { tx, staff }: Pick<WriteContext, 'tx' | 'staff'>,
  row: Pick<Row, 'kind' | 'admin_id' | 'department_id'>,
  name: string,
  but = 0,
) => {
  if (row.kind === 'role') return
  const [same] = await tx.select({ id: layout.id }).from(layout).where(sameName(row, name))
  if (same && same.id !== but) throw invalid({ name: say(nameTaken, staff.lang) })
}
const change = async (
  context: WriteContext,
  before: Row,
  version: number,
  set: Partial<Pick<Row, 'name' | 'state'>>,
): Promise<LayoutRow> => {
  const { tx, staff, log } = context
  const [after] = await tx
    .update(layout)
    .set({ ...set, changed_by: staff.id, version: version + 1 })
    .where(and(eq(layout.id, before.id), eq(layout.version, version)))
    .returning()
  if (!after) throw await stale(tx, before, staff)
  log({
    object_type: 'layout',
    object_id: after.id,
    object_label: after.name,
    before: logged(before),
    after: logged(after),
  })
  return answer(context, after.id)
}
const create = async (
  context: WriteContext,
  row: Omit<typeof layout.$inferInsert, 'changed_by' | 'admin_id'>,
): Promise<LayoutRow> => {
  const { tx, staff, log } = context
  const place = { kind: row.kind, admin_id: staff.id, department_id: row.department_id ?? null }
  // One after another, so that the bound holds and the name is seen to be taken.
  await tx.select({ id: admin.id }).from(admin).where(eq(admin.id, staff.id)).for('update')
  await freeName(context, place, row.name)
  const [{ n }] = (await tx
    .select({ n: count() })
    .from(layout)
    .where(
      and(
        eq(layout.kind, row.kind),
        row.kind === 'mine'
          ? eq(layout.admin_id, staff.id)
          : eq(layout.department_id, row.department_id ?? 0),
      ),
    )) as [{ n: number }]
  if (n >= MOST)
    throw ruled(
      'too_many',
      ['最多保存 {n} 个布局，请先删除不用的', 'At most {n} layouts: delete some first'],
      { n: MOST },
    )
  const [made] = await tx
    .insert(layout)
    .values({ ...row, admin_id: staff.id, changed_by: staff.id })
    .onConflictDoNothing()
    .returning()
  if (!made) throw invalid({ name: say(nameTaken, staff.lang) })
  log({
    object_type: 'layout',
    object_id: made.id,
    object_label: made.name,
    before: null,
    after: logged(made),
  })
  return answer(context, made.id)
}

/** Without 0, O, I, l and 1: people read codes aloud. */
const SIGNS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const newCode = () => Array.from({ length: 12 }, () => SIGNS[randomInt(SIGNS.length)]).join('')

export default implement(layouts, {
  lst: async (_, { db, staff }) => ({ list: await rowsOf(db, staff, seenBy(staff)) }),
  save: ({ name, state }, context) => create(context, { kind: 'mine', name, state }),
  overwrite: async ({ id, version, state }, context) =>
    change(context, await toChange(context, id), version, { state }),
  rename: async ({ id, version, name }, context) => {
    const row = await toChange(context, id)
    await freeName(context, row, name, row.id)
    return change(context, row, version, { name })
  },
  del: async ({ id, version }, context) => {
    const { tx, staff, log } = context
    const row = await toChange(context, id)
    const [gone] = await tx
      .delete(layout)
      .where(and(eq(layout.id, id), eq(layout.version, version)))
      .returning({ id: layout.id })
    if (!gone) throw await stale(tx, row, staff)
    log({
      object_type: 'layout',
      object_id: id,
      object_label: row.name,
      before: logged(row),
      after: null,
    })
    return { id, deleted: true as const }
  },
  publish: async ({ name, state }, context) => {
    const { department_id } = await of(context.tx, context.staff.id)
    if (department_id === null)
      throw ruled('no_department', [
        '你还没有所属部门，无法发布给团队；请联系管理员设置部门',
        'You belong to no department, so there is no team to publish to: ask an administrator',
      ])
    return create(context, { kind: 'team', department_id, name, state })
  },
  recommend: async ({ role_id, name, state, version }, context) => {
    const { tx, staff } = context
    const [to] = await tx.select({ id: role.id }).from(role).where(eq(role.id, role_id))
    if (!to)
      throw invalid({
        role_id: say(
          ['没有这个角色，请重新选择', 'There is no such role, choose another'],
          staff.lang,
        ),
      })
    const [now] = await tx.select().from(layout).where(eq(layout.role_id, role_id)).for('update')
    if (now) return change(context, now, version ?? -1, { name, state })
    const [made] = await tx
      .insert(layout)
      .values({ kind: 'role', role_id, name, state, admin_id: staff.id, changed_by: staff.id })
      .onConflictDoNothing()
      .returning()
    // Somebody recommended one at the same moment.
    if (!made)
      throw await stale(
        tx,
        (await tx.select().from(layout).where(eq(layout.role_id, role_id)))[0]!,
        staff,
      )
    context.log({
      object_type: 'layout',
      object_id: made.id,
      object_label: made.name,
      before: null,
      after: logged(made),
    })
    return answer(context, made.id)
  },
  roles: (input, { db }) => rolesOn(db, input),
  link: async ({ state }, { tx, staff, now }) => {
    const hash = createHash('sha256').update(JSON.stringify(state)).digest('hex')
    const [made] = await tx
      .insert(layout_link)
      .values({ code: newCode(), admin_id: staff.id, state, hash, used_at: now })
      .onConflictDoUpdate({
        target: [layout_link.admin_id, layout_link.hash],
        set: { used_at: now },
      })
      .returning({ code: layout_link.code })
    // The newest of a person are kept: a link is for now, a layout to keep has a name.
    await tx
      .delete(layout_link)
      .where(
        and(
          eq(layout_link.admin_id, staff.id),
          notInArray(
            layout_link.id,
            tx
              .select({ id: layout_link.id })
              .from(layout_link)
              .where(eq(layout_link.admin_id, staff.id))
              .orderBy(desc(layout_link.used_at), desc(layout_link.id))
              .limit(LINKS_KEPT),
          ),
        ),
      )
    return { code: made!.code }
  },
  linked: async ({ code }, { db }) => {
    const [found] = await db
      .select({ state: layout_link.state, created_at: layout_link.created_at, by_name: admin.name })
      .from(layout_link)
      .innerJoin(admin, eq(admin.id, layout_link.admin_id))
      .where(eq(layout_link.code, code))
    if (!found)
      throw new Refusal(404, [
        '布局链接不存在或已失效，请向分享者要一个新的',
        'There is no such layout link any more: ask for a new one',
      ])
    return found
  },
})

/** What such queues are of; a decision also leaves lines of the orders it changed. */
const WORKED_ON = ['refund', 'risk_hit', 'warning_log']
const takenBack = alias(op_log, 'taken_back')
/** What I did today in a queue, as the operation log has it: none that was taken back. */
export const doings = implement(done, {
  of: async ({ queue }, { db, staff, now }) => {
    const actions = workQueues[queue].map(([, of]): readonly string[] => of)
    const rows = await db
      .select({ action: op_log.action, n: count() })
      .from(op_log)
      .where(
        and(
          eq(op_log.admin_id, staff.id),
          inArray(op_log.action, actions.flat()),
          gte(op_log.created_at, dayStart(now)),
          eq(op_log.result, 'ok'),
          inArray(op_log.object_type, WORKED_ON),
          notExists(db.select().from(takenBack).where(eq(takenBack.reverts_id, op_log.id))),
        ),
      )
      .groupBy(op_log.action)
    const counts = new Map(rows.map(row => [row.action, row.n]))
    return { counts: actions.map(of => of.reduce((sum, one) => sum + (counts.get(one) ?? 0), 0)) }
  },
})
