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
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { keyColumns } from '#src/areas/partner/partner.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import type { CardTemplate } from './card.ts'
import {
  cardStates,
  cardTypes,
  channelStates,
  channelTypes,
  codeSources,
  codeStates,
  giftStates,
  ledgerTypes,
  refundRules,
  settleTypes,
  validTypes,
  type CardLimits,
  type CardScope,
  type CardState,
  type CardType,
  type ChannelPeriod,
  type ChannelState,
  type ChannelType,
  type CodeSource,
  type CodeState,
  type GiftState,
  type LedgerType,
  type RefundRule,
  type SettleType,
  type ValidType,
} from './ecard.ts'

/** 电子卡: what is sold; its faces, codes and balances stand in tables of their own. */
export const ecard = pgTable(
  'ecard',
  {
    ...base,
    name: varchar({ length: 64 }).notNull(),
    type: text({ enum: keys<CardType>(cardTypes) }).notNull(),
    /** A named card belongs to a person whose identity is on record. */
    named: boolean().notNull().default(false),
    /** The firm that issues it: its orders are this merchant's. */
    merchant_id: integer()
      .notNull()
      .references(() => merchant.id),
    store_id: integer()
      .notNull()
      .references(() => store.id),
    /** The issuer's, by which staff's scope places the card. */
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    cover: text().notNull().default(''),
    /** Faces of the card that a buyer chooses from. */
    arts: jsonb().$type<string[]>().notNull().default([]),
    /** The key of a supplier (supplier.channel.ts); empty where the platform makes the codes. */
    supplier: varchar({ length: 32 }).notNull().default(''),
    source: text({ enum: keys<CodeSource>(codeSources) }).notNull(),
    /** A face that the buyer chooses within bounds; all three or none. */
    custom_min_cents: cents(),
    custom_max_cents: cents(),
    custom_step_cents: cents(),
    valid_type: text({ enum: keys<ValidType>(validTypes) }).notNull(),
    valid_until: unix(),
    valid_days: integer(),
    scope: jsonb().$type<CardScope>().notNull(),
    gift: boolean().notNull().default(false),
    /** The words that a giver may write on it, to choose from. */
    greetings: jsonb().$type<string[]>().notNull().default([]),
    limits: jsonb().$type<CardLimits>().notNull(),
    refund_rule: text({ enum: keys<RefundRule>(refundRules) }).notNull(),
    /** It may be sold for more than its face. */ bonus: boolean().notNull().default(false),
    notice: text().notNull().default(''),
    /** What the buyer agrees to. */ agreement: text().notNull().default(''),
    state: text({ enum: keys<CardState>(cardStates) })
      .notNull()
      .default('draft'),
    off_reason: varchar({ length: 255 }),
    stock_alert: integer().notNull().default(0),
    /** When staff were last warned of a low stock: once a day. */ alerted_at: unix(),
    sort: integer().notNull().default(0),
    recommended: boolean().notNull().default(false),
    sold: integer().notNull().default(0),
    copy_from_id: integer(),
  },
  t => [
    uniqueIndex('ecard_name_once').on(t.supplier, t.type, plainName(t.name)),
    index('ecard_by_state').on(t.state, t.sort, t.id),
    index('ecard_by_type').on(t.type, t.sort, t.id),
    index('ecard_by_sort').on(t.sort, t.id),
    index('ecard_by_city').on(t.city_id, t.id),
    index('ecard_by_mall').on(t.mall_id, t.id),
  ],
)

/** 面值规格: a face of a card at a price, with the count of its codes by what became of them. */
export const ecard_attr = pgTable(
  'ecard_attr',
  {
    ...base,
    card_id: integer()
      .notNull()
      .references(() => ecard.id),
    face_cents: cents().notNull(),
    price_cents: cents().notNull(),
    /** A buyer chose it within the card's bounds: it is no face that staff offer. */
    chosen: boolean().notNull().default(false),
    /** The money that is given on top of the face. */ bonus_cents: cents().notNull().default(0),
    /** The supplier asks so much for one. */ cost_cents: cents().notNull().default(0),
    /** How many one person may have; null where nobody counts. */ limit_n: integer(),
    stock_alert: integer().notNull().default(0),
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('off'),
    sort: integer().notNull().default(0),
    free_n: integer().notNull().default(0),
    held_n: integer().notNull().default(0),
    sold_n: integer().notNull().default(0),
    void_n: integer().notNull().default(0),
    /**
     * The person who set a price below its cost, and why; another person lets it be sold
     * (`loss_by`).
     */
    loss_asked_by: integer().references(() => admin.id),
    loss_by: integer().references(() => admin.id),
    loss_reason: varchar({ length: 255 }),
  },
  t => [
    check(
      'ecard_attr_counts',
      sql`${t.free_n} >= 0 and ${t.held_n} >= 0 and ${t.sold_n} >= 0 and ${t.void_n} >= 0`,
    ),
    check('ecard_attr_price', sql`${t.price_cents} > 0 and ${t.face_cents} > 0`),
    uniqueIndex('ecard_attr_face_once')
      .on(t.card_id, t.face_cents)
      .where(sql`not chosen`),
    uniqueIndex('ecard_attr_chosen_once')
      .on(t.card_id, t.face_cents)
      .where(sql`chosen`),
  ],
)

