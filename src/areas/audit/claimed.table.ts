import { sql } from 'drizzle-orm'
import { boolean, integer, text } from 'drizzle-orm/pg-core'
import { keys, unix } from '#src/server/db/columns.ts'
import { auditStates, type AuditState } from './audit.ts'

/**
 * What every table has whose rows wait for somebody's decision: who submitted it, until when it is
 * promised, who holds it, who decided what. claiming.server.ts works on these.
 */
export const claimedColumns = () => ({
  state: text({ enum: keys<AuditState>(auditStates) }).notNull(),
  /** Waits for a decision. A claim that ran out is open again by condition, not by a job. */
  is_open: boolean()
    .notNull()
    .generatedAlwaysAs(sql`state in ('pending', 'claimed', 'second_audit')`),
  submitted_at: unix().notNull(),
  /** Null: the merchant. Otherwise the staff member who submitted for it. */
  submitted_by: integer(),
  sla_at: unix().notNull(),
  claimed_by: integer(),
  claimer_name: text(),
  claimed_at: unix(),
  claim_until: unix(),
  first_by: integer(),
  decided_by: integer(),
  decider_name: text(),
  decided_at: unix(),
  reason_code: text(),
  reason: text(),
})
/** A row of such a table, as far as a claim knows it. */
export type Claimed = {
  queue: string
  state: AuditState
  is_open: boolean
  submitted_at: number
  submitted_by: number | null
  sla_at: number
  claimed_by: number | null
  claimer_name: string | null
  claimed_at: number | null
  claim_until: number | null
  first_by: number | null
  decided_by: number | null
  decider_name: string | null
  decided_at: number | null
  reason_code: string | null
  reason: string | null
}
/** Heartbeats of the people who look at a row now, shared by all server processes. */
export const viewerColumns = () => ({
  admin_id: integer().notNull(),
  admin_name: text().notNull(),
  seen_at: unix().notNull(),
})
