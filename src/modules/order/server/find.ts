import { inArray } from 'drizzle-orm'
import { order } from '#src/areas/order/order.table.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { readSearch } from '#src/areas/order/orderSearch.ts'
import { implement } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import { pageOf } from '#src/server/db/paging.ts'
import { finding } from '../contract/find.ts'
import { listKey, type OrderPage } from '../contract/shared.ts'
import { rowsOf } from './rows.ts'
import { searched } from './where.ts'

const MOST = 6
const pages: Readonly<Partial<Record<OrderKind, OrderPage>>> = {
  visitor: 'visitor',
  bulks: 'bulks',
  roll_buy: 'rollBuy',
  card: 'card',
  voucher: 'voucher',
  goods: 'goods',
  elist: 'elist',
  raise: 'raiseList',
  combo: 'combo',
  points: 'pointsShopList',
  ecard: 'ecard',
}

export const findServer = implement(finding, {
  find: async ({ q }, { db, staff, now }) => {
    const kinds = (Object.entries(pages) as [OrderKind, OrderPage][])
      .filter(([, page]) => staff.can(`${listKey(page)}.view`))
      .map(([kind]) => kind)
    const first = readSearch(q).parts[0]?.readings.find(
      one => one.kind !== 'product' && one.kind !== 'store',
    )
    if (!first || kinds.length === 0) return { read: null, list: [] }
    const { among } = await searched(db, kinds, { q }, now)
    const rows = await pageOf(db, order, {
      own: inArray(order.kind, kinds),
      where: within(staff.scope, { city: order.city_id, mall: order.mall_id }),
      among,
      by: order.created_at,
      down: true,
      page: 1,
      pageSize: MOST,
      reader: `order.find|${staff.id}`,
    })
    return {
      read: first.kind,
      list: (await rowsOf(db, rows)).map(({ id, kind, order_no, title, store_name, status }) => ({
        id,
        kind,
        order_no,
        title,
        store_name,
        status,
      })),
    }
  },
})
