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
import { ecard_attr } from '#src/areas/ecard/ecard.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { keyColumns } from '#src/areas/partner/partner.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { alphabets } from '#src/areas/secret/secretCode.ts'
import { vip_card } from '#src/areas/vipCard/vipCard.table.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import type { Granted } from './granted.ts'
import { VIP_DAYS_MOST } from './membership.ts'
import {
  batchStates,
  bearers,
  codeKinds,
  codeStates,
  redeemResults,
  redeemWays,
  runKinds,
  type Amendment,
} from './redeemCode.ts'

/** 兑换码批次: what a partner's codes are good for, and how many there may be. */
export const code_batch = pgTable(
  'code_batch',
  {
    ...base,
    name: text().notNull(),
    partner: text().notNull(),
    contract_no: text().notNull().default(''),
    code_kind: text({ enum: keys(codeKinds) }).notNull(),
    alphabet: text({ enum: keys(alphabets) }).notNull(),
    length: integer().notNull(),
    prefix: text().notNull(),
    quantity: integer().notNull(),
    start_at: unix().notNull(),
    end_at: unix().notNull(),
    /** How often a shared code may be used; null of the others. */
    use_limit: integer(),
    /** Codes of the batch that one member, phone or device may redeem; null: any number. */
    limit_member: integer(),
    limit_phone: integer(),
    limit_device: integer(),
    new_only: boolean().notNull().default(false),
    /** None: every mall. */
    mall_ids: jsonb().$type<number[]>().notNull().default([]),
    bearer: text({ enum: keys(bearers) }).notNull(),
    /** One of each for a code. */
    coupon_ids: jsonb().$type<number[]>().notNull().default([]),
    points: integer().notNull().default(0),
    points_days: integer().notNull().default(365),
    /** A prize that the counter hands over, one a code; '' for none. */
    goods: text().notNull().default(''),
    /** The cost of one. */
    goods_cents: cents().notNull().default(0),
    /** Days of a plan that a code gives, and what they cost when it was submitted. */
    vip_card_id: integer().references(() => vip_card.id),
    vip_days: integer().notNull().default(0),
    vip_cents: cents().notNull().default(0),
    /** A face of an e-card that a code gives one of, and what one cost when it was submitted. */
    ecard_attr_id: integer().references(() => ecard_attr.id),
    ecard_cents: cents().notNull().default(0),
    budget_cents: cents().notNull(),
    /** The cost of the rewards of one code, when it was submitted. */
    unit_cost_cents: cents().notNull().default(0),
    note: text().notNull().default(''),
    status: text({ enum: keys(batchStates) }).notNull(),
    /** Why it stands as it does: rejected, paused or ended. */
    reason: text().notNull().default(''),
    /** A change that waits for its audit; until then the batch holds as it is. */
    amendment: jsonb().$type<Amendment>(),
    created_by: integer()
      .notNull()
      .references(() => admin.id),
    submitted_by: integer().references(() => admin.id),
    submitted_at: unix(),
    finance_by: integer().references(() => admin.id),
    approved_by: integer().references(() => admin.id),
    approved_at: unix(),
    copy_from_id: integer(),
    generated: integer().notNull().default(0),
    /** The place of the last code; a broken import leaves a gap. */
    last_seq: integer().notNull().default(0),
    exported: integer().notNull().default(0),
    redeemed: integer().notNull().default(0),
    voided: integer().notNull().default(0),
    runs: integer().notNull().default(0),
  },
  t => [
    check('code_batch_generated', sql`${t.generated} between 0 and ${t.quantity}`),
    check('code_batch_period', sql`${t.end_at} > ${t.start_at}`),
    check(
      'code_batch_vip_days',
      sql`${t.vip_days} between 0 and ${sql.raw(String(VIP_DAYS_MOST))} and (${t.vip_days} = 0 or ${t.vip_card_id} is not null)`,
    ),
    uniqueIndex('code_batch_prefix_once').on(t.prefix),
    index('code_batch_by_partner').on(t.partner),
    index('code_batch_by_state').on(t.status, t.end_at),
    // Prizes that wait are those of batches that are not over: their ids are read from it alone.
    index('code_batch_by_end').on(t.end_at, t.id),
    index('code_batch_with_days')
      .on(t.id)
      .where(sql`vip_card_id is not null`),
    index('code_batch_with_card')
      .on(t.id)
      .where(sql`ecard_attr_id is not null`),
  ],
)

