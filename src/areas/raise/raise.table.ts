import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { product } from '#src/areas/product/product.table.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import {
  depositRules,
  raiseEnds,
  raiseModes,
  raiseStates,
  targetTypes,
  type DepositRule,
  type RaiseEnd,
  type RaiseMode,
  type RaiseState,
  type TargetType,
} from './raise.ts'

/** 众筹场次 */
export const raise_batch = pgTable(
  'raise_batch',
  {
    ...base,
    product_id: integer()
      .notNull()
      .references(() => product.id),
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    title: text().notNull(),
    target_type: text({ enum: keys<TargetType>(targetTypes) }).notNull(),
    target: cents().notNull(),
    cap_units: integer().notNull(),
    /**
     * Units that orders hold, paid or not: no more than the cap. What was raised is counted from
     * orders, never here.
     */
    taken_units: integer().notNull().default(0),
    mode: text({ enum: keys<RaiseMode>(raiseModes) }).notNull(),
    /** The deposit of one unit. */
    deposit_cents: cents().notNull().default(0),
    deposit_rule: text({ enum: keys<DepositRule>(depositRules) })
      .notNull()
      .default('refund'),
    start_at: unix().notNull(),
    end_at: unix().notNull(),
    balance_end_at: unix(),
    ship_at: unix().notNull(),
    /** The day of shipping that was promised first. */
    promised_ship_at: unix().notNull(),
    extended: boolean().notNull().default(false),
    state: text({ enum: keys<RaiseState>(raiseStates) }).notNull(),
    /** The person who asks for success below the target; another person must agree. */
    declare_by: integer(),
    declare_reason: text(),
    declare_at: unix(),
    /** How the raising ended, when, and who of staff ended it and why. */
    end_by: text({ enum: keys<RaiseEnd>(raiseEnds) }),
    ended_at: unix(),
    ended_by: integer(),
    end_reason: text(),
  },
  t => [
    check('raise_batch_cap', sql`${t.taken_units} between 0 and ${t.cap_units}`),
    check(
      'raise_batch_second_is_another',
      sql`${t.end_by} <> 'declare' or ${t.ended_by} <> ${t.declare_by}`,
    ),
    index('raise_batch_by_state').on(t.state, t.end_at),
    index('raise_batch_by_product').on(t.product_id, t.id),
  ],
)
