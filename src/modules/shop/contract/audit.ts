import { z } from 'zod'
import {
  allFields,
  applicationKinds,
  askedItems,
  refuseCodes,
  waits,
  type ApplicationKind,
  type AskedItem,
  type RefuseCode,
  type Wait,
} from '#src/areas/application/application.ts'
import {
  BATCH_MAX,
  REASON_MAX,
  UNDO_SECONDS,
  auditStates,
  type AuditState,
} from '#src/areas/audit/audit.ts'
import {
  bankKinds,
  merchantStates,
  settleCycles,
  type BankKind,
  type MerchantState,
  type SettleCycle,
} from '#src/areas/merchant/merchant.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, one } from '#src/contract/record.ts'
import {
  basisPoints,
  batchResult,
  cents,
  guarded,
  id,
  keysOf,
  lines,
  listOf,
  page,
  searched,
  unix,
  version,
  type BatchResult,
} from '#src/contract/shapes.ts'

const state = keysOf<AuditState>(auditStates)
const kind = keysOf<ApplicationKind>(applicationKinds)
const refuseCode = keysOf<RefuseCode>(refuseCodes)
const askedItem = keysOf<AskedItem>(askedItems)

/** A row of the queue. */
export const applicationItem = z.object({
  id,
  kind,
  merchant_id: id,
  title: z.string(),
  city_name: z.string(),
  owner_id: z.int().nullable(),
  bd_name: z.string(),
  changed: z.array(z.enum(allFields)),
  flags: z.array(z.string()),
  round: z.int(),
  asked: z.array(askedItem),
  state,
  submitted_at: unix,
  submitted_by: z.int().nullable(),
  submitter_name: z.string(),
  sla_at: unix,
  claimed_by: z.int().nullable(),
  claimer_name: z.string().nullable(),
  claim_until: unix.nullable(),
  first_by: z.int().nullable(),
  decided_by: z.int().nullable(),
  decider_name: z.string().nullable(),
  decided_at: unix.nullable(),
  reason_code: z.string().nullable(),
  reason: z.string().nullable(),
  version,
})
export type ApplicationItem = z.output<typeof applicationItem>

/** A merchant's data as an auditor sees it, or some of it; an account is masked for everybody. */
const shownBody = z.object({
  name: z.string().optional(),
  license_no: guarded('merchant.license_no', z.string()),
  license_image: z.string().optional(),
  license_expire_at: unix.nullable().optional(),
  legal_name: z.string().optional(),
  legal_id_no: guarded('merchant.legal_id_no', z.string()),
  contact_name: guarded('merchant.contact_name', z.string()),
  contact_phone: guarded('merchant.contact_phone', z.string()),
  city_id: z.int().optional(),
  category_ids: z.array(z.int()).optional(),
  licenses: z
    .array(
      z.object({
        name: z.string(),
        no: guarded('merchant.license_no', z.string()),
        expire_at: unix.nullable(),
      }),
    )
    .optional(),
  bank_kind: keysOf<BankKind>(bankKinds).nullable().optional(),
  bank_holder: z.string().nullable().optional(),
  bank_name: z.string().nullable().optional(),
  bank_no: guarded('merchant.bank_no', z.string()),
  contract_no: guarded('store.contract_no', z.string().nullable()),
  contract_start_at: unix.nullable().optional(),
  contract_end_at: unix.nullable().optional(),
  commission_bp: guarded('product.commission_bp', basisPoints),
  settle_cycle: keysOf<SettleCycle>(settleCycles).optional(),
  deposit_cents: cents.optional(),
})
export type ShownApplication = z.output<typeof shownBody>
export const applicationDetail = z.object({
  task: applicationItem,
  /** The merchant as it would be. */
  body: shownBody,
  /** What a change would replace, or did; none of a new merchant. */
  live: shownBody.nullable(),
  /** What was submitted the time before, of the fields that are otherwise now. */
  last: shownBody.nullable(),
  findings: z.array(
    z.object({
      rule: z.string(),
      level: z.enum(['block', 'second', 'flag', 'warn']),
      field: z.string().optional(),
      values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    }),
  ),
  twins: z.array(
    z.object({
      id,
      name: z.string(),
      bd_name: z.string(),
      status: keysOf<MerchantState>(merchantStates),
      by: z.array(z.enum(['licence', 'name', 'phone', 'bank'])),
    }),
  ),
  categories: z.record(z.string(), z.string()),
  /** Licences that the categories ask for. */
  needed: z.array(z.string()),
  merchant: z.object({
    merchant_no: z.string(),
    status: keysOf<MerchantState>(merchantStates),
    store_count: z.int(),
  }),
  rounds: z.array(
    z.object({
      kind,
      round: z.int(),
      state,
      reason_code: z.string().nullable(),
      reason: z.string().nullable(),
      by: z.string().nullable(),
      at: unix,
    }),
  ),
  /** Colleagues who look at it now. */
  viewers: z.array(z.object({ id, name: z.string() })),
})
export type ApplicationDetail = z.output<typeof applicationDetail>

const filters = {
  keyword: searched(60).optional(),
  kind: kind.optional(),
  wait: keysOf<Wait>(waits).optional(),
  city_id: id.optional(),
  flagged: z.boolean().optional(),
}
/** A tab: all that waits for a decision, what I hold of it, or a state. */
const tab = z
  .enum(['open', 'mine', 'need_more', 'approved', 'rejected', 'withdrawn'])
  .default('open')
