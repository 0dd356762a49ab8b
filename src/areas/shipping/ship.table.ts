import { sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { base } from '#src/server/db/columns.ts'

/** 快递公司. Once disabled it is no longer offered; parcels under way are still tracked. */
export const courier = pgTable(
  'courier',
  {
    ...base,
    name: varchar({ length: 32 }).notNull(),
    /** What the tracking service calls it. */
    code: varchar({ length: 24 }).notNull().unique(),
    /**
     * The form of its tracking numbers, see `patternFault` (domain/courier.ts). Empty: any number.
     */
    pattern: varchar({ length: 128 }).notNull().default(''),
    sample: varchar({ length: 40 }).notNull().default(''),
    phone: varchar({ length: 20 }).notNull().default(''),
    is_default: boolean().notNull().default(false),
    sort: integer().notNull(),
    status: varchar({ length: 4, enum: ['on', 'off'] })
      .notNull()
      .default('on'),
  },
  t => [
    uniqueIndex('courier_one_default')
      .on(t.is_default)
      .where(sql`is_default`),
    check('courier_default_is_on', sql`not ${t.is_default} or ${t.status} = 'on'`),
  ],
)
