import { and, asc, eq, sql } from 'drizzle-orm'
import { bindings, toPool } from '#src/areas/binding/binding.server.ts'
import { dist_binding as t } from '#src/areas/binding/binding.table.ts'
import {
  bindingsWhere,
  shownBindings,
  spentBy,
  type BindingFilters,
  type ShownBinding,
} from '#src/areas/binding/bindingRows.server.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { implement, type Db, type Handler } from '#src/server/call/implement.ts'
import { exporting, holding, listing } from '#src/server/call/record.ts'
import { missing } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { guideCustomers as calls } from '../contract/guideCustomers.ts'
import { bindingCells, bindingColumns, bindingWords, customerHandlers } from './customerHandlers.ts'

const list = listing(bindings, {
  by: t.id,
  down: true,
  where: (filters: BindingFilters, { now }) => bindingsWhere({ ...filters, role: 'guide' }, now),
  shown: async (db, rows) => {
    const spent = await spentBy(
      db,
      rows.map(row => row.id),
    )
    return (await shownBindings(db, rows)).map(row => ({
      ...row,
      ...(spent.get(row.id) ?? { inside_cents: 0, outside_cents: 0 }),
    }))
  },
})
const guide = {
  id: distributor.id,
  name: distributor.name,
  store: sql<string>`coalesce(${store.name}, '')`,
  customer_count: distributor.customer_count,
}
/** The store of a guide, where it sells goods of others now. */
const sellingStore = async (db: Db, guide_id: number): Promise<string> => {
  const [found] = await db
    .select({ name: distributor.name })
    .from(distributor)
    .where(
      and(
        eq(distributor.kind, 'store'),
        eq(distributor.status, 'active'),
        eq(distributor.paused, false),
        sql`${distributor.store_id} = (select g.store_id from distributor g where g.id = ${guide_id})`,
      ),
    )
  return found?.name ?? ''
}
const sideOf = (row: ShownBinding | undefined) =>
  row
    ? {
        id: row.id,
        seller: row.seller,
        store: row.store,
        source: row.source,
        bind_at: row.bind_at,
        order_count: row.order_count,
        paid_cents: row.paid_cents,
      }
    : null

const handlers = {
  ...customerHandlers,
  lst: list.page,
  guides: async ({ page, pageSize, keyword }, { db, staff }) => {
    const where = and(
      within(staff.scope, { city: distributor.city_id, mall: distributor.mall_id }),
      eq(distributor.kind, 'guide'),
      holding(keyword, [distributor.name], distributor.id),
    )
    const rows = await db
      .select(guide)
      .from(distributor)
      .leftJoin(store, eq(store.id, distributor.store_id))
      .where(where)
      .orderBy(asc(distributor.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, distributor, where)) }
  },
  guide: async ({ id }, { db }) => {
    const [row] = await db
      .select(guide)
      .from(distributor)
      .leftJoin(store, eq(store.id, distributor.store_id))
      .where(and(eq(distributor.id, id), eq(distributor.kind, 'guide')))
    if (!row) throw missing()
    return row
  },
  toStorePool: (input, context) => toPool(context, input),
  compare: async ({ id }, { db, staff }) => {
    const { member_id } = await bindings.read(db, staff, id)
    const rows = await db
      .select()
      .from(t)
      .where(and(eq(t.member_id, member_id), eq(t.status, 'active')))
    const shown = await shownBindings(db, rows)
    const by = (role: 'guide' | 'expert') => shown.find(row => row.role === role)
    const own = by('guide')
    return {
      guide: sideOf(own),
      expert: sideOf(by('expert')),
      store: own ? await sellingStore(db, own.distributor_id) : '',
    }
  },
  export: exporting(list, {
    page: 'distribution.index.guideBindingCustomer',
    title: ['导购绑定客户', 'Customers of a guide'],
    permit: calls.export.permit,
    columns: [
      ...bindingColumns,
      { key: 'inside_cents', title: ['本店消费', 'In the store'], kind: 'money' },
      { key: 'outside_cents', title: ['店外消费', 'Elsewhere'], kind: 'money' },
    ],
    words: bindingWords,
    cells: bindingCells,
  }),
} satisfies { [K in keyof typeof calls]: Handler<(typeof calls)[K]> }
export const guideCustomersServer = implement(calls, handlers)
