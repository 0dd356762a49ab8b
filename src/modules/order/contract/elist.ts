import { z } from 'zod'
import { write } from '#src/contract/call.ts'
import { id, text, version } from '#src/contract/shapes.ts'
import { orderCalls } from './shared.ts'
import { addressCalls, shipCalls } from './ship.ts'

export const elist = {
  ...orderCalls('elist', '电商订单', 'E-commerce orders'),
  ...shipCalls('elist'),
  ...addressCalls('elist'),
  tag: write('order/elist/tag', ['打标签', 'Tag'], { input: z.object({ id, version, tags: z.array(text(16)).max(8) }), output: z.object({ id, version }), touches: ['order'], permit: 'order.elist.tag' }),
}
const { ship, editTracking, couriers } = shipCalls('elist/Detail')
export const elistDetail = { couriers, ship, editTracking, ...addressCalls('elist/Detail') }
