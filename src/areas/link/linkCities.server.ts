import { inArray, sql } from 'drizzle-orm'
import { page_link } from '#src/areas/content/content.table.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { healthOf, type PageLink, type Picked } from './links.server.ts'
import { valuesOf } from './pageLink.ts'

/** A link as picked, and why it leads nowhere in a city; null where it leads somewhere. */
type CityLink = { link: PageLink | undefined; fault: Text | null }
type Target = { of: string; id: number }
const targetsOf = (link: PageLink, params: Picked['params']): (Target & { label: string })[] => {
  const values = valuesOf(link.params, params)
  return link.params.flatMap(({ key, target, label }) => {
    const id = Number(values[key])
    return Number.isSafeInteger(id) ? [{ of: target, id, label }] : []
  })
}
/** The cities of stores, malls and products; what is sold by post is everywhere, and left out. */
const citiesOf = async (db: Db, targets: readonly Target[]): Promise<Map<string, number>> => {
  const ids = (of: string) => [
    0,
    ...targets.flatMap(one => (one.of === of && one.id <= 2147483647 ? [one.id] : [])),
  ]
  const { rows } = await db.execute<{ key: string; city_id: number }>(sql`
    select 'store/' || id as key, city_id from store where id in ${ids('store')}
    union all select 'mall/' || id, city_id from mall where id in ${ids('mall')}
    union all select 'product/' || id, city_id from product where id in ${ids('product')} and kind <> 'elist'`)
  return new Map(rows.map(row => [row.key, row.city_id]))
}

/**
 * Where links lead as an entry of a city: as everywhere, and besides to no store, mall or deal of
 * another city. In the order asked.
 */
export const linksIn = async (
  db: Db,
  picks: readonly (Picked & { city_id: number })[],
  now: number,
): Promise<CityLink[]> => {
  const found = await db
    .select()
    .from(page_link)
    .where(inArray(page_link.id, [0, ...new Set(picks.map(one => one.page_link_id))]))
  const links = new Map(found.map(link => [link.id, link]))
  const known = picks.flatMap(pick => {
    const link = links.get(pick.page_link_id)
    return link ? [{ pick, link, params: pick.params }] : []
  })
  const health = await healthOf(db, known, now)
  const cities = await citiesOf(
    db,
    known.flatMap(({ link, params }) => targetsOf(link, params)),
  )
  const faults = new Map(
    known.map(({ pick, link, params }, at) => {
      const away = targetsOf(link, params).find(
        ({ of, id }) => (cities.get(`${of}/${id}`) ?? pick.city_id) !== pick.city_id,
      )
      const elsewhere = away
        ? ([`${away.label}不在该城市`, `${away.label}: of another city`] as const)
        : null
      return [pick, health[at]!.health === 'ok' ? elsewhere : health[at]!.note]
    }),
  )
  return picks.map(pick => {
    const fault = faults.get(pick)
    return {
      link: links.get(pick.page_link_id),
      fault: fault === undefined ? ['链接已不存在', 'The link is gone'] : fault,
    }
  })
}
