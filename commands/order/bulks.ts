import { bulks as calls, bulksDetail as detailCalls } from '#src/modules/order/contract/bulks.ts'
import { orderRow, type OrderRow } from '#src/modules/order/contract/orderRow.ts'
import { action } from '../command.ts'
import { bulks, bulksDetail } from '../pages/order.ts'
import {
  codeActions,
  codeDetailActions,
  decideActions,
  orderActions,
  refundAll,
  tagAction,
} from './shared.ts'

export const bulksActions = {
  refund: refundAll(calls, bulks),
  ...codeActions(calls, bulks, bulksDetail),
  ...tagAction(calls, bulks, bulksDetail),
  batchExport: action<unknown, unknown, OrderRow>('order.bulks.batchExport', {
    title: '导出所选',
    en: 'Export selected',
    key: 'shift+s',
    at: bulks,
    on: orderRow,
    permit: calls.export.permit,
  }),
  ...decideActions(calls, bulks, bulksDetail),
  ...orderActions(calls, bulks, bulksDetail),
}
export const bulksDetailActions = codeDetailActions(detailCalls, calls, bulksDetail)
