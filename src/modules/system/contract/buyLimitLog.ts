import { z } from 'zod'
import {
  limitResults,
  limitRules,
  type LimitResult,
  type LimitRule,
} from '#src/areas/limit/limits.ts'
import { placed, read, write } from '#src/contract/call.ts'
import {
  guarded,
  id,
  keysOf,
  lines,
  listOf,
  page,
  unix,
  version,
  asksExport,
  exportBegun,
} from '#src/contract/shapes.ts'

const rule = keysOf<LimitRule>(limitRules)
const result = keysOf<LimitResult>(limitResults)

export const limitRow = z.object({
  id,
  version,
  created_at: unix,
  /** Null for a visitor, who has no name either. */
  member_id: id.nullable(),
  nickname: z.string(),
  phone: guarded('member.phone', z.string()),
  device_id: z.string().nullable(),
  /** Where it was bought. */
  channel: z.string(),
  /** The title names it; null where an e-card was bought. */
  product_id: id.nullable(),
  ecard_id: id.nullable(),
  product_title: z.string(),
  activity_type: z.string().nullable(),
  activity_id: z.int().nullable(),
  rule,
  limit_n: z.int(),
  bought_n: z.int(),
  asked_n: z.int(),
  /** What the rule that was set up was called, and how often it stopped them within the minute. */
  rule_said: z.object({ name: z.string() }).nullable(),
  folded: z.int(),
  result,
  release_until: unix.nullable(),
  release_by_name: z.string().nullable(),
  release_reason: z.string().nullable(),
  release_order_id: id.nullable(),
  /** The member is on the black list. */
  black: z.boolean(),
})
export type LimitRow = z.output<typeof limitRow>
const limitFilters = {
  member_id: id.optional(),
  product_id: id.optional(),
  rule: rule.optional(),
  result: result.optional(),
  from: unix.optional(),
  to: unix.optional(),
}
const touches = ['buy_limit_log'] as const
const top = z.object({
  id,
  name: z.string(),
  blocks: z.int(),
  members: z.int(),
  asked: z.int(),
  last_at: unix,
})

export const buyLimitLog = {
  /** At most 92 days; without a period the last 92. */
  lst: read('system/buyLimitLog/lst', ['限购拦截记录', 'Purchase-limit blocks'], {
    input: z.object({ ...page, ...limitFilters }),
    output: listOf(limitRow),
    touches,
    scope: placed('buy_limit_log'),
    permit: 'system.buyLimitLog.view',
  }),
  /**
   * How the limit was reckoned: every order of the member (for a device: of all accounts on it),
   * whether it counted then, and why not.
   */
  explain: read('system/buyLimitLog/explain', ['限购计算过程', 'How the limit was reckoned'], {
    input: z.object({ id }),
    output: z.object({
      row: limitRow,
      bought_then: z.int(),
      bought_now: z.int(),
      would_pass_now: z.boolean(),
      stock: z.int(),
      orders: z.array(
        z.object({
          id,
          order_no: z.string(),
          member_id: id.nullable(),
          status: z.string(),
          at: unix,
          qty: z.int(),
          refunded_qty: z.int(),
          counts: z.boolean(),
          why: z.string().nullable(),
        }),
      ),
      accounts: z.array(z.object({ id, nickname: z.string(), blocks: z.int(), first_at: unix })),
    }),
    touches,
    scope: placed('buy_limit_log', 'id'),
    permit: 'system.buyLimitLog.explain',
  }),
  /** One member, one product, one order; until `expire_at`, at most 72 hours from now. */
  releaseOnce: write('system/buyLimitLog/releaseOnce', ['放行一次', 'Release once'], {
    input: z.object({ id, version, reason: lines(255, 2), expire_at: unix }),
    output: z.object({ id, version, release_until: unix }),
    touches,
    scope: placed('buy_limit_log', 'id'),
    permit: 'system.buyLimitLog.releaseOnce',
  }),
  addBlack: write('system/buyLimitLog/addBlack', ['加入黑名单', 'Put on the black list'], {
    input: z.object({ id, reason: lines(255, 2), days: z.int().min(1).max(365).default(90) }),
    output: z.object({ member_id: id, until_at: unix, already: z.boolean() }),
    touches: ['buy_limit_log', 'risk_list'],
    scope: placed('buy_limit_log', 'id'),
    permit: 'system.buyLimitLog.addBlack',
  }),
  topProducts: read('system/buyLimitLog/topProducts', ['被拦最多的商品', 'Most blocked products'], {
    input: z.object({ from: unix.optional(), to: unix.optional(), rule: rule.optional() }),
    output: z.object({
      products: z.array(
        z.object({ ...top.shape, by_rule: z.array(z.object({ rule, blocks: z.int() })) }),
      ),
      members: z.array(top),
      from: unix,
      to: unix,
    }),
    touches,
    scope: placed('buy_limit_log'),
    permit: 'system.buyLimitLog.topProducts',
  }),
  export: write('system/buyLimitLog/export', ['导出拦截记录', 'Export the blocks'], {
    input: z.object({ ...limitFilters, ...asksExport('csv') }),
    output: exportBegun,
    touches: ['export'],
    scope: placed('buy_limit_log'),
    permit: 'system.buyLimitLog.export',
  }),
}
