import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { channel_code } from '#src/areas/channelCode/channelCode.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { joinStates, switchReasons } from './groups.ts'
import { wecom_staff } from './wecom.table.ts'
import { taskStates } from './wecom.ts'
import { wecom_group } from './wecomGroup.table.ts'

/** 群活码: a code that leads into the first of its chats that has room. */
export const wecom_join_way = pgTable(
  'wecom_join_way',
  {
    ...base,
    name: text().notNull(),
    /** WeCom's name of it and its picture; null and empty until WeCom has made it. */
    config_id: text().unique(),
    qr_url: text().notNull().default(''),
    state_key: text().notNull().unique(),
    /** The chat that it leads to now. */
    current_group_id: integer()
      .notNull()
      .references(() => wecom_group.id),
    /** WeCom makes a further chat once all are full, of this name and the next number. */
    auto_create: boolean().notNull().default(false),
    base_name: text().notNull().default(''),
    /** The number of the next chat that WeCom makes; it only grows. */
    base_id: integer().notNull().default(1),
    /** With so many places left, or fewer, it turns to the next chat. */
    room_low: integer().notNull().default(10),
    /** The live code that is offered instead while all are full; null: the oldest one of its mall. */
    staff_code_id: integer().references(() => channel_code.id),
    mall_id: integer().references(() => mall.id),
    status: text({ enum: keys(joinStates) })
      .notNull()
      .default('enabled'),
    /** Whether WeCom has what was decided here. */
    work: text({ enum: keys(taskStates) })
      .notNull()
      .default('waiting'),
    tries: integer().notNull().default(0),
    next_at: unix().notNull(),
    errcode: integer().notNull().default(0),
    error: text().notNull().default(''),
    asked_by: integer().references(() => admin.id),
    /** When WeCom is asked next which chats it has; null: nobody waits for it. */
    read_next_at: unix(),
    /** When that was last asked. */
    synced_at: unix(),
    /** Why it was archived. */
    reason: text().notNull().default(''),
  },
  t => [
    check('wecom_join_way_name', sql`not ${t.auto_create} or ${t.base_name} <> ''`),
    check('wecom_join_way_low', sql`${t.room_low} between 0 and 100`),
    check('wecom_join_way_base', sql`${t.base_id} >= 1`),
    index('wecom_join_way_due')
      .on(t.next_at)
      .where(sql`work = 'waiting'`),
    index('wecom_join_way_by_mall').on(t.mall_id, t.id),
    index('wecom_join_way_by_state').on(t.status, t.id),
    index('wecom_join_way_read')
      .on(t.read_next_at)
      .where(sql`read_next_at is not null`),
    index('wecom_join_way_by_staff_code')
      .on(t.staff_code_id)
      .where(sql`staff_code_id is not null`),
  ],
)
/** 群活码关联的群: in the order in which it turns to them; a chat serves one code in use. */
export const wecom_join_group = pgTable(
  'wecom_join_group',
  {
    way_id: integer()
      .notNull()
      .references(() => wecom_join_way.id),
    group_id: integer()
      .notNull()
      .references(() => wecom_group.id),
    place: integer().notNull(),
    /** Whether its code is in use: one that is paused or archived leaves its chats to others. */
    is_held: boolean().notNull().default(true),
  },
  t => [
    primaryKey({ columns: [t.way_id, t.group_id] }),
    uniqueIndex('wecom_join_group_once')
      .on(t.group_id)
      .where(sql`is_held`),
    index('wecom_join_group_by_chat').on(t.group_id),
    check('wecom_join_group_place', sql`${t.place} between 0 and 4`),
  ],
)
/** 活码切换: which chat a code turned to, and why. */
export const wecom_join_switch = pgTable(
  'wecom_join_switch',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    way_id: integer()
      .notNull()
      .references(() => wecom_join_way.id),
    from_group_id: integer().references(() => wecom_group.id),
    to_group_id: integer()
      .notNull()
      .references(() => wecom_group.id),
    why: text({ enum: keys(switchReasons) }).notNull(),
    /** Whoever did it, and why; nobody where the clock did. */
    by_id: integer().references(() => admin.id),
    reason: text().notNull().default(''),
    at: unix().notNull(),
  },
  t => [index('wecom_join_switch_by_way').on(t.way_id, t.id)],
)

/** 移除提醒: an owner was asked to take somebody out of a chat; it is done once they have left. */
export const wecom_removal = pgTable(
  'wecom_removal',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    group_id: integer()
      .notNull()
      .references(() => wecom_group.id),
    userid: text().notNull(),
    nickname: text().notNull(),
    owner_id: integer()
      .notNull()
      .references(() => wecom_staff.id),
    reason: text().notNull(),
    asked_by: integer()
      .notNull()
      .references(() => admin.id),
    asked_at: unix().notNull(),
  },
  t => [index('wecom_removal_by_group').on(t.group_id, t.id)],
)
defineKinds({
  wecom_join_way: at('wecom_join_way', {
    city: '(select m.city_id from mall m where m.id = t.mall_id)',
    mall: 't.mall_id',
  }),
})
