import { sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/**
 * A column by its full name. Drizzle leaves the table out of what a select of one table answers, so
 * a bare column within a subselect there means the subselect's own table, where that has one of the
 * same name.
 */
export const whole = (column: AnyPgColumn): SQL => sql`${column}`
