import { z } from 'zod'
import {
  orderKinds,
  orderStatuses,
  type OrderKind,
  type OrderStatus,
} from '#src/areas/order/order.ts'
import { readingKinds, type ReadingKind } from '#src/areas/order/orderSearch.ts'
import { placed, read } from '#src/contract/call.ts'
import { orderFinds } from '#src/contract/finds.ts'
import { id, keysOf, searched } from '#src/contract/shapes.ts'

/**
 * Orders by a number that was pasted, among the lists that the asker may see and within their
 * scope: what one may not read is not found. The newest six of it.
 */
export const finding = {
  find: read('order/find', ['按号码查订单', 'Find orders by a number'], {
    input: z.object({ q: searched(200, 1) }),
    output: z.object({
      /** What the number was taken for; null where it is none. */
      read: keysOf<ReadingKind>(readingKinds).nullable(),
      list: z.array(
        z.object({
          id,
          kind: keysOf<OrderKind>(orderKinds),
          order_no: z.string(),
          title: z.string(),
          store_name: z.string(),
          status: keysOf<OrderStatus>(orderStatuses),
        }),
      ),
    }),
    touches: ['order'],
    scope: placed('order'),
    finds: orderFinds,
    permit: 'signed-in',
  }),
}
