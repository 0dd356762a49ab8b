import { and, eq, inArray, sql } from 'drizzle-orm'
import { op_log } from '#src/areas/log/log.table.ts'
import { systemName } from '#src/areas/log/logs.ts'
import { tellPeople } from '#src/areas/message/message.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { productCan } from '#src/areas/product/product.ts'
import { isLonger, joined, lengthOf, type Text } from '#src/domain/text.ts'
import type { Db, LogEntry, Staff, WriteContext } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import type { AuditTask } from './audit.table.ts'
import {
  REASON_MAX,
  UNDO_SECONDS,
  filledReason,
  reasonFault,
  ruleText,
  type AuditQueue,
  type Finding,
  type RejectCode,
} from './audit.ts'
import { led } from './claiming.server.ts'
import { edited, editedVersion, type Edit } from './edits.server.ts'
import { goLive } from './goingLive.server.ts'
import { dropLook, drawLook } from './look.server.ts'
import { seenAt, tellFirst } from './news.server.ts'
import { closeVersion, judgeHeld, submit } from './submission.server.ts'
import { change, readTask, whyNot } from './taskClaims.server.ts'
import {
  mineToUndo,
  remember,
  reopenTask,
  reopenVersions,
  restore,
  unbuiltOn,
  undoText,
} from './undoing.server.ts'

export type Deciding = {
  /** Tells open panes of more than the call itself does. */
  changed?: WriteContext['changed']
  tx: Db
  staff: Pick<Staff, 'id' | 'name' | 'scope'>
  now: number
  log: (entry: LogEntry) => void
}
export type Decided = { id: number; state: AuditTask['state']; version: number; undo_until: number }
const answer = (task: AuditTask, now: number): Decided => ({
  id: task.id,
  state: task.state,
  version: task.version,
  undo_until: now + UNDO_SECONDS,
})
/** A decision, as columns. */
const by = (staff: Pick<Staff, 'id' | 'name'>, now: number) => ({
  claimer_name: null,
  decided_by: staff.id,
  decider_name: staff.name,
  decided_at: now,
})
const logged = (
  { log }: Deciding,
  before: AuditTask,
  after: AuditTask,
  { reason, more = {} }: { reason?: string | undefined; more?: object },
) =>
  log({
    object_type: 'audit_task',
    object_id: before.id,
    object_label: before.title.slice(0, 64),
    before: {
      state: before.state,
      version: before.version,
      product_version: before.product_version,
    },
    after: {
      state: after.state,
      version: after.version,
      product_version: after.product_version,
      ...(after.reason_code ? { reason_code: after.reason_code } : {}),
      ...(after.more_codes.length > 0 ? { more_codes: after.more_codes } : {}),
      ...more,
    },
    ...(reason ? { reason } : {}),
  })

const open = async (
  deciding: Deciding,
  verb: 'approve' | 'approveWithEdit' | 'reject' | 'askMore' | 'transfer',
  queue: AuditQueue,
  { id, version }: { id: number; version: number },
): Promise<AuditTask> => {
  const task = await readTask(deciding.tx, queue, id, deciding.staff)
  const refusal = whyNot(verb, task, version, deciding)
  if (refusal) throw refusal
  return task
}

/** The first of the findings that forbid, as a refusal that lists them all. */
const blocked = (found: readonly Finding[]) => {
  const first = found.find(finding => finding.level === 'block')
  return (
    first &&
    ruled(first.rule, ruleText(first.rule), first.values, {
      findings: found,
      ...(first.field ? { fields: { [first.field]: first.rule } } : {}),
    })
  )
}

/** Refuses what the rules forbid; of a batch also whatever a person should look at. */
const refuseFlagged = (found: readonly Finding[], careful: boolean | undefined): void => {
  const forbidden = blocked(found)
  if (forbidden) throw forbidden
  if (careful && found.some(finding => finding.level !== 'warn'))
    throw ruled(
      'flagged',
      ['有机审标记，须逐条审核', 'Flagged: decide it by itself'],
      {},
      { findings: found },
    )
}
/**
 * Approves: at once, or to a second person where a rule asks for one. `careful` (a batch) refuses
 * whatever a person should look at. The decision and the swap of the live version are one
 * transaction; orders keep the product as they bought it.
 */
