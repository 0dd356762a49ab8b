import { auditCan, type AuditFacts, type AuditVerb } from '#src/areas/audit/audit.ts'
import type { FieldWord } from '#src/areas/log/objectWord.ts'
import type { Text } from '#src/domain/text.ts'
import { HOUR } from '#src/domain/time.ts'
import type { CouponScope } from './coupon.ts'
import type { CouponDraft } from './couponSentence.ts'
import { writtenFields } from './couponWritten.ts'
import { logged } from './words.ts'

/** The queues of coupons, named as their pages: of stores, and of the e-shop. */
export const couponQueues = ['coupon', 'ecoupon'] as const
export type CouponQueue = (typeof couponQueues)[number]
export const couponQueueOf = (scope: CouponScope): CouponQueue =>
  scope === 'ecom' ? 'ecoupon' : 'coupon'

/** In which order a queue is read: by deadline, which weighs exposure and waiting, or by exposure. */
export const couponSorts = ['sla', 'exposure'] as const
export type CouponSort = (typeof couponSorts)[number]

/** What an auditor decides on: a coupon whose terms differ from these was not what they read. */
export type AuditedTerms = CouponDraft & { vip_only: boolean }
/** The fields of `now` that are not as in `was`, in the order in which the form has them. */
export const termsChanged = (was: AuditedTerms, now: AuditedTerms): AuditedField[] =>
  auditedFields.filter(field => JSON.stringify(was[field]) !== JSON.stringify(now[field]))
export type AuditedField = Exclude<keyof AuditedTerms, 'scope'>
/** What the form writes, and whether it is for VIP alone beside the levels. */
export const auditedFields: readonly AuditedField[] = writtenFields.flatMap(field =>
  field === 'level_ids' ? [field, 'vip_only' as const] : [field],
)
/** What a field of the terms is called, and of what kind its values are. */
export const auditedWord = (field: AuditedField): FieldWord => logged['coupon']!.fields[field]!

/** Numbers of the audit that the platform may change (row `coupon_audit` of `setting`). */
export const couponAuditSettings = {
  /** An exposure from here on needs a second person, of finance. */
  limit_cents: 5_000_000,
  /** What the platform may promise in a calendar month, for each queue. */
  budget_cents: { coupon: 500_000_000, ecoupon: 500_000_000 } as Record<CouponQueue, number>,
  /** What a parcel costs where the worth of a freight coupon is shown. */
  freight_cents: 1_000,
}
export type CouponAuditSettings = typeof couponAuditSettings

/**
 * How long until a submission is to be decided: the more it can cost the sooner, so that one order
 * by deadline weighs both exposure and waiting.
 */
export const slaOf = (exposure_cents: number, limit_cents: number): number => {
  if (exposure_cents >= limit_cents) return 8 * HOUR
  return (exposure_cents * 10 >= limit_cents ? 16 : 24) * HOUR
}

type Facts = AuditFacts & { owner_id?: number | null }
/** True, or why somebody may not do a verb to a coupon's submission: nobody decides their own. */
export const couponAuditCan = (
  verb: AuditVerb,
  of: Facts,
  staffId: number,
  now: number,
): true | Text => {
  // Its maker may take it back until it is finally decided.
  if (verb === 'withdraw' && of.state === 'second_audit') return true
  const may = auditCan(verb, of, staffId, now)
  const judges = ['claim', 'approve', 'reject', 'askMore'].includes(verb)
  return may === true && judges && of.owner_id === staffId
    ? ['不能审核自己创建的优惠券', 'You made this coupon yourself']
    : may
}

/** Prices of goods at a submission: sold for and paid for, by the product's id. */
export type GoodsThen = { of: Record<string, readonly [number, number]>; whole: boolean }
