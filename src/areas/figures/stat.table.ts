import { index, integer, jsonb, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { sendStates, type SendState } from '#src/areas/notice/warning.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { runStates, type RunState } from './report.ts'

/**
 * 经营日统计: what happened on a day, by the day of each event; `member` is the kind of new members, who
 * order nothing yet.
 */
export const daily_stat = pgTable(
  'daily_stat',
  {
    ...base,
    /** `YYYY-MM-DD`, Shanghai. */
    date: varchar({ length: 10 }).notNull(),
    city_id: integer().notNull(),
    /** 0 outside any mall. */
    mall_id: integer().notNull(),
    kind: varchar({ length: 16 }).notNull(),
    orders: integer().notNull().default(0),
    paid_orders: integer().notNull().default(0),
    gmv_cents: cents().notNull().default(0),
    verified_count: integer().notNull().default(0),
    verified_cents: cents().notNull().default(0),
    refunded_count: integer().notNull().default(0),
    refunded_cents: cents().notNull().default(0),
    new_members: integer().notNull().default(0),
    computed_at: unix().notNull(),
  },
  t => [uniqueIndex('daily_stat_once').on(t.date, t.city_id, t.mall_id, t.kind)],
)

/** 经营报表订阅 */
export const report_sub = pgTable(
  'report_sub',
  {
    ...base,
    name: varchar({ length: 64 }).notNull(),
    template: varchar({
      length: 12,
      enum: ['trade', 'verify', 'refund', 'store_rank', 'audit', 'settle'],
    }).notNull(),
    /** Cities and malls it reports on; empty for all of the owner's. */
    scope: jsonb().$type<{ city_ids: number[]; mids: number[] }>().notNull(),
    /** `daily 09:00`, `weekly 1 09:00` (Monday), `monthly 1 09:00`; Shanghai time. */
    schedule: varchar({ length: 32 }).notNull(),
    receivers: jsonb().$type<{ group_ids: number[]; emails: string[] }>().notNull(),
    owner_id: integer()
      .notNull()
      .references(() => admin.id),
    status: varchar({ length: 8, enum: ['on', 'paused'] })
      .notNull()
      .default('on'),
    pause_reason: varchar({ length: 255 }),
    last_run_at: unix(),
    last_result: varchar({ length: 8, enum: ['ok', 'partial', 'failed', 'none'] })
      .notNull()
      .default('none'),
    next_run_at: unix(),
  },
  t => [
    index('report_sub_due').on(t.status, t.next_run_at),
    index('report_sub_owner').on(t.owner_id),
  ],
)

/** A report as it was sent: headline figures and a table, all in words. */
export type ReportBody = {
  from: string
  to: string
  figures: { label: string; value: string }[]
  columns: string[]
  rows: string[][]
}
/** One report a period and subscription, however often it is tried. */
export const report_run = pgTable(
  'report_run',
  {
    ...base,
    sub_id: integer()
      .notNull()
      .references(() => report_sub.id),
    /** The first day of the period it is about. */
    period: varchar({ length: 10 }).notNull(),
    /** 0 for the first sending, then one for every sending again. */
    resend: integer().notNull().default(0),
    state: varchar({ length: 8, enum: keys<RunState>(runStates) }).notNull(),
    /** Whoever was not reached, and what their channel answered. */
    error: text(),
    body: jsonb().$type<ReportBody>(),
    /** When the last of those who were reached had answered. */
    sent_at: unix(),
  },
  t => [
    uniqueIndex('report_run_once').on(t.sub_id, t.period, t.resend),
    index('report_run_by_sub').on(t.sub_id, t.id),
  ],
)

/** 报表发送记录: one row a run and receiver, from the moment at which the run begins. */
export const report_send = pgTable(
  'report_send',
  {
    ...base,
    run_id: integer()
      .notNull()
      .references(() => report_run.id),
    /** Null for an address of mail. */
    group_id: integer(),
    /** The group as it was called then, or the address. */
    name: varchar({ length: 64 }).notNull(),
    state: varchar({ length: 8, enum: keys<SendState>(sendStates) })
      .notNull()
      .default('waiting'),
    /** The group's message that carries it: the message tells what the channel answered. */
    message_id: integer(),
    tries: integer().notNull().default(0),
    answer: varchar({ length: 255 }),
    /** No sooner than this is a mail tried again. */
    next_at: unix().notNull().default(0),
    sent_at: unix(),
  },
  t => [index('report_send_by_run').on(t.run_id)],
)
