import { z } from 'zod'
import {
  DISCOUNT_LEAST,
  DISCOUNT_MOST,
  discountScopes,
  WHOLE_BP,
  type DiscountScope,
} from '#src/areas/vipCard/discount.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason, status } from '#src/contract/record.ts'
import {
  basisPoints,
  cents,
  id,
  keysOf,
  listOf,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const scope = keysOf<DiscountScope>(discountScopes)
const count = z.int().min(0)
const named = z.object({ id, name: z.string() })
const terms = {
  discount_bp: z.int().min(DISCOUNT_LEAST).max(DISCOUNT_MOST),
  cap_cents: z.int().min(0).max(10_000_000),
  monthly_times: z.int().min(0).max(1000),
  platform_share_bp: basisPoints,
  merchant_share_bp: z.int().min(0).max(WHOLE_BP),
  consent_no: text(30, 0).default(''),
  start_at: unix,
  end_at: unix,
}
const fields = { card_id: id, scope, scope_id: count, ...terms }
export const discountRow = z.object({
  id,
  ...fields,
  consent_no: z.string(),
  card_name: z.string(),
  /** What it is for, and why that is closed. */
  target: z.string(),
  closed: z.string(),
  status,
  off_reason: z.string(),
  used_count: count,
  subsidy_cents: cents,
  updated_at: unix,
  version,
})
export type DiscountRow = z.output<typeof discountRow>

const filters = {
  card_id: id.optional(),
  scope: scope.optional(),
  status: status.optional(),
}
const call = callsOf('vip/card/discount', { touches: ['vip_card_discount'], rows: 'all' })
const view = 'vip.card.discount.view'
const picked = { ...page, keyword: searched(40).optional() }

/** Where plans give a price of members, who bears it, and how often it may be used. */
export const vipDiscounts = {
  lst: call.lists('lst', ['会员卡折扣', 'VIP card discounts'], { filters, row: discountRow }),
  plans: call.read('plans', ['可选卡种', 'Plans to choose'], {
    input: z.object(picked),
    output: listOf(named),
    touches: ['vip_card'],
    permit: view,
  }),
  /** Malls, stores or products that a line may be for. */
  targets: call.read('targets', ['可选范围', 'What it may be for'], {
    input: z.object({ ...picked, scope: z.enum(['mall', 'store', 'product']) }),
    output: listOf(named),
    touches: ['store', 'mall', 'product'],
    permit: view,
    scope: placed('store'),
  }),
  categories: call.read('categories', ['可选类目', 'Categories to choose'], {
    input: z.object(picked),
    output: listOf(named),
    touches: ['shop_category'],
    permit: view,
  }),
  create: call.creates('create', ['新增折扣', 'Create a discount'], { fields }),
  edit: call.changes('edit', ['编辑折扣', 'Edit a discount'], { fields }),
  enable: call.changes('enable', ['启用折扣', 'Enable a discount']),
  disable: call.changes('disable', ['停用折扣', 'Disable a discount'], { fields: { reason } }),
  /** A line for each store, off until it is enabled; a store that has one then is told. */
  batchAddStores: call.write('batchAddStores', ['批量添加门店', 'Add stores'], {
    input: z.object({ card_id: id, store_ids: z.array(id).min(1).max(200), ...terms }),
    output: z.object({
      added: count,
      failed: z.array(z.object({ id, name: z.string(), msg: z.string() })),
    }),
    scope: placed('store', { store_ids: 'store' }),
  }),
  checkConflict: call.read('checkConflict', ['检查规则冲突', 'Check for conflicts'], {
    input: z.object({ id }),
    output: z.object({
      list: z.array(
        z.object({
          id,
          scope,
          target: z.string(),
          discount_bp: z.int(),
          start_at: unix,
          end_at: unix,
          status,
          /** It is for the same, or a wider or a narrower one that holds for some of it. */
          how: z.enum(['same', 'wider', 'narrower']),
        }),
      ),
    }),
    permit: 'vip.card.discount.checkConflict',
  }),
  export: call.startsExport('export', ['导出折扣清单', 'Export discounts'], { filters }),
}