/** 电子卡模板: the contents of a card's form, to begin another one with. */
export const ecard_template = pgTable(
  'ecard_template',
  {
    ...base,
    name: varchar({ length: 64 }).notNull(),
    body: jsonb().$type<CardTemplate>().notNull(),
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
  },
  t => [uniqueIndex('ecard_template_name_once').on(plainName(t.name))],
)

/** 电子卡渠道: somebody who sells cards on, with what they paid ahead and may owe. */
export const ecard_channel = pgTable(
  'ecard_channel',
  {
    ...base,
    name: varchar({ length: 64 }).notNull(),
    type: text({ enum: keys<ChannelType>(channelTypes) }).notNull(),
    company: varchar({ length: 64 }).notNull().default(''),
    tax_no: varchar({ length: 18 }).notNull().default(''),
    contact: varchar({ length: 32 }).notNull().default(''),
    phone: varchar({ length: 20 }).notNull().default(''),
    email: varchar({ length: 64 }).notNull().default(''),
    contract: text().notNull().default(''),
    start_at: unix(),
    end_at: unix(),
    settle_type: text({ enum: keys<SettleType>(settleTypes) })
      .notNull()
      .default('prepaid'),
    /** The sum of its ledger; never below what it may owe. */
    balance_cents: cents().notNull().default(0),
    credit_cents: cents().notNull().default(0),
    ...keyColumns,
    /** Contract periods before the one that holds, the latest last. */
    periods: jsonb().$type<ChannelPeriod[]>().notNull().default([]),
    /** E-mail addresses that are to hear of it; kept on record, no mail is sent yet. */
    receivers: jsonb().$type<string[]>().notNull().default([]),
    status: text({ enum: keys<ChannelState>(channelStates) })
      .notNull()
      .default('draft'),
    status_reason: varchar({ length: 255 }),
  },
  t => [
    check('ecard_channel_balance', sql`${t.balance_cents} >= -${t.credit_cents}`),
    uniqueIndex('ecard_channel_name_once').on(plainName(t.name)),
    uniqueIndex('ecard_channel_tax_once')
      .on(t.tax_no)
      .where(sql`tax_no <> '' and status in ('on', 'off')`),
    uniqueIndex('ecard_channel_key_once')
      .on(t.app_key)
      .where(sql`app_key is not null`),
    uniqueIndex('ecard_channel_old_key_once')
      .on(t.old_app_key)
      .where(sql`old_app_key is not null`),
    index('ecard_channel_by_status').on(t.status, t.id),
    index('ecard_channel_by_type').on(t.type, t.id),
    index('ecard_channel_by_end').on(t.end_at),
  ],
)

/** 渠道可售卡: what a channel may have, at which share of the price, and how many. */
export const ecard_channel_card = pgTable(
  'ecard_channel_card',
  {
    ...base,
    channel_id: integer()
      .notNull()
      .references(() => ecard_channel.id),
    attr_id: integer()
      .notNull()
      .references(() => ecard_attr.id),
    /** Basis points of the price. */ discount_bp: integer().notNull(),
    quota_n: integer().notNull(),
    issued_n: integer().notNull().default(0),
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('on'),
  },
  t => [
    check('ecard_channel_card_quota', sql`${t.issued_n} between 0 and ${t.quota_n}`),
    check('ecard_channel_card_discount', sql`${t.discount_bp} between 100 and 10000`),
    uniqueIndex('ecard_channel_card_once').on(t.channel_id, t.attr_id),
    index('ecard_channel_card_by_attr').on(t.attr_id),
  ],
)

