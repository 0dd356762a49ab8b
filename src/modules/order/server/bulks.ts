import { implement } from '#src/server/implement.ts'
import { recount } from '#src/server/services/orderFacts.ts'
import { bulks, bulksDetail } from '../contract/bulks.ts'
import { decideHandlers } from './decide.ts'
import { codeDetailHandlers, codeHandlers } from './codes.ts'
import { exportOrders, heldOrder, logged, orderHandlers, staffActor } from './shared.ts'

const kinds = ['bulks'] as const
exportOrders('bulks', kinds, ['团购订单', 'Group-buy orders'])

export const bulksServer = implement(bulks, {
  ...decideHandlers(kinds),
  ...orderHandlers('bulks', kinds), ...codeHandlers(kinds),
  tag: async ({ tags, ...one }, { tx, staff, now, log }) => {
    const row = await heldOrder(tx, kinds, one, staff)
    const wanted = [...new Set(tags)]
    const after = await recount(tx, row, { event: 'tag', actor: staffActor(staff), now, memo: wanted.join('、'), set: { tags: wanted } })
    log({ ...logged(row), before: { tags: row.tags }, after: { tags: wanted } })
    return { id: after.id, version: after.version }
  },
})
export const bulksDetailServer = implement(bulksDetail, codeDetailHandlers(kinds))
