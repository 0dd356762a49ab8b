import {
  ecouponAuditActions as actions,
  ecouponDetailActions as own,
  ecouponReading as reading,
} from '#commands/coupon/audit.ts'
import { ecouponAuditDetail as at, ecouponAuditPage as queue } from '#commands/pages/coupon.ts'
import { ecouponAudit as calls } from '../../../contract/audit.ts'
import { couponDetailPage } from '../../../parts/auditDetail.tsx'

/** One coupon of the e-shop in full, for its decision. */
export default couponDetailPage({ calls, actions, own, reading, at, queue })
