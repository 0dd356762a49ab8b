/** Decisions about submitted coupons: each is one transaction with what it does to the coupon. */
import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { UNDO_SECONDS, type AuditVerb } from '#src/areas/audit/audit.ts'
import { led, mine } from '#src/areas/audit/claiming.server.ts'
import { tellPeople } from '#src/areas/message/message.server.ts'
import type { MessageKind } from '#src/areas/message/message.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { coupon_audit, type CouponAudit } from './couponAudit.table.ts'
import type { CouponQueue } from './couponAudit.ts'
import { judgeCoupon } from './couponAuditFacts.server.ts'
import {
  couponRuleText,
  mustConfirm,
  type CouponFinding,
  type CouponRefuseCode,
} from './couponAuditRules.ts'
import { couponAudits, noteCouponAudit } from './couponAudits.server.ts'
import { approvedTerms, coupons, type Coupon } from './couponRecord.server.ts'

/** A submission as somebody read it. */
export type One = { id: number; version: number }
/** How a queue tells people where a submission is, and who of its people may decide for finance. */
export type Deciding = {
  queue: CouponQueue
  /** The right to decide as the second person. */
  finance: string
  address: (task: CouponAudit) => string
}

/** The submission and its coupon, held: whoever decides, withdraws or edits it waits for the other. */
const held = async (context: WriteContext, { queue }: Deciding, id: number) => {
  const { coupon_id } = await couponAudits.readTask(context.tx, queue, id, context.staff)
  const row = await coupons.lock(context, coupon_id)
  const task = await couponAudits.readTask(context.tx, queue, id, context.staff)
  return { task, row }
}
const opened = async (context: WriteContext, of: Deciding, verb: AuditVerb, one: One) => {
  const both = await held(context, of, one.id)
  const refusal = couponAudits.whyNot(verb, both.task, one.version, context)
  if (refusal) throw refusal
  return both
}
/**
 * Refuses where the wrong people decide: a submission that finance was asked about is decided by
 * finance alone, by their own call, and finance decides no other.
 */
const checkFinance = (
  { staff }: WriteContext,
  { finance }: Deciding,
  task: CouponAudit,
  asFinance: boolean,
): void => {
  const isSecond = task.state === 'second_audit'
  if (isSecond && !(asFinance && staff.can(finance)))
    throw ruled('finance', ['待财务复审，须由财务处理', 'It waits for finance to decide'])
  if (!isSecond && asFinance)
    throw ruled('not_second', ['尚未初审，先由审核员处理', 'An auditor decides it first'])
}
const answered = (task: CouponAudit, now: number) => ({
  id: task.id,
  state: task.state,
  version: task.version,
  undo_until: now + UNDO_SECONDS,
})
type Change = Parameters<typeof couponAudits.change>[3]
const decide = (
  { tx, staff, now }: WriteContext,
  verb: 'approve' | 'reject' | 'askMore',
  task: CouponAudit,
  set: Change,
): Promise<CouponAudit> =>
  couponAudits.change({ tx, staff, now }, verb, task, {
    ...led(verb, task, { staff, now }),
    claimer_name: null,
    decided_by: staff.id,
    decider_name: staff.name,
    decided_at: now,
    ...set,
  })
type Told = { kind: MessageKind; to?: (number | null)[]; why?: string }
/** Tells its maker and whoever submitted it, or those named, what became of it. */
const tell = async (
  { tx, staff, changed }: WriteContext,
  of: Deciding,
  task: CouponAudit,
  { kind, to = [task.owner_id, task.submitted_by], why = '' }: Told,
): Promise<void> => {
  await tellPeople(tx, {
    to,
    by: staff.id,
    kind,
    about: `coupon_audit:${task.id}:${task.version}`,
    facts: { of: task.title, why },
    address: of.address(task),
  })
  changed('message')
}
const tellFirst = async (
  context: WriteContext,
  of: Deciding,
  was: CouponAudit,
  task: CouponAudit,
) => {
  if (was.state === 'second_audit')
    await tell(context, of, task, {
      kind: task.state === 'approved' ? 'second_agreed' : 'second_refused',
      to: [was.first_by],
      why: task.reason ?? '',
    })
}

