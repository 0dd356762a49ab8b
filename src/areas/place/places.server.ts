import { inArray, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Staff } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { city } from './place.table.ts'

/**
 * Cities in which a person sees anything: theirs, those of their malls, those of their merchants.
 */
export const citiesOf = ({ scope }: Pick<Staff, 'scope'>): SQL | undefined => {
  if (seesAll(scope)) return undefined
  const [cities, malls] = [scope.cities as readonly number[], scope.malls as readonly number[]]
  return (
    or(
      cities.length ? inArray(city.id, [...cities]) : undefined,
      malls.length
        ? sql`exists (select 1 from mall m where m.city_id = ${city.id} and m.id in ${malls})`
        : undefined,
      scope.owners.length
        ? sql`exists (select 1 from merchant m where m.city_id = ${city.id} and m.bd_admin_id in ${scope.owners})`
        : undefined,
    ) ?? sql`false`
  )
}
/** True when all of a city is the person's to change, and not only a mall in it. */
export const rulesCity = ({ scope }: Pick<Staff, 'scope'>, city_id: number): boolean =>
  seesAll(scope) || (scope.cities as readonly number[]).includes(city_id)
/** Refuses a city that is not the person's as if it were not there. */
export const needCity = (staff: Pick<Staff, 'scope'>, city_id: number): void => {
  if (!rulesCity(staff, city_id)) throw missing()
}
/**
 * Refuses a change of what is for a place that is not the person's: the country's, which has no
 * city, to whoever does not see all; another city's or mall's as if it were not there.
 */
export const needPlace = (
  staff: Pick<Staff, 'scope'>,
  { city_id, mall_id }: { city_id: number | null; mall_id: number | null },
): void => {
  if (city_id === null) return needAllCities(staff)
  const isOwnMall = mall_id !== null && (staff.scope.malls as readonly number[]).includes(mall_id)
  if (!isOwnMall && !rulesCity(staff, city_id)) throw missing()
}
/** The rows of a person's places and those of the whole country, which have no city. */
export const withCountrys = (
  { scope }: Pick<Staff, 'scope'>,
  places: { city: PgColumn; mall: PgColumn },
): SQL | undefined =>
  seesAll(scope) ? undefined : sql`(${places.city} is null or ${within(scope, places)})`
/** What is for all cities is only for those who see all of them. */
export const needAllCities = (staff: Pick<Staff, 'scope'>): void => {
  if (!seesAll(staff.scope))
    throw ruled('all_cities', [
      '这会影响所有城市，需要全部城市的数据范围',
      'It is for all cities: you need the scope of all of them',
    ])
}
