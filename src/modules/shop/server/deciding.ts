import { and, eq, gt, gte, sql } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { merchantForm, storeEdit, storeForm } from '#commands/pages/shop.ts'
import { shopEdit, shopForm } from '#commands/pages/stores.ts'
import {
  application,
  type Application,
  type ApplicationUndo,
} from '#src/areas/application/application.table.ts'
import {
  isBatchable,
  isOfShop,
  isOfStore,
  isWhole,
  type ApplicationBody,
  type AskedItem,
  type BodyField,
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
import { storeStates } from '#src/areas/mall/mall.ts'
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
import { draftAgain, passShop, passStore, storeAsBefore } from './storeDeciding.ts'

const QUEUE = 'shop'

/** Where whoever applied reads what became of it. */
const addressOf = ({ kind, merchant_id, store_id }: Application, what: MessageKind) => {
  if (store_id === null) return to(merchantForm, { id: merchant_id })
  const isDraft = isWhole(kind) && what !== 'applied_passed'
  if (isOfShop(kind)) return to(isDraft ? shopForm : shopEdit, { id: store_id })
  return to(isDraft ? storeForm : storeEdit, { id: store_id })
}
const tell = (context: WriteContext, kind: MessageKind, task: Application, why: string) =>
  tellApplied(context, kind, task, { why, address: addressOf(task, kind) })

/** Writes what was asked for to the merchant. */
const passMerchant = async (
  context: WriteContext,
  task: Application,
  row: Merchant,
): Promise<{ replaced: ApplicationBody; undo: ApplicationUndo }> => {
  const { store: _, eshop: __, brand: ___, ...asked } = task.snapshot
  const values = {
    ...asked,
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
  return {
    replaced: before,
    undo: { merchant: before, merchant_version: after.version, listed: [] },
  }
}
/** The words of a finding that says in which state something is. */
const stated = (
  { rule, values }: { rule: string; values?: Record<string, string | number> },
  row: Merchant,
  lang: WriteContext['staff']['lang'],
) => {
  if (rule === 'wrong_state') return { state: say(merchantStates[row.status], lang) }
  if (rule === 'store_state')
    return { state: say(storeStates[values!['state'] as keyof typeof storeStates], lang) }
  return values
}
/** What an approval writes, and where. */
const passOf = (kind: Application['kind']) => {
  if (isOfShop(kind)) return passShop
  return isOfStore(kind) ? passStore : passMerchant
}
const byItself = () =>
  ruled('by_itself', [
    '除商户资料变更外，须逐条审核',
    'All but changes of a profile are decided one by one',
  ])

/**
 * Approves: what was asked for is written to the merchant or the store, in the same transaction.
 * `careful` (a batch) refuses whatever a person should look at.
 */
export const approve = async (context: WriteContext, one: One, { careful = false } = {}) => {
  const { tx, staff, now } = context
  const { task, row } = await opened(context, QUEUE, 'approve', one)
  if (careful && !isBatchable(task.kind)) throw byItself()
  const { found } = await judgeApplication(tx, task, row, now)
  const first = found.find(({ level }) => level === 'block')
  if (first) {
    const values = stated(first, row, staff.lang)
    throw ruled(first.rule, applicationRuleText(first.rule), values, { findings: found })
  }
  if (careful && found.some(({ level }) => level !== 'warn'))
    throw ruled(
      'flagged',
      ['有风险提示，须逐条审核', 'Flagged: audit it individually'],
      {},
      { findings: found },
    )
  const { replaced, undo } = await passOf(task.kind)(context, task, row)
  const done = await decide(context, 'approve', task, {
    reason: null,
    replaced: isWhole(task.kind) ? null : replaced,
    undo,
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
  const isNewStore = isOfStore(task.kind) && isWhole(task.kind)
  const store = isNewStore ? await draftAgain(context, task, reason) : undefined
  const isNew = task.kind === 'merchant' && row.status === 'auditing'
  const before = isNew ? { status: row.status, status_reason: row.status_reason } : {}
  const after = isNew
    ? await merchants.save(context, row, { status: 'draft', status_reason: reason }, reason)
    : row
  const done = await decide(context, 'reject', task, {
    reason_code,
    reason,
    undo: {
      merchant: before,
      merchant_version: after.version,
      listed,
      ...(store && { store }),
    },
  })
  noteApplication(context, task, done, {
    reason,
    ...(listed.length > 0 && { after: { listed: listed.length } }),
  })
  await tell(context, 'applied_refused', done, reason)
  return answered(done, context.now)
}
/** Refuses: a new merchant or store is a draft again, which can be mended; what is live stays. */
export const reject = async (
  context: WriteContext,
  one: One,
  why: Why,
  { careful = false } = {},
) => {
  const held = await opened(context, QUEUE, 'reject', one)
  if (careful && !isBatchable(held.task.kind)) throw byItself()
  return refuse(context, held, why)
}
/** Refuses, and puts credit code, phone and account on the black list. */
export const blacklistMerchant = async (context: WriteContext, one: One, reason: string) => {
  const { tx, staff, now, log } = context
  const held = await opened(context, QUEUE, 'reject', one)
  if (isOfStore(held.task.kind))
    throw ruled('of_store', [
      '门店申请不能加入黑名单，请在商户申请或风控名单中处理',
      'Of a store nothing is black-listed: its merchant is, on its own application',
    ])
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
  if (isOfStore(task.kind) && isWhole(task.kind)) await draftAgain(context, task, reason)
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
    if (was.store) await storeAsBefore(context, task, was.store)
    else if (row.version !== was.merchant_version || (await isBuiltOn(context, task, at)))
      throw builtOn()
    if (Object.keys(was.merchant).length > 0)
      await unlessTaken(merchants.save(context, row, was.merchant), builtOn)
    await takeOffList(context.tx, was.listed)
  })

/** What stands where an application's values would come, or stood there when it was approved. */
export const replacedBy = (task: Application, row: Merchant): ApplicationBody | null => {
  if (isWhole(task.kind) || isOfStore(task.kind)) return null
  const live = task.replaced ?? bodyOf(row)
  return Object.fromEntries(task.changed.map(field => [field, live[field as BodyField]]))
}
