import { and, asc, count, eq, ilike, or, sql, type SQL } from 'drizzle-orm'
import { changeRole, giveRoles, wholeWithin } from '#src/areas/people/grants.server.ts'
import {
  beyond,
  grantable,
  lockSupers,
  measureOf,
  permsBeyond,
  placesExist,
  scopeNames,
  stale,
  type Role,
} from '#src/areas/people/people.server.ts'
import { admin, department, field_key, role } from '#src/areas/people/people.table.ts'
import { builtinRole, roleCan, type RoleVerb } from '#src/areas/people/people.ts'
import { knownPermits, menuFor, permTree, type MenuNode } from '#src/areas/people/permits.server.ts'
import {
  diffOf,
  scopeFault,
  scopeTypes,
  withViews,
  type FieldMode,
} from '#src/areas/people/rights.ts'
import { staffInScope } from '#src/areas/people/staff.server.ts'
import { colon, comma, say, type Lang } from '#src/domain/text.ts'
import { implement, type Db, type Staff } from '#src/server/call/implement.ts'
import { checker } from '#src/server/call/permissions.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way } from '#src/server/call/reverts.ts'
import { like } from '#src/server/db/like.ts'
import { isNamed } from '#src/server/db/names.ts'
import { defineExport, startExport } from '#src/server/exports/exports.ts'
import { role as contract, type RoleRow } from '../contract/role.ts'

const object_type = 'role'
const ofRow = (row: Pick<Role, 'id' | 'name'>) => ({
  object_type,
  object_id: row.id,
  object_label: row.name,
})
const known: ReadonlySet<string> = new Set(knownPermits)
/** A role's rights as leaves, patterns resolved, in the order of the tree. */
const leavesOf = (perms: readonly string[]): string[] => knownPermits.filter(checker(perms))
const holds = (id: number | typeof role.id): SQL => sql`${admin.role_ids} @> to_jsonb(${id}::int)`
const membersOf = sql<number>`(select count(*)::int from admin a where a.status <> 'left' and a.role_ids @> to_jsonb("role"."id"))`

const rowOf = (row: Role, member_count: number, scope_names: Record<string, string>): RoleRow => ({
  id: row.id,
  name: row.name,
  code: row.code,
  builtin: row.builtin,
  scope_type: row.scope_type,
  scope_ids: row.scope_ids,
  scope_names,
  refund_limit_cents: row.refund_limit_cents,
  status: row.status,
  remark: row.remark,
  member_count,
  perm_count: leavesOf(row.perms).length,
  field_count: Object.keys(row.field_rules).length,
  updated_at: row.updated_at,
  version: row.version,
})
const shown = (row: Role) => ({
  id: row.id,
  name: row.name,
  perms: leavesOf(row.perms),
  field_rules: row.field_rules,
  scope_type: row.scope_type,
  scope_ids: row.scope_ids,
  refund_limit_cents: row.refund_limit_cents,
  status: row.status,
  version: row.version,
})

const find = async (db: Db, id: number): Promise<{ row: Role; members: number }> => {
  const [found] = await db
    .select({ row: role, members: membersOf })
    .from(role)
    .where(eq(role.id, id))
  if (!found) throw missing()
  return found
}
/** The role as it was read, if the verb may be done to it and its version is the present one. */
const whyNot = (verb: RoleVerb) => (verb === 'del' ? 'has_members' : 'wrong_state')
const held = async (tx: Db, verb: RoleVerb, one: { id: number; version: number }) => {
  const found = await find(tx, one.id)
  const may = roleCan(verb, { ...found.row, member_count: found.members })
  if (may !== true)
    throw ruled(
      may === builtinRole ? 'builtin' : whyNot(verb),
      may,
      {},
      { member_count: found.members },
    )
  if (found.row.version !== one.version)
    throw await stale(tx, object_type, shown(found.row), one.id)
  return found
}
const free = async (tx: Db, of: { name?: string; code?: string }, but = 0) => {
  const [same] = await tx
    .select({ name: role.name, code: role.code })
    .from(role)
    .where(
      and(
        or(
          of.name === undefined ? undefined : isNamed(role.name, of.name),
          of.code === undefined ? undefined : eq(role.code, of.code),
        ),
        sql`${role.id} <> ${but}`,
      ),
    )
  if (same)
    throw same.code !== of.code
      ? ruled('name_taken', ['角色名称“{name}”已存在', 'There is a role called {name}'], {
          name: same.name,
        })
      : ruled('code_taken', ['角色编码“{code}”已存在', 'The code {code} is taken'], {
          code: same.code,
        })
}
const names = async (db: Db, id: number, limit: number) =>
  db
    .select({ id: admin.id, name: admin.name })
    .from(admin)
    .where(and(holds(id), sql`${admin.status} <> 'left'`))
    .orderBy(asc(admin.pinyin), asc(admin.id))
    .limit(limit)

