import { z } from 'zod'
import { placed, read, write } from '#src/contract/call.ts'
import { orderFinds } from '#src/contract/finds.ts'
import { cents, id, lines, version } from '#src/contract/shapes.ts'
import { orderStatus } from './orderRow.ts'
import { asked, codeCalls, codeDetailCalls, decideCalls, orderCalls } from './shared.ts'

const reason = lines(255, 2)
const changed = z.object({ id, status: orderStatus, version })
export const card = {
  ...orderCalls('card', '卡券订单', 'Card orders'),
  ...decideCalls('card'),
  ...codeCalls('card'),
  /**
   * Uses given on top. Of an order with several cards `code_id` says which. Above the limit of
   * whoever gives them they wait for another person: `waits` says what they are worth and who may
   * agree.
   */
  addTimes: write('order/card/addTimes', ['补偿次数', 'Add uses'], {
    input: z.object({
      id,
      version,
      code_id: id.optional(),
      times: z.int().min(1).max(9999),
      reason,
    }),
    output: z.object({
      ...changed.shape,
      waits: z.object({ worth_cents: cents, who: z.array(z.string()) }).nullable(),
    }),
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: 'order.card.addTimes',
  }),
  confirmTimes: write('order/card/confirmTimes', ['同意补偿', 'Approve added uses'], {
    input: z.object({ id, version, reason }),
    output: changed,
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: 'order.card.confirmTimes',
  }),
  refuseTimes: write('order/card/refuseTimes', ['不同意补偿', 'Reject added uses'], {
    input: z.object({ id, version, reason }),
    output: changed,
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: 'order.card.refuseTimes',
  }),
  /**
   * What is still owed to whoever bought the cards of the list, in all and to whom: what their
   * unused paid uses are worth.
   */
  liability: read('order/card/liability', ['未消费余额', 'Unused balance'], {
    input: asked({}),
    output: z.object({
      left_cents: cents,
      left_times: z.int(),
      orders: z.int(),
      merchants: z.array(
        z.object({ id, name: z.string(), closed: z.boolean(), left_cents: cents, orders: z.int() }),
      ),
    }),
    touches: ['order'],
    scope: placed('order'),
    finds: orderFinds,
    permit: 'order.card.view',
  }),
}
export const cardDetail = {
  ...codeDetailCalls('card'),
  recallGift: write('order/card/detail/recallGift', ['撤回转赠', 'Recall a gift'], {
    input: z.object({ id, version, reason }),
    output: changed,
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: 'order.card.detail.recallGift',
  }),
}
