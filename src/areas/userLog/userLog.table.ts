import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { member } from '#src/areas/member/member.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { keys, unix } from '#src/server/db/columns.ts'
import { userDeeds, type DeedDetail, type UserDeed } from './userLog.ts'

/** 用户行为日志: what members did and what was done with accounts. Append-only. */
export const user_log = pgTable(
  'user_log',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    /** Made of the number of what happened: the same is kept once. */
    request_id: text().notNull(),
    member_id: integer()
      .notNull()
      .references(() => member.id),
    kind: text({ enum: keys<UserDeed>(userDeeds) }).notNull(),
    ip: text().notNull().default(''),
    region: text().notNull().default(''),
    device_id: text().notNull().default(''),
    client: text().notNull().default(''),
    /** From 0 to 100. */
    risk: integer().notNull().default(0),
    detail: jsonb().$type<DeedDetail>().notNull().default({}),
    at: unix().notNull(),
    /** What every row has that a page lists; it stays 0, as the row does not change. */
    version: integer().notNull().default(0),
  },
  t => [
    check('user_log_risk', sql`${t.risk} between 0 and 100`),
    uniqueIndex('user_log_once').on(t.request_id),
    index('user_log_by_time').on(t.at, t.id),
    index('user_log_by_member').on(t.member_id, t.at, t.id),
    index('user_log_by_kind').on(t.kind, t.at, t.id),
    index('user_log_suspicious')
      .on(t.at, t.id)
      .where(sql`risk >= 30`),
    index('user_log_high')
      .on(t.at, t.id)
      .where(sql`risk >= 60`),
    index('user_log_by_device')
      .on(t.device_id, t.at, t.member_id)
      .where(sql`device_id <> ''`),
    index('user_log_by_ip')
      .on(t.ip, t.at, t.member_id)
      .where(sql`ip <> ''`),
  ],
)
defineKinds({
  user_log: at('user_log', { city: '(select m.city_id from member m where m.id = t.member_id)' }),
})
