import { and, asc, eq, sql, type SQL } from 'drizzle-orm'
import { withoutRepeats } from '#src/areas/link/clicks.server.ts'
import { linksIn } from '#src/areas/link/linkCities.server.ts'
import { grouped } from '#src/domain/grouped.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { entry_icon } from './entryIcon.table.ts'
import { entryState, isShownNow, type EntryPosition } from './entryIcon.ts'

export type Entry = typeof entry_icon.$inferSelect
export type Place = { city_id: number; position: EntryPosition }
export const entries = record(entry_icon, {
  object: 'entry_icon',
  label: row => row.title,
  keys: [
    'city_id',
    'position',
    'title',
    'icon',
    'page_link_id',
    'link_params',
    'badge',
    'badge_until',
    'audience',
    'start_at',
    'end_at',
    'status',
  ],
  places: { city: entry_icon.city_id },
})

/** The entries of a place in their order, whatever their state; `seen` narrows them to a person's. */
export const entriesOf = (db: Db, { city_id, position }: Place, seen?: SQL): Promise<Entry[]> =>
  db
    .select()
    .from(entry_icon)
    .where(and(eq(entry_icon.city_id, city_id), eq(entry_icon.position, position), seen))
    .orderBy(asc(entry_icon.sort), asc(entry_icon.id))

const CLICKED_S = 7 * DAY
/** How often each was clicked in seven days, repeats of one person left out. */
const clicksOf = async (
  db: Db,
  ids: readonly number[],
  now: number,
): Promise<Map<number, number>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<{ id: number; n: number }>(
    sql`select object_id as id, count(*)::int as n from ${withoutRepeats(sql`object_type = 'entry' and object_id in ${ids} and at >= ${now - CLICKED_S}`)} clicks group by object_id`,
  )
  return new Map(rows.map(row => [row.id, row.n]))
}
export type Campaign = { kind: 'banner' | 'act_area'; title: string }
/** Banners and activity areas of the same city that run now and lead where the entry leads. */
export const campaignsOf = async (
  db: Db,
  ids: readonly number[],
  now: number,
): Promise<Map<number, Campaign[]>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<Campaign & { id: number }>(sql`
    select e.id, c.kind, c.title from entry_icon e join lateral (
      select 'banner' as kind, b.id, b.title from banner b where b.page_link_id = e.page_link_id and b.link_params = e.link_params and b.status = 'online' and b.start_at <= ${now} and b.end_at > ${now} and exists (select 1 from banner_city bc where bc.banner_id = b.id and bc.city_id = e.city_id)
      union all select 'act_area', s.id, s.title from city_setting s where s.page_link_id = e.page_link_id and s.link_params = e.link_params and s.type = 'act_area' and s.city_id = e.city_id and coalesce(s.start_at, 0) <= ${now} and coalesce(s.end_at, ${now + 1}) > ${now}
    ) c on true where e.id in ${ids} order by e.id, c.kind, c.id`)
  return grouped(rows, row => row.id)
}

/** Entries as the board shows them: their state, where they lead, and what they bring. */
export const shownEntries = async (db: Db, rows: readonly Entry[], now: number) => {
  const ids = rows.map(row => row.id)
  const [links, clicks, campaigns] = await Promise.all([
    linksIn(
      db,
      rows.map(row => ({ ...row, params: row.link_params })),
      now,
    ),
    clicksOf(db, ids, now),
    campaignsOf(db, ids, now),
  ])
  return rows.map((row, at) => ({
    ...row,
    status: entryState(row, now),
    is_live: isShownNow(row, now),
    badge_on: row.badge !== '' && (row.badge_until ?? 0) > now,
    link_name: links[at]!.link?.name ?? '',
    link_ok: links[at]!.fault === null,
    clicks_7d: clicks.get(row.id) ?? 0,
    campaigns: (campaigns.get(row.id) ?? []).map(({ kind, title }) => ({ kind, title })),
  }))
}
/** What consumers see of a place: what is shown now and leads somewhere. */
export const publicEntries = async (db: Db, place: Place, now: number) => {
  const rows = (await entriesOf(db, place)).filter(row => isShownNow(row, now))
  const links = await linksIn(
    db,
    rows.map(row => ({ ...row, params: row.link_params })),
    now,
  )
  return rows
    .filter((_, at) => links[at]!.fault === null)
    .map(({ id, title, icon, badge, badge_until, page_link_id, link_params, audience }) => ({
      id,
      title,
      icon,
      badge: (badge_until ?? 0) > now ? badge : '',
      page_link_id,
      link_params,
      audience,
    }))
}
