import { orderRow } from '#src/modules/order/contract/orderRow.ts'
import { traceAction } from '../money.ts'
import {
  bulks,
  card,
  combo,
  elist,
  goods,
  orderDetails,
  pointsShopList,
  raiseList,
  rollBuy,
  visitor,
  voucher,
} from '../pages/order.ts'

/** Where the money of an order is, from whichever page shows orders. */
export const traceMoney = traceAction('order.bulks.traceMoney', orderRow, bulks, [
  card,
  combo,
  elist,
  goods,
  pointsShopList,
  raiseList,
  rollBuy,
  visitor,
  voucher,
  ...Object.values(orderDetails),
])
