import { couponAuditActions as actions, couponReading as reading } from '#commands/coupon/audit.ts'
import { couponAudit as calls } from '../contract/audit.ts'
import { couponQueuePage } from '../parts/auditQueue.tsx'

/** Coupons of stores that were submitted, to be decided one after another. */
export default couponQueuePage({
  calls,
  actions,
  reading,
  label: ['待审优惠券', 'Coupons to audit'],
})
