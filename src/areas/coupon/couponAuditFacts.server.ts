/** What the rules say of a submitted coupon, as things stand now. */
import { and, desc, eq, gte, inArray, lte, ne, sql } from 'drizzle-orm'
import { setting } from '#src/areas/people/people.table.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { dateOf, timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { coupon } from './coupon.table.ts'
import { coupon_audit } from './couponAudit.table.ts'
import {
  couponAuditSettings,
  couponQueueOf,
  termsChanged,
  type AuditedTerms,
  type CouponAuditSettings,
  type CouponQueue,
  type GoodsThen,
} from './couponAudit.ts'
import { weighedGoods } from './couponAuditGoods.server.ts'
import { changedSince, marginOf, overlaps, type Weighed } from './couponAuditMargin.ts'
import { couponFinding, type CouponFinding } from './couponAuditRules.ts'
import { approvedTerms, type Coupon } from './couponRecord.server.ts'
import { exposure, maxCost } from './couponSentence.ts'

/** The platform's own numbers where it set some, else the domain's. */
export const readCouponAuditSettings = async (db: Db): Promise<CouponAuditSettings> => {
  const [row] = await db
    .select({ value: setting.value })
    .from(setting)
    .where(eq(setting.key, 'coupon_audit'))
  return { ...couponAuditSettings, ...(row?.value as Partial<CouponAuditSettings> | undefined) }
}

/** The beginning of the calendar month of a moment, in Shanghai. */
const monthOf = (now: number): number =>
  Date.parse(`${dateOf(now).slice(0, 7)}-01T00:00:00+08:00`) / 1000
/**
 * What the platform promised this month by the coupons of a queue that were approved, each as it was
 * approved last; `but` is the coupon that is asked about.
 */
export const promised = async (
  db: Db,
  queue: CouponQueue,
  { now, but = 0 }: { now: number; but?: number },
): Promise<number> => {
  const t = coupon_audit
  const last = db
    .selectDistinctOn([t.coupon_id], {
      cents:
        sql<number>`ceil(${t.exposure_cents} * (${t.snapshot}->>'platform_share_bp')::numeric / 10000)`.as(
          'cents',
        ),
    })
    .from(t)
    .where(
      and(
        eq(t.queue, queue),
        eq(t.state, 'approved'),
        gte(t.decided_at, monthOf(now)),
        lte(t.decided_at, now),
        ne(t.coupon_id, but),
      ),
    )
    .orderBy(t.coupon_id, desc(t.id))
    .as('last')
  const [row] = await db
    .select({ cents: sql`coalesce(sum(${last.cents}), 0)::bigint`.mapWith(Number) })
    .from(last)
  return row!.cents
}

const RUNNING_MOST = 500
/** Coupons that can be had beside this one for the same goods, in the same place and time. */
const overlapping = async (db: Db, of: Coupon): Promise<Coupon[]> => {
  const running = await db
    .select()
    .from(coupon)
    .where(
      and(
        eq(coupon.scope, of.scope),
        inArray(coupon.status, ['waiting', 'active', 'paused']),
        gte(coupon.claim_end_at, of.claim_start_at),
        lte(coupon.claim_start_at, of.claim_end_at),
        ne(coupon.id, of.id),
      ),
    )
    .orderBy(coupon.claim_end_at, coupon.id)
    .limit(RUNNING_MOST)
  return running.filter(other => overlaps(of, other))
}
const refused = (of: Coupon, now: number): CouponFinding[] => [
  ...(of.claim_end_at <= now
    ? [couponFinding('claim_over', { when: timeFull(of.claim_end_at) })]
    : []),
  ...(of.merchant_share_bp > 0 && !of.consent_no
    ? [couponFinding('no_consent', { share: percent(of.merchant_share_bp) })]
    : []),
  ...(of.budget_cents !== null && exposure(of) > of.budget_cents
    ? [
        couponFinding('over_budget', {
          most: yuan(exposure(of)),
          budget: yuan(of.budget_cents),
        }),
      ]
    : []),
]
/** A product with what the coupon makes of it, and what of it changed since the submission. */
export type Sample = Weighed &
  ReturnType<typeof marginOf> & { changed: 'price' | 'settle' | 'new' | null }
export const samplesOf = (
  of: AuditedTerms,
  goods: readonly Weighed[],
  { was, now, freight_cents }: { was: GoodsThen; now: number; freight_cents: number },
): Sample[] =>
  goods
    .map(one => ({
      ...one,
      ...marginOf(of, one, { now, freight_cents }),
      changed: changedSince(was, one) ?? null,
    }))
    .sort((a, b) => a.margin_cents - b.margin_cents || a.id - b.id)

/** What a coupon's submission is judged by, beside the coupon itself. */
type Asked = { snapshot: AuditedTerms; goods: GoodsThen }
export type Judged = {
  found: CouponFinding[]
  /** Goods that lose most by it, the worst first. */
  samples: Sample[]
  beside: Coupon[]
  budget: { month_cents: number; promised_cents: number; platform_cents: number }
  settings: CouponAuditSettings
}
/**
 * Judges a coupon as it stands against what was submitted. The goods that can lose most are weighed
 * by the very `cutBy` of checkout.
 */
export const judgeCoupon = async (
  db: Db,
  of: Coupon,
  { snapshot, goods: was }: Asked,
  now: number,
): Promise<Judged> => {
  const queue = couponQueueOf(of.scope)
  const settings = await readCouponAuditSettings(db)
  const goods = await weighedGoods(db, of)
  const at = { was, now, freight_cents: settings.freight_cents }
  const samples = samplesOf(of, goods, at).filter(one => one.discount_cents > 0)
  const beside = await overlapping(db, of)
  const month_cents = settings.budget_cents[queue]
  const promised_cents = await promised(db, queue, { now, but: of.id })
  const platform_cents = maxCost(of).platform_cents
  const changed = termsChanged(snapshot, approvedTerms(of))
  const losing = samples.filter(one => one.margin_cents < 0)
  const repriced = samples.filter(one => one.changed !== null)
  const most = exposure(of)
  const found: (CouponFinding | false)[] = [
    ...refused(of, now),
    changed.length > 0 && couponFinding('terms_changed', { n: changed.length }),
    promised_cents + platform_cents > month_cents &&
      couponFinding('over_period', {
        left: yuan(Math.max(0, month_cents - promised_cents)),
        most: yuan(platform_cents),
      }),
    most >= settings.limit_cents &&
      couponFinding('over_limit', { most: yuan(most), limit: yuan(settings.limit_cents) }),
    most === 0 && couponFinding('no_bound'),
    losing.length > 0 && couponFinding('negative_margin', { n: losing.length }),
    beside.length > 0 && couponFinding('overlap', { n: beside.length }),
    goods.length === 0 && couponFinding('no_goods'),
    repriced.length > 0 && couponFinding('goods_changed', { n: repriced.length }),
  ]
  return {
    found: found.filter(one => one !== false),
    samples,
    beside,
    budget: { month_cents, promised_cents, platform_cents },
    settings,
  }
}
