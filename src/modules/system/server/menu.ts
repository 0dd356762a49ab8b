import { and, count, eq, sql } from 'drizzle-orm'
import {
  heldMenu,
  lockMenu,
  menuRows,
  missingEntries,
  syncMenu,
} from '#src/areas/people/menu.server.ts'
import { mayHold, type MenuType } from '#src/areas/people/menu.ts'
import { updating } from '#src/areas/people/people.server.ts'
import { menu, role } from '#src/areas/people/people.table.ts'
import { SUPER_ADMIN } from '#src/areas/people/people.ts'
import { knownPermits, pageByPath, permTitles } from '#src/areas/people/permits.server.ts'
import { joined, joinedNames } from '#src/domain/text.ts'
import { childrenOf, mayStandUnder, orderWith, seatOf } from '#src/domain/tree.ts'
import { implement, type Db } from '#src/server/call/implement.ts'
import { checker } from '#src/server/call/permissions.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way } from '#src/server/call/reverts.ts'
import { menu as contract, type MenuRow } from '../contract/menu.ts'

type Row = typeof menu.$inferSelect
const object_type = 'menu'
const ofRow = (row: Pick<Row, 'id' | 'title'>) => ({
  object_type,
  object_id: row.id,
  object_label: row.title,
})
const shown = ({
  id,
  parent_id,
  title,
  en,
  redirect,
  perm,
  sort,
  visible,
  keep_alive,
  version,
}: Row) => ({ id, parent_id, title, en, redirect, perm, sort, visible, keep_alive, version })
const update = updating(menu, object_type, shown)
const listed = (row: Pick<Row, 'type' | 'redirect'>) =>
  row.type !== 'page' || (pageByPath.get(row.redirect)?.menu ?? false)

const all = (db: Db) => menuRows(db, 'ops')
const held = (tx: Db, one: { id: number; version: number }) =>
  heldMenu(tx, { side: 'ops', object_type }, one, shown)
const under = (rows: readonly Row[], type: MenuType, parent_id: number | null) => {
  const parent = rows.find(row => row.id === parent_id)
  if (parent_id !== null && !parent) throw invalid({ parent_id: ['上级不存在', 'No such parent'] })
  const may = mayHold(type, parent?.type ?? null)
  if (may !== true) throw ruled('wrong_level', may)
}
const pathFree = (rows: readonly Row[], redirect: string, but = 0) => {
  if (
    rows.some(
      row => row.type === 'page' && row.visible && row.redirect === redirect && row.id !== but,
    )
  )
    throw ruled(
      'path_taken',
      ['路径 {path} 已在显示的菜单中', 'The path {path} stands in the menu already'],
      { path: redirect },
    )
}
/** Roles that name the right themselves; the super administrator's star names none. */
const grantsOf = async (db: Db, perm: string | null) => {
  if (perm === null) return []
  const roles = await db.select({ id: role.id, name: role.name, perms: role.perms }).from(role)
  return roles
    .filter(
      one =>
        one.perms.some(held => held !== '*') &&
        checker(one.perms.filter(held => held !== '*'))(perm),
    )
    .map(({ id, name }) => ({ id, name }))
}

