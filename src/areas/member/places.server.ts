import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Staff } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import { member } from './member.table.ts'

/**
 * True of rows of members in the person's cities; undefined for whoever sees all. The members are
 * found first where they are few: a ledger is not read to its end for a small city.
 */
export const ofMembersWithin = (
  member_id: PgColumn,
  { scope }: Pick<Staff, 'scope'>,
): SQL | undefined => {
  const seen = within(scope, { city: member.city_id })
  return seen && sql`${member_id} in (select ${member.id} from ${member} where ${seen})`
}
