import { eq, inArray, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { to } from '#commands/command.ts'
import { entries as entriesPage } from '#commands/pages/config.ts'
import * as mallPages from '#commands/pages/mall.ts'
import * as systemPages from '#commands/pages/system.ts'
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

/**
 * Every kind of thing that uses a link: where it is, which rows consumers see now or will, and the
 * page that edits it.
 */
const users = [
  {
    kind: ['轮播图', 'Banner'],
    table: 'banner',
    label: 'title',
    params: 'link_params',
    place: sql`u.position`,
    live: (now: number) => sql`u.status = 'online' and u.end_at > ${now}`,
    path: to(systemPages.banner),
  },
  {
    kind: ['活动专区', 'Activity area'],
    table: 'city_setting',
    label: 'title',
    params: 'link_params',
    place: sql`(select c.city_name from city c where c.id = u.city_id)`,
    live: (now: number) => sql`(u.end_at is null or u.end_at > ${now})`,
    path: systemPages.cityConfig.path,
  },
  {
    kind: ['推广短链', 'H5 link'],
    table: 'h5_link',
    label: 'name',
    params: 'params',
    place: sql`u.channel`,
    live: (now: number) => sql`u.status = 'on' and u.expire_at > ${now}`,
    path: to(systemPages.h5link),
  },
  {
    kind: ['热门内容', 'Hot item'],
    table: 'hot_item',
    label: 'title',
    params: 'link_params',
    place: sql`(select c.city_name from city c where c.id = u.city_id)`,
    live: (now: number) => sql`u.status = 'on' and u.end_at > ${now}`,
    path: to(mallPages.hot),
  },
  {
    kind: ['导购分类', 'Guide category'],
    table: 'mall_category',
    label: 'name',
    params: 'link_params',
    place: sql`(select m.name from mall m where m.id = u.mid)`,
    live: () => sql`u.is_show`,
    path: to(mallPages.categories),
  },
  {
    kind: ['首页入口', 'Home entry'],
    table: 'entry_icon',
    label: 'title',
    params: 'link_params',
    place: sql`(select c.city_name from city c where c.id = u.city_id)`,
    live: (now: number) => sql`u.status = 'online' and (u.end_at is null or u.end_at > ${now})`,
    path: to(entriesPage),
  },
] as const satisfies readonly {
  kind: Text
  table: string
  label: string
  params: string
  place: SQL
  live: (now: number) => SQL
  path: string
}[]

export type LinkUse = {
  kind: Text
  id: number
  label: string
  place: string
  live: boolean
  path: string
}
/** Everything that uses the link, live ones first. */
export const usesOf = async (db: Db, link_id: number, now: number): Promise<LinkUse[]> => {
  const parts = users.map(
    (user, at) =>
      sql`select ${sql.raw(String(at))}::int as at, u.id, u.${sql.identifier(user.label)}::text as label, coalesce(${user.place}::text, '') as place, ${user.live(now)} as live from ${sql.identifier(user.table)} u where u.page_link_id = ${link_id}`,
  )
  const { rows } = await db.execute<{
    at: number
    id: number
    label: string
    place: string
    live: boolean
  }>(sql`select * from (${sql.join(parts, sql` union all `)}) used order by live desc, at, id`)
  return rows.map(({ at, ...row }) => ({ ...row, kind: users[at]!.kind, path: users[at]!.path }))
}
/** How many things use each link, and how many of them are live. */
export const countUses = async (
  db: Db,
  link_ids: readonly number[],
  now: number,
): Promise<Map<number, { used: number; live: number }>> => {
  if (link_ids.length === 0) return new Map()
  const parts = users.map(
    user =>
      sql`select u.page_link_id as link, ${user.live(now)} as live from ${sql.identifier(user.table)} u where u.page_link_id in ${link_ids}`,
  )
  const { rows } = await db.execute<{ link: number; used: number; live: number }>(
    sql`select link, count(*)::int as used, (count(*) filter (where live))::int as live from (${sql.join(parts, sql` union all `)}) used group by link`,
  )
  return new Map(rows.map(row => [row.link, row]))
}
/**
 * Refuses an edit that takes what consumers see from somewhere to nowhere: `to` is the link as it
 * would be. What leads nowhere already is not made worse.
 */
export const keepsLive = async (
  tx: Db,
  from: PageLink,
  to: LinkAddress,
  now: number,
): Promise<void> => {
  for (const user of users) {
    const { rows } = await tx.execute<{ label: string; params: LinkParams | null }>(
      sql`select u.${sql.identifier(user.label)}::text as label, u.${sql.identifier(user.params)} as params from ${sql.identifier(user.table)} u where u.page_link_id = ${from.id} and ${user.live(now)} order by u.id`,
    )
    const before = await healthOf(
      tx,
      rows.map(row => ({ link: from, params: row.params ?? {} })),
      now,
    )
    const after = await healthOf(
      tx,
      rows.map(row => ({ link: to, params: row.params ?? {} })),
      now,
    )
    for (const [at, row] of rows.entries()) {
      if (before[at]!.health !== 'ok') continue
      const [lacking] = missingParams(to.params, row.params ?? {})
      if (lacking)
        throw ruled(
          'param_missing',
          [
            '{kind}“{name}”没有新链接需要的参数：{label}',
            '{kind} “{name}” lacks what the new link needs: {label}',
          ],
          { kind: user.kind[0], name: row.label, label: lacking.label },
        )
      if (after[at]!.health !== 'ok')
        throw ruled(
          'link_target_gone',
          [
            `${user.kind[0]}“{name}”换用新链接后不可用：${after[at]!.note[0]}`,
            `${user.kind[1]} “{name}” would lead nowhere: ${after[at]!.note[1]}`,
          ],
          { name: row.label },
        )
    }
  }
}
/**
 * Gives every user of `from` the link `to`; refuses when one of them lacks what `to` asks for, or
 * what consumers see would lead nowhere. Answers what was changed.
 */
export const replaceUses = async (
  tx: Db,
  from: PageLink,
  to: PageLink,
  now: number,
): Promise<LinkUse[]> => {
  const uses = await usesOf(tx, from.id, now)
  for (const user of users) {
    const { rows } = await tx.execute<{
      id: number
      label: string
      params: LinkParams | null
      live: boolean
    }>(
      sql`select u.id, u.${sql.identifier(user.label)}::text as label, u.${sql.identifier(user.params)} as params, ${user.live(now)} as live from ${sql.identifier(user.table)} u where u.page_link_id = ${from.id} order by u.id for update`,
    )
    for (const row of rows) {
      const [lacking] = missingParams(to.params, row.params ?? {})
      if (lacking)
        throw ruled(
          'param_missing',
          [
            '{kind}“{name}”没有新链接需要的参数：{label}',
            '{kind} “{name}” lacks what the new link needs: {label}',
          ],
          { kind: user.kind[0], name: row.label, label: lacking.label },
        )
    }
    const live = rows.filter(row => row.live)
    const health = await healthOf(
      tx,
      live.map(row => ({ link: to, params: row.params ?? {} })),
      now,
    )
    const dead = health.findIndex(one => one.health !== 'ok')
    if (dead >= 0)
      throw ruled(
        'link_target_gone',
        [
          `${user.kind[0]}“{name}”换用新链接后不可用：${health[dead]!.note[0]}`,
          `${user.kind[1]} “{name}” would lead nowhere: ${health[dead]!.note[1]}`,
        ],
        { name: live[dead]!.label },
      )
    if (rows.length)
      await tx.execute(
        sql`update ${sql.identifier(user.table)} set page_link_id = ${to.id}, version = version + 1, updated_at = ${now} where page_link_id = ${from.id}`,
      )
  }
  return uses
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
