import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, varchar } from 'drizzle-orm/pg-core'
import { base, cents, unix } from '#src/server/db/columns.ts'

/**
 * How the embedded payment channel behaves. `fail`: refuses with this code; with CLOSED and
 * ABNORMAL it first takes the refund, as WeChat Pay does. `delay_s`: answers so long after it was
 * asked. `silent`: says nothing to the first so many asks, though it pays. `twice`: tells of it
 * twice by itself. `confirm`: a transfer waits for its payee.
 */
export type PayPlan = {
  fail?: string
  delay_s?: number
  silent?: number
  twice?: boolean
  confirm?: boolean
}

/**
 * Behaviour to come, by number; the one of `*` holds for every number without one of its own. Empty
 * outside tests and trials.
 */
export const channel_pay_plan = pgTable('channel_pay_plan', {
  ...base,
  out_no: varchar({ length: 64 }).notNull().unique(),
  plan: jsonb().$type<PayPlan>().notNull(),
})

/**
 * The book of the embedded payment channel: what it was asked, once a number. It stands for money
 * outside, so nothing of ours refers to it.
 */
export const channel_pay = pgTable(
  'channel_pay',
  {
    ...base,
    kind: varchar({ length: 8, enum: ['payment', 'refund', 'transfer', 'bank'] }).notNull(),
    out_no: varchar({ length: 64 }).notNull().unique(),
    /** The payment that a refund goes back on. */
    payment_no: varchar({ length: 64 }),
    amount_cents: cents().notNull(),
    channel_no: varchar({ length: 40 }).notNull(),
    state: varchar({ length: 8, enum: ['pending', 'wait', 'success', 'failed', 'canceled'] })
      .notNull()
      .default('pending'),
    /** How often it was asked of this number, and will yet tell of it by itself. */
    asked: integer().notNull().default(0),
    tells_left: integer().notNull(),
    answers_at: unix().notNull(),
    plan: jsonb().$type<PayPlan>().notNull().default({}),
  },
  t => [
    check('channel_pay_amount', sql`${t.amount_cents} > 0`),
    index('channel_pay_by_payment').on(t.payment_no),
    index('channel_pay_due')
      .on(t.answers_at)
      .where(sql`tells_left > 0`),
  ],
)

/**
 * The contracts that payers signed with the embedded channel. They stand for what is outside, so
 * nothing of ours refers to them. `plan.fail`: every charge on it is refused with this code.
 */
export const channel_contract = pgTable('channel_contract', {
  ...base,
  contract_no: varchar({ length: 64 }).notNull().unique(),
  state: varchar({ length: 8, enum: ['signed', 'ended'] }).notNull(),
  plan: jsonb().$type<PayPlan>().notNull().default({}),
})
