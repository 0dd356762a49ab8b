import { z } from 'zod'
import { freightPayers, RETURN_MAX_DAYS } from '#src/areas/afterSalePolicy/policy.ts'
import { CLASS_LAST } from '#src/areas/brand/trademark.ts'
import { COMMISSION_MAX_BP } from '#src/areas/merchant/eCategory.ts'
import { callsOf, reason, status } from '#src/contract/record.ts'
import { id, keysOf, keyText, listOf, page, searched, text } from '#src/contract/shapes.ts'
import { treeCalls, treeRow } from '#src/contract/tree.ts'

const returnPolicy = z.object({
  days: z.int().min(0),
  exempt: z.boolean(),
  payer: keysOf(freightPayers),
})
const rate = z.int().min(0).max(COMMISSION_MAX_BP)
const trademarkClass = z.array(z.int().min(1).max(CLASS_LAST))
export const eCategoryRow = z.object({
  ...treeRow,
  icon: z.string(),
  picture: z.string(),
  status,
  searchable: z.boolean(),
  /** Whether consumers see it, and find its products by searching: by itself and all above it. */
  is_shown: z.boolean(),
  is_searched: z.boolean(),
  /** Its own, and what holds by it or one above; null: as each product agreed. */
  own_rate_bp: rate.nullable(),
  rate_bp: rate.nullable(),
  need_licenses: z.array(z.string()),
  trademark_classes: trademarkClass,
  own_policy: z.boolean(),
  return_policy: returnPolicy,
  /** How many hang on it, with those below it, and how many of these are on sale. */
  products: z.int(),
  products_all: z.int(),
  on_sale: z.int(),
  children: z.int(),
  /** Categories that were merged into it. */
  took_over: z.array(z.string()),
})
export type ECategoryRow = z.output<typeof eCategoryRow>

const fields = {
  name: text(24),
  icon: keyText(255).default(''),
  picture: keyText(255).default(''),
}
const view = 'config.entry.eCategoryConfig.view'
const call = callsOf('config/entry/eCategoryConfig', {
  touches: ['e_category', 'product', 'after_sale_config'],
  rows: 'all',
})

/** The categories of the online mall: three levels, and products on their leaves. */
export const eCategoryConfig = {
  ...treeCalls(call, view, ['电商分类', 'category']),
  /** All of them, in tree order. */
  lst: call.read('lst', ['电商分类', 'E-commerce categories'], {
    input: z.object({}),
    output: z.object({ list: z.array(eCategoryRow) }),
    permit: view,
  }),
  /** Where the products of a category may go. */
  leaves: call.read('leaves', ['可转入的分类', 'Where products may go'], {
    input: z.object({ ...page, id: id.optional(), keyword: searched(64).optional() }),
    output: listOf(z.object({ id, full_name: z.string() })),
    permit: view,
  }),
  /** Under one that has products it takes these over, where `take_products` says so. */
  create: call.creates('create', ['新增电商分类', 'Create a category'], {
    fields: { ...fields, parent_id: id.optional(), take_products: z.boolean().default(false) },
    answer: { moved: z.int() },
  }),
  edit: call.changes('edit', ['编辑电商分类', 'Edit a category'], { fields }),
  /** Without a rate it has that of the one above; for what is ordered later. */
  setCommission: call.changes('setCommission', ['设置佣金比例', 'Set the commission'], {
    fields: { rate_bp: rate.optional(), reason },
  }),
  setQualification: call.changes('setQualification', ['设置资质要求', 'Set the licences'], {
    fields: {
      list: z.array(text(32)).max(20),
      /** Classes of trademarks, one of which a brand must have; without any those above hold. */
      classes: trademarkClass.max(CLASS_LAST).optional(),
    },
  }),
  /** Without a policy it has that of the one above; for what is ordered later. */
  setReturnPolicy: call.changes('setReturnPolicy', ['设置退货政策', 'Set the return policy'], {
    fields: {
      policy: returnPolicy.extend({ days: z.int().min(0).max(RETURN_MAX_DAYS) }).optional(),
    },
  }),
  show: call.changes('show', ['显示电商分类', 'Show a category']),
  hide: call.changes('hide', ['隐藏电商分类', 'Hide a category'], {
    fields: { searchable: z.boolean().default(true), reason },
  }),
  moveProducts: call.changes('moveProducts', ['转移商品', 'Move products'], {
    fields: { target_id: id },
    answer: { moved: z.int() },
  }),
  export: call.startsExport('export', ['导出电商分类', 'Export the categories'], { filters: {} }),
}
