import {
  ecouponAuditActions as actions,
  ecouponReading as reading,
} from '#commands/coupon/audit.ts'
import { ecouponAudit as calls } from '../../contract/audit.ts'
import { couponQueuePage } from '../../parts/auditQueue.tsx'

/** The same queue of the coupons of the e-shop. */
export default couponQueuePage({
  calls,
  actions,
  reading,
  label: ['待审商城券', 'E-mall coupons to audit'],
})
