/** How a coupon comes into its audit queue, and out of it again. */
import { desc, eq } from 'drizzle-orm'
import type { CouponState } from '#src/areas/mall/recommend.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { coupon_audit, type CouponAudit } from './couponAudit.table.ts'
import { couponQueueOf, slaOf } from './couponAudit.ts'
import { judgeCoupon } from './couponAuditFacts.server.ts'
import { goodsThen } from './couponAuditGoods.server.ts'
import { couponAudits, noteCouponAudit } from './couponAudits.server.ts'
import { approvedTerms, coupons, type Coupon } from './couponRecord.server.ts'
import { exposure } from './couponSentence.ts'

const submittable: readonly CouponState[] = ['draft', 'rejected']
const inAudit = () =>
  ruled('in_audit', ['该优惠券已在审核中', 'The coupon is being audited already'])
const lastOf = async ({ tx }: Pick<WriteContext, 'tx'>, coupon_id: number) =>
  (
    await tx
      .select()
      .from(coupon_audit)
      .where(eq(coupon_audit.coupon_id, coupon_id))
      .orderBy(desc(coupon_audit.id))
      .limit(1)
  )[0]

/**
 * Puts a draft or refused coupon into its queue, as the caller read it: 409 names who was quicker,
 * and a second submission is refused.
 */
export const submitCoupon = async (
  context: WriteContext,
  was: Coupon,
): Promise<{ coupon: Coupon; task: CouponAudit }> => {
  const { tx, staff, now } = context
  if (was.status === 'auditing') throw inAudit()
  if (!submittable.includes(was.status))
    throw ruled('wrong_state', [
      '草稿或已驳回的优惠券才能提交审核',
      'Only a draft or a refused coupon is submitted',
    ])
  const after = await coupons.save(context, was, { status: 'auditing', reason: null })
  const last = await lastOf(context, was.id)
  const snapshot = approvedTerms(after)
  const goods = await goodsThen(tx, after)
  const { found, settings } = await judgeCoupon(tx, after, { snapshot, goods }, now)
  const exposure_cents = exposure(after)
  const made = tx
    .insert(coupon_audit)
    .values({
      queue: couponQueueOf(after.scope),
      coupon_id: after.id,
      title: after.name,
      kind: after.kind,
      city_ids: after.city_ids,
      owner_id: after.created_by,
      exposure_cents,
      snapshot,
      last_snapshot: after.approved ?? last?.snapshot ?? null,
      goods,
      flags: found.filter(({ level }) => level !== 'warn').map(({ rule }) => rule),
      round: (last?.round ?? 0) + 1,
      state: 'pending',
      submitted_at: now,
      submitted_by: staff.id,
      sla_at: now + slaOf(exposure_cents, settings.limit_cents),
    })
    .returning()
  const [task] = await unlessTaken(made.execute(), inAudit)
  noteCouponAudit(context, null, task!)
  context.changed('coupon_audit')
  return { coupon: after, task: task! }
}

/**
 * Takes a coupon back out of its queue, whoever has claimed it: a draft again. Where it was decided
 * meanwhile, the refusal names who did it and when.
 */
export const withdrawCoupon = async (context: WriteContext, was: Coupon): Promise<Coupon> => {
  const { tx, staff, now } = context
  // A decision holds the coupon first too, so the task is read as it left it.
  const row = await coupons.lock(context, was.id)
  const task = await lastOf(context, was.id)
  const refusal = task && couponAudits.whyNot('withdraw', task, undefined, { staff, now })
  if (refusal) throw refusal
  if (!task || row.status !== 'auditing')
    throw ruled('wrong_state', ['该优惠券没有在审核中', 'The coupon is not being audited'])
  if (row.version !== was.version) throw await coupons.late(context, row)
  const free = { claimed_by: null, claimer_name: null, claim_until: null }
  // The holder of a claim stands in the guard: a withdrawal goes before it.
  const holder = { id: task.claimed_by ?? staff.id }
  const set = { ...free, state: 'withdrawn' as const, decided_at: now }
  const after = await couponAudits.change({ tx, staff: holder, now }, 'withdraw', task, set)
  noteCouponAudit(context, task, after)
  context.changed('coupon_audit')
  return coupons.save(context, row, { status: 'draft' })
}
