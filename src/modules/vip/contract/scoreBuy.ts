import { z } from 'zod'
import { orderKinds } from '#src/areas/order/order.ts'
import { earningKinds, excludeScopes } from '#src/areas/pointsRule/rule.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { id, keysOf, keyText, searched, unix, version } from '#src/contract/shapes.ts'

export const buyFields = {
  kinds: z.array(z.enum(earningKinds)).min(1).max(earningKinds.length),
  at: z.enum(['paid', 'used']),
  /** Points of a member in a Shanghai day; null: any number. */
  daily_cap: z.int().min(1).max(1_000_000).nullable(),
  start_at: unix.nullable(),
  end_at: unix.nullable(),
}
const scope = keysOf(excludeScopes)
const named = z.object({ id, name: z.string() })
export const buyRow = z.object({
  id,
  version,
  name: z.string(),
  status: z.enum(['on', 'off']),
  ...buyFields,
  exclude: z.object({
    shop_category: z.array(named),
    e_category: z.array(named),
    store: z.array(named),
  }),
  off_reason: z.string(),
  updated_at: unix,
  /** What it has issued in the last 30 days. */
  issued: z.int(),
})
export type BuyRow = z.output<typeof buyRow>
const call = callsOf('vip/score/buy', { touches: ['points_rule'], rows: 'all' })
const step = z.object({ zh: z.string(), en: z.string(), points: z.int().nullable() })

/** Which paid business earns points. */
export const scoreBuy = {
  lst: call.lists('lst', ['消费送积分', 'Points for spending'], { filters: {}, row: buyRow }),
  stores: call.lists('stores', ['可排除的门店', 'Stores to exclude'], {
    filters: { keyword: searched(60).optional() },
    row: named,
    touches: ['store'],
    scope: placed('store'),
    permit: 'vip.score.buy.view',
  }),
  categories: call.lists('categories', ['可排除的分类', 'Categories to exclude'], {
    filters: { keyword: searched(60).optional(), tree: z.enum(['shop_category', 'e_category']) },
    row: named,
    touches: ['shop_category', 'e_category'],
    permit: 'vip.score.buy.view',
  }),
  save: call.changes('save', ['保存消费积分设置', 'Save the rule of spending'], {
    fields: buyFields,
  }),
  enable: call.changes('enable', ['启用消费送积分', 'Turn spending points on']),
  disable: call.changes('disable', ['停用消费送积分', 'Turn spending points off'], {
    fields: { reason },
  }),
  addExclusion: call.changes('addExclusion', ['新增排除范围', 'Exclude from points'], {
    fields: { scope, scope_ids: z.array(id).min(1).max(100) },
  }),
  removeExclusion: call.changes('removeExclusion', ['移除排除范围', 'Include in points again'], {
    fields: { scope, scope_ids: z.array(id).min(1).max(100) },
  }),
  /** What an order earns, step by step, and what it has earned. Nothing changes. */
  testOrder: call.read('testOrder', ['按订单号试算', 'Test an order'], {
    input: z.object({ order_no: keyText(40, 4) }),
    output: z.object({
      order_no: z.string(),
      kind: keysOf(orderKinds),
      /** Whose points they are; null for an order of somebody without an account. */
      member: z.object({ id, name: z.string() }).nullable(),
      steps: z.array(step),
      points: z.int(),
      waits: z.boolean(),
      /** What was booked of it; null where nothing was. */
      booked: z.int().nullable(),
    }),
    permit: 'vip.score.buy.testOrder',
    touches: ['points_rule', 'order'],
    scope: placed('order'),
  }),
  reissue: call.write('reissue', ['补发漏发积分', 'Issue points that were left out'], {
    input: z.object({ order_no: keyText(40, 4), reason }),
    output: z.object({ order_no: z.string(), points: z.int() }),
    touches: ['points_ledger', 'member'],
    scope: placed('order'),
  }),
}
