import { sql } from 'drizzle-orm'
import { boolean, check, integer, jsonb, pgTable, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
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
     * The form of its tracking numbers, see `patternFault` (courier.ts). Empty: any number.
     */
    pattern: varchar({ length: 128 }).notNull().default(''),
    sample: varchar({ length: 40 }).notNull().default(''),
    phone: varchar({ length: 20 }).notNull().default(''),
    /** The account that the courier bills, printed on waybills; its secret never leaves the server. */
    account_no: varchar({ length: 32 }).notNull().default(''),
    account_secret: varchar({ length: 64 }).notNull().default(''),
    /** Codes of the provinces that it serves; none: all of them. */
    areas: jsonb().$type<string[]>().notNull().default([]),
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
