import { and, asc, eq, inArray, ne, notInArray, sql } from 'drizzle-orm'
import { dist_commission, dist_product } from '#src/areas/commission/commission.table.ts'
import { settleCommissions } from '#src/areas/commission/settling.server.ts'
import { commissionByState, topProducts } from '#src/areas/distribution/sellerFigures.server.ts'
import { heldSeller, sellers, type Seller } from '#src/areas/distribution/sellers.server.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { joined } from '#src/domain/text.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { distStoreDetail as calls } from '../contract/distStoreDetail.ts'
import { exportEarned } from './sellerEarned.ts'

/** The most commission that one settling takes. */
const AT_ONCE = 1000
const c = dist_commission
const due = (id: number) =>
  and(eq(c.distributor_id, id), eq(c.status, 'settleable'), eq(c.held, false))
const heldStore = async (context: WriteContext, one: { id: number; version: number }) => {
  const was = await heldSeller(context, 'change', one)
  if (was.kind !== 'store') throw missing()
  return was
}
const storeOf = async (db: Db, row: Seller) => {
  const [at] = await db
    .select({ store, merchant, mall: mall.name, rival_ids: mall.rival_ids })
    .from(store)
    .innerJoin(merchant, eq(merchant.id, store.merchant_id))
    .leftJoin(mall, eq(mall.id, store.mall_id))
    .where(eq(store.id, row.store_id!))
  if (!at) throw missing()
  return at
}
const shown = async (db: Db, row: Seller) => {
  const at = await storeOf(db, row)
  const named = row.product_ids ?? []
  const names =
    named.length === 0
      ? []
      : await db
          .select({ id: product.id, title: product.title })
          .from(product)
          .where(inArray(product.id, named))
  const [sum] = await db
    .select({ cents: sql<string>`coalesce(sum(${c.amount_cents} - ${c.reversed_cents}), 0)` })
    .from(c)
    .where(due(row.id))
  return {
    ...row,
    own_share_bp: row.rate_bp,
    kind: 'store' as const,
    store_id: row.store_id!,
    store_status: at.store.status,
    mall: at.mall ?? '',
    merchant: at.merchant.name,
    bank_name: at.merchant.bank_name ?? '',
    bank_no: at.merchant.bank_no ?? '',
    product_names: Object.fromEntries(names.map(one => [one.id, one.title])),
    due_cents: Number(sum!.cents),
  }
}
/** Products on sale of other merchants, which are distributed. */
const sellable = (own?: { id: number; rival_ids: readonly number[] }) =>
  and(
    eq(dist_product.ref_kind, 'product'),
    eq(dist_product.status, 'on'),
    own && ne(product.merchant_id, own.id),
    own && notInArray(product.merchant_id, [...own.rival_ids, 0]),
  )
/** The merchant of a distributing store, and whose goods its mall keeps out. */
const ownOf = async (db: Db, row: Seller) => {
  const { merchant: own, rival_ids } = await storeOf(db, row)
  return { id: own.id, rival_ids: rival_ids ?? [] }
}

