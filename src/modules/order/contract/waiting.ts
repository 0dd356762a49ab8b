import { z } from 'zod'
import { orderKinds, type OrderKind } from '#src/areas/order/order.ts'
import { placed, read } from '#src/contract/call.ts'
import { id, keysOf, unix } from '#src/contract/shapes.ts'

/** Work that is late, over all the lists of orders that a person may see. */
export const waiting = {
  /** The orders that were paid longest ago and have not left after 24 hours, six of them. */
  unshipped: read('order/unshipped', ['超 24 小时未发货', 'Unshipped over 24 h'], {
    input: z.object({ city_id: id.optional() }),
    output: z.object({
      list: z.array(
        z.object({
          id,
          kind: keysOf<OrderKind>(orderKinds),
          order_no: z.string(),
          title: z.string(),
          store_name: z.string(),
          paid_at: unix.nullable(),
          promise_at: unix.nullable(),
        }),
      ),
    }),
    touches: ['order'],
    scope: placed('order'),
    permit: 'signed-in',
  }),
}
