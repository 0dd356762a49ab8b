import { z } from 'zod'
import { settleStates, type SettleState } from '#src/areas/order/order.ts'
import { placed, read, write } from '#src/contract/call.ts'
import { codeFinds } from '#src/contract/finds.ts'
import {
  batchResult,
  begun,
  cents,
  guarded,
  id,
  lines,
  listOf,
  page,
  settled,
  unix,
  version,
  searched,
  asksExport,
  exportBegun,
} from '#src/contract/shapes.ts'
import type { Text } from '#src/domain/text.ts'
import { BATCH_MAX } from './shared.ts'

const settle = z.enum(Object.keys(settleStates) as [SettleState])
export const verifyWays = {
  scan: ['扫码', 'Scanned'],
  input: ['输入', 'Code entered'],
  platform: ['平台代核销', 'By the platform'],
  api: ['接口', 'API'],
  auto: ['自动', 'Automatic'],
} as const satisfies Record<string, Text>
export type VerifyWay = keyof typeof verifyWays
/** What deserves a look; each list offers those that can be there. */
export const verifyFlags = {
  far: ['远离门店', 'Far from its store'],
  wrong_store: ['非适用门店', 'Not a usable store'],
  abnormal: ['已标记异常', 'Marked abnormal'],
  together: ['整团 5 分钟内核销', 'Whole group within 5 minutes'],
  equal_face: ['账单金额总等于面值', 'Bills that equal the face'],
} as const satisfies Record<string, Text>
export type VerifyFlag = keyof typeof verifyFlags

/** One redemption. What was taken back stays, with both its times. */
export const verifyRow = z.object({
  id,
  order_id: id,
  order_no: z.string(),
  member_id: id.nullable(),
  code: guarded('order.code', z.string()),
  title: z.string(),
  store_id: id,
  store_name: z.string(),
  merchant_name: z.string(),
  city_name: z.string(),
  by: z.string(),
  way: z.enum(Object.keys(verifyWays) as [VerifyWay]),
  times: z.int(),
  pay_cents: cents,
  platform_cents: cents,
  commission_cents: guarded('product.commission_bp', cents),
  settle_cents: settled,
  state: z.enum(['valid', 'reversed']),
  settle_state: settle,
  frozen: z.boolean(),
  distance_m: z.int().nullable(),
  abnormal: z.boolean(),
  abnormal_reason: z.string().nullable(),
  flags: z.array(z.enum(Object.keys(verifyFlags) as [VerifyFlag])),
  verified_at: unix,
  hold_until: unix,
  reversed_at: unix.nullable(),
  reversed_by: z.string().nullable(),
  reverse_reason: z.string().nullable(),
  /** Whoever redeemed it for the store may not take it back. */ admin_id: id.nullable(),
  group: z
    .object({
      id,
      no: z.string(),
      role: z.enum(['leader', 'member']).nullable(),
      price_cents: cents,
      single_cents: cents,
    })
    .nullable(),
  bill: z
    .object({
      no: z.string().nullable(),
      cents,
      vouchers: z.int(),
      face_cents: cents,
      limit: z.int().nullable(),
    })
    .nullable(),
  version,
})
export type VerifyRow = z.output<typeof verifyRow>

const verifyFilters = {
  settle: z.enum(['all', ...Object.keys(settleStates)] as ['all', ...SettleState[]]).default('all'),
  /** An order's or bill's number or a whole code. */
  q: searched(60).optional(),
  city_id: id.optional(),
  store_id: id.optional(),
  verifier_id: id.optional(),
  way: z.enum(Object.keys(verifyWays) as [VerifyWay]).optional(),
  flag: z.enum(Object.keys(verifyFlags) as [VerifyFlag]).optional(),
  group_id: id.optional(),
  /** When it was redeemed: at most 186 days. */
  from: unix.optional(),
  to: unix.optional(),
}
const asked = <S extends z.ZodRawShape>(more: S) =>
  begun({ ...verifyFilters, ...more }, ['from', 'to'])
const sums = z.object({
  rows: z.int(),
  times: z.int(),
  pay_cents: cents,
  platform_cents: cents,
  commission_cents: guarded('product.commission_bp', cents),
  settle_cents: settled,
})
export type VerifySums = z.output<typeof sums>
export type VerifyPage = 'bulks' | 'voucher' | 'rollBuy'
const allSums = z.object({
  all: sums,
  reversed: sums,
  net: sums,
  /** Bills of vouchers that stand, and their amounts. */
  bills: z.object({ n: z.int(), cents }).nullable(),
})
const reason = lines(255, 2)
const changed = z.object({ id, version })

