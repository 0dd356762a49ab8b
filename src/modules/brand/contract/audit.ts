import { z } from 'zod'
import {
  applicationKinds,
  brandKinds,
  type ApplicationKind,
} from '#src/areas/application/application.ts'
import { brandStates } from '#src/areas/brand/brand.ts'
import { brandRefuseCodes, type BrandRefuseCode } from '#src/areas/brand/brandBody.ts'
import { CLASS_LAST, TRADEMARK_NO } from '#src/areas/brand/trademark.ts'
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
import { batchResult, id, keysOf, keyText, searched, text, unix } from '#src/contract/shapes.ts'
import { joined } from '#src/domain/text.ts'

const kind = z.enum(brandKinds)
const anyKind = keysOf<ApplicationKind>(applicationKinds)
const code = keysOf<BrandRefuseCode>(brandRefuseCodes)
const classes = z.array(z.int().min(1).max(CLASS_LAST)).min(1).max(CLASS_LAST)

/** A brand as a merchant applies for it. */
const fields = {
  name: text(64),
  en_name: text(64, 0).default(''),
  logo: keyText(255).default(''),
  category_id: id,
  company: text(64),
  trademark_no: keyText(16, 1)
    .overwrite(typed => typed.toUpperCase())
    .regex(TRADEMARK_NO, {
      message: joined([
        '请填 5–9 位数字（可带一位字母），国际注册以 G 开头',
        '5 to 9 digits, perhaps a letter; G before an international one',
      ]),
    }),
  trademark_classes: classes,
  trademark_end_at: unix,
  trademark_image: keyText(255).default(''),
  chain: z
    .array(z.object({ name: text(64), image: keyText(255).default('') }))
    .max(6)
    .default([]),
  auth_end_at: unix.optional(),
}
const shownBody = z.object({
  name: z.string(),
  en_name: z.string(),
  logo: z.string(),
  category_id: id,
  company: z.string(),
  trademark_no: z.string(),
  trademark_classes: z.array(z.int()),
  trademark_end_at: unix.nullable(),
  trademark_image: z.string(),
  chain: z.array(z.object({ name: z.string(), image: z.string() })),
  auth_end_at: unix.nullable(),
  brand_id: id.optional(),
})
/** What differs, by field: as it was. */
const differing = shownBody.partial().nullable()
const alike = z.array(z.object({ id, name: z.string(), percent: z.int() }))

/** A row of the queue. */
export const brandItem = z.object({
  ...waitingRow,
  kind: anyKind,
  merchant_name: z.string(),
  body: shownBody,
  category_name: z.string(),
  /** Brands like it, of the one that is looked at. */
  alike,
})
export type BrandItem = z.output<typeof brandItem>
export const brandDetail = z.object({
  task: brandItem,
  /** What a change would replace, or did; none of a new brand. */
  live: differing,
  /** What was submitted the time before, of the fields that are otherwise now. */
  last: differing,
  /** Names of the categories in it. */
  categories: z.record(z.string(), z.string()),
  /** Classes that cover its category. */
  needed: z.array(z.int()),
  ...waitingDetail(anyKind),
})
export type BrandDetail = z.output<typeof brandDetail>

const call = callsOf('brand/audit', { touches: ['application'], rows: 'application' })
const decides = ['application', 'brand'] as const
const view = 'brand.audit.view'
const back = takenBackBy(call, ['撤销品牌审核决定', 'Undo a decision of a brand'], {
  touches: decides,
  view,
})
const reasons = { reason_code: code, reason: why }

/** What merchants apply for of brands, to be decided one after another. */
export const brandAudit = {
  ...queueCalls(call, {
    view,
    what: ['品牌申请', 'applications for brands'],
    kind,
    code,
    row: brandItem,
  }),
  detail: call.read('detail', ['品牌申请详情', 'Application for a brand'], {
    input: z.object({ id }),
    output: brandDetail,
    touches: decides,
    scope: placed('application', 'id'),
    permit: view,
  }),
  /** A brand beside an application. */
  compare: call.read('compare', ['对比相似品牌', 'Compare with a brand'], {
    input: z.object({ id, brand_id: id }),
    output: z.object({
      id,
      name: z.string(),
      en_name: z.string(),
      logo: z.string(),
      category_name: z.string(),
      company: z.string(),
      trademark_no: z.string(),
      trademark_classes: z.array(z.int()),
      trademark_end_at: unix.nullable(),
      state: keysOf(brandStates),
      stores: z.int(),
      goods: z.int(),
      followers: z.int(),
      /** Merchants that may use it. */
      merchants: z.array(z.string()),
    }),
    touches: decides,
    scope: placed('application', 'id'),
  }),
  /** Brands in use, those first that are like the one applied for. */
  brands: call.lists('brands', ['选择已有品牌', 'Pick a brand'], {
    filters: { id, keyword: searched(64).optional() },
    row: z.object({ id, name: z.string(), company: z.string(), percent: z.int() }),
    touches: ['brand'],
    scope: placed('application', 'id'),
    permit: view,
  }),
  /** Merchants that trade. */
  merchants: call.lists('merchants', ['可申请品牌的商户', 'Merchants'], {
    filters: { keyword: searched(64).optional() },
    row: z.object({ id, name: z.string(), city_name: z.string() }),
    touches: ['merchant'],
    scope: placed('merchant'),
    permit: 'brand.audit.submit',
  }),
  /** Enters what a merchant applies for. */
  submit: call.write('submit', ['录入品牌申请', 'Submit an application for a brand'], {
    input: z.object({ merchant_id: id, ...fields, brand_id: id.optional() }),
    output: left,
    scope: placed('merchant', { merchant_id: 'merchant' }),
  }),
  /** Enters again what was sent back or refused, as its next round. */
  resubmit: call.write('resubmit', ['重新提交品牌申请', 'Submit an application again'], {
    input: z.object({ ...one, ...fields }),
    output: left,
  }),
  /** Makes the brand and its authorisation. */
  approve: call.write('approve', ['通过品牌申请', 'Approve a brand'], {
    input: z.object(one),
    output: decided,
    touches: decides,
    undo: back.single,
  }),
  /** The same where a brand like it exists: says what differs, and gives it a name of its own. */
  approveApart: call.write('approveApart', ['说明后新建品牌', 'Approve a brand like another'], {
    input: z.object({ ...one, name: text(64), reason: why }),
    output: decided,
    touches: decides,
    undo: back.single,
  }),
  /** Authorises the merchant for a brand that exists. */
  approveAsExisting: call.write('approveAsExisting', ['并入已有品牌', 'Join a brand'], {
    input: z.object({ ...one, brand_id: id }),
    output: decided,
    touches: decides,
    undo: back.single,
  }),
  reject: call.write('reject', ['驳回品牌申请', 'Reject a brand'], {
    input: z.object({ ...one, ...reasons }),
    output: decided,
    undo: back.single,
  }),
  askMore: call.write('askMore', ['要求补充品牌资料', 'Ask for more about a brand'], {
    input: z.object({ ...one, reason: why }),
    output: left,
  }),
  batchReject: call.write('batchReject', ['批量驳回品牌申请', 'Reject brands'], {
    input: z.object({ tasks: several, ...reasons }),
    output: batchResult,
    scope: byTasks,
    undo: back.batch,
  }),
  undo: back.undo,
}
