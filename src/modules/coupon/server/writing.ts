import { sql } from 'drizzle-orm'
import type { CouponScope } from '#src/areas/coupon/coupon.ts'
import { reachFaultsOf } from '#src/areas/coupon/couponReach.server.ts'
import {
  coupons,
  heldFor,
  needItsCities,
  type Coupon,
} from '#src/areas/coupon/couponRecord.server.ts'
import { approvedFaults, couponFaults, lockedField } from '#src/areas/coupon/couponRules.ts'
import { exposure, type CouponDraft } from '#src/areas/coupon/couponSentence.ts'
import { submitCoupon } from '#src/areas/coupon/submitting.server.ts'
import type { Handler, WriteContext } from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import type { CouponCalls } from '../contract/coupon.ts'

type Sent = Parameters<Handler<CouponCalls['saveDraft']>>[0]

/** The fields of a kind as they are kept: what a kind or a validity has no use for is left out. */
const tidied = (scope: CouponScope, of: Omit<Sent, 'id' | 'version'>): CouponDraft => {
  const { copy_from_id: _, zero_confirmed: __, ...written } = of
  const isDiscount = of.kind === 'discount'
  const isFixed = of.valid_kind === 'fixed'
  return {
    ...written,
    scope,
    face_cents: isDiscount ? 0 : of.face_cents,
    discount_bp: isDiscount ? of.discount_bp : null,
    cap_cents: isDiscount ? of.cap_cents : null,
    apply_ids: of.apply_kind === 'all' ? [] : of.apply_ids,
    use_start_at: isFixed ? of.use_start_at : null,
    use_end_at: isFixed ? of.use_end_at : null,
    valid_after_days: isFixed ? null : of.valid_after_days,
    valid_days: isFixed ? null : of.valid_days,
    consent_no: of.consent_no || null,
  }
}
const columns = ({
  apply_ids,
  exclude_ids,
  city_ids,
  weekdays,
  level_ids,
  ...of
}: CouponDraft) => ({
  ...of,
  apply_ids: [...apply_ids],
  exclude_ids: [...exclude_ids],
  city_ids: [...city_ids],
  weekdays: [...weekdays],
  level_ids: [...level_ids],
})

/** A draft is its maker's; others take it over first, which is seen in the log. */
export const needOwn = ({ staff }: WriteContext, of: Coupon): void => {
  if (of.created_by !== staff.id)
    throw ruled('not_yours', [
      '这是他人的草稿，请先在列表中“接手草稿”',
      'It is another person’s draft: take it over in the list first',
    ])
}
const addDraft = async (
  context: WriteContext,
  of: CouponDraft,
  copy_from_id: number | undefined,
): Promise<Coupon> => {
  if (copy_from_id !== undefined) await needSource(context, of, copy_from_id)
  const { rows } = await context.tx.execute<{ id: number }>(
    sql`select nextval(pg_get_serial_sequence('coupon', 'id'))::int id`,
  )
  const { id } = rows[0]!
  return coupons.add(context, {
    ...columns(of),
    id,
    coupon_no: `C${299_999 + id}`,
    copy_from_id: copy_from_id ?? null,
    status: 'draft',
    created_by: context.staff.id,
    created_at: context.now,
  })
}
/** What a copy begins with is of its own scope, and has another name. */
const needSource = async (context: WriteContext, of: CouponDraft, id: number): Promise<void> => {
  const source = await coupons.read(context.tx, context.staff, id)
  if (source.scope !== of.scope)
    throw ruled('other_scope', [
      '到店券不能复制为商城券，反之亦然',
      'A coupon of stores is not copied to one of the e-mall, nor the other way round',
    ])
  if (source.name === of.name)
    throw invalid({ name: ['名称须与来源券不同', 'Not the name of the one it was copied from'] })
}
const keepDraft = async (
  context: WriteContext,
  scope: CouponScope,
  one: { id: number; version: number | undefined },
  of: CouponDraft,
): Promise<Coupon> => {
  const { id, version } = one
  if (version === undefined) throw invalid({ version: ['缺少版本', 'Its version is missing'] })
  const was = await heldFor(context, scope, 'submit', { id, version })
  if (was.approved_at !== null) throw ruled('approved', lockedField)
  needOwn(context, was)
  return coupons.save(context, was, columns(of))
}
/** The draft as it is to be: made, or changed as the person read it. */
export const kept = async (
  context: WriteContext,
  scope: CouponScope,
  { id, version, ...sent }: Sent,
): Promise<Coupon> => {
  const of = tidied(scope, sent)
  needItsCities(context.staff, of.city_ids)
  return id === undefined
    ? addDraft(context, of, sent.copy_from_id)
    : keepDraft(context, scope, { id, version }, of)
}

/** Refuses what its rules, or the database, find wrong with a coupon; sends it to be audited else. */
export const sendToAudit = async (context: WriteContext, row: Coupon): Promise<Coupon> => {
  faultless(context.staff, {
    ...couponFaults(row, context.now),
    ...(await reachFaultsOf(context.tx, row)),
  })
  return (await submitCoupon(context, row)).coupon
}
/**
 * Refuses a coupon that takes off at once from nothing, unless its writer has said that it is meant
 * so.
 */
export const needConfirmed = (of: Sent): void => {
  if (of.kind === 'direct' && of.threshold_cents === 0 && !of.zero_confirmed)
    throw invalid({
      zero_confirmed: ['请确认无门槛立减', 'Confirm that it takes off from nothing'],
    })
}

type Grown = Pick<CouponDraft, 'total' | 'per_member' | 'claim_end_at' | 'recommend_text'>
/**
 * Changes what may change of a coupon that was approved once. One whose most is over its budget goes
 * back to the audit with the budget that it asks for, and is not given out meanwhile.
 */
export const grow = async (
  context: WriteContext,
  was: Coupon,
  to: Partial<Grown>,
  reason?: string,
): Promise<Coupon> => {
  const next = {
    total: to.total ?? was.total,
    per_member: to.per_member ?? was.per_member,
    claim_end_at: to.claim_end_at ?? was.claim_end_at,
    recommend_text: to.recommend_text ?? was.recommend_text,
  }
  const base = { ...was, ...(was.approved && { total: was.approved.total }) }
  faultless(context.staff, {
    ...approvedFaults(base, next),
    ...(next.total < was.claimed_count && {
      total: ['不能少于已领数量', 'No fewer than were claimed'],
    }),
    ...(next.claim_end_at <= context.now && {
      claim_end_at: ['领取截止须晚于现在', 'Later than now'],
    }),
  })
  const most = exposure({ ...was, total: next.total })
  if (was.budget_cents !== null && most <= was.budget_cents)
    return coupons.save(context, was, next, reason)
  const changed = await coupons.save(
    context,
    was,
    { ...next, budget_cents: most, status: 'draft' },
    reason,
  )
  return sendToAudit(context, changed)
}
