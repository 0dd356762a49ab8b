import { z } from 'zod'
import {
  applicationKinds,
  askedItems,
  refuseCodes,
  type ApplicationKind,
  type AskedItem,
  type RefuseCode,
} from '#src/areas/application/application.ts'
import { storeStates, type StoreState } from '#src/areas/mall/mall.ts'
import {
  bankKinds,
  merchantStates,
  settleCycles,
  type BankKind,
  type MerchantState,
  type SettleCycle,
} from '#src/areas/merchant/merchant.ts'
import { placed } from '#src/contract/call.ts'
import {
  byTasks,
  decided,
  left,
  queueCalls,
  several,
  takenBackBy,
  waitingDetail,
  waitingRow,
  why,
} from '#src/contract/queue.ts'
import { callsOf, one } from '#src/contract/record.ts'
import {
  basisPoints,
  batchResult,
  cents,
  guarded,
  id,
  keysOf,
  lines,
  unix,
} from '#src/contract/shapes.ts'
import { licenceField, READING_MS, readingOf } from './licence.ts'

const kind = keysOf<ApplicationKind>(applicationKinds)
const refuseCode = keysOf<RefuseCode>(refuseCodes)
const askedItem = keysOf<AskedItem>(askedItems)

/** A row of the queue. */
export const applicationItem = z.object({
  ...waitingRow,
  kind,
  store_id: id.nullable(),
  /** Fields of the merchant, or of the store that it is about (`fieldText`). */
  changed: z.array(z.string()),
  asked: z.array(askedItem),
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
  /** The store that it is about: its fields in words, as they would be and as they stand or stood. */
  store: z
    .object({
      body: z.record(z.string(), z.string()),
      live: z.record(z.string(), z.string()),
      last: z.record(z.string(), z.string()),
      images: z.array(z.string()),
      metres: z.int().nullable(),
      near: z.array(
        z.object({
          id,
          name: z.string(),
          merchant_name: z.string(),
          status: keysOf<StoreState>(storeStates),
          metres: z.int().nullable(),
        }),
      ),
      needed: z.array(z.string()),
    })
    .nullable(),
  merchant: z.object({
    merchant_no: z.string(),
    status: keysOf<MerchantState>(merchantStates),
    store_count: z.int(),
  }),
  ...waitingDetail(kind),
})
export type ApplicationDetail = z.output<typeof applicationDetail>

const reasons = { reason_code: refuseCode, reason: why }
const call = callsOf('shop/audit', { touches: ['application'], rows: 'application' })
const decides = ['application', 'merchant'] as const
const permit = 'shop.audit.view'

const back = takenBackBy(call, ['撤销入驻审核决定', 'Undo a decision of an application'], {
  touches: [...decides, 'risk_list'],
  view: permit,
})

/** What merchants apply for, to be decided one after another. */
export const shopAudit = {
  ...queueCalls(call, {
    view: permit,
    what: ['入驻申请', 'applications'],
    kind,
    code: refuseCode,
    row: applicationItem,
  }),
  detail: call.read('detail', ['入驻申请详情', 'Application'], {
    input: z.object({ id }),
    output: applicationDetail,
    touches: decides,
    scope: placed('application', 'id'),
    permit,
  }),
  /** Reads the licence that is applied with, beside what is applied for. */
  readLicence: call.read('readLicence', ['识别申请的营业执照', 'Read an application’s licence'], {
    input: z.object({ id }),
    output: z.object({
      ...readingOf(guarded('merchant.license_no', z.string())),
      /** Fields that the licence has otherwise than the application. */
      differs: z.array(licenceField),
    }),
    touches: [],
    scope: placed('application', 'id'),
    permit,
    patience_ms: READING_MS,
  }),
  approve: call.write('approve', ['通过入驻申请', 'Approve an application'], {
    input: z.object(one),
    output: decided,
    touches: decides,
    undo: back.single,
  }),
  reject: call.write('reject', ['驳回入驻申请', 'Reject an application'], {
    input: z.object({ ...one, ...reasons }),
    output: decided,
    touches: decides,
    undo: back.single,
  }),
  askMore: call.write('askMore', ['要求补充入驻资料', 'Ask a merchant for more'], {
    input: z.object({
      ...one,
      items: z.array(askedItem).min(1).max(Object.keys(askedItems).length),
      reason: why,
    }),
    output: left,
    touches: decides,
  }),
  /** Puts credit code, phone and account on the black list, and refuses the application. */
  blacklist: call.write('blacklist', ['商户加入黑名单', 'Blacklist a merchant'], {
    input: z.object({ ...one, reason: lines(255, 2) }),
    output: decided,
    touches: [...decides, 'risk_list'],
    undo: back.single,
  }),
  batchApprove: call.write('batchApprove', ['批量通过入驻申请', 'Approve applications'], {
    input: z.object({ tasks: several }),
    output: batchResult,
    touches: decides,
    scope: byTasks,
    undo: back.batch,
  }),
  batchReject: call.write('batchReject', ['批量驳回入驻申请', 'Reject applications'], {
    input: z.object({ tasks: several, ...reasons }),
    output: batchResult,
    touches: decides,
    scope: byTasks,
    undo: back.batch,
  }),
  undo: back.undo,
}
