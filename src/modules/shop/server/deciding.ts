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
import { appliedTo, bodyOf, judgeApplication } from '#src/areas/application/applications.server.ts'
import {
  answered,
  builtOn,
  decide,
  noteApplication,
  opened,
  takeBack,
  tellApplied,
  type One,
} from '#src/areas/application/deciding.server.ts'
import { applicationRuleText } from '#src/areas/application/findings.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { merchantStates } from '#src/areas/merchant/merchant.ts'
import type { MessageKind } from '#src/areas/message/message.ts'
import { product } from '#src/areas/product/product.table.ts'
import { blacklist, takeOffList } from '#src/areas/risk/blacklisting.server.ts'
import { say } from '#src/domain/text.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { merchants, type Merchant } from './merchants.ts'

const QUEUE = 'shop'

const tell = (context: WriteContext, kind: MessageKind, task: Application, why: string) =>
  tellApplied(context, kind, task, { why, address: to(merchantForm, { id: task.merchant_id }) })

/**
 * Approves: what was asked for is written to the merchant, in the same transaction. `careful` (a
 * batch) refuses whatever a person should look at.
 */
export const approve = async (context: WriteContext, one: One, { careful = false } = {}) => {
  const { tx, staff, now } = context
  const { task, row } = await opened(context, QUEUE, 'approve', one)
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
  const done = await decide(context, 'approve', task, {
    reason: null,
    replaced: task.kind === 'merchant' ? null : before,
    undo: { merchant: before, merchant_version: after.version, listed: [] },
  })
  noteApplication(context, task, done)
  await tell(context, 'applied_passed', done, '')
  return answered(done, now)
}

type Why = { reason_code: RefuseCode; reason: string }
const refuse = async (
  context: WriteContext,
  { task, row }: { task: Application; row: Merchant },
  { reason_code, reason }: Why,
  listed: number[] = [],
) => {
  const isNew = task.kind === 'merchant' && row.status === 'auditing'
  const before = isNew ? { status: row.status, status_reason: row.status_reason } : {}
  const after = isNew
    ? await merchants.save(context, row, { status: 'draft', status_reason: reason }, reason)
    : row
  const done = await decide(context, 'reject', task, {
    reason_code,
    reason,
    undo: { merchant: before, merchant_version: after.version, listed },
  })
  noteApplication(context, task, done, {
    reason,
    ...(listed.length > 0 && { after: { listed: listed.length } }),
  })
  await tell(context, 'applied_refused', done, reason)
  return answered(done, context.now)
}
/** Refuses: a new merchant is a draft again, which can be mended; what is live stays. */
export const reject = async (
  context: WriteContext,
  one: One,
  why: Why,
  { careful = false } = {},
) => {
  const held = await opened(context, QUEUE, 'reject', one)
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
  const held = await opened(context, QUEUE, 'reject', one)
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
  const { task, row } = await opened(context, QUEUE, 'askMore', one)
  if (task.kind === 'merchant' && row.status === 'auditing')
    await merchants.save(context, row, { status: 'draft', status_reason: reason }, reason)
  const asked = [...new Set(items)]
  const done = await decide(context, 'askMore', task, { asked, reason, undo: null })
  noteApplication(context, task, done, { reason, after: { asked } })
  await tell(context, 'applied_asked', done, reason)
  return { id: done.id, state: done.state, version: done.version }
}

/** Whether anything was built on a decision: another application, or what the merchant offers. */
const isBuiltOn = async ({ tx }: WriteContext, { id, merchant_id }: Application, at: number) => {
  const { rows } = await tx.execute<{ built: boolean }>(sql`
    select exists (select 1 from ${application} where ${and(eq(application.queue, QUEUE), eq(application.merchant_id, merchant_id), gt(application.id, id))})
      or exists (select 1 from ${product} where ${and(eq(product.merchant_id, merchant_id), gte(product.created_at, at))})
      or exists (select 1 from ${store} where ${and(eq(store.merchant_id, merchant_id), gte(store.created_at, at))}) built`)
  return rows[0]!.built
}
/** Takes my own last decision back while nothing was built on it: the merchant is as it was. */
export const undo = (context: WriteContext, id: number): Promise<void> =>
  takeBack(context, QUEUE, id, async ({ task, row, was, at }) => {
    if (row.version !== was.merchant_version || (await isBuiltOn(context, task, at)))
      throw builtOn()
    if (Object.keys(was.merchant).length > 0)
      await unlessTaken(merchants.save(context, row, was.merchant), builtOn)
    await takeOffList(context.tx, was.listed)
  })

/** What stands where an application's values would come, or stood there when it was approved. */
export const replacedBy = (task: Application, row: Merchant): ApplicationBody | null => {
  if (task.kind === 'merchant') return null
  const live = task.replaced ?? bodyOf(row)
  return Object.fromEntries(task.changed.map(field => [field, live[field]]))
}
