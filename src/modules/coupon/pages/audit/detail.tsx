import {
  couponAuditActions as actions,
  couponDetailActions as own,
  couponReading as reading,
} from '#commands/coupon/audit.ts'
import { couponAuditDetail as at, couponAuditPage as queue } from '#commands/pages/coupon.ts'
import { couponAudit as calls } from '../../contract/audit.ts'
import { couponDetailPage } from '../../parts/auditDetail.tsx'

/** One coupon of stores in full, for its decision. */
export default couponDetailPage({ calls, actions, own, reading, at, queue })
