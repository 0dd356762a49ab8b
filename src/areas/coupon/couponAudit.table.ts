import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { claimedColumns, viewerColumns } from '#src/areas/audit/claimed.table.ts'
import type { CouponKind } from '#src/areas/mall/recommend.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, unix } from '#src/server/db/columns.ts'
import { coupon } from './coupon.table.ts'
import { couponQueues, type AuditedTerms, type GoodsThen } from './couponAudit.ts'

/** 优惠券审核: a row keeps what a coupon promised when it was submitted, and who decided it. */
export const coupon_audit = pgTable(
  'coupon_audit',
  {
    ...base,
    queue: text({ enum: couponQueues }).notNull(),
    coupon_id: integer()
      .notNull()
      .references(() => coupon.id),
    title: text().notNull(),
    kind: text().$type<CouponKind>().notNull(),
    /** None: every city. */
    city_ids: jsonb().$type<number[]>().notNull(),
    /** The person who made the coupon: they may not decide it. */
    owner_id: integer(),
    /** The most that it can take off, all pieces together. */
    exposure_cents: cents().notNull(),
    snapshot: jsonb().$type<AuditedTerms>().notNull(),
    /** The terms of the submission before this one, which was decided or withdrawn. */
    last_snapshot: jsonb().$type<AuditedTerms>(),
    /** Prices of goods of its scope at that moment, so that later changes are marked. */
    goods: jsonb().$type<GoodsThen>().notNull(),
    /** Rules that keep it out of batches, as they were found at its submission. */
    flags: jsonb().$type<string[]>().notNull(),
    flagged: boolean()
      .notNull()
      .generatedAlwaysAs(sql`jsonb_array_length(flags) > 0`),
    round: integer().notNull().default(1),
    ...claimedColumns(),
    first_name: text(),
    first_at: unix(),
    /** Goods that a rejection suggests to leave out. */
    leave_out: jsonb().$type<number[]>().notNull().default([]),
    /** The coupon's version after the decision: a later change forbids to take it back. */
    decided_version: integer(),
    /** How many pieces were claimed by then: one more forbids it too. */
    decided_claimed: integer(),
  },
  t => [
    check(
      'coupon_audit_decider_is_another',
      sql`${t.decided_by} is null or (${t.decided_by} is distinct from ${t.submitted_by} and ${t.decided_by} is distinct from ${t.owner_id})`,
    ),
    check(
      'coupon_audit_second_is_another',
      sql`${t.state} <> 'approved' or ${t.decided_by} is distinct from ${t.first_by}`,
    ),
    uniqueIndex('coupon_audit_one_open')
      .on(t.coupon_id)
      .where(sql`state in ('pending', 'claimed', 'second_audit', 'need_more')`),
    index('coupon_audit_by_coupon').on(t.coupon_id, t.id),
    index('coupon_audit_open_by_sla').on(t.queue, t.is_open, t.sla_at, t.id),
    index('coupon_audit_open_by_exposure').on(t.queue, t.is_open, t.exposure_cents, t.id),
    index('coupon_audit_by_state').on(t.queue, t.state, t.sla_at, t.id),
    index('coupon_audit_by_exposure').on(t.queue, t.state, t.exposure_cents, t.id),
    index('coupon_audit_by_decision').on(t.queue, t.state, t.decided_at, t.id),
    index('coupon_audit_by_kind').on(t.queue, t.kind, t.state, t.sla_at, t.id),
    index('coupon_audit_by_city').using('gin', t.city_ids),
    index('coupon_audit_by_decider').on(t.decided_by, t.decided_at),
    index('coupon_audit_by_owner').on(t.owner_id, t.state),
    index('coupon_audit_by_claimer')
      .on(t.claimed_by)
      .where(sql`claimed_by is not null`),
  ],
)
export type CouponAudit = typeof coupon_audit.$inferSelect

/** The people who look at a coupon's submission now. */
export const coupon_audit_viewer = pgTable(
  'coupon_audit_viewer',
  {
    task_id: integer()
      .notNull()
      .references(() => coupon_audit.id, { onDelete: 'cascade' }),
    ...viewerColumns(),
  },
  t => [primaryKey({ columns: [t.task_id, t.admin_id] })],
)

/** A coupon of every city is decided by those who see every city. */
defineKinds({
  coupon_audit: at('coupon_audit', {
    cities: 'select jsonb_array_elements_text(t.city_ids)::int',
  }),
})
