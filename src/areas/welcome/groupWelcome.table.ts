import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text, varchar } from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { wecom_group } from '#src/areas/wecom/wecomGroup.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import type { WelcomeAttachment } from './attachment.ts'
import { noticeStates, templateWorks } from './groupWelcome.ts'

/** 入群欢迎语: what whoever joins one of its chats gets; WeCom keeps it as a template. */
export const wecom_group_welcome = pgTable(
  'wecom_group_welcome',
  {
    ...base,
    name: varchar({ length: 40 }).notNull(),
    /** The mall whose chats it is for; null: those of any. */
    mall_id: integer().references(() => mall.id),
    text: text().notNull().default(''),
    attachment: jsonb().$type<WelcomeAttachment>(),
    /** Owners are reminded once when a chat gets it. */
    notify: boolean().notNull().default(false),
    template_id: varchar({ length: 64 }),
    /** The number of what it says, and of what WeCom was last told. */
    content_n: integer().notNull().default(1),
    told_n: integer().notNull().default(0),
    work: text({ enum: keys(templateWorks) })
      .notNull()
      .default('waiting'),
    next_at: unix().notNull(),
    tries: integer().notNull().default(0),
    errcode: integer().notNull().default(0),
    error: varchar({ length: 255 }).notNull().default(''),
    /** When owners were last reminded by hand. */
    notified_at: unix(),
    /** Deleted here; it is gone once WeCom has deleted it too. */
    gone_at: unix(),
    edited_at: unix().notNull(),
    edited_by: integer().references(() => admin.id),
  },
  t => [
    check('wecom_group_welcome_bytes', sql`octet_length(${t.text}) <= 3000`),
    check('wecom_group_welcome_says', sql`${t.text} <> '' or ${t.attachment} is not null`),
    index('wecom_group_welcome_by_work').on(t.work, t.id),
    index('wecom_group_welcome_by_mall').on(t.mall_id, t.id),
    index('wecom_group_welcome_by_editor').on(t.edited_by),
    index('wecom_group_welcome_waits')
      .on(t.next_at)
      .where(sql`work = 'waiting'`),
  ],
)
/** 应用到群: a chat has one welcome at most. */
export const wecom_group_welcome_chat = pgTable(
  'wecom_group_welcome_chat',
  {
    group_id: integer()
      .primaryKey()
      .references(() => wecom_group.id),
    welcome_id: integer()
      .notNull()
      .references(() => wecom_group_welcome.id),
    applied_at: unix().notNull(),
  },
  t => [index('wecom_group_welcome_chat_by_welcome').on(t.welcome_id)],
)
/** 群主提醒: an owner is asked to set a template in the chats that have it. */
export const wecom_group_welcome_notice = pgTable(
  'wecom_group_welcome_notice',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    version: integer().notNull().default(0),
    welcome_id: integer()
      .notNull()
      .references(() => wecom_group_welcome.id, { onDelete: 'cascade' }),
    staff_id: integer()
      .notNull()
      .references(() => wecom_staff.id),
    /** Names of the chats, as they were called. */
    chats: jsonb().$type<string[]>().notNull(),
    asked_at: unix().notNull(),
    state: text({ enum: keys(noticeStates) })
      .notNull()
      .default('waiting'),
    taken_at: unix(),
    errcode: integer().notNull().default(0),
    error: varchar({ length: 255 }).notNull().default(''),
  },
  t => [
    index('wecom_group_welcome_notice_by_welcome').on(t.welcome_id, t.id),
    index('wecom_group_welcome_notice_by_staff').on(t.staff_id),
    index('wecom_group_welcome_notice_open')
      .on(t.state, t.id)
      .where(sql`state in ('waiting', 'sending')`),
  ],
)
defineKinds({
  wecom_group_welcome: at('wecom_group_welcome', {
    city: '(select m.city_id from mall m where m.id = t.mall_id)',
    mall: 't.mall_id',
  }),
})
