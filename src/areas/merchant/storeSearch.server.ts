/** Finds the stores that may be the one that somebody is about to make. */
import { sql, type SQL } from 'drizzle-orm'
import type { Pin } from '#src/areas/place/geo.ts'
import type { Db } from '#src/server/call/implement.ts'
import { plainName } from '#src/server/db/names.ts'
import { STORE_NEAR_M } from './storeForm.ts'

type Asked = {
  /** The store that is edited: no twin of itself. */
  but?: number | undefined
  city_id?: number | undefined
  name?: string | undefined
  pin?: Pin | undefined
}
/** Degrees of latitude and longitude, in millionths, that reach as far as `STORE_NEAR_M`. */
const reach = ({ lat_e6 }: Pin) => {
  const lat = Math.ceil((STORE_NEAR_M / 111_195) * 1e6)
  return { lat, lng: Math.ceil(lat / Math.max(0.01, Math.cos((lat_e6 / 1e6) * (Math.PI / 180)))) }
}
const FOUND_MOST = 10
/** So many that hold the first words of a name are compared with it in full. */
const COMPARED_MOST = 1000
/** Names that share so many of their pairs are alike. */
const ALIKE_BP = 5000
export type StoreTwin = {
  id: number
  name: string
  address: string
  merchant_name: string
  status: 'draft' | 'auditing' | 'open' | 'resting' | 'closed'
  /** Null where one of them has no pin. */
  metres: number | null
  /** How alike the names are: shared pairs of all, 10000 the same. */
  alike_bp: number
}
const pinned = ({ lng_e6, lat_e6 }: Pin) =>
  sql`(case when s.lat_e6 is null then null else round(2 * 6371000 * asin(least(1, sqrt(power(sin(radians((s.lat_e6 - ${lat_e6}::int) / 2e6)), 2) + cos(radians(${lat_e6}::int / 1e6)) * cos(radians(s.lat_e6 / 1e6)) * power(sin(radians((s.lng_e6 - ${lng_e6}::int) / 2e6)), 2)))))::int end)`
/** The part of a name before its branch: `星巴克（万达店）` begins with what the chain is called. */
const headOf = (name: string) => name.normalize('NFKC').split('(')[0]!
/**
 * Stores near a pin, and stores of a city that are called alike; the nearest of the most alike names
 * first. Whoever types sees stores of others: they ask whether this one is there already.
 */
export const storeTwins = async (db: Db, of: Asked): Promise<StoreTwin[]> => {
  const name = of.name ?? ''
  const far = of.pin ? pinned(of.pin) : sql`null::int`
  const other = sql`s.kind = 'offline' and s.status <> 'closed' and s.id <> ${of.but ?? 0}`
  const ways: SQL[] = []
  if (of.pin) {
    const { lat, lng } = reach(of.pin)
    ways.push(
      sql`(select s.id from store s where s.lat_e6 between ${of.pin.lat_e6 - lat} and ${of.pin.lat_e6 + lat} and s.lng_e6 between ${of.pin.lng_e6 - lng} and ${of.pin.lng_e6 + lng} and ${other} and ${far} <= ${STORE_NEAR_M} limit ${COMPARED_MOST})`,
    )
  }
  const head = headOf(name)
  if (of.city_id !== undefined && [...head.replace(/[\s\p{P}]/gu, '')].length >= 2)
    ways.push(
      sql`(select s.id from store s where ${plainName(sql`s.name`)} = ${plainName(sql`${name}::text`)} and s.city_id = ${of.city_id} and ${other} limit ${FOUND_MOST})`,
      sql`(select s.id from (select * from store h where h.name_pairs @> name_pairs(${head}) limit ${COMPARED_MOST}) s where s.city_id = ${of.city_id} and ${other})`,
    )
  if (ways.length === 0) return []
  const { rows } = await db.execute<StoreTwin>(sql`
    with asked as materialized (select name_pairs(${name}) pairs), near as materialized (${sql.join(ways, sql` union `)}),
      found as (select s.id, s.name, s.address, s.merchant_id, s.status, ${far} metres,
        (select coalesce(10000 * count(*) filter (where q.one = any(a.pairs)) / nullif(cardinality(a.pairs) + count(*) filter (where q.one <> all(a.pairs)), 0), 0)::int from unnest(s.name_pairs) q(one)) alike_bp
        from near join store s on s.id = near.id cross join asked a)
    select f.id, f.name, f.address, m.name merchant_name, f.status, f.metres, f.alike_bp from found f join merchant m on m.id = f.merchant_id
      where f.metres <= ${STORE_NEAR_M} or f.alike_bp >= ${ALIKE_BP} order by f.alike_bp desc, f.metres, f.id limit ${FOUND_MOST}`)
  return rows
}
