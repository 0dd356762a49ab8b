import { and, eq, gt, gte, sql } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { merchantForm } from '#commands/pages/shop.ts'
import { application, type Application } from '#src/areas/application/application.table.ts'
import {
  isBatchable,
  type ApplicationBody,
  type AskedItem,
  type RefuseCode,
} from '#src/areas/application/application.ts'
import {
  appliedTo,
  applications,
  bodyOf,
  judgeApplication,
} from '#src/areas/application/applications.server.ts'
import { applicationRuleText } from '#src/areas/application/findings.ts'
import { UNDO_SECONDS, type AuditVerb } from '#src/areas/audit/audit.ts'
import { led, mine } from '#src/areas/audit/claiming.server.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { merchantStates } from '#src/areas/merchant/merchant.ts'
import { tellPeople } from '#src/areas/message/message.server.ts'
import type { MessageKind } from '#src/areas/message/message.ts'
import { product } from '#src/areas/product/product.table.ts'
import { blacklist, takeOffList } from '#src/areas/risk/blacklisting.server.ts'
import { say } from '#src/domain/text.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { noteApplication } from './applying.ts'
import { merchants, type Merchant } from './merchants.ts'

type One = { id: number; version: number }
const QUEUE = 'shop'

/** The application as the person read it, where the verb may be done, and its merchant, held. */
const opened = async (
  { tx, staff, now }: WriteContext,
  verb: AuditVerb,
  { id, version }: One,
): Promise<{ task: Application; row: Merchant }> => {
  const found = await applications.readTask(tx, QUEUE, id, staff)
  const [row] = await tx
    .select()
    .from(merchant)
    .where(eq(merchant.id, found.merchant_id))
    .for('update')
  // Read again: whoever held the merchant before may have decided it.
  const task = await applications.readTask(tx, QUEUE, id, staff)
  const refusal = applications.whyNot(verb, task, version, staff.id, now)
  if (refusal) throw refusal
  return { task, row: row! }
}
const answer = (task: Application, now: number) => ({
  id: task.id,
  state: task.state,
  version: task.version,
  undo_until: now + UNDO_SECONDS,
})
/** Whoever brought the merchant hears what became of it. */
const tell = async (
  { tx, staff, changed }: WriteContext,
  kind: MessageKind,
  task: Application,
  why: string,
) => {
  await tellPeople(tx, {
    to: [task.owner_id, task.submitted_by],
    by: staff.id,
    kind,
    about: `application:${task.id}:${task.version}`,
    facts: { of: task.title, why },
    address: to(merchantForm, { id: task.merchant_id }),
  })
  changed('message')
}
const decidedBy = ({ staff, now }: WriteContext) => ({
  claimer_name: null,
  decided_by: staff.id,
  decider_name: staff.name,
  decided_at: now,
})

/**
 * Approves: what was asked for is written to the merchant, in the same transaction. `careful` (a
 * batch) refuses whatever a person should look at.
 */
export const approve = async (context: WriteContext, one: One, { careful = false } = {}) => {
  const { tx, staff, now } = context
  const { task, row } = await opened(context, 'approve', one)
  if (careful && !isBatchable(task.kind))
    throw ruled('by_itself', [
      '新商户、执照与账户变更须逐条审核',
      'New merchants and changes of licence or account are decided one by one',
    ])
  const { found } = await judgeApplication(tx, task, row, now)
  const first = found.find(({ level }) => level === 'block')
  if (first) {
    const values =
      first.rule === 'wrong_state'
        ? { state: say(merchantStates[row.status], staff.lang) }
        : first.values
    throw ruled(first.rule, applicationRuleText(first.rule), values, { findings: found })
  }
  if (careful && found.some(({ level }) => level !== 'warn'))
    throw ruled(
      'flagged',
      ['有风险提示，须逐条审核', 'Flagged: decide it by itself'],
      {},
      { findings: found },
    )
  const values = {
    ...task.snapshot,
    ...(task.kind === 'merchant' && { status: 'active' as const, status_reason: null }),
  }
  const before = Object.fromEntries(
    Object.keys(values).map(field => [field, row[field as keyof Merchant]]),
  )
  const after = await unlessTaken(merchants.save(context, row, values), () =>
    ruled('credit_taken', [
      '统一社会信用代码刚刚被其他商户使用',
      'Another merchant has taken the credit code just now',
    ]),
  )
  const done = await applications.change(
    tx,
    'approve',
    task,
    {
      ...led('approve', task, staff.id, now),
      ...decidedBy(context),
      reason: null,
      replaced: task.kind === 'merchant' ? null : before,
      undo: { merchant: before, merchant_version: after.version, listed: [] },
    },
    staff.id,
    now,
  )
  noteApplication(context, task, done)
  await tell(context, 'applied_passed', done, '')
  return answer(done, now)
}

