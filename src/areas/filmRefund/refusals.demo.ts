import { asc, eq, and } from 'drizzle-orm'
import { film_order, film_refund, film_request } from '#src/areas/film/film.table.ts'
import type { TicketProviderKey } from '#src/areas/film/film.ts'
import { embeddedProviders } from '#src/areas/film/provider.channel.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { DemoStep } from '#src/server/demo/step.ts'

const TRIES = 200
/** A number of tickets that an embedded provider does not take back. */
const refusedNo = async (key: TicketProviderKey, order_id: number): Promise<string | undefined> => {
  for (let n = 0; n < TRIES; n++) {
    const provider_no = `GY${String(order_id).padStart(8, '0')}${String(n).padStart(6, '0')}`
    const { state } = await embeddedProviders[key].giveBack({ provider_no, cost_cents: 1 })
    if (state === 'refused') return provider_no
  }
  return undefined
}
/** The buyer whose show is soonest gives back tickets that their provider will refuse. */
const seedRefusal = async (db: Db): Promise<void> => {
  const [soonest] = await db
    .select({ order_id: film_order.order_id, provider: film_order.provider })
    .from(film_refund)
    .innerJoin(refund, eq(refund.id, film_refund.refund_id))
    .innerJoin(film_order, eq(film_order.order_id, film_refund.order_id))
    .where(and(eq(refund.state, 'applied'), eq(film_refund.kind, 'user')))
    .orderBy(asc(film_refund.show_at), asc(film_refund.id))
    .limit(1)
  if (!soonest) return
  const provider_no = await refusedNo(soonest.provider, soonest.order_id)
  if (!provider_no) return
  const own = eq(film_request.order_id, soonest.order_id)
  await db
    .update(film_request)
    .set({ provider_no })
    .where(and(own, eq(film_request.state, 'success')))
  await db.update(film_order).set({ provider_no }).where(eq(film_order.order_id, soonest.order_id))
}
export const demo: readonly DemoStep[] = [
  { place: 99, branch: 'film refunds', run: db => seedRefusal(db) },
]
