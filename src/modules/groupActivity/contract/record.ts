import { z } from 'zod'
import { limitResults, limitRules } from '#src/areas/limit/limits.ts'
import {
  EXEMPT_DAYS_MOST,
  limitDimensions,
  limitScopes,
  limitWindows,
} from '#src/areas/limit/rule.ts'
import { orderKinds, orderStatuses } from '#src/areas/order/order.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  asksExport,
  exportBegun,
  guarded,
  id,
  keysOf,
  listOf,
  page,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'

const dimension = keysOf(limitDimensions)
const said = z.object({
  name: z.string(),
  scope_kind: keysOf(limitScopes),
  dimension,
  per: keysOf(limitWindows),
  qty: z.int(),
  return_on_refund: z.boolean(),
  start_at: unix,
  end_at: unix,
})
export const hitRow = z.object({
  id,
  created_at: unix,
  /** Null for a visitor, who has no name either. */
  member_id: id.nullable(),
  nickname: z.string(),
  phone: guarded('member.phone', z.string()),
  /** The title names it; null where an e-card was bought. */
  product_id: id.nullable(),
  ecard_id: id.nullable(),
  product_title: z.string(),
  /** Rules that were set up have a name; a product's own limit goes by its kind. */
  rule: keysOf(limitRules),
  rule_id: id.nullable(),
  rule_version: z.int().nullable(),
  rule_said: said.nullable(),
  dimension,
  /** The phone or device that was counted by; nothing where the member was. */
  dim_value: guarded('member.phone', z.string()),
  channel: z.string(),
  limit_n: z.int(),
  bought_n: z.int(),
  asked_n: z.int(),
  allowed_n: z.int(),
  folded: z.int(),
  result: keysOf(limitResults),
  /** An order of the product that the buyer made within a week after. */
  later: z.object({ id, order_no: z.string(), kind: keysOf(orderKinds) }).nullable(),
  /** Until when the rule does not hold the member now. */
  exempt_until: unix.nullable(),
  black: z.boolean(),
  version,
})
export type HitRow = z.output<typeof hitRow>
const filters = {
  /** The filter takes a whole phone. */
  phone: searched(30).optional(),
  member_id: id.optional(),
  product_id: id.optional(),
  rule_id: id.optional(),
  dimension: dimension.optional(),
  mid: z.int().min(0).max(2147483647).optional(),
  from: unix.optional(),
  to: unix.optional(),
}
/** A hidden phone is found by the whole of it alone. */
const finds = { phone: { phone: ['member.phone'] } }
const call = callsOf('groupActivity/record', { touches: ['buy_limit_log'], rows: 'buy_limit_log' })
const ranked = z.object({ id, name: z.string(), hits: z.int(), buyers: z.int() })
const mark = { id, reason, days: z.int().min(1).max(EXEMPT_DAYS_MOST) }

/** Group-buys and e-cards that a limit stopped: their part of the log of all limits. */
export const limitHits = {
  /** At most 92 days; without a period the last 92. */
  lst: call.read('lst', ['团购限购记录', 'Group-buy limit records'], {
    input: z.object({ ...page, ...filters }),
    output: listOf(hitRow),
    finds,
    permit: 'groupActivity.record.view',
    touches: ['buy_limit_log', 'buy_limit_rule', 'risk_list', 'order'],
  }),
  /** Rules that are too tight, and buyers who come again and again. */
  ranking: call.read('ranking', ['限购排行', 'Most limited'], {
    input: z.object({ from: unix.optional(), to: unix.optional() }),
    output: z.object({ rules: z.array(ranked), members: z.array(ranked), from: unix, to: unix }),
    permit: 'groupActivity.record.view',
  }),
  /** The rule as it was when it stopped the purchase, and as it is now; null where it is gone. */
  viewRule: call.read('viewRule', ['查看命中规则', 'View the matched rule'], {
    input: z.object({ id }),
    output: z.object({
      was: said.nullable(),
      now: said.extend({ version: z.int(), status: z.enum(['on', 'off']) }).nullable(),
    }),
    touches: ['buy_limit_log', 'buy_limit_rule'],
    scope: placed('buy_limit_log', 'id'),
    permit: 'groupActivity.record.viewRule',
  }),
  /** The earlier purchases of the buyer that counted then. */
  orders: call.read('orders', ['查看已购订单', 'View orders'], {
    input: z.object({ id }),
    output: z.object({
      list: z.array(
        z.object({
          id,
          order_no: z.string(),
          kind: keysOf(orderKinds),
          status: keysOf(orderStatuses),
          at: unix,
          qty: z.int(),
          returned: z.int(),
        }),
      ),
    }),
    touches: ['buy_limit_log', 'order'],
    scope: placed('buy_limit_log', 'id'),
    permit: 'groupActivity.record.openOrders',
  }),
  /** It holds from the next order on. */
  exempt: call.write('exempt', ['豁免该会员', 'Exempt the member'], {
    input: z.object(mark),
    output: z.object({ id, until: unix }),
    touches: ['buy_limit_log', 'buy_limit_rule'],
  }),
  addList: call.write('addList', ['加入黑名单', 'Add to blacklist'], {
    input: z.object(mark),
    output: z.object({ member_id: id, until_at: unix, already: z.boolean() }),
    touches: ['buy_limit_log', 'risk_list'],
  }),
  export: call.write('export', ['导出限购记录', 'Export limit records'], {
    input: z.object({ ...filters, ...asksExport() }),
    output: exportBegun,
    finds,
    touches: ['export'],
    scope: placed('buy_limit_log'),
  }),
}
