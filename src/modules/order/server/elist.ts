import { implement } from '#src/server/implement.ts'
import { recount } from '#src/server/services/orderFacts.ts'
import { elist, elistDetail } from '../contract/elist.ts'
import { addressHandlers, shipHandlers } from './ship.ts'
import { exportOrders, heldOrder, logged, orderHandlers, staffActor } from './shared.ts'

const kinds = ['elist'] as const
exportOrders('elist', kinds, ['电商订单', 'E-commerce orders'])

export const elistServer = implement(elist, {
  ...orderHandlers('elist', kinds), ...shipHandlers(kinds), ...addressHandlers(kinds),
  tag: async ({ tags, ...one }, { tx, staff, now, log }) => {
    const row = await heldOrder(tx, kinds, one, staff)
    const wanted = [...new Set(tags)]
    const after = await recount(tx, row, { event: 'tag', actor: staffActor(staff), now, memo: wanted.join('、'), set: { tags: wanted } })
    log({ ...logged(row), before: { tags: row.tags }, after: { tags: wanted } })
    return { id: after.id, version: after.version }
  },
})
const { couriers, ship, editTracking } = shipHandlers(kinds)
export const elistDetailServer = implement(elistDetail, { couriers, ship, editTracking, ...addressHandlers(kinds) })
