import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { member } from '#src/areas/member/member.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { batchKinds, secretStates, tryResults, type BadLine } from './code.ts'
import { ecard, ecard_attr, ecard_code } from './ecard.table.ts'

/** 卡密批次: codes of a face that were made or imported together. */
export const ecard_batch = pgTable(
  'ecard_batch',
  {
    ...base,
    card_id: integer()
      .notNull()
      .references(() => ecard.id),
    attr_id: integer()
      .notNull()
      .references(() => ecard_attr.id),
    batch_no: varchar({ length: 24 }).notNull(),
    kind: text({ enum: keys(batchKinds) }).notNull(),
    qty: integer().notNull(),
    /** The codes that are in by now. */ done: integer().notNull().default(0),
    bad_n: integer().notNull().default(0),
    /** The first of the lines that were left out. */
    errors: jsonb().$type<BadLine[]>().notNull().default([]),
    reason: varchar({ length: 255 }).notNull(),
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
    /** A file of its secrets: asked for by one person, agreed to by another, handed out once. */
    secrets: text({ enum: keys(secretStates) })
      .notNull()
      .default('none'),
    asked_by: integer().references(() => admin.id),
    asked_reason: varchar({ length: 255 }),
    agreed_by: integer().references(() => admin.id),
  },
  t => [
    check('ecard_batch_done', sql`${t.done} >= 0 and ${t.done} + ${t.bad_n} <= ${t.qty}`),
    check('ecard_batch_second', sql`${t.agreed_by} is null or ${t.agreed_by} <> ${t.asked_by}`),
    uniqueIndex('ecard_batch_no_once').on(t.batch_no),
    index('ecard_batch_by_card').on(t.card_id, t.id),
  ],
)

/** 卡密输入: every try of a card's secret, also those of cards that there are not. */
export const ecard_try = pgTable(
  'ecard_try',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    created_at: unix().notNull(),
    code_id: integer().references(() => ecard_code.id),
    card_no: varchar({ length: 24 }).notNull(),
    member_id: integer().references(() => member.id),
    device_id: varchar({ length: 40 }).notNull().default(''),
    ip: varchar({ length: 45 }).notNull().default(''),
    result: text({ enum: keys(tryResults) }).notNull(),
  },
  t => [
    index('ecard_try_by_card').on(t.card_no, t.created_at),
    index('ecard_try_by_ip').on(t.ip, t.created_at),
    index('ecard_try_by_member').on(t.member_id, t.created_at),
    index('ecard_try_by_time').on(t.created_at),
  ],
)

/** A batch stands where its card does. */
defineKinds({
  ecard_batch: at('ecard_batch', {
    city: '(select c.city_id from ecard c where c.id = t.card_id)',
    mall: '(select c.mall_id from ecard c where c.id = t.card_id)',
  }),
})
