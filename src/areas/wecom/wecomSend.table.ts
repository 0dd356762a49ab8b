import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { partStates, resultStates, sendStates, type MassMaterial } from './sending.ts'
import { wecom_customer, wecom_staff } from './wecom.table.ts'
import { wecom_group } from './wecomGroup.table.ts'

/** 企业微信设置: numbers of WeCom's that may change; one row. */
export const wecom_setting = pgTable(
  'wecom_setting',
  {
    ...base,
    /** Mass messages that one customer may get in a month. */
    mass_a_month: integer().notNull().default(4),
  },
  t => [check('wecom_setting_one', sql`${t.id} = 1 and ${t.mass_a_month} between 1 and 31`)],
)
/** 企业群发: one text to many, that each adviser confirms. */
export const wecom_send_task = pgTable(
  'wecom_send_task',
  {
    ...base,
    target: text({ enum: ['customer', 'group_chat'] }).notNull(),
    content: text().notNull(),
    /** Materials below the text; `n` is the version that goes, null until the first part is asked. */
    materials: jsonb().$type<MassMaterial[]>().notNull().default([]),
    send_at: unix().notNull(),
    status: text({ enum: keys(sendStates) })
      .notNull()
      .default('scheduled'),
    created_by: integer()
      .notNull()
      .references(() => admin.id),
    finished_at: unix(),
  },
  t => [
    check(
      'wecom_send_task_finished',
      sql`(${t.status} in ('finished', 'canceled')) = (${t.finished_at} is not null)`,
    ),
    index('wecom_send_task_due')
      .on(t.send_at)
      .where(sql`status in ('scheduled', 'sending')`),
  ],
)
/** 群发分片: what one adviser is asked to send; asked once, as WeCom can't be asked the same twice. */
export const wecom_send_part = pgTable(
  'wecom_send_part',
  {
    ...base,
    task_id: integer()
      .notNull()
      .references(() => wecom_send_task.id),
    staff_id: integer()
      .notNull()
      .references(() => wecom_staff.id),
    state: text({ enum: keys(partStates) })
      .notNull()
      .default('waiting'),
    msgid: text(),
    errcode: integer().notNull().default(0),
    error: text().notNull().default(''),
    asked_at: unix(),
    next_at: unix().notNull(),
  },
  t => [
    uniqueIndex('wecom_send_part_once').on(t.task_id, t.staff_id),
    index('wecom_send_part_due')
      .on(t.next_at)
      .where(sql`state in ('waiting', 'asking', 'asked')`),
  ],
)
/** 群发结果: what became of each customer or chat. */
export const wecom_send_result = pgTable(
  'wecom_send_result',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    task_id: integer()
      .notNull()
      .references(() => wecom_send_task.id),
    staff_id: integer()
      .notNull()
      .references(() => wecom_staff.id),
    customer_id: integer().references(() => wecom_customer.id),
    group_id: integer().references(() => wecom_group.id),
    status: text({ enum: keys(resultStates) })
      .notNull()
      .default('unsent'),
    /** The month that it counts in, in Shanghai: 2026-11. */
    month: text().notNull(),
    sent_at: unix(),
  },
  t => [
    check('wecom_send_result_of', sql`(${t.customer_id} is null) <> (${t.group_id} is null)`),
    uniqueIndex('wecom_send_result_customer').on(t.task_id, t.customer_id),
    uniqueIndex('wecom_send_result_group').on(t.task_id, t.group_id),
    index('wecom_send_result_month').on(t.customer_id, t.month),
    index('wecom_send_result_group_month').on(t.group_id, t.month),
    index('wecom_send_result_staff').on(t.task_id, t.staff_id),
  ],
)
