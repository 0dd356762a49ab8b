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
  varchar,
} from 'drizzle-orm/pg-core'
import { member } from '#src/areas/member/member.table.ts'
import { textStates, type TextState } from '#src/areas/member/texting.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import {
  growthKinds,
  holdKinds,
  ladderStates,
  type GrowthEarns,
  type GrowthKind,
  type HoldKind,
  type LadderState,
  type Level,
  type MergedLevel,
} from './level.ts'

/** 等级规则版本: the ladder of levels and what earns growth; what was published never changes. */
export const level_ladder = pgTable(
  'level_ladder',
  {
    ...base,
    no: integer().notNull(),
    levels: jsonb().$type<Level[]>().notNull(),
    merged: jsonb().$type<MergedLevel[]>().notNull().default([]),
    earns: jsonb().$type<GrowthEarns>().notNull(),
    state: text({ enum: keys<LadderState>(ladderStates) })
      .notNull()
      .default('draft'),
    /** The version that it is a return to. */
    based_on: integer(),
    reason: varchar({ length: 255 }).notNull().default(''),
    effective_at: unix(),
    maker_id: integer().references(() => admin.id),
    checker_id: integer().references(() => admin.id),
    reject_reason: varchar({ length: 255 }).notNull().default(''),
    published_at: unix(),
    archived_at: unix(),
    /** The last member that was recalculated by it, while some are left. */
    recalc_after: integer(),
    recalc_done: boolean().notNull().default(false),
  },
  t => [
    check('level_ladder_second', sql`${t.checker_id} <> ${t.maker_id}`),
    check('level_ladder_sent', sql`${t.state} <> 'waiting' or ${t.effective_at} is not null`),
    uniqueIndex('level_ladder_no').on(t.no),
    uniqueIndex('level_ladder_one')
      .on(t.state)
      .where(sql`state in ('draft', 'waiting', 'live')`),
  ],
)

/** 成长值流水: append-only but for its reversal; each business is booked once by its number. */
export const growth_ledger = pgTable(
  'growth_ledger',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    member_id: integer()
      .notNull()
      .references(() => member.id),
    /** What moved; 0 where the level alone changed. */
    delta: integer().notNull(),
    /** What was asked for: more than moved where growth would have gone below 0. */
    wanted: integer().notNull(),
    balance_after: integer().notNull(),
    kind: text({ enum: keys<GrowthKind>(growthKinds) }).notNull(),
    biz_no: varchar({ length: 40 }).notNull(),
    order_id: integer(),
    level_before: integer().notNull(),
    level_after: integer().notNull(),
    keep_until: unix(),
    note: varchar({ length: 255 }).notNull().default(''),
    operator_id: integer().references(() => admin.id),
    reversed_by: integer(),
    at: unix().notNull(),
    version: integer().notNull().default(0),
  },
  t => [
    check('growth_ledger_balance', sql`${t.balance_after} >= 0`),
    uniqueIndex('growth_ledger_once').on(t.kind, t.biz_no),
    uniqueIndex('growth_ledger_reversed')
      .on(t.reversed_by)
      .where(sql`reversed_by is not null`),
    index('growth_ledger_by_member').on(t.member_id, t.at, t.id),
    index('growth_ledger_by_kind').on(t.kind, t.at, t.id),
    index('growth_ledger_by_time').on(t.at, t.id),
    index('growth_ledger_levels')
      .on(t.at, t.id)
      .where(sql`level_before <> level_after`),
    // New rules write a row for every member whose level moves: rows of one direction lie apart.
    index('growth_ledger_up')
      .on(t.at, t.id)
      .where(sql`delta > 0`),
    index('growth_ledger_down')
      .on(t.at, t.id)
      .where(sql`delta < 0`),
    index('growth_ledger_by_order')
      .on(t.order_id)
      .where(sql`order_id is not null`),
  ],
)

/** 人工定级与等级保护: one of each kind is in force for a member at a time. */
export const level_hold = pgTable(
  'level_hold',
  {
    ...base,
    member_id: integer()
      .notNull()
      .references(() => member.id),
    kind: text({ enum: keys<HoldKind>(holdKinds) }).notNull(),
    level: integer().notNull(),
    until_at: unix().notNull(),
    /** Where the member stood before, and returns to. */
    back_level: integer().notNull(),
    back_keep_until: unix(),
    reason: varchar({ length: 255 }).notNull(),
    operator_id: integer()
      .notNull()
      .references(() => admin.id),
    ended_at: unix(),
  },
  t => [
    uniqueIndex('level_hold_once')
      .on(t.member_id, t.kind)
      .where(sql`ended_at is null`),
    index('level_hold_due')
      .on(t.until_at)
      .where(sql`ended_at is null`),
  ],
)

/** 等级通知: what a member is told of a level that changed. */
export const level_notice = pgTable(
  'level_notice',
  {
    ...base,
    ledger_id: integer()
      .notNull()
      .references(() => growth_ledger.id),
    member_id: integer()
      .notNull()
      .references(() => member.id),
    text: varchar({ length: 255 }).notNull(),
    state: text({ enum: keys<TextState>(textStates) })
      .notNull()
      .default('queued'),
    tries: integer().notNull().default(0),
    answer: varchar({ length: 255 }),
    sent_at: unix(),
    /** The person who had it sent again; null for the first. */
    admin_id: integer().references(() => admin.id),
  },
  t => [
    index('level_notice_by_ledger').on(t.ledger_id, t.id),
    index('level_notice_queue')
      .on(t.id)
      .where(sql`state = 'queued'`),
  ],
)

const city = '(select m.city_id from member m where m.id = t.member_id)'
defineKinds({
  growth_ledger: at('growth_ledger', { city }),
  level_hold: at('level_hold', { city }),
})
