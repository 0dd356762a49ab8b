import { audit_task, audit_viewer } from './audit.table.ts'
import { auditCan } from './audit.ts'
import { claimsOf } from './claiming.server.ts'

/** Claiming submissions of products. */
export const {
  inScope,
  takeable,
  readTask,
  whyNot,
  change,
  claim,
  claimNext,
  unclaim,
  beat,
  viewersOf,
} = claimsOf({
  table: audit_task,
  viewers: audit_viewer,
  places: { city: audit_task.city_id, mall: audit_task.mall_id, owner: audit_task.owner_id },
  can: auditCan,
})