/** Approvals of a queue follow each other, so that two of them can't both spend the rest of a month. */
const holdBudget = (tx: Db, queue: CouponQueue) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`coupon_audit:${queue}`}))`)
const check = (
  found: readonly CouponFinding[],
  { careful, confirmed }: { careful: boolean; confirmed: boolean },
): void => {
  const refuse = ({ rule, values }: CouponFinding) =>
    ruled(rule, couponRuleText(rule), values, { findings: found })
  const blocks = found.find(({ level }) => level === 'block')
  if (blocks) throw refuse(blocks)
  const keeps = found.find(({ level }) => level !== 'warn')
  if (careful && keeps) throw refuse(keeps)
  const loses = found.find(({ rule }) => mustConfirm([rule]))
  if (loses && !confirmed) throw refuse(loses)
}
/** Hands a submission on to finance: its first decision is made. */
const toFinance = async (
  context: WriteContext,
  task: CouponAudit,
  reason: string | undefined,
): Promise<CouponAudit> => {
  const { tx, staff, now } = context
  const after = await couponAudits.change({ tx, staff, now }, 'approve', task, {
    ...led('approve', task, { staff, now, second: true }),
    claimer_name: null,
    first_name: staff.name,
    first_at: now,
    reason: reason ?? null,
  })
  noteCouponAudit(context, task, after, { reason })
  return after
}
type Approval = {
  /** Why it is approved though it loses money. */
  reason?: string | undefined
  /** Set in a batch, which refuses what a person should look at by itself. */
  careful?: boolean
  /** By the second person. */
  asFinance?: boolean
}
/**
 * Approves: at once, or as the first of two where it can cost too much. The coupon waits or is
 * active by its claim's beginning, in the same transaction, and the budget is counted again.
 */
export const approveCoupon = async (
  context: WriteContext,
  of: Deciding,
  one: One,
  { reason, careful = false, asFinance = false }: Approval = {},
) => {
  const { tx, now } = context
  await holdBudget(tx, of.queue)
  const { task, row } = await opened(context, of, 'approve', one)
  checkFinance(context, of, task, asFinance)
  if (row.status !== 'auditing')
    throw ruled('wrong_state', ['该优惠券没有在审核中', 'The coupon is not being audited'])
  const { found } = await judgeCoupon(tx, row, task, now)
  check(found, { careful, confirmed: reason !== undefined })
  if (!asFinance && found.some(({ level }) => level === 'second'))
    return answered(await toFinance(context, task, reason), now)
  const live = await coupons.save(context, row, {
    status: row.claim_start_at > now ? 'waiting' : 'active',
    approved: approvedTerms(row),
    approved_at: now,
  })
  const after = await decide(context, 'approve', task, {
    reason: reason ?? null,
    decided_version: live.version,
    decided_claimed: live.claimed_count,
  })
  noteCouponAudit(context, task, after, { reason })
  await tellFirst(context, of, task, after)
  await tell(context, of, after, { kind: 'applied_passed' })
  context.changed('coupon')
  return answered(after, now)
}
/** Asks finance for the second decision, whatever it can cost. */
export const escalateCoupon = async (
  context: WriteContext,
  of: Deciding,
  { reason, ...one }: One & { reason: string },
) => {
  const { task } = await opened(context, of, 'approve', one)
  if (task.state === 'second_audit')
    throw ruled('is_second', ['已在等待财务复审', 'It waits for finance already'])
  return answered(await toFinance(context, task, reason), context.now)
}

type Why = { reason_code: CouponRefuseCode; reason: string; leave_out?: number[] }
/** Refuses: the coupon goes back to its maker with the reason, and perhaps goods to leave out. */
export const rejectCoupon = async (context: WriteContext, of: Deciding, one: One, why: Why) => {
  const { task, row } = await opened(context, of, 'reject', one)
  checkFinance(context, of, task, task.state === 'second_audit')
  const back = await coupons.save(
    context,
    row,
    { status: 'rejected', reason: why.reason },
    why.reason,
  )
  const after = await decide(context, 'reject', task, {
    ...why,
    decided_version: back.version,
    decided_claimed: back.claimed_count,
  })
  noteCouponAudit(context, task, after, {
    reason: why.reason,
    ...(why.leave_out && { after: { leave_out: why.leave_out } }),
  })
  await tellFirst(context, of, task, after)
  await tell(context, of, after, { kind: 'applied_refused', why: why.reason })
  context.changed('coupon')
  return answered(after, context.now)
}
/** Asks its maker for an explanation; they withdraw it to mend it, and submit it again. */
export const askAboutCoupon = async (
  context: WriteContext,
  of: Deciding,
  { reason, ...one }: One & { reason: string },
) => {
  const { task } = await opened(context, of, 'askMore', one)
  const after = await decide(context, 'askMore', task, { reason })
  noteCouponAudit(context, task, after, { reason })
  await tell(context, of, after, { kind: 'applied_asked', why: reason })
  return { id: after.id, state: after.state, version: after.version }
}

/** Hands a submission, with its claim, to a colleague who may decide it. */
export const transferCoupon = async (
  context: WriteContext,
  of: Deciding,
  one: One,
  { next, reason }: { next: { id: number; name: string }; reason: string },
) => {
  const { tx, staff, now } = context
  const { task } = await opened(context, of, 'transfer', one)
  if ([task.submitted_by, task.owner_id, task.first_by].includes(next.id))
    throw ruled('not_theirs', ['{who}不能审核这张优惠券', '{who} may not decide this one'], {
      who: next.name,
    })
  const after = await couponAudits.change({ tx, staff, now }, 'transfer', task, {
    ...led('transfer', task, { staff: next, now }),
    claimer_name: next.name,
    claimed_at: now,
  })
  noteCouponAudit(context, task, after, { reason, after: { claimed_by: next.id } })
  await tell(context, of, after, { kind: 'audit_asked', to: [next.id], why: reason })
  return { id: after.id, version: after.version, claim_until: after.claim_until! }
}

const undoText = {
  none: ['没有可撤销的决定', 'There is no decision to take back'],
  notMine: ['不是你的决定', 'Not your decision'],
  late: ['超过 10 分钟，不能撤销', 'More than 10 minutes ago'],
  changed: ['之后又有变化，不能撤销', 'It changed since'],
} as const
/** The decision that stands: the final one, or the first of two. */
const standing = ({ state, ...task }: CouponAudit) => {
  if (state === 'approved' || state === 'rejected')
    return { by: task.decided_by, at: task.decided_at ?? 0, second: task.first_by !== null }
  return state === 'second_audit'
    ? { by: task.first_by, at: task.first_at ?? 0, second: false }
    : undefined
}
/** The approval that stood before this submission: of one that went back to its audit. */
const approvedBefore = async ({ tx }: WriteContext, task: CouponAudit) => {
  const [before] = await tx
    .select({ approved: coupon_audit.snapshot, approved_at: coupon_audit.decided_at })
    .from(coupon_audit)
    .where(
      and(
        eq(coupon_audit.coupon_id, task.coupon_id),
        eq(coupon_audit.state, 'approved'),
        lt(coupon_audit.id, task.id),
      ),
    )
    .orderBy(desc(coupon_audit.id))
    .limit(1)
  return before ?? { approved: null, approved_at: null }
}
/** Puts the coupon back into its audit, or refuses where it changed or somebody claimed it. */
const backToAudit = async (context: WriteContext, row: Coupon, task: CouponAudit) => {
  if (row.version !== task.decided_version || row.claimed_count !== task.decided_claimed)
    throw ruled('changed', undoText.changed)
  const before = task.state === 'approved' ? await approvedBefore(context, task) : undefined
  await coupons.save(context, row, {
    status: 'auditing',
    reason: null,
    ...before,
  } as Partial<Coupon>)
}
const undecided = {
  decided_by: null,
  decider_name: null,
  decided_at: null,
  reason_code: null,
  reason: null,
  leave_out: [],
  decided_version: null,
  decided_claimed: null,
}
/** Takes my own last decision back, within minutes and while nobody claimed the coupon. */
export const undoCoupon = async (
  context: WriteContext,
  of: Deciding,
  id: number,
): Promise<void> => {
  const { tx, staff, now } = context
  const { task, row } = await held(context, of, id)
  const last = standing(task)
  if (!last) throw ruled('no_decision', undoText.none)
  if (last.by !== staff.id) throw ruled('not_mine', undoText.notMine)
  if (last.at + UNDO_SECONDS < now) throw ruled('too_late', undoText.late)
  if (task.state !== 'second_audit') await backToAudit(context, row, task)
  const back = last.second
    ? { state: 'second_audit' as const }
    : { state: 'claimed' as const, first_by: null, first_name: null, first_at: null }
  const set = { ...mine(staff, now), ...undecided, ...back }
  const after = await couponAudits.change({ tx, staff, now }, 'claim', task, set)
  noteCouponAudit(context, task, after, { after: { undone: task.state } })
  context.changed('coupon')
}
