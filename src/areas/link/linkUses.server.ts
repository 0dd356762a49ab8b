import { sql, type SQL } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { designerOf } from '#commands/config/designPages.ts'
import { entries as entriesPage } from '#commands/pages/config.ts'
import * as mallPages from '#commands/pages/mall.ts'
import * as systemPages from '#commands/pages/system.ts'
import type { LinkParams } from '#src/areas/content/content.table.ts'
import { lockPages, pageLinks, relinkPages } from '#src/areas/scheme/pageLinks.server.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { healthOf, type Health, type LinkAddress, type PageLink } from './links.server.ts'
import { missingParams } from './pageLink.ts'

type PageOf = Parameters<typeof designerOf>[0]
type Change = { from: number; to: number; ids: readonly number[]; reason: string }
/** A kind of thing that uses a link. */
type User = {
  kind: Text
  /**
   * Each place that holds a link: `id`, `label`, `place`, `page` (which of the designed ones, else
   * null), `link`, its `params`, and whether it is `live`: consumers see it now or will.
   */
  rows: (now: number) => SQL
  /** The page that edits it. */
  path: (page: PageOf | null) => string
  /** Keeps whatever uses the link as it is until the transaction ends. */
  lock: (tx: Db, from: number) => Promise<unknown>
  give: (context: WriteContext, change: Change) => Promise<unknown>
}
type Columns = {
  table: string
  label: string
  params: string
  place: SQL
  live: (now: number) => SQL
  path: string
}
/** A table whose rows have one link each. */
const rowsOf = (kind: Text, { table, label, params, place, live, path }: Columns): User => ({
  kind,
  rows: now =>
    sql`select u.id, u.${sql.identifier(label)}::text as label, coalesce(${place}::text, '') as place, null::jsonb as page, u.page_link_id as link, u.${sql.identifier(params)} as params, ${live(now)} as live from ${sql.identifier(table)} u`,
  path: () => path,
  lock: (tx, from) =>
    tx.execute(
      sql`select u.id from ${sql.identifier(table)} u where u.page_link_id = ${from} order by u.id for update`,
    ),
  give: ({ tx, now }, change) =>
    tx.execute(
      sql`update ${sql.identifier(table)} set page_link_id = ${change.to}, version = version + 1, updated_at = ${now} where page_link_id = ${change.from}`,
    ),
})
const cityName = sql`(select c.city_name from city c where c.id = u.city_id)`

const users: readonly User[] = [
  rowsOf(['轮播图', 'Banner'], {
    table: 'banner',
    label: 'title',
    params: 'link_params',
    place: sql`u.position`,
    live: now => sql`u.status = 'online' and u.end_at > ${now}`,
    path: to(systemPages.banner),
  }),
  rowsOf(['活动专区', 'Activity area'], {
    table: 'city_setting',
    label: 'title',
    params: 'link_params',
    place: cityName,
    live: now => sql`(u.end_at is null or u.end_at > ${now})`,
    path: systemPages.cityConfig.path,
  }),
  rowsOf(['推广短链', 'H5 link'], {
    table: 'h5_link',
    label: 'name',
    params: 'params',
    place: sql`u.channel`,
    live: now => sql`u.status = 'on' and u.expire_at > ${now}`,
    path: to(systemPages.h5link),
  }),
  rowsOf(['热门内容', 'Hot item'], {
    table: 'hot_item',
    label: 'title',
    params: 'link_params',
    place: cityName,
    live: now => sql`u.status = 'on' and u.end_at > ${now}`,
    path: to(mallPages.hot),
  }),
  rowsOf(['导购分类', 'Guide category'], {
    table: 'mall_category',
    label: 'name',
    params: 'link_params',
    place: sql`(select m.name from mall m where m.id = u.mid)`,
    live: () => sql`u.is_show`,
    path: to(mallPages.categories),
  }),
  rowsOf(['首页入口', 'Home entry'], {
    table: 'entry_icon',
    label: 'title',
    params: 'link_params',
    place: cityName,
    live: now => sql`u.status = 'online' and (u.end_at is null or u.end_at > ${now})`,
    path: to(entriesPage),
  }),
  {
    kind: ['页面装修', 'Page design'],
    rows: () => pageLinks,
    path: page => designerOf(page!),
    lock: lockPages,
    give: relinkPages,
  },
]
/** Every place of every user; a condition on `link` reaches the tables below. */
const places = (now: number): SQL =>
  sql.join(
    users.map(
      ({ rows }, at) => sql`select ${sql.raw(String(at))}::int as at, p.* from (${rows(now)}) p`,
    ),
    sql` union all `,
  )

