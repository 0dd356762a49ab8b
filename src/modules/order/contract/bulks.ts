import { z } from 'zod'
import { write } from '#src/contract/call.ts'
import { id, text, version } from '#src/contract/shapes.ts'
import { codeCalls, codeDetailCalls, decideCalls, orderCalls } from './shared.ts'

export const bulks = {
  ...orderCalls('bulks', '团购订单', 'Group-buy orders'),
  ...decideCalls('bulks'),
  ...codeCalls('bulks'),
  tag: write('order/bulks/tag', ['打标签', 'Tag'], { input: z.object({ id, version, tags: z.array(text(16)).max(8) }), output: z.object({ id, version }), touches: ['order'], permit: 'order.bulks.tag' }),
}
export const bulksDetail = codeDetailCalls('bulks')