/** 生成、导入、作废的一次: what one job made of a batch's codes. */
export const code_run = pgTable(
  'code_run',
  {
    ...base,
    batch_id: integer()
      .notNull()
      .references(() => code_batch.id),
    /** Below zero while its file is being read. */
    run_no: integer().notNull(),
    kind: text({ enum: keys(runKinds) }).notNull(),
    qty: integer().notNull(),
    done: integer().notNull().default(0),
    /** Codes of an import can be redeemed when all of them are in. */
    finished_at: unix(),
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
  },
  t => [uniqueIndex('code_run_once').on(t.batch_id, t.run_no)],
)
/** Codes of a file on their way in, encrypted as they are in the end. */
export const code_slice = pgTable(
  'code_slice',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    run_id: integer()
      .notNull()
      .references(() => code_run.id, { onDelete: 'cascade' }),
    no: integer().notNull(),
    sealed: text().notNull(),
  },
  t => [uniqueIndex('code_slice_once').on(t.run_id, t.no)],
)

/** 兑换码: found by its hash, shown from its sealed text; its keys lie outside the database. */
export const redeem_code = pgTable(
  'redeem_code',
  {
    ...base,
    batch_id: integer()
      .notNull()
      .references(() => code_batch.id),
    run_no: integer().notNull(),
    /** Its place in the batch, by which ranges are exported and voided. */
    seq: integer().notNull(),
    code_hash: text().notNull(),
    code_sealed: text().notNull(),
    tail: text().notNull(),
    state: text({ enum: keys(codeStates) })
      .notNull()
      .default('unused'),
    used_times: integer().notNull().default(0),
    member_id: integer().references(() => member.id),
    phone: text(),
    /** A later end of its own. */
    end_at: unix(),
    revealed: integer().notNull().default(0),
    exported_at: unix(),
    redeemed_at: unix(),
    redeemed_by: integer().references(() => admin.id),
    voided_at: unix(),
    voided_by: integer().references(() => admin.id),
    void_reason: text(),
  },
  t => [
    uniqueIndex('redeem_code_once').on(t.code_hash),
    uniqueIndex('redeem_code_by_batch').on(t.batch_id, t.seq),
    // Few codes have an end of their own, and lists of prizes ask for all of them.
    index('redeem_code_own_end')
      .on(t.end_at, t.id)
      .where(sql`end_at is not null`),
    index('redeem_code_by_member')
      .on(t.member_id)
      .where(sql`member_id is not null`),
  ],
)

/** 合作方接口: how a partner of batches, by its name there, calls the API. */
export const code_partner = pgTable(
  'code_partner',
  {
    ...base,
    name: text().notNull(),
    ...keyColumns,
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('on'),
    /** Why it is stopped. */
    reason: text().notNull().default(''),
  },
  t => [
    uniqueIndex('code_partner_name_once').on(t.name),
    uniqueIndex('code_partner_key_once')
      .on(t.app_key)
      .where(sql`app_key is not null`),
    uniqueIndex('code_partner_old_key_once')
      .on(t.old_app_key)
      .where(sql`old_app_key is not null`),
  ],
)

