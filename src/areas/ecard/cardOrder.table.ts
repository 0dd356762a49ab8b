import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { member } from '#src/areas/member/member.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import {
  identityKinds,
  moveStates,
  requestStates,
  type IdentityKind,
  type MoveState,
  type RequestState,
} from './cardOrder.ts'
import { ecard_code } from './ecard.table.ts'

/**
 * 供应商请求: one unit of an order that a supplier is asked for, under a number of its own. At most one
 * request of a unit is under way or done.
 */
export const ecard_request = pgTable(
  'ecard_request',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    item_id: integer()
      .notNull()
      .references(() => order_item.id),
    /** Which of the item's units, from 1. */ unit: integer().notNull(),
    out_no: varchar({ length: 40 }).notNull(),
    supplier: varchar({ length: 32 }).notNull(),
    state: text({ enum: keys<RequestState>(requestStates) }).notNull(),
    /** What the supplier said last, in its own words. */
    answer: varchar({ length: 255 }).notNull().default(''),
    supplier_no: varchar({ length: 40 }),
    code_id: integer().references(() => ecard_code.id),
    tries: integer().notNull().default(0),
    ask_at: unix(),
    answered_at: unix(),
    /** The member of staff who asked for it again, and why. */
    asked_by: integer(),
    reason: varchar({ length: 255 }),
  },
  t => [
    check('ecard_request_code', sql`(${t.state} = 'success') = (${t.code_id} is not null)`),
    uniqueIndex('ecard_request_no_once').on(t.out_no),
    uniqueIndex('ecard_request_one')
      .on(t.item_id, t.unit)
      .where(sql`state in ('pending', 'success')`),
    uniqueIndex('ecard_request_code_once')
      .on(t.code_id)
      .where(sql`code_id is not null`),
    index('ecard_request_by_order').on(t.order_id),
    index('ecard_request_waiting')
      .on(t.ask_at)
      .where(sql`state = 'pending'`),
  ],
)

/** 购卡人身份登记: the identity of a buyer, as the law has it kept (单用途商业预付卡管理办法（试行） art. 15). */
export const ecard_identity = pgTable(
  'ecard_identity',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    kind: text({ enum: keys<IdentityKind>(identityKinds) }).notNull(),
    name: varchar({ length: 64 }).notNull(),
    id_no: varchar({ length: 18 }).notNull(),
  },
  t => [uniqueIndex('ecard_identity_once').on(t.order_id)],
)

/**
 * 小程序购卡: the order that a member placed under a number of their own, which names it once, and the
 * phone of whom its cards are for (empty: the buyer).
 */
export const ecard_purchase = pgTable(
  'ecard_purchase',
  {
    ...base,
    member_id: integer()
      .notNull()
      .references(() => member.id),
    buy_no: varchar({ length: 64 }).notNull(),
    /** What was asked for under the number, as a hash: it names nothing else. */
    asked: varchar({ length: 64 }).notNull(),
    order_id: integer()
      .notNull()
      .references(() => order.id),
    receiver_phone: varchar({ length: 20 }).notNull().default(''),
  },
  t => [
    uniqueIndex('ecard_purchase_no_once').on(t.member_id, t.buy_no),
    uniqueIndex('ecard_purchase_order_once').on(t.order_id),
  ],
)

/** 赠送: a card on its way to another person. */
export const ecard_gift = pgTable(
  'ecard_gift',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    /** When its order was placed. */ ordered_at: unix().notNull(),
    code_id: integer()
      .notNull()
      .references(() => ecard_code.id),
    /** The name in the link that is sent. */ token: varchar({ length: 32 }).notNull(),
    from_id: integer()
      .notNull()
      .references(() => member.id),
    to_id: integer().references(() => member.id),
    greeting: varchar({ length: 128 }).notNull().default(''),
    state: text({ enum: ['sent', 'received', 'returned'] }).notNull(),
    sent_at: unix().notNull(),
    received_at: unix(),
    returned_at: unix(),
    /** How it came back: nobody took it in time, or it was called back. */
    returned_by: text({ enum: ['timeout', 'member', 'staff'] }),
    admin_id: integer(),
    reason: varchar({ length: 255 }),
  },
  t => [
    uniqueIndex('ecard_gift_token_once').on(t.token),
    uniqueIndex('ecard_gift_one')
      .on(t.code_id)
      .where(sql`state = 'sent'`),
    index('ecard_gift_by_order').on(t.order_id),
    index('ecard_gift_by_code').on(t.code_id),
    index('ecard_gift_waiting')
      .on(t.sent_at)
      .where(sql`state = 'sent'`),
    index('ecard_gift_unclaimed')
      .on(t.ordered_at, t.order_id)
      .where(sql`state = 'sent' or returned_by = 'timeout'`),
  ],
)

/** 变更持卡人: asked by one person, agreed to by another; both phones stand as they were then. */
export const ecard_move = pgTable(
  'ecard_move',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    code_id: integer()
      .notNull()
      .references(() => ecard_code.id),
    from_id: integer()
      .notNull()
      .references(() => member.id),
    to_id: integer()
      .notNull()
      .references(() => member.id),
    from_phone: varchar({ length: 20 }).notNull(),
    to_phone: varchar({ length: 20 }).notNull(),
    state: text({ enum: keys<MoveState>(moveStates) }).notNull(),
    first_by: integer().notNull(),
    reason: varchar({ length: 255 }).notNull(),
    second_by: integer(),
    second_reason: varchar({ length: 255 }),
    decided_at: unix(),
  },
  t => [
    check('ecard_move_second_is_another', sql`${t.second_by} <> ${t.first_by}`),
    uniqueIndex('ecard_move_one')
      .on(t.code_id)
      .where(sql`state = 'asked'`),
    index('ecard_move_by_order').on(t.order_id),
  ],
)
