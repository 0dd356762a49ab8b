import { z } from 'zod'
import { id } from '#src/contract/shapes.ts'
import { bulks as calls, bulksDetail as detailCalls } from '#src/modules/order/contract/bulks.ts'
import { page } from '../command.ts'
import { codeActions, codeDetailActions, decideActions, orderActions, ordersOf, refundAll, tagAction } from './shared.ts'

export const bulks = page('/manage/order/bulks', '团购订单', 'Group-buy orders', { object: 'order', keys: 'g o b', keepAlive: true, alias: ['查订单', '券码查询', 'deals'] })
export const bulksDetail = page('/manage/order/bulks/detail', '团购订单详情', 'Group-buy order', { object: 'order', menu: false, follows: ordersOf('bulks'), search: z.looseObject({ id }) })

export const bulksActions = {
  refund: refundAll(calls, bulks),
  ...codeActions(calls, bulks, bulksDetail),
  ...tagAction(calls, bulks, bulksDetail),
  ...decideActions(calls, bulks, bulksDetail),
  ...orderActions(calls, bulks, bulksDetail),
}
export const bulksDetailActions = codeDetailActions(detailCalls, calls, bulksDetail)
