import { sql } from 'drizzle-orm'
import type { Kind } from '#src/server/call/kinds.ts'
import { seesAll } from '#src/server/call/scope.ts'

/**
 * Rows of a table that are the house's own, such as balances of accounts: whoever sees only a city
 * or a mall sees the transactions there, and none of these.
 */
export const ofTheHouse = (table: string): Kind => ({
  from: sql.raw(`"${table}" t`),
  id: sql.raw('t.id'),
  mine: ({ scope }) => (seesAll(scope) ? undefined : sql`false`),
})
