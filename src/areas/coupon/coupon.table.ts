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
import type { CouponKind, CouponState } from '#src/areas/mall/recommend.ts'
import { member } from '#src/areas/member/member.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { base, cents, unix } from '#src/server/db/columns.ts'
import type { CouponDraft } from './couponSentence.ts'

/**
 * The terms that an approval was given to: later ones are compared with them, and they never
 * change.
 */
export type ApprovedCoupon = CouponDraft & { vip_only: boolean }

export const coupon = pgTable(
  'coupon',
  {
    ...base,
    coupon_no: text().notNull(),
    scope: text({ enum: ['local', 'ecom'] }).notNull(),
    name: text().notNull(),
    kind: text().$type<CouponKind>().notNull(),
    face_cents: cents().notNull(),
    threshold_cents: cents().notNull(),
    discount_bp: integer(),
    cap_cents: cents(),
    apply_kind: text({ enum: ['all', 'category', 'mall', 'store', 'product', 'shop'] }).notNull(),
    apply_ids: jsonb().$type<number[]>().notNull(),
    exclude_ids: jsonb().$type<number[]>().notNull(),
    /** None: every city. */
    city_ids: jsonb().$type<number[]>().notNull(),
    total: integer().notNull(),
    claimed_count: integer().notNull().default(0),
    used_count: integer().notNull().default(0),
    /** What its used pieces took off so far. */
    cost_cents: cents().notNull().default(0),
    per_member: integer().notNull().default(1),
    per_day: integer(),
    claim_kind: text({
      enum: ['claim', 'auto_new', 'admin', 'code', 'points', 'activity'],
    }).notNull(),
    claim_start_at: unix().notNull(),
    claim_end_at: unix().notNull(),
    valid_kind: text({ enum: ['fixed', 'days_after'] }).notNull(),
    use_start_at: unix(),
    use_end_at: unix(),
    valid_after_days: integer(),
    valid_days: integer(),
    weekdays: jsonb().$type<number[]>().notNull(),
    level_ids: jsonb().$type<number[]>().notNull(),
    vip_only: boolean().notNull().default(false),
    new_only: boolean().notNull().default(false),
    stackable: boolean().notNull().default(false),
    platform_share_bp: integer().notNull(),
    merchant_share_bp: integer().notNull(),
    consent_no: text(),
    budget_cents: cents(),
    /** What the app says of it beside its name. */
    recommend_text: text().notNull().default(''),
    copy_from_id: integer(),
    reason: text(),
    /** The terms that were approved last; null: never approved. */
    approved: jsonb().$type<ApprovedCoupon>(),
    approved_at: unix(),
    status: text().$type<CouponState>().notNull(),
    created_by: integer().references(() => admin.id),
  },
  t => [
    check('coupon_claimed', sql`${t.claimed_count} between 0 and ${t.total}`),
    uniqueIndex('coupon_no_once').on(t.coupon_no),
    index('coupon_by_state').on(t.scope, t.status, t.claim_end_at),
    index('coupon_by_scope').on(t.scope, t.id),
    index('coupon_by_kind').on(t.scope, t.kind, t.id),
    index('coupon_by_reach').on(t.scope, t.apply_kind, t.id),
    index('coupon_by_claim').on(t.scope, t.claim_kind, t.id),
    index('coupon_by_bearer').on(t.scope, t.platform_share_bp, t.id),
    index('coupon_by_creator').on(t.scope, t.created_by, t.id),
    index('coupon_by_source').on(t.copy_from_id),
    index('coupon_turning')
      .on(t.claim_end_at)
      .where(sql`status in ('waiting', 'active', 'paused')`),
    index('coupon_by_named').using('gin', t.apply_ids.op('jsonb_path_ops')),
  ],
)

/** What a member holds; the terms are those of the day it was claimed. */
export const coupon_grant = pgTable(
  'coupon_grant',
  {
    ...base,
    coupon_id: integer()
      .notNull()
      .references(() => coupon.id),
    code: text().notNull(),
    member_id: integer()
      .notNull()
      .references(() => member.id),
    grant_kind: text({
      enum: ['claim', 'auto_new', 'admin', 'code', 'points', 'activity', 'compensate'],
    }).notNull(),
    snapshot: jsonb().$type<Record<string, unknown>>().notNull(),
    start_at: unix().notNull(),
    end_at: unix().notNull(),
    order_no: text(),
    store_id: integer(),
    discount_cents: cents(),
    platform_cents: cents(),
    merchant_cents: cents(),
    locked_at: unix(),
    used_at: unix(),
    operator_id: integer(),
    reason: text(),
    status: text({ enum: ['unused', 'locked', 'used', 'expired', 'revoked'] }).notNull(),
  },
  t => [
    uniqueIndex('coupon_grant_code_once').on(t.code),
    index('coupon_grant_by_coupon').on(t.coupon_id, t.status),
    index('coupon_grant_of_coupon').on(t.coupon_id, t.id),
    index('coupon_grant_by_holder').on(t.coupon_id, t.member_id),
    index('coupon_grant_by_member').on(t.member_id, t.created_at),
    index('coupon_grant_by_creation').on(t.created_at),
    index('coupon_grant_ending')
      .on(t.end_at)
      .where(sql`status = 'unused'`),
  ],
)
