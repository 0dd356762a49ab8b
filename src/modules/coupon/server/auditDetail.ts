/**
 * The facts beside a coupon's submission for the person who decides it. Nothing here changes a row.
 */
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { cutBy, type CouponTerms } from '#src/areas/coupon/coupon.ts'
import { coupon_audit, type CouponAudit } from '#src/areas/coupon/couponAudit.table.ts'
import { judgeCoupon, type Sample } from '#src/areas/coupon/couponAuditFacts.server.ts'
import { scopeSize, workedOrders } from '#src/areas/coupon/couponAuditGoods.server.ts'
import { orderOf, unitsFor, type Weighed } from '#src/areas/coupon/couponAuditMargin.ts'
import { couponAuditItems, couponAudits } from '#src/areas/coupon/couponAudits.server.ts'
import { excludedKind, reachedBy } from '#src/areas/coupon/couponReach.server.ts'
import { approvedTerms } from '#src/areas/coupon/couponRecord.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { shares } from '#src/domain/money.ts'
import type { Db, ReadContext } from '#src/server/call/implement.ts'

const SAMPLES = 8
const BESIDE = 8
const TRAIL = 50
type At = { now: number; freight_cents: number }

const byId = (rows: readonly { id: number; name: string }[]) =>
  Object.fromEntries(rows.map(row => [row.id, row.name]))
/** Names of what a coupon is for, and of what it leaves out. */
const namesOf = async (db: Db, { scope, apply_kind, apply_ids, exclude_ids }: CouponTerms) => ({
  apply_ids: byId(await reachedBy(db, scope, apply_kind, apply_ids)),
  exclude_ids: byId(await reachedBy(db, scope, excludedKind(scope), exclude_ids)),
})

/** What checkout takes off the same goods by each of two coupons: an order takes one of them. */
const trialOf = (own: CouponTerms, other: CouponTerms, goods: readonly Weighed[], at: At) => {
  for (const of of goods) {
    const qty = Math.max(unitsFor(own, of.price_cents), unitsFor(other, of.price_cents))
    const cuts = [own, other].map(terms => cutBy(terms, orderOf(terms, [{ of, qty }], at)))
    const [mine, theirs] = cuts.map(cut => ('rule' in cut ? 0 : cut.discount_cents))
    if (mine! > 0 && theirs! > 0)
      return {
        sum_cents: of.price_cents * qty,
        own_cents: mine!,
        other_cents: theirs!,
        most_cents: Math.max(mine!, theirs!),
      }
  }
  return null
}
/** The cart that costs the platform most: the worst product, and the worst of another merchant. */
const worstCart = (terms: CouponTerms, samples: readonly Sample[], at: At) => {
  const [first] = samples
  if (!first) return null
  const second = samples.find(one => one.line.merchant_id !== first.line.merchant_id)
  const bought = [{ of: first, qty: first.qty }, ...(second ? [{ of: second, qty: 1 }] : [])]
  const order = orderOf(terms, bought, at)
  const cut = cutBy(terms, order)
  if ('rule' in cut) return null
  const platform = shares(cut.platform_cents, cut.off)
  return {
    discount_cents: cut.discount_cents,
    platform_cents: cut.platform_cents,
    merchant_cents: cut.merchant_cents,
    lines: bought.map(({ of, qty }, n) => ({
      id: of.id,
      title: of.title,
      merchant_name: of.merchant_name,
      qty,
      cost_cents: order.lines[n]!.cost_cents,
      off_cents: cut.off[n]!,
      platform_cents: platform[n]!,
      merchant_cents: cut.off[n]! - platform[n]!,
      margin_cents: qty * (of.price_cents - of.settle_price_cents) - platform[n]!,
    })),
  }
}

/** The record of a maker's coupons: how they were decided, and how they were used. */
const makerOf = async (db: Db, owner_id: number | null) => {
  const [audits] = await db
    .select({
      approved: sql<number>`count(*) filter (where ${coupon_audit.state} = 'approved')::int`,
      rejected: sql<number>`count(*) filter (where ${coupon_audit.state} = 'rejected')::int`,
    })
    .from(coupon_audit)
    .where(eq(coupon_audit.owner_id, owner_id ?? 0))
  const [uses] = await db
    .select({
      claimed: sql<number>`coalesce(sum(${coupon.claimed_count}), 0)::int`,
      used: sql<number>`coalesce(sum(${coupon.used_count}), 0)::int`,
    })
    .from(coupon)
    .where(eq(coupon.created_by, owner_id ?? 0))
  return { ...audits!, ...uses! }
}
/** Earlier submissions of the same coupon, the newest first. */
const roundsOf = async (db: Db, task: CouponAudit) => {
  const rows = await db
    .select()
    .from(coupon_audit)
    .where(and(eq(coupon_audit.coupon_id, task.coupon_id), ne(coupon_audit.id, task.id)))
    .orderBy(desc(coupon_audit.id))
    .limit(TRAIL)
  return rows.map(row => ({ ...row, by: row.decider_name, at: row.decided_at ?? row.submitted_at }))
}
/** The steps of a submission and the remarks about it, the newest first. */
const trailOf = async (db: Db, id: number) =>
  db
    .select({
      at: op_log.created_at,
      by: op_log.admin_name,
      action: op_log.action,
      reason: sql<string>`coalesce(${op_log.reason}, '')`,
    })
    .from(op_log)
    .where(
      and(
        eq(op_log.object_type, 'coupon_audit'),
        eq(op_log.object_id, id),
        eq(op_log.result, 'ok'),
      ),
    )
    .orderBy(desc(op_log.id))
    .limit(TRAIL)

/** A submission in full, judged as things stand now while it waits. */
export const auditDetail = async (task: CouponAudit, { db, staff, now }: ReadContext) => {
  const [row] = await db.select().from(coupon).where(eq(coupon.id, task.coupon_id))
  const terms = task.snapshot
  const isWaiting = task.is_open || task.state === 'need_more'
  const { found, samples, beside, budget, settings } = await judgeCoupon(db, row!, task, now)
  const at = { now, freight_cents: settings.freight_cents }
  const goods: readonly Weighed[] = samples
  const examples = await workedOrders(
    db,
    terms,
    samples.map(one => one.id),
  )
  const [item] = await couponAuditItems(db, [task], { now, staff })
  // A decided submission was judged when it was decided: later changes are no matter of it.
  const findings = isWaiting ? found : []
  const flags = isWaiting
    ? found.filter(({ level }) => level !== 'warn').map(({ rule }) => rule)
    : task.flags
  return {
    task: { ...item!, flags },
    coupon_no: row!.coupon_no,
    status: row!.status,
    last: task.last_snapshot,
    names: await namesOf(db, terms),
    size: await scopeSize(db, terms),
    samples: samples.slice(0, SAMPLES),
    beside: beside.slice(0, BESIDE).map(other => ({
      ...other,
      terms: approvedTerms(other),
      trial: trialOf(terms, other, goods, at),
    })),
    beside_count: beside.length,
    examples,
    cart: worstCart(terms, samples, at),
    budget,
    limit_cents: settings.limit_cents,
    maker: await makerOf(db, task.owner_id),
    findings,
    rounds: await roundsOf(db, task),
    trail: await trailOf(db, task.id),
    viewers: await couponAudits.viewersOf(db, task.id, staff.id, now),
  }
}
