import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { member } from '#src/areas/member/member.table.ts'
import { textStates } from '#src/areas/member/texting.ts'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { chargeStates, extensionStates } from './renewal.ts'
import { vip_card_order, vip_contract, vip_subscription } from './vipCard.table.ts'

/** 续费扣款: a charge on a contract, and what the channel said of it. */
export const vip_charge = pgTable(
  'vip_charge',
  {
    ...base,
    subscription_id: integer()
      .notNull()
      .references(() => vip_subscription.id),
    contract_id: integer()
      .notNull()
      .references(() => vip_contract.id),
    order_id: integer()
      .notNull()
      .references(() => order.id),
    vip_order_id: integer()
      .notNull()
      .references(() => vip_card_order.id),
    /** The payment's number, and so the charge's: the channel takes it once however often it is sent. */
    out_no: varchar({ length: 64 }).notNull(),
    amount_cents: cents().notNull(),
    state: text({ enum: keys(chargeStates) })
      .notNull()
      .default('pending'),
    /** The person who asked for it again; null: the clock. */
    by_id: integer().references(() => admin.id),
    /** When the channel is asked next, and how often it was. */
    ask_at: unix(),
    tries: integer().notNull().default(0),
    error_code: varchar({ length: 40 }).notNull().default(''),
    error: varchar({ length: 255 }).notNull().default(''),
    ended_at: unix(),
  },
  t => [
    check('vip_charge_amount', sql`${t.amount_cents} > 0`),
    check('vip_charge_waits', sql`(${t.state} = 'pending') = (${t.ask_at} is not null)`),
    uniqueIndex('vip_charge_no_once').on(t.out_no),
    uniqueIndex('vip_charge_order_once').on(t.order_id),
    uniqueIndex('vip_charge_one_pending')
      .on(t.subscription_id)
      .where(sql`state = 'pending'`),
    index('vip_charge_by_subscription').on(t.subscription_id, t.id),
    index('vip_charge_to_ask')
      .on(t.ask_at)
      .where(sql`state = 'pending'`),
  ],
)

/** 延期申请: more than a year that one person gives and another agrees to. */
export const vip_extension = pgTable(
  'vip_extension',
  {
    ...base,
    subscription_id: integer()
      .notNull()
      .references(() => vip_subscription.id),
    days: integer().notNull(),
    reason: varchar({ length: 255 }).notNull(),
    state: text({ enum: keys(extensionStates) })
      .notNull()
      .default('asked'),
    asker_id: integer()
      .notNull()
      .references(() => admin.id),
    decider_id: integer().references(() => admin.id),
    decided_at: unix(),
    decide_reason: varchar({ length: 255 }).notNull().default(''),
  },
  t => [
    check('vip_extension_second', sql`${t.decider_id} <> ${t.asker_id}`),
    uniqueIndex('vip_extension_one_asked')
      .on(t.subscription_id)
      .where(sql`state = 'asked'`),
    index('vip_extension_by_subscription').on(t.subscription_id, t.id),
  ],
)

/** 续费提醒: a message to a member that the membership ends or will be charged. */
export const vip_notice = pgTable(
  'vip_notice',
  {
    ...base,
    subscription_id: integer()
      .notNull()
      .references(() => vip_subscription.id),
    member_id: integer()
      .notNull()
      .references(() => member.id),
    text: varchar({ length: 255 }).notNull(),
    state: text({ enum: keys(textStates) })
      .notNull()
      .default('queued'),
    tries: integer().notNull().default(0),
    answer: varchar({ length: 255 }),
    sent_at: unix(),
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
  },
  t => [
    index('vip_notice_by_subscription').on(t.subscription_id, t.id),
    index('vip_notice_queue')
      .on(t.id)
      .where(sql`state = 'queued'`),
  ],
)

const ofSubscription =
  '(select m.city_id from vip_subscription s join member m on m.id = s.member_id where s.id = t.subscription_id)'
defineKinds({
  vip_extension: at('vip_extension', { city: ofSubscription }),
})