const handlers = {
  detail: async ({ id }, { db, staff, now }) => {
    const row = await sellers.read(db, staff, id)
    if (row.kind !== 'store') throw missing()
    return {
      row: await shown(db, row),
      states: await commissionByState(db, id),
      products: await topProducts(db, { distributor_id: id }, now),
      guides: await db
        .select({
          id: distributor.id,
          name: distributor.name,
          customer_count: distributor.customer_count,
        })
        .from(distributor)
        .where(
          and(
            eq(distributor.store_id, row.store_id!),
            eq(distributor.kind, 'guide'),
            inArray(distributor.status, ['active', 'frozen']),
          ),
        )
        .orderBy(asc(distributor.id))
        .limit(100),
    }
  },
  stores: async ({ page, pageSize, keyword }, { db, staff }) => {
    const where = and(
      within(staff.scope, { city: distributor.city_id, mall: distributor.mall_id }),
      eq(distributor.kind, 'store'),
      holding(keyword, [distributor.name], distributor.id),
    )
    const list = await db
      .select({ id: distributor.id, name: distributor.name })
      .from(distributor)
      .where(where)
      .orderBy(asc(distributor.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, distributor, where)) }
  },
  products: async ({ page, pageSize, keyword, of_id }, { db, staff }) => {
    const own = of_id ? await ownOf(db, await sellers.read(db, staff, of_id)) : undefined
    const where = and(
      within(staff.scope, { city: dist_product.city_id, mall: dist_product.mall_id }),
      sellable(own),
      holding(keyword, [product.title], product.id),
    )
    const list = await db
      .select({ id: product.id, name: product.title })
      .from(dist_product)
      .innerJoin(product, eq(product.id, dist_product.ref_id))
      .where(where)
      .orderBy(asc(product.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const [all] = await db
      .select({ n: sql<number>`count(*)::int` })
      .from(dist_product)
      .innerJoin(product, eq(product.id, dist_product.ref_id))
      .where(where)
    return { list, total: all!.n }
  },
  setProducts: async ({ product_ids, ...one }, context) => {
    const was = await heldStore(context, one)
    const ids = [...new Set(product_ids)].sort((a, b) => a - b)
    if (ids.length === 0) return sellers.save(context, was, { product_ids: null })
    const own = await ownOf(context.tx, was)
    const able = await context.tx
      .select({ id: product.id, merchant_id: product.merchant_id })
      .from(dist_product)
      .innerJoin(product, eq(product.id, dist_product.ref_id))
      .where(and(sellable({ ...own, rival_ids: [] }), inArray(product.id, ids)))
    if (able.some(one => own.rival_ids.includes(one.merchant_id)))
      throw ruled('rival', [
        '所选商品中有本商场的排他商户的商品，请移除后再保存',
        'Goods of a rival of the mall are among them: take them out',
      ])
    if (able.length < ids.length)
      throw ruled('not_sellable', [
        '只能选择其他商户正在分销的商品；本商户商品不计门店佣金',
        'Only distributed goods of other merchants: its own pay a store nothing',
      ])
    return sellers.save(context, was, { product_ids: ids })
  },
  setRate: async ({ rate_bp, reason, ...one }, context) =>
    sellers.save(context, await heldStore(context, one), { rate_bp }, reason),
  settleNow: async (one, context) => {
    const { tx, staff, now } = context
    // Not locked: whoever settles holds commission before sellers.
    const was = await sellers.held(context, one)
    if (was.kind !== 'store') throw missing()
    const some = await tx
      .select({ id: c.id })
      .from(c)
      .where(due(was.id))
      .orderBy(asc(c.id))
      .limit(AT_ONCE)
    if (some.length === 0)
      throw ruled('nothing_due', [
        '没有可结算的佣金：退款期未过的佣金到期后才能结算',
        'Nothing is to settle: commission waits until its refund period is over',
      ])
    const done = await settleCommissions(
      tx,
      some.map(row => row.id),
      { now, maker_id: staff.id },
    )
    sellers.log(context, was, {
      after: { lines: done.ids.length, settled_cents: done.cents },
    })
    return { ...one, moved_cents: done.cents, lines: done.ids.length }
  },
  pause: async ({ reason, ...one }, context) => {
    const was = await heldStore(context, one)
    if (was.paused) throw ruled('wrong_state', ['已暂停分销', 'It is paused'])
    return sellers.save(context, was, { paused: true, reason }, reason)
  },
  resume: async (one, context) => {
    const was = await heldStore(context, one)
    if (!was.paused) throw ruled('wrong_state', ['没有暂停', 'It is not paused'])
    const { store: at } = await storeOf(context.tx, was)
    if (at.status !== 'open')
      throw ruled('store_not_open', [
        '门店没有营业，恢复营业后才能恢复分销',
        'The store is not open: it sells again once it is',
      ])
    return sellers.save(context, was, { paused: false, reason: '' })
  },
  export: exportEarned({
    page: 'distribution.index.distStoreDetail',
    title: ['门店分销', 'Commission of a store'],
    permit: calls.export.permit,
  }),
} satisfies { [K in keyof typeof calls]: Handler<(typeof calls)[K]> }
export const distStoreDetailServer = implement(calls, handlers)

const storeRests = joined(['门店未营业，自动暂停', 'The store is not open: paused by itself'])
/** A store that rests or is closed sells nothing of others: it pauses by itself. */
defineTimer('distribution.stores', '*/10 * * * *', async ({ database }) => {
  const { rows } = await database.db.execute(sql`
    update distributor d set paused = true, reason = ${storeRests}, version = d.version + 1
    from store s where d.kind = 'store' and d.status in ('active', 'frozen') and not d.paused and s.id = d.store_id
      and s.status in ('resting', 'closed') returning d.id`)
  return rows.length > 0 ? ['distributor'] : []
})
