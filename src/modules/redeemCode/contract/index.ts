import { z } from 'zod'
import { GOODS_NAME_MAX } from '#src/areas/redeemCode/goods.ts'
import { VIP_DAYS_MOST } from '#src/areas/redeemCode/membership.ts'
import {
  batchStates,
  bearers,
  codeKinds,
  EXPORT_MOST,
  QUANTITY_MAX,
  rewardKinds,
  runKinds,
  type BatchState,
  type Bearer,
  type CodeKind,
  type RewardKind,
} from '#src/areas/redeemCode/redeemCode.ts'
import { alphabets, type Alphabet } from '#src/areas/secret/secretCode.ts'
import { callsOf, reason, status } from '#src/contract/record.ts'
import {
  cents,
  id,
  keysOf,
  keyText,
  listOf,
  open,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { isBase64 } from '#src/domain/base64.ts'

const most = z.int().min(1).max(1000)
/** What one reward that the batch itself prices may cost, in cents. */
export const rewardCents = cents.min(0).max(50_000_00)
/** The terms of a batch; its rule tells what is wrong with it as a whole (`batchFaults`). */
export const batchFields = {
  name: text(60),
  partner: text(40),
  contract_no: open('A partner’s contract, no merchant’s', text(40, 0)),
  code_kind: keysOf<CodeKind>(codeKinds),
  alphabet: keysOf<Alphabet>(alphabets),
  length: z.int().min(8).max(32),
  prefix: keyText(8, 1),
  quantity: z.int().min(1).max(QUANTITY_MAX),
  start_at: unix,
  end_at: unix,
  use_limit: z.int().min(1).max(QUANTITY_MAX).nullable(),
  limit_member: most.nullable(),
  limit_phone: most.nullable(),
  limit_device: most.nullable(),
  new_only: z.boolean(),
  mall_ids: z.array(id).max(50),
  bearer: keysOf<Bearer>(bearers),
  /** Coupons, of which film tickets are some. */
  coupon_ids: z.array(id).max(6),
  points: z.int().min(0).max(1_000_000),
  points_days: z.int().min(1).max(3650),
  goods: text(GOODS_NAME_MAX, 0),
  goods_cents: rewardCents,
  vip_card_id: id.nullable(),
  /** A code gives so many days of the plan; 0 where there is none. */
  vip_days: z.int().min(0).max(VIP_DAYS_MOST),
  /** A face of an e-card of which a code gives one. */
  ecard_attr_id: id.nullable(),
  budget_cents: cents.min(0),
  note: text(200, 0),
}
const named = z.object({ id, name: z.string() })
export const batchRow = z.object({
  id,
  ...batchFields,
  /** `film_cents`: what a film ticket pays at most; null of other coupons. */
  coupons: z.array(
    z.object({ id, name: z.string(), film_cents: cents.nullable(), ended: z.boolean() }),
  ),
  malls: z.array(named),
  /** The days that a code gives; null where it gives none. */
  membership: z.object({ plan: z.string(), days: z.int(), ended: z.boolean() }).nullable(),
  vip_cents: cents,
  /** The e-card that a code gives; null where it gives none. */
  card: z.object({ name: z.string(), face_cents: cents, ended: z.boolean() }).nullable(),
  ecard_cents: cents,
  unit_cost_cents: cents,
  /** The most that all of it may cost. */ worst_cents: cents,
  status: keysOf<BatchState>(batchStates),
  reason: z.string(),
  amending: z.boolean(),
  amendment: z.object({ reason: z.string(), lines: z.array(z.string()) }).nullable(),
  needs_finance: z.boolean(),
  finance_by: id.nullable(),
  created_by: id,
  creator: z.string(),
  submitted_by: id.nullable(),
  approver: z.string(),
  copy_from_id: id.nullable(),
  /** How its partner calls our API; null where it has no key. */
  api: z
    .object({
      id,
      version,
      app_key: z.string(),
      ip_list: z.array(z.string()),
      status,
      reason: z.string(),
      old_key_until: unix.nullable(),
    })
    .nullable(),
  generated: z.int(),
  exported: z.int(),
  redeemed: z.int(),
  voided: z.int(),
  created_at: unix,
  updated_at: unix,
  version,
})
export type BatchRow = z.output<typeof batchRow>

const filters = {
  keyword: searched(40).optional(),
  partner: searched(40).optional(),
  reward: keysOf<RewardKind>(rewardKinds).optional(),
  status: keysOf<BatchState>(batchStates).optional(),
  /** Over within seven days. */ ending: z.boolean().optional(),
  /** Codes that were approved and not made yet. */ stock: z.boolean().optional(),
}
const call = callsOf('redeemCode/index', { touches: ['code_batch'], rows: 'all' })
const view = 'redeemCode.index.view'
const place = z.int().min(1).max(QUANTITY_MAX)
/** Few codes are done at once; of many there is a job. */
const worked = { done: z.int(), job_id: id.nullable() }
/** A million codes of 32 signs, as base64 in JSON. */
const FILE_MAX = 46 * 1024 * 1024
/** As `z.base64()`, which would decode a whole file to look at it. */
const base64Text = z.stringFormat('base64', isBase64)

const many = z.int().min(0)
/**
 * The stock of an e-card, how many of it a batch gives at the worst, and what the others may still
 * give (`waiting`: once what is in audit is approved); null of one that is made as it is given.
 */
export const cardStock = z
  .object({
    left: many,
    own: many,
    approved: many,
    waiting: many,
    short: many,
    short_with_waiting: many,
    others: z.array(
      z.object({
        id,
        name: z.string(),
        status: keysOf<BatchState>(batchStates),
        n: many,
        waiting: many,
      }),
    ),
  })
  .nullable()
export type CardStock = z.output<typeof cardStock>

/** Batches of codes that partners hand out, from their audit to their end. */
export const codeBatches = {
  lst: call.lists('lst', ['兑换码批次', 'Code batches'], { filters, row: batchRow }),
  detail: call.read('detail', ['兑换码批次详情', 'A code batch'], {
    input: z.object({ id }),
    output: batchRow,
    permit: view,
  }),
  /** What all batches promise of the e-card of one, against its stock. */
  stock: call.read('stock', ['电子卡库存与承诺', 'Stock of an e-card and promises of it'], {
    input: z.object({ id }),
    output: z.object({ stock: cardStock }),
    touches: ['code_batch', 'redeem_code', 'ecard', 'ecard_attr', 'ecard_code'],
    permit: view,
  }),
  /** The runs that made, imported and voided codes, the latest first. */
  runs: call.read('runs', ['生成记录', 'Runs of a batch'], {
    input: z.object({ id }),
    output: z.object({
      list: z.array(
        z.object({
          id,
          run_no: z.int(),
          kind: keysOf<keyof typeof runKinds>(runKinds),
          qty: z.int(),
          done: z.int(),
          by: z.string(),
          created_at: unix,
        }),
      ),
    }),
    permit: view,
  }),
  /** Coupons that are given out and may be promised. */
  coupons: call.read('coupons', ['可选优惠券', 'Coupons to choose'], {
    input: z.object({ ...page, keyword: searched(40).optional() }),
    output: listOf(named),
    touches: ['coupon'],
    permit: view,
  }),
  /** Plans on sale, of which days may be promised. */
  plans: call.read('plans', ['可选会员卡种', 'Plans to choose'], {
    input: z.object({ ...page, keyword: searched(40).optional() }),
    output: listOf(named),
    touches: ['vip_card'],
    permit: view,
  }),
  /** Coupons that are a film ticket, and may be promised. */
  films: call.read('films', ['可选影票', 'Film tickets to choose'], {
    input: z.object({ ...page, keyword: searched(40).optional() }),
    output: listOf(named),
    touches: ['coupon', 'film_owner'],
    permit: view,
  }),
  /** Faces of e-cards on sale, of which one may be promised; found by name or by yuan. */
  cards: call.read('cards', ['可选电子卡', 'E-cards to choose'], {
    input: z.object({ ...page, keyword: searched(40).optional() }),
    output: listOf(named),
    touches: ['ecard', 'ecard_attr'],
    permit: view,
  }),
  partners: call.read('partners', ['合作方', 'Partners'], {
    input: z.object({}),
    output: z.object({ list: z.array(z.string()) }),
    permit: view,
  }),
  submit: call.changes('submit', ['提交批次审核', 'Submit a batch']),
  approve: call.changes('approve', ['通过批次审核', 'Approve a batch']),
  approveFinance: call.changes('approveFinance', ['财务同意批次', 'Approve a batch as finance']),
  reject: call.changes('reject', ['驳回批次', 'Reject a batch'], { fields: { reason } }),
  generate: call.changes('generate', ['生成兑换码', 'Make codes'], {
    fields: { qty: place },
    answer: worked,
    touches: ['code_batch', 'job'],
  }),
  /** An encrypted file of codes that were not exported yet, or of some places. Shown once. */
  download: call.changes('download', ['加密导出兑换码', 'Export codes encrypted'], {
    fields: { from: place.optional(), to: place.optional() },
    answer: {
      rows: z.int().max(EXPORT_MOST),
      left: z.int(),
      name: z.string(),
      secret_file: z.string(),
      secret_password: z.string(),
    },
  }),
  extend: call.changes('extend', ['延长有效期', 'Extend a batch'], {
    fields: { end_at: unix, reason },
  }),
  pause: call.changes('pause', ['停用批次', 'Pause a batch'], { fields: { reason } }),
  resume: call.changes('resume', ['启用批次', 'Resume a batch']),
  voidCodes: call.changes('voidCodes', ['作废兑换码', 'Void codes'], {
    fields: { from: place, to: place, reason },
    answer: worked,
    touches: ['code_batch', 'job'],
  }),
  importCodes: call.write('importCodes', ['导入外部码', 'Import codes'], {
    input: z.object({ id, version, secret_file: base64Text.min(1).max(FILE_MAX) }),
    output: z.object({ id, version, ...worked }),
    touches: ['code_batch', 'job'],
    body_max: FILE_MAX + 4096,
  }),
  end: call.changes('end', ['结束批次', 'End a batch'], { fields: { reason } }),
  export: call.startsExport('export', ['导出批次', 'Export batches'], { filters }),
}
