import { orderRow } from '#src/modules/order/contract/orderRow.ts'
import { traceAction } from '../money.ts'
import { ecardOrderDetail, ecardOrders } from '../pages/ecard.ts'

/** Where the money of an e-card order is. */
export const traceMoney = traceAction('ecard.order.traceMoney', orderRow, ecardOrders, [
  ecardOrderDetail,
])