export const approve = async (
  deciding: Deciding,
  queue: AuditQueue,
  one: { id: number; version: number },
  { edit, reason, careful }: { edit?: Edit; reason?: string; careful?: boolean } = {},
): Promise<Decided> => {
  const { tx, staff, now } = deciding
  const verb = edit ? 'approveWithEdit' : 'approve'
  const task = await open(deciding, verb, queue, one)
  const body = edit ? edited(task.snapshot, edit) : task.snapshot
  const { found } = await judgeHeld(tx, task, body, now)
  refuseFlagged(found, careful)
  const second_by_rules = found.flatMap(({ level, rule }) => (level === 'second' ? rule : []))
  const [item] = await tx
    .select({ version: product.version, live_version: product.live_version })
    .from(product)
    .where(eq(product.id, task.product_id))
    .for('update')
  const set = led(verb, task, { staff, now, second: second_by_rules.length > 0 })
  const is_passed_on = set.state === 'second_audit'
  const undo = await remember(tx, task, {
    live_no: item!.live_version,
    version_after: item!.version + (is_passed_on ? 0 : 1),
    body: is_passed_on ? undefined : body,
  })
  const by_whom = is_passed_on
    ? { claimer_name: null, first_name: staff.name, first_at: now }
    : { ...by(staff, now), ...(task.state === 'second_audit' && { second_by: staff.id }) }
  // An edit goes to the second person as it was made, for they decide on what they read.
  const edition = edit && (await editedVersion(tx, task, body, staff.id))
  const after = await change({ tx, staff, now }, verb, task, {
    ...set,
    ...by_whom,
    reason: reason ?? null,
    undo,
    ...edition,
  })
  if (is_passed_on) {
    logged(deciding, task, after, { reason, more: { second_by_rules } })
    return answer(after, now)
  }
  await goLive(tx, after, body, now)
  await drawLook(tx, after, now)
  await tellFirst(deciding, task, after)
  logged(deciding, task, after, { reason, ...(edit && { more: { fields: edit } }) })
  return answer(after, now)
}

const onlyLowered = joined(['仅降价，自动通过', 'Only lower prices: approved by itself'])
/**
 * A merchant's submission as the platform takes it: into its queue, or, where the settings allow it
 * for an edit that only lowers prices and raises no finding, live at once, decided by the system.
 */
export const submitOffer = async (tx: Db, of: Parameters<typeof submit>[1]): Promise<AuditTask> => {
  const { task, auto } = await submit(tx, of)
  if (!auto) return task
  const system = { staff: { id: 0 }, now: of.now }
  const after = await change({ tx, ...system }, 'approve', task, {
    ...led('approve', task, system),
    decider_name: systemName,
    decided_at: of.now,
    reason: onlyLowered,
  })
  await goLive(tx, after, after.snapshot, of.now)
  await tx.insert(op_log).values({
    admin_id: null,
    admin_name: systemName,
    module: 'audit',
    action: `audit.${task.queue}.approve`,
    object_type: 'audit_task',
    object_id: task.id,
    object_label: task.title.slice(0, 64),
    before: { state: task.state, version: task.version },
    after: { state: after.state, version: after.version },
    reason: onlyLowered,
    result: 'ok',
    created_at: of.now,
    updated_at: of.now,
  })
  return after
}

/** Refuses words of a rejection that name a variable which is none: 422, with its name. */
export const checkReason = (words: string): void => {
  const fault = reasonFault(words)
  if (fault) throw ruled('reason', fault)
}
const REASON_MIN = 2
const neitherWordsNorMarks: Text = [
  '请写明原因，至少 2 个字，或标注问题字段',
  'Say why, at least 2 characters, or mark the fields',
]
const tooLongFilled: Text = [
  '填入变量后有 {n} 字，最多 {max} 字，请缩短',
  'With its variables filled in it has {n} characters, at most {max}: shorten it',
]
/**
 * Rejects with one code or several, words whose variables are filled in for this submission, and
 * perhaps remarks at fields. What is on sale stays on sale.
 */
export const reject = async (
  deciding: Deciding,
  queue: AuditQueue,
  one: { id: number; version: number },
  why: {
    reason_code: RejectCode
    more_codes?: readonly RejectCode[] | undefined
    reason: string
    field_marks?: Record<string, string> | undefined
  },
): Promise<Decided> => {
  const { tx, staff, now } = deciding
  const task = await open(deciding, 'reject', queue, one)
  const field_marks = { ...task.field_marks, ...why.field_marks }
  checkReason(why.reason)
  if (lengthOf(why.reason) < REASON_MIN && Object.keys(field_marks).length === 0)
    throw ruled('reason', neitherWordsNorMarks)
  const reason = filledReason(why.reason, {
    ...task,
    list_price_cents: task.snapshot.list_price_cents,
  })
  if (isLonger(reason, REASON_MAX))
    throw ruled('reason', tooLongFilled, { n: lengthOf(reason), max: REASON_MAX })
  const more_codes = [...new Set(why.more_codes)].filter(code => code !== why.reason_code)
  const [item] = await tx
    .select({ version: product.version, live_version: product.live_version, state: product.state })
    .from(product)
    .where(eq(product.id, task.product_id))
    .for('update')
  const undo = await remember(tx, task, {
    live_no: item!.live_version,
    version_after: item!.version + (item!.state === 'auditing' ? 1 : 0),
  })
  const after = await change({ tx, staff, now }, 'reject', task, {
    ...led('reject', task, deciding),
    ...by(staff, now),
    reason_code: why.reason_code,
    more_codes,
    reason: reason || null,
    field_marks,
    undo,
    ...(task.state === 'second_audit' ? { second_by: staff.id } : {}),
  })
  await closeVersion(tx, task, 'rejected')
  await drawLook(tx, after, now)
  await tellFirst(deciding, task, after)
  logged(deciding, task, after, {
    reason,
    ...(Object.keys(after.field_marks).length > 0 && {
      more: { field_marks: after.field_marks },
    }),
  })
  return answer(after, now)
}

