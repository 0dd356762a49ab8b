import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { mall } from '#src/areas/place/place.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { wecom_customer, wecom_staff } from './wecom.table.ts'
import { groupStates, joinScenes, quitScenes } from './wecom.ts'

/** 客户群: counts are those of its member rows. */
export const wecom_group = pgTable(
  'wecom_group',
  {
    ...base,
    chat_id: text().notNull().unique(),
    name: text().notNull(),
    owner_id: integer().references(() => wecom_staff.id),
    admin_userids: jsonb().$type<string[]>().notNull().default([]),
    notice: text().notNull().default(''),
    /** What the notice is to become; only the owner can set it, in WeCom. */
    notice_draft: text().notNull().default(''),
    notice_draft_at: unix(),
    member_count: integer().notNull().default(0),
    staff_count: integer().notNull().default(0),
    max_members: integer().notNull().default(200),
    mall_id: integer().references(() => mall.id),
    tag_ids: integer().array().notNull().default([]),
    status: text({ enum: keys(groupStates) })
      .notNull()
      .default('normal'),
    opened_at: unix().notNull(),
    dismissed_at: unix(),
    /** The last message that is known of. */
    last_active_at: unix(),
    synced_at: unix().notNull(),
  },
  t => [
    check('wecom_group_fill', sql`${t.member_count} between 0 and ${t.max_members}`),
    index('wecom_group_by_owner').on(t.owner_id, t.id),
    index('wecom_group_by_mall').on(t.mall_id, t.id),
    index('wecom_group_by_state').on(t.status, t.id),
    index('wecom_group_by_fill').on(t.member_count, t.id),
    index('wecom_group_by_tag').using('gin', t.tag_ids),
    index('wecom_group_active').on(t.last_active_at, t.id),
  ],
)
/** 群成员: one row a person and chat, with the latest join; whoever left is kept. */
export const wecom_group_member = pgTable(
  'wecom_group_member',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    group_id: integer()
      .notNull()
      .references(() => wecom_group.id),
    /** A colleague's userid, or an external one. */
    userid: text().notNull(),
    kind: text({ enum: ['staff', 'customer'] }).notNull(),
    staff_id: integer().references(() => wecom_staff.id),
    customer_id: integer().references(() => wecom_customer.id),
    nickname: text().notNull().default(''),
    join_scene: text({ enum: keys(joinScenes) }).notNull(),
    inviter: text().notNull().default(''),
    joined_at: unix().notNull(),
    left_at: unix(),
    quit_scene: text({ enum: keys(quitScenes) }),
    is_double: boolean().notNull().default(false),
    version: integer().notNull().default(0),
  },
  t => [
    uniqueIndex('wecom_group_member_once').on(t.group_id, t.userid),
    index('wecom_group_member_by_person').on(t.userid),
    index('wecom_group_member_by_customer')
      .on(t.customer_id)
      .where(sql`customer_id is not null`),
    index('wecom_group_member_by_staff')
      .on(t.staff_id)
      .where(sql`staff_id is not null`),
  ],
)
/**
 * 进退群: what a day comes to for a person and a chat, so that joins less leaves are the change of its
 * people: one of the two for who came or went, both for who was back where they had been.
 */
export const wecom_group_move = pgTable(
  'wecom_group_move',
  {
    group_id: integer()
      .notNull()
      .references(() => wecom_group.id),
    userid: text().notNull(),
    kind: text({ enum: ['join', 'leave'] }).notNull(),
    /** Year, month and day in Shanghai: 2026-11-28. */
    day: text().notNull(),
    /** By which they came, this time or, for who left, the time before. */
    scene: text({ enum: keys(joinScenes) }).notNull(),
    at: unix().notNull(),
  },
  t => [
    primaryKey({ columns: [t.group_id, t.day, t.kind, t.userid] }),
    index('wecom_group_move_by_person').on(t.userid),
    index('wecom_group_move_joined')
      .on(t.at)
      .where(sql`kind = 'join'`),
  ],
)
defineKinds({
  wecom_group: at('wecom_group', {
    city: '(select m.city_id from mall m where m.id = t.mall_id)',
    mall: 't.mall_id',
  }),
})