const needFreeRight = (
  rows: readonly Row[],
  { type, perm, redirect }: Pick<Row, 'type' | 'perm' | 'redirect'>,
): void => {
  if (type === 'action' && !knownPermits.includes(perm!))
    throw ruled('unknown_right', ['没有权限 {perm}', 'There is no right {perm}'], {
      perm: perm || joined(['（空）', '(empty)']),
    })
  if (type !== 'dir' && rows.some(row => row.type === type && row.perm === perm)) {
    if (
      type === 'action' ||
      rows.some(row => row.type === 'page' && row.perm === perm && row.redirect !== redirect)
    )
      throw ruled(
        'right_taken',
        ['权限标识 {perm} 已被其他节点使用', 'Another node has the right {perm}'],
        { perm: perm! },
      )
  }
}
const server = implement(contract, {
  lst: async (_, { db }) => {
    const rows = await all(db)
    const below = new Map<number, number>()
    for (const row of rows)
      if (row.parent_id !== null) below.set(row.parent_id, (below.get(row.parent_id) ?? 0) + 1)
    return {
      missing: missingEntries(rows),
      list: rows.map((row): MenuRow => ({
        ...shown(row),
        type: row.type,
        icon: row.icon,
        hidden_regions: row.hidden_regions,
        vanished_at: row.vanished_at,
        listed: listed(row),
        children: below.get(row.id) ?? 0,
      })),
    }
  },
  routes: async ({ keyword = '', page, pageSize }, { db }) => {
    const rows = await all(db)
    const taken = new Set(
      rows.filter(row => row.type === 'page' && row.visible).map(row => row.redirect),
    )
    const found = [...pageByPath.values()].filter(
      one =>
        one.menu &&
        !taken.has(one.path) &&
        (one.title.includes(keyword) || one.path.includes(keyword)),
    )
    return {
      total: found.length,
      list: found
        .slice((page - 1) * pageSize, page * pageSize)
        .map(one => ({ id: one.order, path: one.path, title: one.title })),
    }
  },
  parents: async ({ keyword = '', page, pageSize }, { db }) => {
    const rows = await all(db)
    const found = rows
      .filter(row => row.type !== 'action')
      .map(row => ({
        id: row.id,
        title:
          row.type === 'dir'
            ? row.title
            : `${rows.find(each => each.id === row.parent_id)?.title ?? ''} / ${row.title}`,
      }))
      .filter(row => row.title.includes(keyword))
    return { total: found.length, list: found.slice((page - 1) * pageSize, page * pageSize) }
  },
  grants: async ({ id }, { db }) => {
    const [row] = await db
      .select()
      .from(menu)
      .where(and(eq(menu.id, id), eq(menu.side, 'ops')))
    if (!row) throw missing()
    return { roles: await grantsOf(db, row.type === 'dir' ? null : row.perm) }
  },
  create: async (
    { parent_id = null, type, title, en = '', redirect = '', perm, icon = '' },
    { tx, log },
  ) => {
    await lockMenu(tx, 'ops')
    const rows = await all(tx)
    under(rows, type, parent_id)
    const page = pageByPath.get(redirect)
    if (type === 'page') {
      if (!page?.menu)
        throw ruled(
          'unknown_route',
          ['{path} 不是可用的页面路由', '{path} is no page that can stand in the menu'],
          { path: redirect || joined(['（空）', '(empty)']) },
        )
      pathFree(rows, redirect)
    }
    const key = {
      dir: () => null,
      page: () => page!.permit,
      action: () => perm ?? '',
    }[type]()
    needFreeRight(rows, { type, perm: key, redirect })
    const again =
      type === 'page'
        ? rows.find(row => row.type === 'page' && row.redirect === redirect)
        : undefined
    const sort = childrenOf(rows, parent_id).length
    // The same page hidden elsewhere gives its place up: a right stands at one node.
    const [made] = again
      ? await tx
          .update(menu)
          .set({
            parent_id,
            title,
            en,
            icon,
            sort,
            visible: true,
            version: sql`${menu.version} + 1`,
          })
          .where(eq(menu.id, again.id))
          .returning()
      : await tx
          .insert(menu)
          .values({
            side: 'ops',
            parent_id,
            type,
            title,
            en,
            redirect: type === 'page' ? redirect : '',
            perm: key,
            icon,
            sort,
            keep_alive: page?.keepAlive ?? false,
          })
          .returning()
    log({ ...ofRow(made!), after: shown(made!) })
    return { id: made!.id, version: made!.version }
  },
  edit: async ({ title, en = '', icon = '', hidden_regions, ...one }, { tx, log }) => {
    const { row } = await held(tx, one)
    const after = await update(tx, one, {
      title,
      en,
      icon,
      ...(hidden_regions ? { hidden_regions } : {}),
    })
    const part = (of: Row) => ({
      title: of.title,
      en: of.en,
      icon: of.icon,
      hidden_regions: of.hidden_regions,
    })
    log({ ...ofRow(after), before: part(row), after: part(after) })
    return { id: after.id, version: after.version }
  },
  move: async ({ parent_id = null, sort, ...one }, { tx, log }) => {
    const { row, rows } = await held(tx, one)
    const may = mayStandUnder(rows, row.id, parent_id)
    if (may !== true) throw ruled('wrong_place', may)
    under(rows, row.type, parent_id)
    const order = orderWith(rows, row.id, parent_id, sort)
    const after = await update(tx, one, { parent_id })
    for (const [at, id] of order.entries())
      await tx.update(menu).set({ sort: at }).where(eq(menu.id, id))
    log({
      ...ofRow(after),
      before: { parent_id: row.parent_id, sort: seatOf(rows, row.id) },
      after: { parent_id, sort: order.indexOf(row.id) },
    })
    return { id: after.id, version: after.version }
  },
  toggleVisible: async (one, { tx, log }) => {
    const { row, rows } = await held(tx, one)
    if (row.type === 'action')
      throw ruled('not_shown', [
        '操作不在菜单中显示，权限由角色决定',
        'An action does not stand in the menu; roles decide who has it',
      ])
    if (!row.visible) {
      if (!listed(row))
        throw ruled('needs_parameters', [
          '该页面需要参数，不能独立放进菜单',
          'This page needs parameters; it can’t stand in the menu',
        ])
      if (row.type === 'page') pathFree(rows, row.redirect, row.id)
    }
    const after = await update(tx, one, { visible: !row.visible })
    log({ ...ofRow(after), before: { visible: row.visible }, after: { visible: after.visible } })
    return { id: after.id, version: after.version, visible: after.visible }
  },
  toggleKeepAlive: async (one, { tx, log }) => {
    const { row } = await held(tx, one)
    if (row.type !== 'page')
      throw ruled('not_a_page', ['只有页面可以缓存', 'Only a page can be kept alive'])
    const after = await update(tx, one, { keep_alive: !row.keep_alive })
    log({
      ...ofRow(after),
      before: { keep_alive: row.keep_alive },
      after: { keep_alive: after.keep_alive },
    })
    return { id: after.id, version: after.version, keep_alive: after.keep_alive }
  },
  syncRoutes: async (_, { tx, now, log }) => {
    await lockMenu(tx, 'ops')
    const done = await syncMenu(tx, now)
    log({
      object_type,
      object_id: 0,
      object_label: joined(['同步路由清单', 'List of routes']),
      after: done,
    })
    return done
  },
  findUnused: async (_, { db }) => {
    const roles = await db.select().from(role).where(eq(role.status, 'on'))
    const checks = roles.filter(one => one.code !== SUPER_ADMIN).map(one => checker(one.perms))
    const known = new Set(knownPermits)
    const named = new Map<string, string[]>()
    for (const one of roles)
      for (const perm of one.perms)
        if (!perm.endsWith('*') && !known.has(perm))
          named.set(perm, [...(named.get(perm) ?? []), one.name])
    return {
      unused: knownPermits
        .filter(perm => !checks.some(can => can(perm)))
        .map(perm => ({ perm, title: permTitles.get(perm)?.title ?? perm })),
      unknown: [...named].map(([perm, holders]) => ({ perm, roles: holders })),
    }
  },
  del: async (one, { tx, log }) => {
    const { row } = await held(tx, one)
    const [{ n } = { n: 0 }] = await tx
      .select({ n: count() })
      .from(menu)
      .where(eq(menu.parent_id, row.id))
    if (n > 0)
      throw ruled('has_children', ['还有 {n} 个下级，不能删除', '{n} entries stand under it'], {
        n,
      })
    const roles = row.type === 'dir' ? [] : await grantsOf(tx, row.perm)
    if (roles.length > 0)
      throw ruled(
        'granted',
        ['已授权给角色：{roles}，不能删除', 'Roles have it: {roles}'],
        { roles: joinedNames(roles.map(each => each.name)) },
        { roles },
      )
    await tx.delete(menu).where(and(eq(menu.id, row.id), eq(menu.version, one.version)))
    log({ ...ofRow(row), before: shown(row), after: null })
    return { id: row.id }
  },
})

defineRevertBy(
  object_type,
  async (db, _, id) => {
    const rows = await all(db)
    const row = rows.find(each => each.id === id)
    return row && { ...row, sort: seatOf(rows, id) }
  },
  [
    way(
      contract.edit,
      server.handlers.edit,
      ['title', 'en', 'icon', 'hidden_regions'],
      ({ id, version, title, en, icon, hidden_regions }) => ({
        id,
        version,
        title,
        en,
        icon,
        hidden_regions,
      }),
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
    way(contract.toggleVisible, server.handlers.toggleVisible, ['visible'], ({ id, version }) => ({
      id,
      version,
    })),
    way(
      contract.toggleKeepAlive,
      server.handlers.toggleKeepAlive,
      ['keep_alive'],
      ({ id, version }) => ({ id, version }),
    ),
  ],
)
export default server