type Why = { reason_code: RefuseCode; reason: string }
const refuse = async (
  context: WriteContext,
  { task, row }: { task: Application; row: Merchant },
  { reason_code, reason }: Why,
  listed: number[] = [],
) => {
  const { tx, staff, now } = context
  const isNew = task.kind === 'merchant' && row.status === 'auditing'
  const before = isNew ? { status: row.status, status_reason: row.status_reason } : {}
  const after = isNew
    ? await merchants.save(context, row, { status: 'draft', status_reason: reason }, reason)
    : row
  const done = await applications.change(
    tx,
    'reject',
    task,
    {
      ...led('reject', task, staff.id, now),
      ...decidedBy(context),
      reason_code,
      reason,
      undo: { merchant: before, merchant_version: after.version, listed },
    },
    staff.id,
    now,
  )
  noteApplication(context, task, done, {
    reason,
    ...(listed.length > 0 && { after: { listed: listed.length } }),
  })
  await tell(context, 'applied_refused', done, reason)
  return answer(done, now)
}
/** Refuses: a new merchant is a draft again, which can be mended; what is live stays. */
export const reject = async (
  context: WriteContext,
  one: One,
  why: Why,
  { careful = false } = {},
) => {
  const held = await opened(context, 'reject', one)
  if (careful && !isBatchable(held.task.kind))
    throw ruled('by_itself', [
      '新商户、执照与账户变更须逐条审核',
      'New merchants and changes of licence or account are decided one by one',
    ])
  return refuse(context, held, why)
}
/** Refuses, and puts credit code, phone and account on the black list. */
export const blacklistMerchant = async (context: WriteContext, one: One, reason: string) => {
  const { tx, staff, now, log } = context
  const held = await opened(context, 'reject', one)
  const body = appliedTo(held.row, held.task)
  const made = await blacklist(
    tx,
    [
      { type: 'licence', value: body.license_no },
      ...(body.contact_phone ? [{ type: 'phone' as const, value: body.contact_phone }] : []),
      ...(body.bank_no ? [{ type: 'card' as const, value: body.bank_no }] : []),
    ],
    { reason, admin_id: staff.id, now },
  )
  for (const entry of made)
    log({
      object_type: 'risk_list',
      object_id: entry.id,
      object_label: held.task.title.slice(0, 64),
      before: null,
      after: { list: 'black', type: entry.type },
      reason,
    })
  return refuse(
    context,
    held,
    { reason_code: 'risk', reason },
    made.map(entry => entry.id),
  )
}

/** Sends an application back for more; a new merchant is a draft until it comes again. */
export const askMore = async (
  context: WriteContext,
  { items, reason, ...one }: One & { items: readonly AskedItem[]; reason: string },
) => {
  const { tx, staff, now } = context
  const { task, row } = await opened(context, 'askMore', one)
  if (task.kind === 'merchant' && row.status === 'auditing')
    await merchants.save(context, row, { status: 'draft', status_reason: reason }, reason)
  const asked = [...new Set(items)]
  const done = await applications.change(
    tx,
    'askMore',
    task,
    { ...led('askMore', task, staff.id, now), ...decidedBy(context), asked, reason, undo: null },
    staff.id,
    now,
  )
  noteApplication(context, task, done, { reason, after: { asked } })
  await tell(context, 'applied_asked', done, reason)
  return { id: done.id, state: done.state, version: done.version }
}

