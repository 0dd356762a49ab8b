import { implement } from '#src/server/call/implement.ts'
import { bulks, bulksDetail } from '../contract/bulks.ts'
import { codeDetailHandlers, codeHandlers } from './codes.ts'
import { decideHandlers } from './decide.ts'
import { exportOrders } from './exportOrders.ts'
import { orderHandlers } from './shared.ts'
import { tagHandler } from './tags.ts'

const kinds = ['bulks'] as const
exportOrders('bulks', kinds, ['团购订单', 'Group-buy orders'])

export const bulksServer = implement(bulks, {
  ...decideHandlers(kinds),
  ...orderHandlers('bulks', kinds),
  ...codeHandlers(kinds),
  ...tagHandler(kinds),
})
export const bulksDetailServer = implement(bulksDetail, codeDetailHandlers(kinds))
