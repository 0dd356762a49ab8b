import { and, count, eq, ilike, inArray, sql } from 'drizzle-orm'
import { order_code } from '#src/areas/code/code.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { heldMenu, lockMenu, menuRows } from '#src/areas/people/menu.server.ts'
import {
  compareVersions,
  mayHold,
  merchantRoleKeys,
  merchantRoles,
  merchantRoutes,
  reaches,
  releaseCan,
  releaseOf,
  VERIFY_PAGE,
  type MerchantRole,
} from '#src/areas/people/menu.ts'
import { updating } from '#src/areas/people/people.server.ts'
import { menu } from '#src/areas/people/people.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { joined } from '#src/domain/text.ts'
import { childrenOf, mayStandUnder, orderWith, seatOf } from '#src/domain/tree.ts'
import { implement, type Db, type Staff } from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way } from '#src/server/call/reverts.ts'
import { within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import { bulksMenu as contract, type MerchantMenuRow } from '../contract/bulksMenu.ts'

type Row = typeof menu.$inferSelect
const object_type = 'merchant_menu'
const ofRow = (row: Pick<Row, 'id' | 'title'>) => ({
  object_type,
  object_id: row.id,
  object_label: row.title,
})
const shown = ({
  id,
  parent_id,
  title,
  redirect,
  perm,
  sort,
  visible,
  packages,
  gray_city_ids,
  gray_store_ids,
  min_app_version,
  version,
}: Row) => ({
  id,
  parent_id,
  title,
  redirect,
  perm,
  sort,
  visible,
  packages,
  gray_city_ids,
  gray_store_ids,
  min_app_version,
  version,
})
const update = updating(menu, object_type, shown)

const all = (db: Db) => menuRows(db, 'merchant')
const held = (tx: Db, one: { id: number; version: number }) =>
  heldMenu(tx, { side: 'merchant', object_type }, one, shown)
/** The rows with one changed; without it where there is nothing to change it to. */
const changed = (rows: readonly Row[], id: number, patch: Partial<Row> | null): Row[] =>
  patch
    ? rows.map(row => (row.id === id ? { ...row, ...patch } : row))
    : rows.filter(row => row.id !== id)
/** As stores see them: what stands under a directory that is off is off too. */
const standing = (rows: readonly Row[]): Row[] =>
  rows.map(row =>
    row.visible && rows.some(one => one.id === row.parent_id && !one.visible)
      ? { ...row, visible: false }
      : row,
  )
/** No merchant role is left without a page that is on. */
const rolesKeepPages = (after: readonly Row[]) => {
  for (const role of merchantRoleKeys) {
    if (
      !standing(after).some(
        row => row.type === 'page' && row.visible && row.packages.includes(role),
      )
    )
      throw ruled(
        'role_without_pages',
        ['商家角色“{role}”将没有任何页面', 'The merchant role {role} would have no page'],
        { role: merchantRoles[role][0] },
      )
  }
}
/**
 * While codes are out, a cashier keeps the page where they are redeemed: everywhere, so gray is not
 * enough once it was released to all.
 */
const cashierKeepsVerify = async (
  tx: Db,
  now: number,
  before: readonly Row[],
  after: readonly Row[],
) => {
  const reach = (rows: readonly Row[]) => {
    const row = standing(rows).find(each => each.redirect === VERIFY_PAGE)
    return row?.packages.includes('cashier') ? releaseOf(row) : 'off'
  }
  const order = { off: 0, gray: 1, full: 2 }
  if (order[reach(after)] >= order[reach(before)]) return
  const [codes] = await tx
    .select({ n: count() })
    .from(order_code)
    .where(
      and(
        inArray(order_code.state, ['unused', 'part_used']),
        sql`${order_code.valid_until} > ${now}`,
      ),
    )
  if (codes!.n > 0)
    throw ruled(
      'codes_outstanding',
      [
        '还有 {n} 张未过期券码，收银员须保留核销页',
        '{n} codes are still valid: the cashier keeps the redeem page',
      ],
      { n: codes!.n },
    )
}
const versionFits = (redirect: string, min_app_version: string | undefined) => {
  const since = merchantRoutes[redirect]
  if (since === undefined)
    throw ruled('unknown_route', ['商家端没有页面 {path}', 'The merchant app has no page {path}'], {
      path: redirect || joined(['（空）', '(empty)']),
    })
  if (compareVersions(min_app_version ?? '1.0.0', since) < 0)
    throw ruled(
      'version_too_low',
      [
        '页面 {path} 自 {since} 版起才有，最低版本不能更低',
        'The page {path} came with {since}: the minimum version can’t be lower',
      ],
      { path: redirect, since },
    )
}
const storeScope = (staff: Pick<Staff, 'scope'>) =>
  within(staff.scope, { city: store.city_id, mall: store.mall_id })

const server = implement(contract, {
  lst: async (_, { db }) => {
    const rows = await all(db)
    const cityIds = [...new Set(rows.flatMap(row => row.gray_city_ids))]
    const storeIds = [...new Set(rows.flatMap(row => row.gray_store_ids))]
    const cities = new Map(
      (cityIds.length
        ? await db
            .select({ id: city.id, name: city.city_name })
            .from(city)
            .where(inArray(city.id, cityIds))
        : []
      ).map(one => [one.id, one.name]),
    )
    const stores = new Map(
      (storeIds.length
        ? await db
            .select({ id: store.id, name: store.name })
            .from(store)
            .where(inArray(store.id, storeIds))
        : []
      ).map(one => [one.id, one.name]),
    )
    const named = (ids: readonly number[], of: Map<number, string>) =>
      Object.fromEntries(ids.map(id => [id, of.get(id) ?? `#${id}`]))
    return {
      list: rows.map((row): MerchantMenuRow => ({
        ...shown(row),
        type: row.type === 'dir' ? 'dir' : 'page',
        children: childrenOf(rows, row.id).length,
        gray_names: {
          cities: named(row.gray_city_ids, cities),
          stores: named(row.gray_store_ids, stores),
        },
      })),
    }
  },
  stores: async ({ keyword, page, pageSize }, { db, staff }) => {
    const where = and(
      keyword ? ilike(store.name, like(keyword)) : undefined,
      inArray(store.status, ['open', 'resting']),
      storeScope(staff),
    )
    const [total] = await db.select({ n: count() }).from(store).where(where)
    return {
      total: total!.n,
      list: await db
        .select({ id: store.id, name: store.name, city_name: city.city_name })
        .from(store)
        .innerJoin(city, eq(city.id, store.city_id))
        .where(where)
        .orderBy(store.id)
        .limit(pageSize)
        .offset((page - 1) * pageSize),
    }
  },
  parents: async ({ keyword = '', page, pageSize }, { db }) => {
    const found = (await all(db))
      .filter(row => row.type === 'dir' && row.title.includes(keyword))
      .map(({ id, title }) => ({ id, title }))
    return { total: found.length, list: found.slice((page - 1) * pageSize, page * pageSize) }
  },
  create: async (
    { parent_id = null, title, redirect = '', perm, min_app_version },
    { tx, log },
  ) => {
    await lockMenu(tx, 'merchant')
    const rows = await all(tx)
    const type = parent_id === null ? ('dir' as const) : ('page' as const)
    const parent = rows.find(row => row.id === parent_id)
    if (parent_id !== null && !parent)
      throw invalid({ parent_id: ['上级不存在', 'No such parent'] })
    const may = mayHold(type, parent?.type ?? null)
    if (may !== true) throw ruled('wrong_level', may)
    if (type === 'page') {
      versionFits(redirect, min_app_version)
      if (rows.some(row => row.redirect === redirect))
        throw ruled(
          'path_taken',
          ['页面 {path} 已在商家菜单中', 'The page {path} stands in the menu already'],
          { path: redirect },
        )
    }
    const key = type === 'page' ? perm || `merchant${redirect.replaceAll('/', '.')}` : null
    if (key !== null && rows.some(row => row.perm === key))
      throw ruled(
        'right_taken',
        ['权限标识 {perm} 已被其他节点使用', 'Another node has the right {perm}'],
        { perm: key },
      )
    // It begins offline: a release is a decision of its own.
    const [made] = await tx
      .insert(menu)
      .values({
        side: 'merchant',
        parent_id,
        type,
        title,
        redirect: type === 'page' ? redirect : '',
        perm: key,
        sort: childrenOf(rows, parent_id).length,
        visible: type === 'dir',
        packages: type === 'page' ? ['owner'] : [],
        min_app_version: type === 'page' ? (min_app_version ?? '1.0.0') : null,
      })
      .returning()
    log({ ...ofRow(made!), after: shown(made!) })
    return { id: made!.id, version: made!.version }
  },
  edit: async ({ title, min_app_version, ...one }, { tx, log }) => {
    const { row } = await held(tx, one)
    if (row.type === 'page') versionFits(row.redirect, min_app_version)
    const after = await update(tx, one, {
      title,
      ...(row.type === 'page' ? { min_app_version: min_app_version ?? '1.0.0' } : {}),
    })
    log({
      ...ofRow(after),
      before: { title: row.title, min_app_version: row.min_app_version },
      after: { title, min_app_version: after.min_app_version },
    })
    return { id: after.id, version: after.version }
  },
  move: async ({ parent_id = null, sort, ...one }, { tx, log }) => {
    const { row, rows } = await held(tx, one)
    const may = mayStandUnder(rows, row.id, parent_id)
    if (may !== true) throw ruled('wrong_place', may)
    const level = mayHold(row.type, rows.find(each => each.id === parent_id)?.type ?? null)
    if (level !== true) throw ruled('wrong_level', level)
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
  toggleVisible: async (one, { tx, now, log }) => {
    const { row, rows } = await held(tx, one)
    const may = releaseCan('toggleVisible', row)
    if (may !== true) throw ruled('in_gray', may)
    const next = changed(rows, row.id, { visible: !row.visible })
    if (row.visible) {
      rolesKeepPages(next)
      await cashierKeepsVerify(tx, now, rows, next)
    } else if (row.type === 'page' && row.packages.length === 0)
      throw ruled('no_packages', ['请先设置适用的商家角色', 'Set the merchant roles first'])
    const after = await update(tx, one, { visible: !row.visible })
    log({ ...ofRow(after), before: { visible: row.visible }, after: { visible: after.visible } })
    return { id: after.id, version: after.version, visible: after.visible }
  },
  setPackages: async ({ roles, ...one }, { tx, now, log }) => {
    const { row, rows } = await held(tx, one)
    if (row.type !== 'page')
      throw ruled('not_a_page', ['只有页面可以设置角色', 'Only a page has roles'])
    const packages = merchantRoleKeys.filter(role => roles.includes(role))
    const next = changed(rows, row.id, { packages })
    rolesKeepPages(next)
    await cashierKeepsVerify(tx, now, rows, next)
    const after = await update(tx, one, { packages })
    log({ ...ofRow(after), before: { packages: row.packages }, after: { packages } })
    return { id: after.id, version: after.version }
  },
  grayRelease: async ({ city_ids, store_ids, ...one }, { tx, staff, log }) => {
    const { row } = await held(tx, one)
    if (row.type !== 'page')
      throw ruled('not_a_page', ['只有页面可以灰度', 'Only a page is released'])
    const may = releaseCan('grayRelease', row)
    if (may !== true) throw ruled('released', may)
    const [cities, stores] = [[...new Set(city_ids)], [...new Set(store_ids)]]
    if (cities.length + stores.length === 0)
      throw ruled('empty_gray', ['请至少选择一个城市或门店', 'Choose at least one city or store'])
    if (row.packages.length === 0)
      throw ruled('no_packages', ['请先设置适用的商家角色', 'Set the merchant roles first'])
    const known = cities.length
      ? await tx
          .select({ id: city.id })
          .from(city)
          .where(and(inArray(city.id, cities), within(staff.scope, { city: city.id })))
      : []
    const shops = stores.length
      ? await tx
          .select({ id: store.id })
          .from(store)
          .where(and(inArray(store.id, stores), storeScope(staff)))
      : []
    if (known.length < cities.length || shops.length < stores.length)
      throw invalid(
        known.length < cities.length
          ? { city_ids: ['城市不存在', 'No such city'] }
          : { store_ids: ['门店不存在', 'No such store'] },
      )
    const after = await update(tx, one, {
      visible: true,
      gray_city_ids: cities,
      gray_store_ids: stores,
    })
    const part = (of: Row) => ({
      release: releaseOf(of),
      gray_city_ids: of.gray_city_ids,
      gray_store_ids: of.gray_store_ids,
    })
    log({ ...ofRow(after), before: part(row), after: part(after) })
    return { id: after.id, version: after.version }
  },
  stopGray: async ({ to, ...one }, { tx, now, log }) => {
    const { row, rows } = await held(tx, one)
    const may = releaseCan('stopGray', row)
    if (may !== true) throw ruled('not_in_gray', may)
    const set = { visible: to === 'full', gray_city_ids: [], gray_store_ids: [] }
    const next = changed(rows, row.id, set)
    rolesKeepPages(next)
    await cashierKeepsVerify(tx, now, rows, next)
    const after = await update(tx, one, set)
    log({
      ...ofRow(after),
      before: {
        release: 'gray',
        gray_city_ids: row.gray_city_ids,
        gray_store_ids: row.gray_store_ids,
      },
      after: { release: releaseOf(after) },
    })
    return { id: after.id, version: after.version }
  },
  preview: async ({ store_id, role, app_version }, { db, staff }) => {
    const [at] = await db
      .select({ id: store.id, name: store.name, city_id: store.city_id, city_name: city.city_name })
      .from(store)
      .innerJoin(city, eq(city.id, store.city_id))
      .where(and(eq(store.id, store_id), storeScope(staff)))
    if (!at) throw missing()
    const rows = await all(db)
    const isTooOld = (row: Row) =>
      Boolean(app_version) && compareVersions(app_version!, row.min_app_version ?? '1.0.0') < 0
    const why = (row: Row): 'version' | 'gray' | 'role' | 'off' | undefined => {
      if (releaseOf(row) === 'off') return 'off'
      if (!row.packages.includes(role as MerchantRole)) return 'role'
      if (!reaches(row, at)) return 'gray'
      return isTooOld(row) ? 'version' : undefined
    }
    const seen = (row: Row): boolean =>
      row.visible &&
      (row.type === 'dir' ? childrenOf(rows, row.id).some(seen) : why(row) === undefined)
    const list = childrenOf(rows, null)
      .filter(seen)
      .flatMap(dir => [dir, ...childrenOf(rows, dir.id).filter(seen)])
    return {
      store: at.name,
      city: at.city_name,
      list: list.map(row => ({
        id: row.id,
        parent_id: row.parent_id,
        title: row.title,
        redirect: row.redirect,
        gray: releaseOf(row) === 'gray',
      })),
      left_out: rows
        .filter(row => row.type === 'page')
        .flatMap(row => {
          const reason = why(row)
          return reason ? [{ title: row.title, why: reason }] : []
        }),
    }
  },
  del: async (one, { tx, now, log }) => {
    const { row, rows } = await held(tx, one)
    const n = childrenOf(rows, row.id).length
    if (n > 0)
      throw ruled('has_children', ['还有 {n} 个下级，不能删除', '{n} entries stand under it'], {
        n,
      })
    const next = changed(rows, row.id, null)
    rolesKeepPages(next)
    await cashierKeepsVerify(tx, now, rows, next)
    await tx.delete(menu).where(and(eq(menu.id, row.id), eq(menu.version, one.version)))
    log({ ...ofRow(row), before: shown(row), after: null })
    return { id: row.id }
  },
})

// A release is ended or begun by a decision of its own, not taken back.
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
      ['title', 'min_app_version'],
      ({ id, version, title, min_app_version }) => ({
        id,
        version,
        title,
        min_app_version: min_app_version ?? undefined,
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
    way(
      contract.setPackages,
      server.handlers.setPackages,
      ['packages'],
      ({ id, version, packages }) => ({ id, version, roles: packages }),
    ),
  ],
)
export default server