const undoText = {
  none: ['没有可撤销的决定', 'There is no decision to take back'],
  notMine: ['不是你的决定', 'Not your decision'],
  late: ['超过 10 分钟，不能撤销', 'More than 10 minutes ago'],
  changed: ['之后又有变化，不能撤销', 'It changed since'],
} as const
/** Whether anything was built on a decision: another application, or what the merchant offers. */
const builtOn = async ({ tx }: WriteContext, { id, merchant_id }: Application, at: number) => {
  const { rows } = await tx.execute<{ built: boolean }>(sql`
    select exists (select 1 from ${application} where ${and(eq(application.merchant_id, merchant_id), gt(application.id, id))})
      or exists (select 1 from ${product} where ${and(eq(product.merchant_id, merchant_id), gte(product.created_at, at))})
      or exists (select 1 from ${store} where ${and(eq(store.merchant_id, merchant_id), gte(store.created_at, at))}) built`)
  return rows[0]!.built
}
/**
 * Takes my own last decision back while nothing was built on it: the merchant is as it was, and the
 * application is mine again.
 */
export const undo = async (context: WriteContext, id: number): Promise<void> => {
  const { tx, staff, now } = context
  const { merchant_id } = await applications.readTask(tx, QUEUE, id, staff)
  const [row] = await tx.select().from(merchant).where(eq(merchant.id, merchant_id)).for('update')
  const task = await applications.readTask(tx, QUEUE, id, staff)
  const was = task.undo
  const isDecided = task.state === 'approved' || task.state === 'rejected'
  if (!was || !isDecided || task.decided_at === null) throw ruled('no_decision', undoText.none)
  if (task.decided_by !== staff.id) throw ruled('not_mine', undoText.notMine)
  if (task.decided_at + UNDO_SECONDS < now) throw ruled('too_late', undoText.late)
  if (row!.version !== was.merchant_version || (await builtOn(context, task, task.decided_at)))
    throw ruled('changed', undoText.changed)
  if (Object.keys(was.merchant).length > 0)
    await unlessTaken(merchants.save(context, row!, was.merchant), () =>
      ruled('changed', undoText.changed),
    )
  await takeOffList(tx, was.listed)
  const after = await applications.change(
    tx,
    'claim',
    task,
    {
      ...mine(staff, now),
      state: 'claimed',
      decided_by: null,
      decider_name: null,
      decided_at: null,
      reason_code: null,
      reason: null,
      replaced: null,
      undo: null,
    },
    staff.id,
    now,
  )
  noteApplication(context, task, after, { after: { undone: task.state } })
}

/** Hands an application, with its claim, to a colleague who may decide it. */
export const transfer = async (
  context: WriteContext,
  one: One,
  next: { id: number; name: string },
  { reason, address }: { reason: string; address: (title: string) => string },
) => {
  const { tx, staff, now, changed } = context
  const { task } = await opened(context, 'transfer', one)
  if (task.submitted_by === next.id || task.owner_id === next.id)
    throw ruled('not_theirs', ['{who}不能审核此申请', '{who} may not decide this one'], {
      who: next.name,
    })
  const after = await applications.change(
    tx,
    'transfer',
    task,
    { ...led('transfer', task, next.id, now), claimer_name: next.name, claimed_at: now },
    staff.id,
    now,
  )
  noteApplication(context, task, after, { reason, after: { claimed_by: next.id } })
  await tellPeople(tx, {
    to: [next.id],
    by: staff.id,
    kind: 'audit_asked',
    about: `application:${after.id}:${after.version}`,
    facts: { of: after.title, why: reason },
    address: address(after.title),
  })
  changed('message')
  return { id: after.id, version: after.version, claim_until: after.claim_until! }
}

/** What stands where an application's values would come, or stood there when it was approved. */
export const replacedBy = (task: Application, row: Merchant): ApplicationBody | null => {
  if (task.kind === 'merchant') return null
  const live = task.replaced ?? bodyOf(row)
  return Object.fromEntries(task.changed.map(field => [field, live[field]]))
}