const nameLike = (keyword: string | undefined): SQL | undefined => {
  if (!keyword) return undefined
  const wanted = like(keyword)
  return or(ilike(admin.name, wanted), ilike(admin.account, wanted), ilike(admin.pinyin, wanted))
}
const peopleWhere = async (db: Db, where: SQL | undefined, page: number, pageSize: number) => {
  const [total] = await db.select({ n: count() }).from(admin).where(where)
  const list = await db
    .select({
      id: admin.id,
      name: admin.name,
      account: admin.account,
      department_name: department.name,
      status: admin.status,
    })
    .from(admin)
    .leftJoin(department, eq(department.id, admin.department_id))
    .where(where)
    .orderBy(asc(admin.pinyin), asc(admin.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, total: total!.n }
}
/** Rights as they will be saved: known ones, each with the view of its page. */
const cleaned = (perms: readonly string[], lang: Lang): string[] => {
  const unknown = perms.filter(perm => !known.has(perm))
  if (unknown.length > 0)
    throw invalid({
      perms: say(['没有这些权限：{perms}', 'No such rights: {perms}'], lang, {
        perms: unknown.slice(0, 5).join(say(comma, lang)),
      }),
    })
  return withViews(perms, known)
}
const scopeWords = async (
  db: Db,
  row: Pick<Role, 'scope_type' | 'scope_ids'>,
  lang: Lang,
): Promise<string> => {
  const listed = Object.values((await scopeNames(db, [row]))(row))
  return [
    say(scopeTypes[row.scope_type], lang),
    ...(listed.length > 0 ? [listed.join(say(comma, lang))] : []),
  ].join(say(colon, lang))
}
const countPages = (nodes: readonly MenuNode[]): number =>
  nodes.reduce((sum, node) => sum + (node.redirect ? 1 : 0) + countPages(node.children), 0)
/** A person who has not left, held until the commit. */
const person = async (tx: Db, id: number): Promise<typeof admin.$inferSelect> => {
  const [found] = await tx
    .select()
    .from(admin)
    .where(and(eq(admin.id, id), sql`${admin.status} <> 'left'`))
    .for('update')
  if (!found) throw missing()
  return found
}
/** A role is changed by this measure of the asker. */
const measured = async (tx: Db, staff: Staff) => ({
  tx,
  measure: await measureOf(tx, staff),
  show: shown,
})
/** A person is held when their roles change, so nobody is told of a newer one. */
const nobody = () => ({})

defineExport('system.role', {
  title: ['权限矩阵', 'Matrix of rights'],
  permit: 'system.role.export',
  columns: [
    { key: 'module', title: ['模块', 'Module'] },
    { key: 'page', title: ['页面', 'Page'] },
    { key: 'action', title: ['操作', 'Action'] },
    { key: 'permit', title: ['权限标识', 'Right'] },
    { key: 'roles', title: ['拥有的角色', 'Roles that have it'] },
    { key: 'people', title: ['人数', 'People'], kind: 'number' },
  ],
  rows: async ({ db, staff, after, limit }) => {
    const from = typeof after === 'number' ? after : 0
    const all = await db.select().from(role).where(eq(role.status, 'on')).orderBy(role.id)
    const checks = all.map(row => ({ row, can: checker(row.perms) }))
    const people = (
      await db.select({ role_ids: admin.role_ids }).from(admin).where(eq(admin.status, 'active'))
    ).map(one => new Set(one.role_ids))
    const title = (of: { title: string; en: string }) => (staff.lang === 'en' ? of.en : of.title)
    const leaves = permTree
      .flatMap(module =>
        module.pages.flatMap(page =>
          page.leaves.map(leaf => ({
            module: title(module),
            page: title(page),
            action: title(leaf),
            permit: leaf.key,
          })),
        ),
      )
      .slice(from, from + limit)
    const rows = leaves.map(leaf => {
      const having = checks.filter(({ can }) => can(leaf.permit)).map(({ row }) => row)
      return {
        ...leaf,
        roles: having.map(row => row.name).join(say(comma, staff.lang)),
        people: people.filter(ids => having.some(row => ids.has(row.id))).length,
      }
    })
    return { rows, next: rows.length < limit ? undefined : from + limit }
  },
})

const server = implement(contract, {
  lst: async ({ keyword, status, permit, page, pageSize }, { db }) => {
    const all = await db
      .select({ row: role, members: membersOf })
      .from(role)
      .where(
        and(
          status && eq(role.status, status),
          keyword
            ? or(ilike(role.name, like(keyword)), ilike(role.code, like(keyword)))
            : undefined,
        ),
      )
      .orderBy(asc(role.id))
    const found = permit ? all.filter(({ row }) => checker(row.perms)(permit)) : all
    const mine = found.slice((page - 1) * pageSize, page * pageSize)
    const named = await scopeNames(
      db,
      mine.map(({ row }) => row),
    )
    return {
      total: found.length,
      list: mine.map(({ row, members }) => rowOf(row, members, named(row))),
    }
  },
  detail: async ({ id }, { db, staff }) => {
    const { row, members } = await find(db, id)
    const fields = await db
      .select()
      .from(field_key)
      .where(eq(field_key.status, 'on'))
      .orderBy(field_key.entity, field_key.id)
    const boundless = staff.can('*')
    return {
      role: rowOf(row, members, (await scopeNames(db, [row]))(row)),
      perms: leavesOf(row.perms),
      field_rules: row.field_rules,
      fields: fields.map(({ key, title, entity, default_mode }) => ({
        key,
        title,
        entity,
        default_mode,
        mine: boundless ? ('show' as const) : staff.field(key),
      })),
    }
  },
  tree: async (_, { staff }) => ({
    modules: permTree.map(module => ({
      ...module,
      pages: module.pages.map(page => ({
        ...page,
        leaves: page.leaves.map(leaf => ({ ...leaf, mine: staff.can(leaf.key) })),
      })),
    })),
  }),
  members: async ({ id, keyword, page, pageSize }, { db, staff }) => {
    await find(db, id)
    return peopleWhere(
      db,
      and(holds(id), sql`${admin.status} <> 'left'`, nameLike(keyword), staffInScope(staff)),
      page,
      pageSize,
    )
  },
  candidates: async ({ id, keyword, page, pageSize }, { db, staff }) =>
    peopleWhere(
      db,
      and(
        eq(admin.status, 'active'),
        id === undefined ? undefined : sql`not ${holds(id)}`,
        nameLike(keyword),
        staffInScope(staff),
      ),
      page,
      pageSize,
    ),
  pick: async ({ keyword, page, pageSize }, { db, staff }) => {
    const measure = await measureOf(db, staff)
    const found = (
      await db.select().from(role).where(eq(role.status, 'on')).orderBy(role.id)
    ).filter(row => row.name.includes(keyword ?? '') || row.code.includes(keyword ?? ''))
    return {
      total: found.length,
      list: found.slice((page - 1) * pageSize, page * pageSize).map(row => ({
        id: row.id,
        name: row.name,
        code: row.code,
        grantable: beyond(measure, row) === undefined,
      })),
    }
  },
  permsDiff: async ({ id, perms }, { db, staff }) => {
    const { row, members } = await find(db, id)
    const next = cleaned(perms, staff.lang)
    const diff = diffOf(leavesOf(row.perms), next)
    return {
      ...diff,
      perms: next,
      member_count: members,
      members: (await names(db, id, 8)).map(one => one.name),
      beyond: permsBeyond(staff, [...diff.added, ...diff.removed]),
    }
  },
  holders: async ({ permit }, { db, staff }) => {
    const all = (
      await db.select({ row: role, members: membersOf }).from(role).orderBy(role.id)
    ).filter(({ row }) => checker(row.perms)(permit))
    const on = all.filter(({ row }) => row.status === 'on').map(({ row }) => row)
    const people =
      on.length === 0
        ? []
        : await db
            .select({
              id: admin.id,
              name: admin.name,
              account: admin.account,
              department_name: department.name,
              status: admin.status,
              role_ids: admin.role_ids,
            })
            .from(admin)
            .leftJoin(department, eq(department.id, admin.department_id))
            .where(
              and(
                eq(admin.status, 'active'),
                or(...on.map(row => holds(row.id))),
                staffInScope(staff),
              ),
            )
            .orderBy(asc(admin.pinyin), asc(admin.id))
            .limit(500)
    return {
      roles: all.map(({ row, members }) => ({
        id: row.id,
        name: row.name,
        status: row.status,
        member_count: members,
      })),
      people: people.map(({ role_ids, ...one }) => ({
        ...one,
        by: on
          .filter(row => role_ids.includes(row.id))
          .map(row => row.name)
          .join(say(comma, staff.lang)),
      })),
    }
  },
  create: async ({ name, code, remark }, { tx, log }) => {
    await free(tx, { name, code })
    const [made] = await tx
      .insert(role)
      .values({ name, code, remark: remark || null, scope_type: 'self' })
      .returning()
    log({ ...ofRow(made!), after: { name, code, remark } })
    return { id: made!.id, version: made!.version }
  },
  copy: async ({ id, name, code }, { tx, staff, log }) => {
    const { row } = await find(tx, id)
    await free(tx, { name, code })
    wholeWithin(await measureOf(tx, staff), row)
    const { perms, field_rules, scope_type, scope_ids, refund_limit_cents } = row
    const [made] = await tx
      .insert(role)
      .values({
        name,
        code,
        perms: withViews(leavesOf(perms), known),
        field_rules,
        scope_type,
        scope_ids,
        refund_limit_cents,
        remark: row.remark,
      })
      .returning()
    log({ ...ofRow(made!), after: { name, code, copied_from: row.name } })
    return { id: made!.id, version: made!.version }
  },
  edit: async ({ name, remark, ...one }, { tx, staff, log }) => {
    const { row } = await held(tx, 'edit', one)
    await free(tx, { name }, row.id)
    const set = { name, remark: remark || null }
    const after = await changeRole(await measured(tx, staff), row, set)
    log({
      ...ofRow(after),
      before: { name: row.name, remark: row.remark },
      after: { name: after.name, remark: after.remark },
    })
    return { id: after.id, version: after.version }
  },
  setPerms: async ({ perms, base, ...one }, { tx, staff, log }) => {
    const next = cleaned(perms, staff.lang)
    const found = await find(tx, one.id)
    const was = leavesOf(found.row.perms)
    if (
      roleCan('setPerms', { ...found.row, member_count: found.members }) === true &&
      found.row.version !== one.version
    ) {
      // Both differences from what was on screen: theirs, and the one that was about to be saved.
      const refusal = await stale(tx, object_type, shown(found.row), one.id)
      Object.assign(
        refusal.data,
        base
          ? { theirs: diffOf(base, was), mine: diffOf(base, next) }
          : { mine: diffOf(was, next) },
      )
      throw refusal
    }
    const { row, members } = await held(tx, 'setPerms', one)
    const diff = diffOf(was, next)
    const after = await changeRole(await measured(tx, staff), row, { perms: next })
    log({ ...ofRow(row), before: { perms: diff.removed }, after: { perms: diff.added } })
    return { id: after.id, version: after.version, ...diff, member_count: members }
  },
  setFields: async ({ fieldRules, ...one }, { tx, staff, log }) => {
    const { row } = await held(tx, 'setFields', one)
    const keys = await tx.select().from(field_key).where(eq(field_key.status, 'on'))
    const unknown = Object.keys(fieldRules).filter(key => !keys.some(field => field.key === key))
    if (unknown.length > 0)
      throw invalid({
        fieldRules: say(['没有这些字段：{keys}', 'No such fields: {keys}'], staff.lang, {
          keys: unknown.join(say(comma, staff.lang)),
        }),
      })
    const after = await changeRole(await measured(tx, staff), row, { field_rules: fieldRules })
    const changed = [
      ...new Set([...Object.keys(row.field_rules), ...Object.keys(fieldRules)]),
    ].filter(key => row.field_rules[key] !== fieldRules[key])
    const part = (rules: Record<string, FieldMode>) =>
      Object.fromEntries(changed.map(key => [key, rules[key] ?? 'default']))
    log({
      ...ofRow(row),
      before: { field_rules: part(row.field_rules) },
      after: { field_rules: part(fieldRules) },
    })
    return { id: after.id, version: after.version }
  },
  setScope: async ({ scope, ids, ...one }, { tx, staff, log }) => {
    const { row } = await held(tx, 'setScope', one)
    const scope_ids = scope === 'city' || scope === 'mall' ? [...new Set(ids)] : []
    const fault = scopeFault({ scope_type: scope, scope_ids })
    if (fault) throw ruled('empty_scope', fault)
    await placesExist(tx, scope, scope_ids)
    const after = await changeRole(await measured(tx, staff), row, { scope_type: scope, scope_ids })
    log({
      ...ofRow(row),
      before: { scope_type: row.scope_type, scope_ids: row.scope_ids },
      after: { scope_type: scope, scope_ids },
    })
    return { id: after.id, version: after.version }
  },
  setRefundLimit: async ({ cents, ...one }, { tx, staff, log }) => {
    const { row } = await held(tx, 'setRefundLimit', one)
    const after = await changeRole(await measured(tx, staff), row, { refund_limit_cents: cents })
    log({
      ...ofRow(row),
      before: { refund_limit_cents: row.refund_limit_cents },
      after: { refund_limit_cents: cents },
    })
    return { id: after.id, version: after.version }
  },
  addMembers: async ({ id, admin_ids }, { tx, staff, log }) => {
    await lockSupers(tx)
    const measure = await measureOf(tx, staff)
    await find(tx, id)
    await grantable(tx, measure, [id])
    let added = 0
    for (const admin_id of [...new Set(admin_ids)].sort((a, b) => a - b)) {
      const one = await person(tx, admin_id)
      if (one.role_ids.includes(id)) continue
      if (one.id === staff.id)
        throw ruled('not_yourself', ['不能对自己的账号做此操作', 'Not to your own account'])
      await giveRoles({ tx, measure, show: nobody }, one, [...one.role_ids, id])
      log({
        object_type: 'admin',
        object_id: one.id,
        object_label: one.name,
        before: { role_ids: one.role_ids },
        after: { role_ids: [...one.role_ids, id] },
      })
      added++
    }
    return { id, added }
  },
  removeMember: async ({ id, admin_id }, { tx, staff, log }) => {
    await lockSupers(tx)
    await find(tx, id)
    const one = await person(tx, admin_id)
    if (!one.role_ids.includes(id)) throw missing()
    const measure = await measureOf(tx, staff)
    if (one.id === staff.id)
      throw ruled('not_yourself', ['不能对自己的账号做此操作', 'Not to your own account'])
    const role_ids = one.role_ids.filter(held => held !== id)
    await giveRoles({ tx, measure, show: nobody }, one, role_ids)
    log({
      object_type: 'admin',
      object_id: one.id,
      object_label: one.name,
      before: { role_ids: one.role_ids },
      after: { role_ids },
    })
    return { id }
  },
  diff: async ({ id, other_id }, { db, staff }) => {
    const [{ row: a }, { row: b }] = await Promise.all([find(db, id), find(db, other_id)])
    const { added, removed } = diffOf(leavesOf(a.perms), leavesOf(b.perms))
    const keys = await db
      .select()
      .from(field_key)
      .where(eq(field_key.status, 'on'))
      .orderBy(field_key.entity, field_key.id)
    const mode = (row: Role, key: string, byDefault: FieldMode) => row.field_rules[key] ?? byDefault
    return {
      a: a.name,
      b: b.name,
      only_a: removed,
      only_b: added,
      both: leavesOf(a.perms).length - removed.length,
      fields: keys
        .map(({ key, title, default_mode }) => ({
          key,
          title,
          a: mode(a, key, default_mode),
          b: mode(b, key, default_mode),
        }))
        .filter(one => one.a !== one.b),
      scope: { a: await scopeWords(db, a, staff.lang), b: await scopeWords(db, b, staff.lang) },
      refund_limit_cents: { a: a.refund_limit_cents, b: b.refund_limit_cents },
    }
  },
  preview: async ({ id, perms }, { db, staff, caller }) => {
    const { row } = await find(db, id)
    const menu = await menuFor(db, checker(perms ?? row.perms), staff.lang, caller.region)
    return { menu, pages: countPages(menu) }
  },
  enable: async (one, { tx, staff, log }) => {
    const { row } = await held(tx, 'enable', one)
    const after = await changeRole(await measured(tx, staff), row, { status: 'on' })
    log({ ...ofRow(row), before: { status: 'off' }, after: { status: 'on' } })
    return { id: after.id, version: after.version }
  },
  disable: async ({ reason, ...one }, { tx, staff, log }) => {
    const { row, members } = await held(tx, 'disable', one)
    const after = await changeRole(await measured(tx, staff), row, { status: 'off' })
    log({ ...ofRow(row), before: { status: 'on' }, after: { status: 'off', members }, reason })
    return { id: after.id, version: after.version }
  },
  del: async (one, { tx, staff, log }) => {
    const { row } = await held(tx, 'del', one)
    wholeWithin(await measureOf(tx, staff), row)
    // Nobody gets it between the count and the deletion: who assigns it reads it for share first.
    const [gone] = await tx
      .delete(role)
      .where(
        and(
          eq(role.id, row.id),
          eq(role.version, one.version),
          sql`not exists (select 1 from admin a where a.role_ids @> to_jsonb(${row.id}::int) and a.status <> 'left')`,
        ),
      )
      .returning({ id: role.id })
    if (!gone) throw await stale(tx, object_type, shown(row), row.id)
    log({
      ...ofRow(row),
      before: { name: row.name, code: row.code, perms: leavesOf(row.perms) },
      after: null,
    })
    return { id: row.id }
  },
  export: async ({ format, columns }, context) =>
    startExport(context, {
      page: 'system.role',
      filters: {},
      filters_text: say(
        ['全部权限与启用的角色', 'All rights and enabled roles'],
        context.staff.lang,
      ),
      rows_expected: knownPermits.length,
      format,
      columns,
    }),
})

// By the checks of each verb: nobody widens a role beyond themselves by taking something back.
const leaved = async (db: Db, id: number) => {
  const { row } = await find(db, id)
  return { ...row, perms: leavesOf(row.perms) }
}
defineRevertBy(object_type, async (db, _, id) => leaved(db, id), [
  way(contract.edit, server.handlers.edit, ['name', 'remark'], ({ id, version, name, remark }) => ({
    id,
    version,
    name,
    remark: remark ?? '',
  })),
  {
    // The log holds which rights went and which came.
    ...way(contract.setPerms, server.handlers.setPerms, ['perms']),
    lists: ['perms'],
  },
  way(
    contract.setScope,
    server.handlers.setScope,
    ['scope_type', 'scope_ids'],
    ({ id, version, scope_type, scope_ids }) => ({
      id,
      version,
      scope: scope_type,
      ids: scope_ids,
    }),
  ),
  way(
    contract.setRefundLimit,
    server.handlers.setRefundLimit,
    ['refund_limit_cents'],
    ({ id, version, refund_limit_cents }) => ({ id, version, cents: refund_limit_cents }),
  ),
])
export default server
