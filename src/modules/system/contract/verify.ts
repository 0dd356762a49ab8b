import { z } from 'zod'
import { verifyKinds, type VerifyKind } from '#src/areas/code/verifier.ts'
import { placed, read, write } from '#src/contract/call.ts'
import { codeFinds } from '#src/contract/finds.ts'
import {
  cents,
  guarded,
  id,
  lines,
  listOf,
  page,
  phoneText,
  searched,
  text,
  unix,
  version,
  asksExport,
  exportBegun,
} from '#src/contract/shapes.ts'
import { joined } from '#src/domain/text.ts'

const kind = z.enum(Object.keys(verifyKinds) as [VerifyKind, ...VerifyKind[]])
const status = z.enum(['active', 'disabled'])
const places = z
  .array(id)
  .min(1, { message: joined(['至少绑定一家门店', 'At least one store']) })
  .max(50)
export const verifierRow = z.object({
  id,
  name: z.string(),
  phone: guarded('admin.phone', z.string()),
  bound: z.boolean(),
  merchant_id: id,
  merchant_name: z.string(),
  stores: z.array(z.object({ id, name: z.string(), open: z.boolean() })),
  kinds: z.array(kind),
  daily_count_limit: z.int().nullable(),
  daily_amount_limit_cents: cents.nullable(),
  status,
  status_reason: z.string().nullable(),
  locked_until: unix.nullable(),
  last_at: unix.nullable(),
  city_name: z.string(),
  today_count: z.int(),
  today_cents: guarded('stat.amount_cents', cents),
  reversed_30d: z.int(),
  far_30d: z.int(),
  version,
})
export type VerifierRow = z.output<typeof verifierRow>
const one = { id, version }
const changed = z.object({ id, version })
const filters = {
  keyword: searched(40).optional(),
  city_id: id.optional(),
  merchant_id: id.optional(),
  store_id: id.optional(),
  status: status.optional(),
  odd: z.boolean().optional(),
}

const codeSeen = z.object({
  code: z.string(),
  kind,
  state: z.string(),
  product_title: z.string(),
  order_no: z.string(),
  merchant_name: z.string(),
  stores: z.array(z.object({ id, name: z.string(), open: z.boolean() })),
  uses_left: z.int(),
  times_total: z.int(),
  times_used: z.int(),
  valid_from: unix,
  valid_until: unix,
  /** Why it can't be used now, in words; null when it can. */
  refusal: z.string().nullable(),
  rule: z.string().nullable(),
  uses: z.array(
    z.object({
      at: unix,
      store: z.string(),
      by: z.string(),
      times: z.int(),
      reversed: z.boolean(),
    }),
  ),
})

export const verify = {
  lst: read('system/verify/lst', ['核销员管理', 'Verifiers'], {
    input: z.object({ ...filters, ...page }),
    output: listOf(verifierRow),
    touches: ['verifier', 'order'],
    finds: { keyword: { phone: ['admin.phone'] } },
    scope: placed('verifier'),
    permit: 'system.verify.view',
  }),
  /** Merchants and their open stores, to choose from. */
  merchants: read('system/verify/merchants', ['可选商户', 'Merchants to choose from'], {
    input: z.object({ keyword: searched(40).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: [],
    scope: placed('merchant'),
    permit: 'system.verify.view',
  }),
  stores: read('system/verify/stores', ['可选门店', 'Stores to choose from'], {
    input: z.object({
      keyword: searched(40).optional(),
      merchant_id: id.optional(),
      code: searched(40).optional(),
      ...page,
    }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: [],
    finds: codeFinds,
    scope: placed('store'),
    permit: 'system.verify.view',
  }),
  others: read('system/verify/others', ['可交接核销员', 'Clerks of the same merchant'], {
    input: z.object({ id, keyword: searched(40).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['verifier'],
    scope: placed('verifier', 'id'),
    permit: 'system.verify.view',
  }),
  create: write('system/verify/create', ['新增核销员', 'Add a verifier'], {
    input: z.object({
      name: text(32),
      phone: phoneText(),
      store_ids: places,
      kinds: z.array(kind).min(1),
    }),
    output: changed,
    touches: ['verifier'],
    scope: placed('verifier'),
    permit: 'system.verify.create',
  }),
  edit: write('system/verify/edit', ['编辑核销员', 'Edit verifier'], {
    input: z.object({
      ...one,
      name: text(32),
      phone: phoneText().optional(),
      kinds: z.array(kind).min(1),
    }),
    output: changed,
    touches: ['verifier'],
    scope: placed('verifier', 'id'),
    permit: 'system.verify.edit',
  }),
  bindStores: write('system/verify/bindStores', ['绑定门店', 'Bind stores'], {
    input: z.object({ ...one, store_ids: places }),
    output: changed,
    touches: ['verifier'],
    scope: placed('verifier', 'id'),
    permit: 'system.verify.bindStores',
  }),
  setLimit: write('system/verify/setLimit', ['设置日核销上限', 'Set daily limits'], {
    input: z.object({
      ...one,
      count: z.int().min(1).max(100_000).nullable(),
      amount_cents: cents.min(1).nullable(),
    }),
    output: changed,
    touches: ['verifier'],
    scope: placed('verifier', 'id'),
    permit: 'system.verify.setLimit',
  }),
  unbindWechat: write('system/verify/unbindWechat', ['解绑微信', 'Unbind WeChat'], {
    input: z.object({ ...one, reason: lines(255, 2) }),
    output: changed,
    touches: ['verifier'],
    scope: placed('verifier', 'id'),
    permit: 'system.verify.unbindWechat',
  }),
  disable: write('system/verify/disable', ['停用核销员', 'Disable'], {
    input: z.object({ ...one, reason: lines(255, 2) }),
    output: changed,
    touches: ['verifier'],
    scope: placed('verifier', 'id'),
    permit: 'system.verify.disable',
  }),
  enable: write('system/verify/enable', ['启用核销员', 'Enable'], {
    input: z.object(one),
    output: changed,
    touches: ['verifier'],
    scope: placed('verifier', 'id'),
    permit: 'system.verify.enable',
  }),
  lookupCode: read('system/verify/lookupCode', ['查询券码', 'Look up a code'], {
    input: z.object({ code: text(40), store_id: id.optional() }),
    output: codeSeen,
    touches: ['order'],
    finds: codeFinds,
    scope: placed('order'),
    permit: 'system.verify.lookupCode',
  }),
  verifyForStore: write('system/verify/verifyForStore', ['平台代核销', 'Redeem for the store'], {
    input: z.object({
      code: text(40),
      store_id: id,
      times: z.int().min(1).max(1000),
      reason: lines(255, 2),
    }),
    output: z.object({ code_id: id, uses_left: z.int() }),
    touches: ['order', 'verifier'],
    scope: placed('order'),
    permit: 'system.verify.verifyForStore',
  }),
  transfer: write('system/verify/transfer', ['交接核销员', 'Hand over'], {
    input: z.object({ ...one, verifier_id: id }),
    output: changed,
    touches: ['verifier'],
    scope: placed('verifier', 'id'),
    permit: 'system.verify.transfer',
  }),
  export: write('system/verify/export', ['导出核销员', 'Export'], {
    input: z.object({ ...filters, ...asksExport() }),
    output: exportBegun,
    touches: ['export'],
    finds: { keyword: { phone: ['admin.phone'] } },
    scope: placed('verifier'),
    permit: 'system.verify.export',
  }),
}
