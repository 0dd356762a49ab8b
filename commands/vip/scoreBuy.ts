import { orderKinds } from '#src/areas/order/order.ts'
import { earningKinds, excludeScopes, type ExcludeScope } from '#src/areas/pointsRule/rule.ts'
import type { Text } from '#src/domain/text.ts'
import { buyRow, scoreBuy as calls, type BuyRow } from '#src/modules/vip/contract/scoreBuy.ts'
import { ask, type Asked } from '../command.ts'
import { scoreBuyPage as at } from '../pages/vip.ts'
import { one, pageAction, reason, rowActions } from '../record.ts'

type Rows = readonly BuyRow[]
const kinds: Readonly<Record<string, Text>> = Object.fromEntries(
  earningKinds.map(kind => [kind, orderKinds[kind]]),
)
const moments = {
  used: ['核销或收货后', 'After use or receipt'],
  paid: ['支付后', 'After payment'],
} as const
const terms = {
  kinds: ask.choices({
    label: ['参与业务', 'Eligible orders'],
    options: kinds,
    initial: ([of]: Rows) => of?.kinds,
    field: 'config',
  }),
  at: ask.choice({
    label: ['发放时机', 'When issued'],
    options: moments,
    initial: ([of]: Rows) => of?.at,
    hint: ['使用前可退的订单一律用后发放', 'Orders refundable before use always earn after use'],
    field: 'config',
  }),
  daily_cap: ask.number({
    label: ['每人每日上限', 'Daily cap per member'],
    min: 1,
    max: 1_000_000,
    optional: true,
    initial: ([of]: Rows) => of?.daily_cap ?? undefined,
    hint: ['留空为不限；按上海时间的自然日计算', 'Empty: unlimited. Calendar day in Shanghai'],
  }),
  start_at: ask.time({
    label: ['开始时间', 'From'],
    optional: true,
    initial: ([of]: Rows) => of?.start_at ?? undefined,
  }),
  end_at: ask.time({
    label: ['结束时间', 'Until'],
    optional: true,
    initial: ([of]: Rows) => of?.end_at ?? undefined,
  }),
}
const isOf = (scope: ExcludeScope) => (answers: { scope?: string }) => answers.scope === scope
const scopeAsk = ask.choice({ label: ['范围', 'Scope'], options: excludeScopes })
const tree = (scope: 'shop_category' | 'e_category') =>
  ask.entities({
    label: excludeScopes[scope],
    find: calls.categories,
    labelOf: (of: { name: string }) => of.name,
    given: () => ({ tree: scope }),
    max: 100,
    shown: isOf(scope),
  })
const scopes = {
  scope: scopeAsk,
  shop_category: tree('shop_category'),
  e_category: tree('e_category'),
  store: ask.entities({
    label: excludeScopes.store,
    find: calls.stores,
    labelOf: (of: { name: string }) => of.name,
    max: 100,
    shown: isOf('store'),
  }),
}
const scopeOf = (asked: Asked<typeof scopes>) => {
  const scope = asked.scope as ExcludeScope
  return { scope, scope_ids: asked[scope] }
}
const hasAny = ({ exclude }: BuyRow) =>
  Object.values(exclude).some(one => one.length > 0) ||
  (['没有排除范围', 'Nothing is excluded'] as const)
const order_no = ask.text({
  label: ['订单号', 'Order number'],
  max: 40,
  min: 4,
})
const row = rowActions(at, buyRow)

/** What is done about points for spending. */
export const scoreBuyActions = {
  save: row.row(calls.save, ['修改设置', 'Change settings'], {
    key: 'e',
    main: 'plain',
    asks: terms,
    input: (rows, asked) => ({
      ...one(rows),
      kinds: asked.kinds as BuyRow['kinds'],
      at: asked.at,
      daily_cap: asked.daily_cap ?? null,
      start_at: asked.start_at ?? null,
      end_at: asked.end_at ?? null,
    }),
  }),
  enable: row.enable(calls.enable, { key: 'b' }),
  disable: row.disable(calls.disable, { key: 'p' }),
  addExclusion: row.row(calls.addExclusion, ['新增排除范围', 'Add exclusion'], {
    key: 'c',
    asks: scopes,
    input: (rows, asked) => ({ ...one(rows), ...scopeOf(asked) }),
  }),
  removeExclusion: row.row(calls.removeExclusion, ['移除排除范围', 'Remove exclusion'], {
    key: 'shift+d',
    when: hasAny,
    asks: scopes,
    input: (rows, asked) => ({ ...one(rows), ...scopeOf(asked) }),
  }),
  testOrder: pageAction(calls.testOrder, ['按订单号试算', 'Test an order'], at, {
    key: 't',
    main: true,
    asks: { order_no },
    input: (_, asked) => asked,
  }),
  reissue: pageAction(calls.reissue, ['补发漏发积分', 'Issue missed points'], at, {
    key: 'i',
    asks: { order_no, reason },
    input: (_, asked) => asked,
  }),
}
