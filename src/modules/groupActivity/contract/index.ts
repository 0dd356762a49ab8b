import { z } from 'zod'
import {
  EXEMPT_DAYS_MOST,
  limitDimensions,
  limitedKinds,
  limitScopes,
  limitWays,
  limitWindows,
  QTY_MOST,
  SCOPES_MOST,
} from '#src/areas/limit/rule.ts'
import { placed } from '#src/contract/call.ts'
import { memberFinds } from '#src/contract/finds.ts'
import { callsOf, reason, status } from '#src/contract/record.ts'
import {
  batchResult,
  guarded,
  id,
  keysOf,
  listOf,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const scope_kind = keysOf(limitScopes)
const product_kind = keysOf(limitedKinds)
const dimension = keysOf(limitDimensions)
const per = keysOf(limitWindows)
const qty = z.int().min(0).max(QTY_MOST)
const ofLevel = qty.optional()
const level_qty = z.object({ 1: ofLevel, 2: ofLevel, 3: ofLevel, 4: ofLevel, 5: ofLevel })
const named = z.object({ id, name: z.string() })
const said = {
  name: z.string(),
  scope_kind,
  ways: z.array(keysOf(limitWays)),
  product_kind,
  dimension,
  per,
  qty: z.int(),
  level_qty,
  return_on_refund: z.boolean(),
  start_at: unix,
  end_at: unix,
}
export const ruleRow = z.object({
  id,
  ...said,
  /** The rows that its scope names; none for a rule about activities or about everything. */
  scope: z.array(named),
  priority: z.int(),
  status,
  status_reason: z.string(),
  exempt: z.array(z.object({ member_id: id, name: z.string(), until: unix, reason: z.string() })),
  hits: z.int(),
  hits_today: z.int(),
  version,
})
export type RuleRow = z.output<typeof ruleRow>

const filters = {
  keyword: searched(60).optional(),
  scope_kind: scope_kind.optional(),
  product_kind: product_kind.optional(),
  dimension: dimension.optional(),
  mid: z.int().min(0).max(2147483647).optional(),
  status: status.optional(),
  /** It stopped a purchase. */
  hit: z.boolean().optional(),
}
const fields = {
  name: text(60, 2),
  scope_kind,
  scope_ids: z.array(id).max(SCOPES_MOST).default([]),
  ways: z.array(keysOf(limitWays)).max(4).default([]),
  product_kind,
  dimension,
  per,
  qty,
  level_qty: level_qty.default({}),
  return_on_refund: z.boolean().default(true),
  start_at: unix,
  end_at: unix,
  /** A writer of 0 confirms that nothing be sold. */
  zero_ok: z.boolean().default(false),
}
const call = callsOf('groupActivity/index', {
  touches: ['buy_limit_rule'],
  rows: 'buy_limit_rule',
})
const view = 'groupActivity.index.view'
const tried = z.object({
  /** For the product's own limit it is 0. */
  id: z.int(),
  name: z.string(),
  said: z.string(),
  limit: z.int(),
  had: z.int(),
  /** Null where it does not hold now, or nobody knows before an order is placed: `why` says it. */
  left: z.int().nullable(),
  why: z.string(),
  decides: z.boolean(),
})

/** How many of something one may buy: the rules, and a trial of them. */
export const groupActivity = {
  lst: call.lists('lst', ['限购规则', 'Purchase limits'], {
    filters,
    row: ruleRow,
    answer: { arranged: z.array(named), list_version: z.int() },
    touches: ['buy_limit_rule', 'buy_limit_log'],
  }),
  products: call.lists('products', ['可限购的商品', 'Products to limit'], {
    filters: { keyword: searched(60).optional(), kind: product_kind.optional() },
    row: named,
    touches: ['product'],
    scope: placed('product'),
    permit: view,
  }),
  stores: call.lists('stores', ['可限购的门店', 'Stores to limit'], {
    filters: { keyword: searched(60).optional() },
    row: named,
    touches: ['store'],
    scope: placed('store'),
    permit: view,
  }),
  categories: call.lists('categories', ['可限购的类目', 'Categories to limit'], {
    filters: { keyword: searched(60).optional(), kind: product_kind.optional() },
    row: named,
    touches: ['shop_category', 'e_category'],
    scope: 'all',
    permit: view,
  }),
  /** By a whole phone or number, or the beginning of a name. */
  members: call.read('members', ['会员', 'Members'], {
    input: z.object({ keyword: searched(40).optional(), ...page }),
    output: listOf(named.extend({ uid: z.string(), phone: guarded('member.phone', z.string()) })),
    touches: ['member'],
    finds: memberFinds,
    scope: placed('member'),
    permit: view,
  }),
  create: call.creates('create', ['新增限购', 'Create a limit'], { fields }),
  /** A change of what is counted lets counting begin anew; a lower limit only stops what comes. */
  edit: call.changes('edit', ['编辑限购', 'Edit a limit'], { fields }),
  copy: call.changes('copy', ['复制限购', 'Copy a limit'], { fields: { name: text(60, 2) } }),
  enable: call.changes('enable', ['启用限购', 'Enable a limit']),
  disable: call.changes('disable', ['停用限购', 'Disable a limit'], { fields: { reason } }),
  batchDisable: call.write('batchDisable', ['批量停用限购', 'Disable limits'], {
    input: z.object({ ids: z.array(id).min(1).max(100), reason }),
    output: batchResult,
    scope: placed('buy_limit_rule', 'ids'),
  }),
  /** Says how many each rule about a product allows a member now, and which of them decides. */
  test: call.read('test', ['试算可购数', 'Check allowance'], {
    input: z.object({ member_id: id, product_id: id }),
    output: z.object({
      member: z.string(),
      product: z.string(),
      /** Null where nothing limits it. */
      may_buy: z.int().nullable(),
      black: z.boolean(),
      rules: z.array(tried),
    }),
    touches: ['buy_limit_rule', 'order', 'risk_list'],
    scope: placed('buy_limit_rule', { member_id: 'member', product_id: 'product' }),
    permit: 'groupActivity.index.test',
  }),
  /** A member who is exempt again is so until the later of both ends. */
  exempt: call.changes('exempt', ['添加豁免会员', 'Exempt a member'], {
    fields: { member_id: id, days: z.int().min(1).max(EXEMPT_DAYS_MOST), reason },
    answer: { until: unix },
    scope: placed('buy_limit_rule', { id: 'buy_limit_rule', member_id: 'member' }),
  }),
  sort: call.sorts('sort', ['调整优先级', 'Arrange rules'], { fields: {} }),
  del: call.deletes('del', ['删除限购', 'Delete a limit']),
  export: call.startsExport('export', ['导出限购规则', 'Export limits'], { filters }),
}
