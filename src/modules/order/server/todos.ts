import { sql } from 'drizzle-orm'
import { to, type Page } from '#commands/command.ts'
import { ecardOrders } from '#commands/pages/ecard.ts'
import * as pages from '#commands/pages/order.ts'
import { roll_group } from '#src/areas/group/group.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { orderKinds, type OrderKind } from '#src/areas/order/order.ts'
import { raise_batch } from '#src/areas/raise/raise.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import type { Text } from '#src/domain/text.ts'
import { countTodo, defineTodo } from '#src/server/call/todos.ts'
import type { QuickFilter } from '../contract/shared.ts'
import { caseWhere, type CaseSet } from './cases.ts'
import { batchWhere } from './raiseList.ts'
import { groupWhere } from './rollBuy.ts'
import { shippedLists } from './waiting.ts'
import { orderWhere } from './where.ts'

/** What waits, and of which kind: `退款待审批 · 团购`. */
const about = (says: Text, what: Text): Text => [
  `${says[0]} · ${what[0]}`,
  `${says[1]} · ${what[1]}`,
]

/** Refund cases of a queue that are not over; late are those past the time to answer. */
const cases = (of: {
  key: string
  title: Text
  set: CaseSet
  page: Page
  filters?: Record<string, string>
}) =>
  defineTodo({
    key: of.key,
    title: of.title,
    permit: of.page.permit,
    target: ({ city_id }) => to(of.page, { state: 'open', ...of.filters, city_id }),
    count: ({ db, staff, city_id, now }) =>
      countTodo(db, refund, caseWhere(of.set, 'open', { city_id }, { staff, now }), {
        since: refund.created_at,
        late: caseLate(now),
        money: refund.amount_cents,
      }),
  })
const caseLate = (now: number) =>
  sql`${refund.state} in ('applied', 'second_audit', 'wait_return', 'returning') and ${refund.deadline_at} <= ${now}`
/** The queue of after-sales, kind by kind; what bundles send back is a bundle's refund. */
const posted = {
  elist: ['电商售后', 'E-commerce after-sales'],
  roll_buy: ['拼团退货', 'Returns of groups'],
  raise: ['众筹退货', 'Returns of campaigns'],
} as const satisfies Partial<Record<CaseSet, Text>>
for (const [kind, title] of Object.entries(posted))
  cases({
    key: `case_${kind}`,
    title,
    set: kind as keyof typeof posted,
    page: pages.eRefund,
    filters: { kind },
  })
cases({
  key: 'case_combo',
  title: ['组合套餐退款', 'Combo refunds'],
  set: 'bundles',
  page: pages.comboRefund,
})

/** Orders of a list that a quick filter finds. */
const orders = (
  page: Page,
  kind: OrderKind,
  quick: QuickFilter,
  of: { title: Text; lateAfterPromise?: boolean },
) =>
  defineTodo({
    key: `${quick}_${kind}`,
    title: about(of.title, orderKinds[kind]),
    permit: page.permit,
    target: ({ city_id }) => to(page, { quick, city_id }),
    count: ({ db, staff, city_id, now }) =>
      countTodo(db, order, orderWhere([kind], { quick, city_id }, staff, now), {
        since: order.paid_at,
        late: of.lateAfterPromise ? sql`${order.promise_at} < ${now}` : undefined,
        money: order.paid_cents,
      }),
  })
for (const [kind, page] of Object.entries(shippedLists))
  orders(page, kind as keyof typeof shippedLists, 'unshipped', {
    title: ['超 24 小时未发货', 'Unshipped over 24 h'],
    lateAfterPromise: true,
  })
const decided = {
  bulks: pages.bulks,
  roll_buy: pages.rollBuy,
  card: pages.card,
  voucher: pages.voucher,
  raise: pages.raiseList,
  points: pages.pointsShopList,
  visitor: pages.visitor,
  ecard: ecardOrders,
} as const
for (const [kind, page] of Object.entries(decided))
  orders(page, kind as keyof typeof decided, 'to_decide', {
    title: ['退款待审批', 'Refunds to decide'],
  })

orders(ecardOrders, 'ecard', 'issue_failed', { title: ['发放失败', 'Issue failed'] })

/** Groups that end soon with seats left. */
defineTodo({
  key: 'group_ending',
  title: ['2 小时内到期的拼团', 'Groups ending in 2 h'],
  permit: pages.rollBuy.permit,
  target: ({ city_id }) => to(pages.rollBuy, { view: 'groups', quick: 'ending', city_id }),
  count: ({ db, staff, city_id, now }) =>
    countTodo(db, roll_group, groupWhere({ city_id, quick: 'ending' }, staff, now), {
      since: roll_group.created_at,
      money: sql`(select coalesce(sum(o.paid_cents), 0) from "order" o where o.roll_group_id = ${roll_group.id} and o.pay_state = 'paid')`,
    }),
})
defineTodo({
  key: 'raise_ending',
  title: ['3 天内截止的众筹', 'Campaigns ending in 3 days'],
  permit: pages.raiseList.permit,
  target: ({ city_id }) => to(pages.raiseList, { view: 'batches', quick: 'ending', city_id }),
  count: ({ db, staff, city_id, now }) =>
    countTodo(db, raise_batch, batchWhere({ city_id, quick: 'ending' }, staff, now), {
      since: raise_batch.created_at,
    }),
})
