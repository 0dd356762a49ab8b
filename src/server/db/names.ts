import { sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/**
 * A name as names are compared: full-width as half-width, lower case, single spaces. What can't be
 * seen never reaches a column (`text`, src/contract/shapes.ts). A unique index stands on this, so
 * that two people who save at once can't both take a name.
 */
export const plainName = (name: SQL | AnyPgColumn): SQL =>
  sql`lower(regexp_replace(normalize(${name}, NFKC), '\\s+', ' ', 'g'))`
/** Whether the name in a column is this one, as names are compared. */
export const isNamed = (column: AnyPgColumn, name: string): SQL =>
  sql`${plainName(column)} = ${plainName(sql`${name}::text`)}`
