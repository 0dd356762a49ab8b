import { eq, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { page_link, type LinkParams } from '#src/areas/content/content.table.ts'
import { shop_category, store } from '#src/areas/merchant/merchant.table.ts'
import { setting } from '#src/areas/people/people.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { linkFaults, missingParams, pageOfPath, valuesOf, type LinkHealth } from './pageLink.ts'

export type PageLink = typeof page_link.$inferSelect
/**
 * What the installation says of links: domains that H5 may open, and the pages that the
 * mini-program has (none named: not known).
 */
export type LinkSettings = { domains: string[]; pages: string[] }
export const readLinkSettings = async (db: Db): Promise<LinkSettings> => {
  const [row] = await db
    .select({ value: setting.value })
    .from(setting)
    .where(eq(setting.key, 'links'))
  return { domains: [], pages: [], ...(row?.value as Partial<LinkSettings> | undefined) }
}

/** As much of a link as says where it leads. */
export type LinkAddress = Pick<PageLink, 'type' | 'path' | 'appid' | 'params' | 'status'>
export type Picked = { page_link_id: number; params: LinkParams }
export type Health = { health: LinkHealth; note: Text }
const fine: Health = { health: 'ok', note: ['正常', 'OK'] }
const gone = (note: Text): Health => ({ health: 'dead', note })
const shut = (note: Text): Health => ({ health: 'off_shelf', note })

/** The category that took one over. */
const heir = alias(shop_category, 'heir')
/** Reads which of the objects exist, and which of them are on shelf. */
const objectsOf = async (db: Db, wanted: ReadonlyMap<string, ReadonlySet<number>>, now: number) => {
  const ids = (target: string) => [...(wanted.get(target) ?? [])]
  const found = async (
    target: string,
    read: (ids: number[]) => Promise<{ id: number; on: boolean }[]>,
  ) =>
    [
      target,
      new Map(ids(target).length ? (await read(ids(target))).map(row => [row.id, row.on]) : []),
    ] as const
  return new Map(
    await Promise.all([
      found('store', of =>
        db
          .select({ id: store.id, on: sql<boolean>`${store.status} = 'open'` })
          .from(store)
          .where(inArray(store.id, of)),
      ),
      found('mall', of =>
        db
          .select({ id: mall.id, on: sql<boolean>`${mall.status} = 'online'` })
          .from(mall)
          .where(inArray(mall.id, of)),
      ),
      found('product', of =>
        db
          .select({
            id: product.id,
            on: sql<boolean>`${product.state} = 'on_sale' and ${product.sale_end_at} > ${now}`,
          })
          .from(product)
          .where(inArray(product.id, of)),
      ),
      found('category', of =>
        db
          .select({
            id: shop_category.id,
            on: sql<boolean>`coalesce(${heir.status}, ${shop_category.status}) = 'on'`,
          })
          .from(shop_category)
          .leftJoin(heir, eq(heir.id, shop_category.merged_into))
          .where(inArray(shop_category.id, of)),
      ),
    ]),
  )
}
const idOf = (value: unknown): number | undefined => {
  const n = Number(value)
  return Number.isSafeInteger(n) && n > 0 && n <= 2147483647 ? n : undefined
}

/**
 * Whether each link, with the values it was picked with, leads somewhere: its page, its domain, and
 * every object it names. In the order asked.
 */
export const healthOf = async (
  db: Db,
  uses: readonly { link: LinkAddress; params: LinkParams }[],
  now: number,
  settings?: LinkSettings,
): Promise<Health[]> => {
  const { domains, pages } = settings ?? (await readLinkSettings(db))
  const targetsOf = ({ link, params }: { link: LinkAddress; params: LinkParams }) => {
    const values = valuesOf(link.params, params)
    return link.params.flatMap(param =>
      param.target === 'text' || values[param.key] === undefined
        ? []
        : [{ target: param.target, id: idOf(values[param.key]), label: param.label }],
    )
  }
  const wanted = new Map<string, Set<number>>()
  for (const use of uses)
    for (const { target, id } of targetsOf(use))
      if (id !== undefined) wanted.set(target, (wanted.get(target) ?? new Set()).add(id))
  const objects = await objectsOf(db, wanted, now)
  return uses.map(use => {
    const { link } = use
    if (link.status === 'off') return gone(['链接已停用', 'The link is disabled'])
    if (linkFaults(link, domains)['path'])
      return gone(
        link.type === 'h5'
          ? ['域名不在白名单', 'Its domain is not allowed']
          : ['路径不合规', 'Its path is not valid'],
      )
    if (
      (link.type === 'page' || link.type === 'object') &&
      pages.length > 0 &&
      !pages.includes(pageOfPath(link.path))
    )
      return gone(['小程序没有这个页面', 'The mini-program has no such page'])
    for (const { target, id, label } of targetsOf(use)) {
      const on = id === undefined ? undefined : objects.get(target)!.get(id)
      if (on === undefined) return gone([`${label}不存在`, `${label}: not there`])
      if (!on) return shut([`${label}已下架`, `${label}: off shelf`])
    }
    return fine
  })
}

/** The same of one link. */
export const healthOfOne = async (
  db: Db,
  link: LinkAddress,
  params: LinkParams,
  now: number,
): Promise<Health> => (await healthOf(db, [{ link, params }], now))[0]!

/**
 * The link as somebody wants to use it; refuses one that is gone, off shelf, or lacks a parameter.
 * The row is held, so that nobody disables it meanwhile.
 */
export const pickLink = async (
  tx: Db,
  { page_link_id, params }: Picked,
  now: number,
): Promise<PageLink> => {
  const [link] = await tx
    .select()
    .from(page_link)
    .where(eq(page_link.id, page_link_id))
    .for('share')
  if (!link)
    throw ruled('link_target_gone', ['链接库里没有这个链接', 'The library has no such link'])
  const [lacking] = missingParams(link.params, params)
  if (lacking)
    throw ruled(
      'param_missing',
      ['缺少必填参数：{label}', 'A required parameter is missing: {label}'],
      { label: lacking.label },
      { fields: { [`link_params.${lacking.key}`]: lacking.label } },
    )
  const { health, note } = await healthOfOne(tx, link, params, now)
  if (health !== 'ok')
    throw ruled(
      'link_target_gone',
      [`链接目标不可用：${note[0]}`, `The link leads nowhere: ${note[1]}`],
      {},
      { health },
    )
  return link
}

/** Names and health of the links that these rows use, by their place in the list. */
export const linksShown = async (
  db: Db,
  rows: readonly Picked[],
  now: number,
): Promise<{ link_name: string; link_ok: boolean }[]> => {
  const links = rows.length
    ? await db
        .select()
        .from(page_link)
        .where(inArray(page_link.id, [...new Set(rows.map(row => row.page_link_id))]))
    : []
  const byId = new Map(links.map(link => [link.id, link]))
  const known = rows.flatMap((row, at) => {
    const link = byId.get(row.page_link_id)
    return link ? [{ at, link, params: row.params }] : []
  })
  const health = await healthOf(db, known, now)
  const shown = rows.map(() => ({ link_name: '', link_ok: false }))
  known.forEach(({ at, link }, n) => {
    shown[at] = { link_name: link.name, link_ok: health[n]!.health === 'ok' }
  })
  return shown
}
