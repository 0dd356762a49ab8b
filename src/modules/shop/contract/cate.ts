import { z } from 'zod'
import { CLASS_LAST } from '#src/areas/brand/trademark.ts'
import { COMMISSION_MAX_BP } from '#src/areas/merchant/eCategory.ts'
import { shopProductKinds, type ShopProductKind } from '#src/areas/merchant/shopCategory.ts'
import { callsOf, reason, status } from '#src/contract/record.ts'
import { cents, guarded, id, keysOf, keyText, text } from '#src/contract/shapes.ts'
import { treeCalls, treeRow } from '#src/contract/tree.ts'

const kinds = z.array(keysOf<ShopProductKind>(shopProductKinds))
const rate = z.int().min(0).max(COMMISSION_MAX_BP)
const trademarkClass = z.array(z.int().min(1).max(CLASS_LAST))
export const shopCategoryRow = z.object({
  ...treeRow,
  icon: z.string(),
  status,
  /** Whether consumers see it: by itself and all above it. */
  is_shown: z.boolean(),
  /** Its own, and what holds by it or one above; null: as each contract agrees. */
  own_rate_bp: rate.nullable(),
  rate_bp: rate.nullable(),
  need_licenses: z.array(z.string()),
  trademark_classes: trademarkClass,
  product_kinds: kinds,
  /** How many hang on it, and with those below it. */
  stores: z.int(),
  stores_all: z.int(),
  open_stores: z.int(),
  products: z.int(),
  products_all: z.int(),
  on_sale: z.int(),
  children: z.int(),
  /** Categories that were merged into it. */
  took_over: z.array(z.string()),
})
export type ShopCategoryRow = z.output<typeof shopCategoryRow>

const fields = { name: text(10), icon: keyText(255).default('') }
const view = 'shop.cate.view'
const call = callsOf('shop/cate', {
  touches: ['shop_category', 'store', 'product'],
  rows: 'all',
})

/** The categories of stores: three levels, and stores and products on their leaves. */
export const shopCate = {
  ...treeCalls(call, view, ['门店经营分类', 'category']),
  /** All of them, in tree order. */
  lst: call.read('lst', ['门店经营分类', 'Store categories'], {
    input: z.object({}),
    output: z.object({ list: z.array(shopCategoryRow) }),
    permit: view,
  }),
  /** What its stores sold in 30 days, with those below it. */
  sales: call.read('sales', ['分类成交额', 'Sales of a category'], {
    input: z.object({ id }),
    output: z.object({ gmv_30d_cents: guarded('stat.gmv_cents', cents) }),
    touches: ['shop_category', 'store', 'order'],
    permit: view,
  }),
  /** Under one that has stores or products it takes these over, where `take` says so. */
  create: call.creates('create', ['新增经营分类', 'Create a category'], {
    fields: { ...fields, parent_id: id.optional(), take: z.boolean().default(false) },
    answer: { moved: z.int() },
  }),
  edit: call.changes('edit', ['编辑经营分类', 'Edit a category'], { fields }),
  /** Without a rate it has that of the one above; for new contracts only. */
  setRate: call.changes('setRate', ['修改默认费率', 'Set the take rate'], {
    fields: { rate_bp: rate.optional(), reason },
  }),
  setLicense: call.changes('setLicense', ['设置必备资质', 'Set the licences'], {
    fields: {
      list: z.array(text(32)).max(20),
      /** Classes of trademarks, one of which a brand must have; without any those above hold. */
      classes: trademarkClass.max(CLASS_LAST).optional(),
    },
  }),
  /** Without any it sells all kinds. */
  setKinds: call.changes('setKinds', ['设置可售类型', 'Set product types'], { fields: { kinds } }),
  show: call.changes('show', ['展示经营分类', 'Show a category']),
  hide: call.changes('hide', ['隐藏经营分类', 'Hide a category'], { fields: { reason } }),
  export: call.startsExport('export', ['导出经营分类', 'Export the categories'], { filters: {} }),
}
