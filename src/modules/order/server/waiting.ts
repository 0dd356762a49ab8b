import { asc } from 'drizzle-orm'
import * as pages from '#commands/pages/order.ts'
import { order } from '#src/areas/order/order.table.ts'
import { implement } from '#src/server/call/implement.ts'
import { needsNoScope } from '#src/server/call/scope.ts'
import { waiting } from '../contract/waiting.ts'
import { rowsOf } from './rows.ts'
import { orderWhere } from './where.ts'

const MOST = 14
/** The lists of what is shipped, by the kind of their orders. */
export const shippedLists = {
  elist: pages.elist,
  goods: pages.goods,
  roll_buy: pages.rollBuy,
  raise: pages.raiseList,
  points: pages.pointsShopList,
} as const
type Shipped = keyof typeof shippedLists

export const waitingServer = implement(waiting, {
  unshipped: async ({ city_id }, { db, staff, now }) => {
    const kinds = (Object.keys(shippedLists) as Shipped[]).filter(kind =>
      staff.can(shippedLists[kind].permit),
    )
    if (kinds.length === 0) {
      needsNoScope(staff)
      return { list: [] }
    }
    const rows = await db
      .select()
      .from(order)
      .where(orderWhere(kinds, { quick: 'unshipped', city_id }, staff, now))
      .orderBy(asc(order.paid_at), asc(order.id))
      .limit(MOST)
    return {
      list: (await rowsOf(db, rows)).map(
        ({ id, kind, order_no, title, store_name, paid_at, promise_at }) => ({
          id,
          kind,
          order_no,
          title,
          store_name,
          paid_at,
          promise_at,
        }),
      ),
    }
  },
})
