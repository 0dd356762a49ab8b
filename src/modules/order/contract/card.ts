import { z } from 'zod'
import { read, write } from '#src/contract/call.ts'
import { cents, id, text, version } from '#src/contract/shapes.ts'
import { codeCalls, codeDetailCalls, decideCalls, orderCalls, orderFilters, orderStatus } from './shared.ts'

const changed = z.object({ id, status: orderStatus, version })
export const card = {
  ...orderCalls('card', '卡券订单', 'Card orders'),
  ...decideCalls('card'),
  ...codeCalls('card'),
  /** Uses given on top. Of an order with several cards `code_id` says which. */
  addTimes: write('order/card/addTimes', ['补偿次数', 'Give more uses'], { input: z.object({ id, version, code_id: id.optional(), times: z.int().min(1).max(9999), reason: text(255, 2) }), output: changed, touches: ['order'], permit: 'order.card.addTimes' }),
  /** What is still owed to whoever bought the cards of the list, in all and to whom: what their unused paid uses are worth. */
  liability: read('order/card/liability', ['未消费余额', 'Outstanding liability'], {
    input: z.object(orderFilters), output: z.object({ left_cents: cents, left_times: z.int(), orders: z.int(), merchants: z.array(z.object({ id, name: z.string(), closed: z.boolean(), left_cents: cents, orders: z.int() })) }), touches: ['order'], permit: 'order.card.view',
  }),
}
export const cardDetail = {
  ...codeDetailCalls('card'),
  recallGift: write('order/card/detail/recallGift', ['撤回转赠', 'Recall a gift'], { input: z.object({ id, version, reason: text(255, 2) }), output: changed, touches: ['order'], permit: 'order.card.detail.recallGift' }),
}
