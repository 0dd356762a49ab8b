import { z } from 'zod'
import { placed, read } from '#src/contract/call.ts'
import { cents, id, listOf, page, searched } from '#src/contract/shapes.ts'

/**
 * Items of one order that can still be given back, to choose from in its list, with how many units
 * of each and what these are worth.
 */
export const lotsCall = <P extends 'elist' | 'goods'>(of: P) => ({
  lots: read(`order/${of}/lots`, ['可退商品', 'Items to choose'], {
    input: z.object({ order_id: id, keyword: searched(60).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string(), left: z.int(), left_cents: cents })),
    touches: ['order', 'refund'],
    scope: placed('order', { order_id: 'order' }),
    permit: `order.${of}.view`,
  }),
})
export type LotsCall = ReturnType<typeof lotsCall>
/** Chosen items: so many units of each, or all that are left of it. */
export const lots = z
  .array(z.object({ id, qty: z.int().min(1).max(9999).optional() }))
  .min(1)
  .max(100)
