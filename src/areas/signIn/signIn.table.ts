import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  uniqueIndex,
  text,
  varchar,
} from 'drizzle-orm/pg-core'
import { member } from '#src/areas/member/member.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { points_rule } from '#src/areas/pointsRule/rule.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { signKinds, type SignKind } from './signIn.ts'

/** 打卡商场: a mall at whose pin a visit earns points. One that was removed stays for its records. */
export const checkin_spot = pgTable(
  'checkin_spot',
  {
    ...base,
    mall_id: integer()
      .notNull()
      .references(() => mall.id),
    /** Metres from the mall's pin. */
    radius_m: integer().notNull(),
    points: integer().notNull(),
    /** Hours of its own as `HH:mm`; null: those of its mall. */
    open_from: varchar({ length: 5 }),
    open_to: varchar({ length: 5 }),
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('on'),
  },
  t => [
    check('checkin_spot_radius', sql`${t.radius_m} between 50 and 2000`),
    check('checkin_spot_points', sql`${t.points} > 0`),
    check('checkin_spot_hours', sql`(${t.open_from} is null) = (${t.open_to} is null)`),
    uniqueIndex('checkin_spot_once')
      .on(t.mall_id)
      .where(sql`status = 'on'`),
    index('checkin_spot_by_mall').on(t.mall_id, t.id),
    index('checkin_spot_by_status').on(t.status, t.id),
  ],
)

/** 签到打卡记录: a day of a member, or a visit at a spot; each counts once a day unless it is void. */
export const sign_record = pgTable(
  'sign_record',
  {
    ...base,
    member_id: integer()
      .notNull()
      .references(() => member.id),
    kind: text({ enum: keys<SignKind>(signKinds) }).notNull(),
    /** The Shanghai midnight that began it. */
    day: unix().notNull(),
    /** Days in a row up to it; 0 for a visit. */
    streak: integer().notNull(),
    /** What was booked for it, and for the month that it filled. */
    points: integer().notNull(),
    month_bonus: integer().notNull().default(0),
    rule_id: integer()
      .notNull()
      .references(() => points_rule.id),
    /** The ladder that its streak began with: a later one is for other streaks. */
    ladder: jsonb().$type<number[]>().notNull(),
    device: varchar({ length: 40 }).notNull().default(''),
    spot_id: integer().references(() => checkin_spot.id),
    distance_m: integer(),
    /** It came too fast after another mall. */
    rushed: boolean().notNull().default(false),
    is_void: boolean().notNull().default(false),
    void_reason: varchar({ length: 255 }).notNull().default(''),
    /** Why staff made up for it. */
    note: varchar({ length: 255 }).notNull().default(''),
    /** Whoever made up for it, or voided it. */
    operator_id: integer().references(() => admin.id),
    at: unix().notNull(),
  },
  t => [
    check('sign_record_spot', sql`(${t.kind} = 'spot') = (${t.spot_id} is not null)`),
    uniqueIndex('sign_record_once')
      .on(t.member_id, t.day)
      .where(sql`not is_void and kind <> 'spot'`),
    uniqueIndex('sign_record_visit_once')
      .on(t.member_id, t.spot_id, t.day)
      .where(sql`not is_void and kind = 'spot'`),
    uniqueIndex('sign_record_made_up_once')
      .on(t.member_id, t.day)
      .where(sql`kind = 'makeup'`),
    index('sign_record_by_member').on(t.member_id, t.id),
    index('sign_record_by_kind').on(t.kind, t.id),
    index('sign_record_by_time').on(t.at, t.id),
    index('sign_record_by_day').on(t.day, t.kind),
    index('sign_record_by_device')
      .on(t.device, t.at)
      .where(sql`device <> ''`),
    index('sign_record_by_spot')
      .on(t.spot_id, t.id)
      .where(sql`spot_id is not null`),
    index('sign_record_void')
      .on(t.id)
      .where(sql`is_void`),
    index('sign_record_rushed')
      .on(t.id)
      .where(sql`rushed`),
  ],
)

defineKinds({
  sign_record: at('sign_record', {
    city: '(select m.city_id from member m where m.id = t.member_id)',
  }),
  checkin_spot: at('checkin_spot', {
    city: '(select m.city_id from mall m where m.id = t.mall_id)',
    mall: 't.mall_id',
  }),
})