/** 兑换记录: every try, also those of codes that there are not. */
export const redeem_log = pgTable(
  'redeem_log',
  {
    ...base,
    code_id: integer().references(() => redeem_code.id),
    batch_id: integer().references(() => code_batch.id),
    member_id: integer().references(() => member.id),
    phone: text().notNull().default(''),
    input_tail: text().notNull(),
    result: text({ enum: keys(redeemResults) }).notNull(),
    granted: jsonb().$type<Granted>(),
    /** Several may use the code. */ shared: boolean().notNull().default(false),
    channel: text({ enum: keys(redeemWays) }).notNull(),
    /** The partner whose API call it was, and the number that it gave it. */
    partner_id: integer().references(() => code_partner.id),
    out_no: varchar({ length: 64 }).notNull().default(''),
    staff_id: integer().references(() => admin.id),
    mall_id: integer().notNull().default(0),
    device_id: text().notNull().default(''),
    ip: text().notNull().default(''),
    revoked_at: unix(),
    revoked_by: integer().references(() => admin.id),
    reissued_at: unix(),
    /** Its prize was handed over, by whom and where. */
    handed_at: unix(),
    handed_by: integer().references(() => admin.id),
    handed_store_id: integer().references(() => store.id),
    reason: text().notNull().default(''),
  },
  t => [
    // The curve by the hour counts results, of a week of all, without reading the rows.
    index('redeem_log_by_hour').on(t.created_at, t.result),
    index('redeem_log_by_code').on(t.code_id),
    index('redeem_log_by_batch').on(t.batch_id, t.created_at),
    index('redeem_log_by_member').on(t.member_id, t.created_at),
    index('redeem_log_by_phone').on(t.phone, t.created_at),
    index('redeem_log_by_device').on(t.device_id, t.created_at),
    index('redeem_log_by_ip').on(t.ip, t.created_at),
    index('redeem_log_by_tail').on(t.input_tail, t.created_at),
    index('redeem_log_by_result').on(t.result, t.created_at),
    index('redeem_log_by_handing')
      .on(t.handed_by, t.handed_at)
      .where(sql`handed_at is not null`),
    // Prizes are found by how they stand (handing.server.ts): handed over, or not yet.
    index('redeem_log_prize_handed')
      .on(t.created_at)
      .where(sql`granted->>'goods' <> '' and revoked_at is null and handed_at is not null`),
    index('redeem_log_prize_open')
      .on(t.created_at, t.id, t.batch_id, t.code_id)
      .where(sql`granted->>'goods' <> '' and revoked_at is null and handed_at is null`),
    // A number of a partner has one success, so that a call again is known.
    uniqueIndex('redeem_log_number_once')
      .on(t.partner_id, t.out_no)
      .where(sql`out_no <> '' and result = 'ok'`),
    // A one-time code succeeds once, whatever else fails to see to it.
    uniqueIndex('redeem_log_success_once')
      .on(t.code_id)
      .where(sql`result = 'ok' and revoked_at is null and not shared`),
  ],
)

/** 兑换限制: who may redeem nothing for a time, after wrong codes or by a person's word. */
export const redeem_block = pgTable(
  'redeem_block',
  {
    ...base,
    kind: text({ enum: ['member', 'device', 'address', 'card'] }).notNull(),
    value: text().notNull(),
    until: unix().notNull(),
    reason: text().notNull(),
    admin_id: integer().references(() => admin.id),
  },
  t => [uniqueIndex('redeem_block_once').on(t.kind, t.value)],
)

/** How many codes a person looked up in a minute. */
export const code_lookup = pgTable(
  'code_lookup',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
    minute: integer().notNull(),
    n: integer().notNull(),
  },
  t => [uniqueIndex('code_lookup_once').on(t.admin_id, t.minute)],
)

/** 合作方账单: one a partner and month. */
export const code_bill = pgTable(
  'code_bill',
  {
    ...base,
    partner: text().notNull(),
    /** `2026-10`. */ month: text().notNull(),
    successes: integer().notNull(),
    revokes: integer().notNull(),
    amount_cents: cents().notNull(),
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
  },
  t => [uniqueIndex('code_bill_once').on(t.partner, t.month)],
)