const why = { reason_code: refuseCode, reason: lines(REASON_MAX, 2) }
const many = z.array(z.object(one)).min(1).max(BATCH_MAX)
const decided = z.object({ id, state, version, undo_until: unix })
const call = callsOf('shop/audit', { touches: ['application'], rows: 'application' })
const decides = ['application', 'merchant'] as const
const permit = 'shop.audit.view'
const byIds = placed('application', 'ids')
const byTasks = placed('application', { 'tasks.id': 'application' })

const undo = call.write('undo', ['撤销入驻审核决定', 'Undo a decision of an application'], {
  input: z.object({ ids: z.array(id).min(1).max(BATCH_MAX) }),
  output: batchResult,
  touches: [...decides, 'risk_list'],
  scope: byIds,
  permit,
})
const takenBack = {
  call: () => undo,
  seconds: UNDO_SECONDS,
  input: (done: { id: number }) => ({ ids: [done.id] }),
}
const manyTakenBack = {
  call: () => undo,
  seconds: UNDO_SECONDS,
  input: (done: BatchResult) => (done.ok.length > 0 ? { ids: done.ok } : undefined),
}

/** What merchants apply for, to be decided one after another. */
export const shopAudit = {
  lst: call.lists('lst', ['入驻审核列表', 'Applications'], {
    filters: { state: tab, ...filters },
    row: applicationItem,
  }),
  /** How many rows each tab has, and of what waits each kind and each age. */
  counts: call.read('counts', ['入驻审核计数', 'Counts of applications'], {
    input: z.object(filters),
    output: z.record(z.string(), z.int()),
    permit,
  }),
  detail: call.read('detail', ['入驻申请详情', 'Application'], {
    input: z.object({ id }),
    output: applicationDetail,
    touches: decides,
    scope: placed('application', 'id'),
    permit,
  }),
  today: call.read('today', ['入驻审核今日', 'Decided today'], {
    input: z.object({}),
    output: z.object({
      approved: z.int(),
      rejected: z.int(),
      asked: z.int(),
      seconds_each: z.int().nullable(),
    }),
    scope: 'own',
    permit,
  }),
  reasons: call.read('reasons', ['入驻审核常用驳回原因', 'Reasons used most'], {
    input: z.object({}),
    output: z.object({ codes: z.array(refuseCode) }),
    touches: [],
    scope: 'all',
    permit,
  }),
  /** Colleagues to whom an application can be handed. */
  auditors: call.read('auditors', ['可转交的审核员', 'Auditors'], {
    input: z.object({ ...page, keyword: searched(32).optional() }),
    output: listOf(z.object({ id, name: z.string(), account: z.string() })),
    touches: ['admin', 'role'],
    scope: 'all',
    permit: 'shop.audit.transfer',
  }),
  claim: call.write('claim', ['领取入驻申请', 'Claim an application'], {
    input: z.object({ id }),
    output: z.object({ id, claim_until: unix, version }),
  }),
  claimNext: call.write('claimNext', ['领取下一条入驻申请', 'Claim the next application'], {
    input: z.object(filters),
    output: z.object({ tasks: z.array(applicationItem) }),
    scope: placed('application'),
  }),
  unclaim: call.write('unclaim', ['退回入驻申请', 'Return an application'], {
    input: z.object({ ids: z.array(id).min(1).max(BATCH_MAX) }),
    output: batchResult,
    scope: byIds,
  }),
  /** Keeps my claim and shows me as a viewer. Not logged. */
  beat: call.write('beat', ['入驻审核心跳', 'Heartbeat'], {
    input: z.object({ id }),
    output: z.object({
      claim_until: unix.nullable(),
      viewers: z.array(z.object({ id, name: z.string() })),
      version,
    }),
    touches: [],
    permit,
    quiet: true,
  }),
  approve: call.write('approve', ['通过入驻申请', 'Approve an application'], {
    input: z.object(one),
    output: decided,
    touches: decides,
    undo: takenBack,
  }),
  reject: call.write('reject', ['驳回入驻申请', 'Reject an application'], {
    input: z.object({ ...one, ...why }),
    output: decided,
    touches: decides,
    undo: takenBack,
  }),
  askMore: call.write('askMore', ['要求补充入驻资料', 'Ask a merchant for more'], {
    input: z.object({
      ...one,
      items: z.array(askedItem).min(1).max(Object.keys(askedItems).length),
      reason: lines(REASON_MAX, 2),
    }),
    output: z.object({ id, state, version }),
    touches: decides,
  }),
  transfer: call.write('transfer', ['转交入驻申请', 'Transfer an application'], {
    input: z.object({ ...one, admin_id: id, reason: lines(REASON_MAX, 2) }),
    output: z.object({ id, version, claim_until: unix }),
  }),
  /** Puts credit code, phone and account on the black list, and refuses the application. */
  blacklist: call.write('blacklist', ['商户加入黑名单', 'Black-list a merchant'], {
    input: z.object({ ...one, reason: lines(255, 2) }),
    output: decided,
    touches: [...decides, 'risk_list'],
    undo: takenBack,
  }),
  batchApprove: call.write('batchApprove', ['批量通过入驻申请', 'Approve applications'], {
    input: z.object({ tasks: many }),
    output: batchResult,
    touches: decides,
    scope: byTasks,
    undo: manyTakenBack,
  }),
  batchReject: call.write('batchReject', ['批量驳回入驻申请', 'Reject applications'], {
    input: z.object({ tasks: many, ...why }),
    output: batchResult,
    touches: decides,
    scope: byTasks,
    undo: manyTakenBack,
  }),
  undo,
  export: call.startsExport('export', ['导出入驻审核记录', 'Export applications'], {
    filters: { state: tab, ...filters },
  }),
}
