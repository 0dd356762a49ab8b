import { or, sql, type Column, type SQL } from 'drizzle-orm'
import type { Scope } from './implement.ts'

/** Several ids that place one row: the query that finds them. */
type Several = { several: SQL }
type Place = Column | SQL | Several
/** The columns of a row that place it: absent where the table has none. */
export type Places = { city?: Place; mall?: Place; owner?: Place }

export const everything: Scope = { cities: 'all', malls: 'all', owners: [] }
export const nothing: Scope = { cities: [], malls: [], owners: [] }
export const seesAll = (scope: Scope): boolean => scope.cities === 'all' || scope.malls === 'all'

/**
 * Says that an answer is everybody's or the person's own, such as the table of divisions beside the
 * cities: what a handler answers without asking for the scope does not leave the server
 * (`scoped.ts`).
 */
export const needsNoScope = (staff: { scope: Scope }): void => void staff.scope

/** Several roles add up: what one of them lets a person see, the person sees. */
export const joined = (scopes: readonly Scope[]): Scope =>
  scopes.some(seesAll)
    ? everything
    : {
        cities: [...new Set(scopes.flatMap(scope => scope.cities as readonly number[]))],
        malls: [...new Set(scopes.flatMap(scope => scope.malls as readonly number[]))],
        owners: [...new Set(scopes.flatMap(scope => scope.owners))],
      }

/**
 * The condition that keeps a query inside a person's data:
 *
 * ```ts
 * where(and(…, within(staff.scope, { city: task.city_id, mall: task.mid })))
 * ```
 *
 * Undefined (no condition) for a person who sees all. A table that has none of the places named by
 * the scope shows nothing.
 */
export const within = (scope: Scope, { city, mall, owner }: Places): SQL | undefined => {
  if (seesAll(scope)) return undefined
  const cities = scope.cities as readonly number[]
  const malls = scope.malls as readonly number[]
  return or(among(city, cities), among(mall, malls), among(owner, scope.owners)) ?? sql`false`
}
const among = (place: Place | undefined, ids: readonly number[]): SQL | undefined => {
  if (!place || ids.length === 0) return undefined
  return 'several' in place
    ? sql`array(${place.several}) && ${sql.param(`{${ids.join()}}`)}::int[]`
    : sql`${place} in ${ids}`
}
