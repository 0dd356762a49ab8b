import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import {
  wecom_customer,
  wecom_follow,
  wecom_staff,
  wecom_tag,
  wecom_tag_group,
} from './wecom.table.ts'
import {
  changeKinds,
  syncKinds,
  syncStates,
  taskKinds,
  taskStates,
  transferKinds,
  transferStates,
} from './wecom.ts'
import { wecom_group } from './wecomGroup.table.ts'

/** 转接: a relation or a group chat on its way from one adviser to another. */
export const wecom_transfer = pgTable(
  'wecom_transfer',
  {
    ...base,
    kind: text({ enum: keys(transferKinds) }).notNull(),
    follow_id: integer().references(() => wecom_follow.id),
    customer_id: integer().references(() => wecom_customer.id),
    group_id: integer().references(() => wecom_group.id),
    from_staff_id: integer()
      .notNull()
      .references(() => wecom_staff.id),
    to_staff_id: integer()
      .notNull()
      .references(() => wecom_staff.id),
    notice: text().notNull().default(''),
    reason: text().notNull().default(''),
    status: text({ enum: keys(transferStates) })
      .notNull()
      .default('waiting'),
    /** WeCom's own code of why it failed; 0: none. */
    fail_code: integer().notNull().default(0),
    fail_reason: text().notNull().default(''),
    asked_by: integer().references(() => admin.id),
    /** When WeCom took the request; null while it lies here. */
    sent_at: unix(),
    /** When it is asked about next. */
    next_at: unix().notNull(),
    done_at: unix(),
  },
  t => [
    check('wecom_transfer_of', sql`(${t.follow_id} is null) <> (${t.group_id} is null)`),
    check('wecom_transfer_done', sql`(${t.status} = 'waiting') = (${t.done_at} is null)`),
    uniqueIndex('wecom_transfer_waits')
      .on(t.follow_id)
      .where(sql`status = 'waiting' and follow_id is not null`),
    uniqueIndex('wecom_transfer_group_waits')
      .on(t.group_id)
      .where(sql`status = 'waiting' and group_id is not null`),
    index('wecom_transfer_due')
      .on(t.next_at)
      .where(sql`status = 'waiting'`),
    index('wecom_transfer_by_customer').on(t.customer_id, t.kind, t.done_at),
    index('wecom_transfer_by_group').on(t.group_id, t.done_at),
    index('wecom_transfer_from').on(t.from_staff_id, t.id),
    index('wecom_transfer_to').on(t.to_staff_id, t.id),
  ],
)

/** 同步: one run over the directory, the customers or the group chats, and where it stands. */
export const wecom_sync = pgTable(
  'wecom_sync',
  {
    ...base,
    kind: text({ enum: keys(syncKinds) }).notNull(),
    state: text({ enum: keys(syncStates) })
      .notNull()
      .default('running'),
    /** Where the next part goes on; what a crash leaves is enough to go on. */
    cursor: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    /** Rows read so far. */
    read_n: integer().notNull().default(0),
    changed_n: integer().notNull().default(0),
    errcode: integer().notNull().default(0),
    error: text().notNull().default(''),
    /** What was not taken, and why. */
    faults: jsonb().$type<{ key: string; why: string }[]>().notNull().default([]),
    asked_by: integer().references(() => admin.id),
    started_at: unix().notNull(),
    finished_at: unix(),
  },
  t => [
    check('wecom_sync_finished', sql`(${t.state} = 'running') = (${t.finished_at} is null)`),
    uniqueIndex('wecom_sync_one')
      .on(t.kind)
      .where(sql`state = 'running'`),
    index('wecom_sync_by_kind').on(t.kind, t.id),
  ],
)
/** 变更: what differed from the sync before, and what was bound by hand; the history of a department. */
export const wecom_change = pgTable(
  'wecom_change',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    sync_id: integer().references(() => wecom_sync.id),
    object: text({ enum: ['department', 'staff'] }).notNull(),
    object_id: integer().notNull(),
    name: text().notNull(),
    kind: text({ enum: keys(changeKinds) }).notNull(),
    was: text().notNull().default(''),
    now: text().notNull().default(''),
    at: unix().notNull(),
  },
  t => [
    index('wecom_change_by_sync').on(t.sync_id, t.id),
    index('wecom_change_by_object').on(t.object, t.object_id, t.id),
  ],
)

/** 待写入企微: what was decided here and is not yet told to WeCom. Sent after the commit. */
export const wecom_task = pgTable(
  'wecom_task',
  {
    ...base,
    kind: text({ enum: keys(taskKinds) }).notNull(),
    customer_id: integer().references(() => wecom_customer.id),
    follow_id: integer().references(() => wecom_follow.id),
    staff_id: integer().references(() => wecom_staff.id),
    /** The tag, or the group of tags, that is changed. */
    tag_id: integer().references(() => wecom_tag.id),
    tag_group_id: integer().references(() => wecom_tag_group.id),
    body: jsonb().$type<Record<string, unknown>>().notNull(),
    state: text({ enum: keys(taskStates) })
      .notNull()
      .default('waiting'),
    tries: integer().notNull().default(0),
    next_at: unix().notNull(),
    errcode: integer().notNull().default(0),
    error: text().notNull().default(''),
    asked_by: integer().references(() => admin.id),
    done_at: unix(),
  },
  t => [
    check('wecom_task_done', sql`(${t.state} = 'waiting') = (${t.done_at} is null)`),
    index('wecom_task_due')
      .on(t.next_at, t.id)
      .where(sql`state = 'waiting'`),
    index('wecom_task_by_customer')
      .on(t.customer_id, t.id)
      .where(sql`customer_id is not null`),
    index('wecom_task_by_tag')
      .on(t.tag_id, t.id)
      .where(sql`tag_id is not null`),
    index('wecom_task_by_tag_group')
      .on(t.tag_group_id, t.id)
      .where(sql`tag_group_id is not null`),
    index('wecom_task_by_staff')
      .on(t.staff_id, t.id)
      .where(sql`staff_id is not null`),
  ],
)

/** 跟进记录: what was found out about a customer, and when to come back to it. */
export const wecom_note = pgTable(
  'wecom_note',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    customer_id: integer()
      .notNull()
      .references(() => wecom_customer.id),
    content: text().notNull(),
    next_at: unix(),
    by_id: integer()
      .notNull()
      .references(() => admin.id),
    at: unix().notNull(),
  },
  t => [index('wecom_note_by_customer').on(t.customer_id, t.id), index('wecom_note_at').on(t.at)],
)