export type LinkUse = {
  kind: Text
  id: number
  label: string
  place: string
  live: boolean
  path: string
}
type Used = Omit<LinkUse, 'kind' | 'path'> & { at: number }
const usedBy = async (db: Db, link_id: number, now: number) => {
  const { rows } = await db.execute<Used & { page: PageOf | null }>(
    sql`select at, id, label, place, page, bool_or(live) as live from (${places(now)}) used where link = ${link_id} group by at, id, label, place, page order by live desc, at, id`,
  )
  return rows
}
const toldOf = ({ at, page, ...row }: Awaited<ReturnType<typeof usedBy>>[number]): LinkUse => ({
  ...row,
  kind: users[at]!.kind,
  path: users[at]!.path(page),
})
/** Everything that uses the link, live ones first; a page that holds it several times is one. */
export const usesOf = async (db: Db, link_id: number, now: number): Promise<LinkUse[]> =>
  (await usedBy(db, link_id, now)).map(toldOf)
/** How many things use each link, and how many of them are live. */
export const countUses = async (
  db: Db,
  link_ids: readonly number[],
  now: number,
): Promise<Map<number, { used: number; live: number }>> => {
  if (link_ids.length === 0) return new Map()
  const { rows } = await db.execute<{ link: number; used: number; live: number }>(
    sql`select link, count(*)::int as used, (count(*) filter (where live))::int as live from (select link, at, id, bool_or(live) as live from (${places(now)}) used where link in ${link_ids} group by link, at, id) used group by link`,
  )
  return new Map(rows.map(row => [row.link, row]))
}

type Place = { at: number; label: string; params: LinkParams | null; live: boolean }
const placesOf = async (tx: Db, link_id: number, now: number): Promise<Place[]> => {
  const { rows } = await tx.execute<Place>(
    sql`select at, label, params, live from (${places(now)}) used where link = ${link_id} order by at, id`,
  )
  return rows
}
const healthAt = (db: Db, link: LinkAddress, of: readonly Place[], now: number) =>
  healthOf(
    db,
    of.map(({ params }) => ({ link, params: params ?? {} })),
    now,
  )
const needParams = ({ at, label, params }: Place, link: LinkAddress): void => {
  const [lacking] = missingParams(link.params, params ?? {})
  if (lacking)
    throw ruled(
      'param_missing',
      [
        '{kind}“{name}”没有新链接需要的参数：{label}',
        '{kind} “{name}” lacks what the new link needs: {label}',
      ],
      { kind: users[at]!.kind[0], name: label, label: lacking.label },
    )
}
const needHealth = ({ at, label }: Place, { health, note }: Health): void => {
  const { kind } = users[at]!
  if (health !== 'ok')
    throw ruled(
      'link_target_gone',
      [
        `${kind[0]}“{name}”换用新链接后不可用：${note[0]}`,
        `${kind[1]} “{name}” would lead nowhere: ${note[1]}`,
      ],
      { name: label },
    )
}
/**
 * Refuses an edit that takes what consumers see from somewhere to nowhere: `link` is the link as it
 * would be. What leads nowhere already is not made worse.
 */
export const keepsLive = async (
  tx: Db,
  from: PageLink,
  link: LinkAddress,
  now: number,
): Promise<void> => {
  const live = (await placesOf(tx, from.id, now)).filter(place => place.live)
  const before = await healthAt(tx, from, live, now)
  const after = await healthAt(tx, link, live, now)
  for (const [nth, place] of live.entries()) {
    if (before[nth]!.health !== 'ok') continue
    needParams(place, link)
    needHealth(place, after[nth]!)
  }
}
/**
 * Gives every user of `from` the link `link`; refuses when one of them lacks what `link` asks for,
 * or what consumers see would lead nowhere. A live page is published anew. Answers what was changed.
 */
export const replaceUses = async (
  context: WriteContext,
  from: PageLink,
  link: PageLink,
  reason: string,
): Promise<LinkUse[]> => {
  const { tx, now } = context
  for (const user of users) await user.lock(tx, from.id)
  const found = await placesOf(tx, from.id, now)
  for (const place of found) needParams(place, link)
  const live = found.filter(place => place.live)
  const health = await healthAt(tx, link, live, now)
  for (const [nth, place] of live.entries()) needHealth(place, health[nth]!)
  const uses = await usedBy(tx, from.id, now)
  for (const [at, user] of users.entries()) {
    const ids = uses.flatMap(use => (use.at === at ? [use.id] : []))
    if (ids.length > 0) await user.give(context, { from: from.id, to: link.id, ids, reason })
  }
  return uses.map(toldOf)
}