/** Redemptions of one's own data, found by a code too. */
const ofRecords = { scope: placed('verify_record'), finds: { q: codeFinds.code } }
/** The calls that every list of redemptions has, each page with its own permissions. */
const verifyCalls = <P extends VerifyPage>(of: P, zh: string, en: string) => {
  const [path, permit] = [`order/${of}/verify`, (verb: string) => `order.${of}.verify.${verb}`]
  return {
    lst: read(`${path}/lst`, [`${zh}列表`, `${en} list`], {
      input: asked(page),
      output: listOf(verifyRow),
      touches: ['order'],
      ...ofRecords,
      permit: permit('view'),
    }),
    counts: read(`${path}/counts`, [`${zh}计数`, `${en} counts`], {
      input: asked({}),
      output: z.record(z.string(), z.int()),
      touches: ['order'],
      ...ofRecords,
      permit: permit('view'),
    }),
    /**
     * All that was redeemed, what was taken back of it (below zero), and what is left: the rows
     * that stand, which is what is settled.
     */
    sums: read(`${path}/sums`, [`${zh}合计`, `${en} totals`], {
      input: asked({}),
      output: allSums,
      touches: ['order'],
      ...ofRecords,
      permit: permit('view'),
    }),
    stores: read(`${path}/stores`, ['可选门店', 'Stores to choose'], {
      input: z.object({ keyword: searched(60).optional(), ...page }),
      output: listOf(z.object({ id, name: z.string(), merchant_name: z.string() })),
      touches: [],
      scope: placed('store'),
      permit: permit('view'),
    }),
    clerks: read(`${path}/clerks`, ['可选核销员', 'Clerks to choose'], {
      input: z.object({ keyword: searched(60).optional(), ...page }),
      output: listOf(z.object({ id, name: z.string(), merchant_name: z.string() })),
      touches: [],
      ...ofRecords,
      permit: permit('view'),
    }),
    reverse: write(`${path}/reverse`, ['撤销核销', 'Reverse a redemption'], {
      input: z.object({ id, version, reason }),
      output: changed,
      touches: ['order'],
      scope: placed('verify_record', 'id'),
      permit: permit('reverse'),
    }),
    batchReverse: write(`${path}/batchReverse`, ['批量撤销', 'Take several back'], {
      input: z.object({ ids: z.array(id).min(1).max(BATCH_MAX), reason }),
      output: batchResult,
      touches: ['order'],
      scope: placed('verify_record', 'ids'),
      permit: permit('batchReverse'),
    }),
    markAbnormal: write(`${path}/markAbnormal`, ['标记异常', 'Mark as abnormal'], {
      input: z.object({ id, version, reason }),
      output: changed,
      touches: ['order'],
      scope: placed('verify_record', 'id'),
      permit: permit('markAbnormal'),
    }),
    clearAbnormal: write(`${path}/clearAbnormal`, ['取消异常标记', 'Clear the mark'], {
      input: z.object({ id, version }),
      output: changed,
      touches: ['order'],
      scope: placed('verify_record', 'id'),
      permit: permit('clearAbnormal'),
    }),
    export: write(`${path}/export`, [`导出${zh}`, `Export ${en.toLowerCase()}`], {
      input: asked({
        ...asksExport(),
      }),
      output: exportBegun,
      touches: ['export'],
      ...ofRecords,
      permit: permit('export'),
    }),
  }
}
export type VerifyCalls = ReturnType<typeof verifyCalls<'bulks'>>

export const bulksVerify = {
  ...verifyCalls('bulks', '团购核销记录', 'Group-buy redemptions'),
  /** Tells what stands of one Shanghai day of a store, by clerk and by each of its 24 hours. */
  dayReport: read('order/bulks/verify/dayReport', ['门店日汇总', 'A day of a store'], {
    input: z.object({ store_id: id, date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/) }),
    output: z.object({
      store_name: z.string(),
      date: z.string(),
      all: sums,
      reversed: sums,
      net: sums,
      clerks: z.array(z.object({ by: z.string(), rows: z.int(), settle_cents: settled })),
      hours: z.array(z.object({ rows: z.int(), settle_cents: settled })),
    }),
    touches: ['order'],
    scope: placed('verify_record', { store_id: 'store' }),
    permit: 'order.bulks.verify.dayReport',
  }),
}
export const rollBuyVerify = verifyCalls('rollBuy', '拼团核销记录', 'Multi-person redemptions')
export const voucherVerify = {
  ...verifyCalls('voucher', '代金券核销', 'Voucher redemptions'),
  reverseBill: write('order/voucher/verify/reverseBill', ['撤销整单核销', 'Take a bill back'], {
    input: z.object({ id, reason }),
    output: z.object({ id, reversed: z.array(id) }),
    touches: ['order'],
    scope: placed('verify_record', 'id'),
    permit: 'order.voucher.verify.reverseBill',
  }),
  reportRisk: write('order/voucher/verify/reportRisk', ['提交风控', 'Report to risk control'], {
    input: z.object({ id, reason }),
    output: z.object({ id, hit_id: id }),
    touches: ['order', 'risk_hit'],
    scope: placed('verify_record', 'id'),
    permit: 'order.voucher.verify.reportRisk',
  }),
}
