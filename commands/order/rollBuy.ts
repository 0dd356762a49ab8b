import { z } from 'zod'
import { id } from '#src/contract/shapes.ts'
import { groupCan, type GroupVerb } from '#src/domain/rollGroup.ts'
import type { Text } from '#src/domain/text.ts'
import { inGroup, rollBuy as calls, rollBuyDetail as detailCalls } from '#src/modules/order/contract/rollBuy.ts'
import { BATCH_MAX, codeDetailCalls, orderRow, type OrderRow } from '#src/modules/order/contract/shared.ts'
import { action, ask, page, to, type Action, inAll } from '../command.ts'
import { codeDetailActions, decideActions, orderActions, ordersOf, payoutFailed, reason, refundAll } from './shared.ts'
import { shipAction } from './ship.ts'

export const rollBuy = page('/manage/order/rollBuy', '拼团订单', 'Multi-person orders', { object: (row: { id: number; kind?: string }) => [row.kind ? 'order' : 'roll_group', row.id], keys: 'g o p', keepAlive: true, alias: ['拼团', '成团', '团长', 'group buying'] })
export const rollBuyDetail = page('/manage/order/rollBuy/detail', '拼团订单详情', 'Multi-person order', { object: 'order', menu: false, follows: ordersOf('roll_buy'), search: z.looseObject({ id }) })

/** The two views of the page; one of them stands in its address. */
export const rollBuyViews = { orders: ['订单', 'Orders'], groups: ['团', 'Groups'] } as const satisfies Record<string, Text>
export type RollBuyView = keyof typeof rollBuyViews
export const rollBuyViewActions = {
  orders: action('order.rollBuy.orders', { title: '看订单', en: 'Show orders', key: '1', at: rollBuy }),
  groups: action('order.rollBuy.byGroup', { title: '看团', en: 'Show groups', key: '2', at: rollBuy }),
}

const elsewhere: Text = ['先切到订单（1）', 'Show the orders first (1)']
/** A row of the groups is no order: an action on orders says where they are. */
const onOrders = <A extends Action>(of: A): A => ({ ...of, when: (row: object, me: never) => ('kind' in row ? of.when?.(row, me) ?? true : elsewhere) })
const groupVerb = (verb: GroupVerb) => ({ group }: z.output<typeof inGroup>): true | Text => (group ? groupCan(verb, group) : ['不在任何团中', 'It is in no group'])
const ofGroup = (rows: readonly z.output<typeof inGroup>[]) => ({ group_id: rows[0]!.group_id! })
const also = [rollBuyDetail]
const shared = orderActions(calls, rollBuy, rollBuyDetail)
/** What groups can have: from a row of either list, and from the page of one order. */
export const groupActions = {
  forceSuccess: action(calls.forceSuccess, { title: '手动成团', en: 'Declare it formed', key: 'a', main: true, at: rollBuy, also, on: inGroup, takes: 'row', when: groupVerb('forceSuccess'), asks: reason, input: (rows, asked) => ({ ...ofGroup(rows), ...asked }) }),
  forceFail: action(calls.forceFail, { title: '手动解散', en: 'Dissolve the group', key: 'd', danger: true, main: true, at: rollBuy, also, on: inGroup, takes: 'row', when: groupVerb('forceFail'), asks: reason, input: (rows, asked) => ({ ...ofGroup(rows), ...asked }) }),
  extendGroup: action(calls.extendGroup, { title: '延长拼团时间', en: 'Give the group more time', key: 'e', at: rollBuy, also, on: inGroup, takes: 'row', when: groupVerb('extendGroup'),
    asks: { until: ask.time({ label: ['新的截止时间', 'New end'], hint: ['只能延长，且不超过商品的售卖截止时间', 'Only longer, and not past the end of the product’s sale'], initial: rows => { const group = (rows[0] as OrderRow | undefined)?.group; return group ? group.expire_at + 86_400 : undefined } }), ...reason }, input: (rows, asked) => ({ ...ofGroup(rows), until: asked.until!, reason: asked.reason }) }),
}
const decide = decideActions(calls, rollBuy, rollBuyDetail)
export const rollBuyActions = {
  refund: onOrders(refundAll(calls, rollBuy)), retryRefund: onOrders(decide.retryRefund), approveRefund: onOrders(decide.approveRefund), refuseRefund: onOrders(decide.refuseRefund),
  batchRetryRefund: onOrders(action(calls.batchRetryRefund, { title: '批量重试退款', en: 'Pay selected again', key: 'shift+f', at: rollBuy, on: orderRow, most: BATCH_MAX, tells: inAll, when: payoutFailed, input: rows => ({ ids: rows.map(row => row.id) }) })),
  remark: onOrders(shared.remark), freeze: onOrders(shared.freeze), unfreeze: onOrders(shared.unfreeze), cancel: onOrders(shared.cancel), revealPhone: onOrders(shared.revealPhone), export: shared.export,
}

const { refund, verifyForStore, reverseVerify } = codeDetailActions({ ...codeDetailCalls('rollBuy'), ...detailCalls }, calls, rollBuyDetail)
type Mate = OrderRow & { mate_id?: number }
export const rollBuyDetailActions = {
  refund, verifyForStore, reverseVerify,
  ship: shipAction(detailCalls, rollBuyDetail, { main: false }),
  openGroupMate: action('order.rollBuy.detail.openGroupMate', { title: '打开同团订单', en: 'Open the mate’s order', key: 'o', at: rollBuyDetail, on: orderRow, takes: 'row', when: row => ((row as Mate).mate_id === undefined ? ['没有其他席位', 'There is no other seat'] : true), to: rows => to(rollBuyDetail, { id: (rows[0] as Mate).mate_id! }) }),
}
