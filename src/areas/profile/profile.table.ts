import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { member } from '#src/areas/member/member.table.ts'
import { profileFields, type ProfileField } from '#src/areas/pointsRule/earning.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'

/** 资料项: that a member once completed a field of the profile, and what it earned; never deleted. */
export const profile_field = pgTable(
  'profile_field',
  {
    ...base,
    member_id: integer()
      .notNull()
      .references(() => member.id),
    field: text({ enum: keys<ProfileField>(profileFields) }).notNull(),
    first_at: unix().notNull(),
    /** Whether it stands now; what was cleared and filled again earns nothing. */
    filled: boolean().notNull().default(true),
    changed_at: unix().notNull(),
    /** What was booked for it so far. */
    points: integer().notNull().default(0),
    /** The favourite malls, of that field. */
    mall_ids: jsonb().$type<number[]>().notNull().default([]),
  },
  t => [
    check('profile_field_points', sql`${t.points} >= 0`),
    uniqueIndex('profile_field_once').on(t.member_id, t.field),
    index('profile_field_by_time').on(t.field, t.first_at),
  ],
)