/** 卡密: found by its hash, shown from its sealed text; keys lie outside the database. */
export const ecard_code = pgTable(
  'ecard_code',
  {
    ...base,
    card_id: integer()
      .notNull()
      .references(() => ecard.id),
    attr_id: integer()
      .notNull()
      .references(() => ecard_attr.id),
    batch_no: varchar({ length: 24 }).notNull(),
    card_no: varchar({ length: 24 }).notNull(),
    secret_enc: text().notNull(),
    secret_hash: varchar({ length: 64 }).notNull(),
    state: text({ enum: keys<CodeState>(codeStates) })
      .notNull()
      .default('free'),
    /** The state that it goes back to when it is released. */
    before_freeze: text({ enum: keys<CodeState>(codeStates) }),
    channel_id: integer().references(() => ecard_channel.id),
    /** The order it was held for or sold by (no reference: orders refer to faces). */
    order_id: integer(),
    holder_id: integer().references(() => member.id),
    /** Its worth in cents: the face with what is given on top. */
    face_cents: cents().notNull(),
    balance_cents: cents().notNull().default(0),
    /** Once its secret was shown it is not taken back. */ shown_at: unix(),
    sold_at: unix(),
    activated_at: unix(),
    valid_until: unix(),
    gift_state: text({ enum: keys<GiftState>(giftStates) })
      .notNull()
      .default('none'),
    frozen_by: integer().references(() => admin.id),
    frozen_at: unix(),
    /** Why it is frozen or void. */ reason: varchar({ length: 255 }),
  },
  t => [
    check('ecard_code_balance', sql`${t.balance_cents} between 0 and ${t.face_cents}`),
    check('ecard_code_frozen', sql`(${t.state} = 'frozen') = (${t.before_freeze} is not null)`),
    uniqueIndex('ecard_code_no_once').on(t.card_no),
    uniqueIndex('ecard_code_secret_once').on(t.secret_hash),
    index('ecard_code_by_attr').on(t.attr_id, t.state, t.id),
    index('ecard_code_by_card').on(t.card_id, t.state, t.id),
    index('ecard_code_newest').on(t.card_id, t.id),
    index('ecard_code_by_tail').on(sql`right(card_no, 4)`, t.id),
    index('ecard_code_by_batch').on(t.batch_no, t.id),
    index('ecard_code_by_order')
      .on(t.order_id)
      .where(sql`order_id is not null`),
    index('ecard_code_by_holder')
      .on(t.holder_id)
      .where(sql`holder_id is not null`),
    index('ecard_code_by_channel')
      .on(t.channel_id, t.id)
      .where(sql`channel_id is not null`),
    // Activated and returned codes of a channel are counted beside it.
    index('ecard_code_activated')
      .on(t.channel_id)
      .where(sql`channel_id is not null and activated_at is not null`),
    index('ecard_code_returned')
      .on(t.channel_id)
      .where(sql`channel_id is not null and state = 'refunded'`),
    index('ecard_code_ending')
      .on(t.valid_until)
      .where(sql`state in ('sold', 'active')`),
  ],
)

/** 卡与渠道流水: append-only; the newest row of an owner holds its balance. */
export const ecard_ledger = pgTable(
  'ecard_ledger',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    created_at: unix().notNull(),
    owner: text({ enum: ['code', 'channel'] }).notNull(),
    code_id: integer().references(() => ecard_code.id),
    channel_id: integer().references(() => ecard_channel.id),
    type: text({ enum: keys<LedgerType>(ledgerTypes) }).notNull(),
    /** Signed: what its owner has more or less of. */
    amount_cents: cents().notNull(),
    balance_after_cents: cents().notNull(),
    /** The order, payment, refund or request that it was for; each is once. */
    ref_type: varchar({ length: 16 }).notNull().default(''),
    ref_id: integer().notNull().default(0),
    proof: text().notNull().default(''),
    admin_id: integer().references(() => admin.id),
    second_by: integer().references(() => admin.id),
    reason: varchar({ length: 255 }).notNull().default(''),
  },
  t => [
    check(
      'ecard_ledger_owner',
      sql`(${t.owner} = 'code') = (${t.code_id} is not null) and (${t.owner} = 'channel') = (${t.channel_id} is not null)`,
    ),
    index('ecard_ledger_by_code')
      .on(t.code_id, t.id)
      .where(sql`code_id is not null`),
    index('ecard_ledger_by_channel')
      .on(t.channel_id, t.id)
      .where(sql`channel_id is not null`),
    // A ledger row is there once for its cause: a charge that is sent again finds it.
    uniqueIndex('ecard_ledger_code_once')
      .on(t.code_id, t.type, t.ref_type, t.ref_id)
      .where(sql`code_id is not null and ref_id > 0`),
    uniqueIndex('ecard_ledger_channel_once')
      .on(t.channel_id, t.type, t.ref_type, t.ref_id)
      .where(sql`channel_id is not null and ref_id > 0`),
    index('ecard_ledger_by_month')
      .on(t.channel_id, t.created_at)
      .where(sql`channel_id is not null`),
    index('ecard_ledger_by_time').on(t.created_at),
  ],
)

/** Faces and codes stand where their card does. */
const byCard = {
  city: '(select c.city_id from ecard c where c.id = t.card_id)',
  mall: '(select c.mall_id from ecard c where c.id = t.card_id)',
}
/** A card belongs to its issuer's city and mall; a channel to the whole house. */
export const ecardKinds = {
  ecard: at('ecard', { city: 't.city_id', mall: 't.mall_id' }),
  ecard_attr: at('ecard_attr', byCard),
  ecard_code: at('ecard_code', byCard),
}
defineKinds(ecardKinds)
