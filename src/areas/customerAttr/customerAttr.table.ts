import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { wecom_customer } from '#src/areas/wecom/wecom.table.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import { attrStates, attrTypes, type AttrOption } from './customerAttr.ts'

/** 客户画像字段: what the corp itself notes of its customers. */
export const customer_attr = pgTable(
  'customer_attr',
  {
    ...base,
    key: varchar({ length: 30 }).notNull().unique(),
    label: varchar({ length: 20 }).notNull(),
    type: text({ enum: keys(attrTypes) }).notNull(),
    /** Only a choice has some. */
    options: jsonb().$type<AttrOption[]>().notNull().default([]),
    sort: integer().notNull().default(0),
    status: text({ enum: keys(attrStates) })
      .notNull()
      .default('enabled'),
  },
  t => [
    check(
      'customer_attr_options',
      sql`(${t.type} = 'choice') = (jsonb_array_length(${t.options}) > 0)`,
    ),
    uniqueIndex('customer_attr_label_once')
      .on(plainName(t.label))
      .where(sql`status = 'enabled'`),
    index('customer_attr_by_sort').on(t.sort, t.id),
  ],
)
/** 客户画像字段值: one value of a customer for an attribute; a customer without one has no row. */
export const customer_attr_value = pgTable(
  'customer_attr_value',
  {
    customer_id: integer()
      .notNull()
      .references(() => wecom_customer.id),
    attr_id: integer()
      .notNull()
      .references(() => customer_attr.id),
    /** As `attrValue` keeps it: a day as `2026-03-09`, a choice by its key. */
    value: varchar({ length: 200 }).notNull(),
    updated_at: unix().notNull(),
  },
  t => [
    primaryKey({ columns: [t.customer_id, t.attr_id] }),
    check('customer_attr_value_some', sql`${t.value} <> ''`),
    index('customer_attr_value_by_value').on(t.attr_id, t.value),
  ],
)