/**
 * Sends the submission back to the merchant for more; it returns to the queue with the next round.
 */
export const askMore = async (
  deciding: Deciding,
  queue: AuditQueue,
  one: { id: number; version: number },
  reason: string,
): Promise<Decided> => {
  const { tx, staff, now } = deciding
  const task = await open(deciding, 'askMore', queue, one)
  const after = await change({ tx, staff, now }, 'askMore', task, {
    ...led('askMore', task, deciding),
    ...by(staff, now),
    reason,
  })
  logged(deciding, task, after, { reason })
  return answer(after, now)
}

/** Hands the task, with its claim, to a colleague who may decide it. */
export const transfer = async (
  deciding: Deciding,
  queue: AuditQueue,
  one: { id: number; version: number },
  { next, reason }: { next: { id: number; name: string }; reason: string },
): Promise<AuditTask> => {
  const { tx, staff, now } = deciding
  const task = await open(deciding, 'transfer', queue, one)
  if (task.submitted_by === next.id || task.first_by === next.id)
    throw ruled('not_theirs', ['{who}不能审核此任务', '{who} may not decide this one'], {
      who: next.name,
    })
  const after = await change({ tx, staff, now }, 'transfer', task, {
    ...led('transfer', task, { staff: next, now }),
    claimer_name: next.name,
    claimed_at: now,
  })
  logged(deciding, task, after, { reason, more: { claimed_by: next.id } })
  await tellPeople(tx, {
    to: [next.id],
    by: staff.id,
    kind: 'audit_asked',
    about: `audit:${after.id}:${after.version}`,
    facts: { of: after.title, why: reason },
    address: seenAt(after),
  })
  deciding.changed?.('message')
  return after
}

/**
 * Takes my own last decision back while nothing was built on it: no order, no later change, still
 * the live version. The task is then mine again.
 */
export const undo = async (
  deciding: Deciding,
  queue: AuditQueue,
  id: number,
): Promise<AuditTask> => {
  const { tx, staff, now } = deciding
  const task = await readTask(tx, queue, id, staff)
  const { was, at } = mineToUndo(task, staff.id, now)
  const item = await unbuiltOn(tx, task, was, at)
  const after = await reopenTask(tx, task, was, deciding)
  await dropLook(tx, task.id)
  await reopenVersions(tx, task, was)
  if (task.state !== 'second_audit') await restore(tx, task.product_id, was, item.version)
  logged(deciding, task, after, { more: { undone: task.state } })
  return after
}

/** Takes the product of a task off sale; what was paid stays valid. */
export const offShelf = async (
  deciding: Deciding,
  queue: AuditQueue,
  id: number,
  reason: string,
): Promise<{ id: number; product_state: string }> => {
  const { tx, staff } = deciding
  const task = await readTask(tx, queue, id, staff)
  const [off] = await tx
    .update(product)
    .set({ state: 'off_sale', off_reason: reason, version: sql`${product.version} + 1` })
    .where(and(eq(product.id, task.product_id), inArray(product.state, ['on_sale'])))
    .returning({ id: product.id, title: product.title, version: product.version })
  if (!off) {
    const [item] = await tx
      .select({ state: product.state })
      .from(product)
      .where(eq(product.id, task.product_id))
    if (!item) throw missing()
    const may = productCan('offShelf', item.state)
    throw ruled(
      'wrong_state',
      may === true ? undoText.changed : may,
      {},
      { current: { state: item.state } },
    )
  }
  deciding.log({
    object_type: 'product',
    object_id: off.id,
    object_label: off.title.slice(0, 64),
    before: { state: 'on_sale', version: off.version - 1 },
    after: { state: 'off_sale', version: off.version },
    reason,
  })
  return { id: off.id, product_state: 'off_sale' }
}
