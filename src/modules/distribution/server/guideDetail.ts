import { and, asc, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import { bindWecom, changeStore, heldGuide, leaveGuide } from '#src/areas/binding/guides.server.ts'
import { dist_commission } from '#src/areas/commission/commission.table.ts'
import { commissionByState, topProducts } from '#src/areas/distribution/sellerFigures.server.ts'
import { freezeSeller, sellers, type Seller } from '#src/areas/distribution/sellers.server.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { implement, type Db, type Handler } from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { missing } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { guideDetail as calls } from '../contract/guideDetail.ts'
import { exportEarned } from './sellerEarned.ts'

/** Where a guide stands by sales among the active guides that match. */
const placeOf = async (db: Db, row: Seller, by: 'store_id' | 'mall_id') => {
  const peers = and(
    eq(distributor.kind, 'guide'),
    eq(distributor.status, 'active'),
    eq(distributor[by], row[by]!),
    ne(distributor.id, row.id),
  )
  return {
    at: 1 + (await db.$count(distributor, and(peers, gt(distributor.gmv_cents, row.gmv_cents)))),
    among: 1 + (await db.$count(distributor, peers)),
  }
}
const shown = async (db: Db, row: Seller) => {
  const [at] = await db
    .select({ store: store.name, merchant: merchant.name, mall: mall.name, rule: mall.guide_rule })
    .from(store)
    .innerJoin(merchant, eq(merchant.id, store.merchant_id))
    .leftJoin(mall, eq(mall.id, store.mall_id))
    .where(eq(store.id, row.store_id!))
  return {
    ...row,
    own_share_bp: row.rate_bp,
    kind: 'guide' as const,
    store_id: row.store_id!,
    store: at!.store,
    merchant: at!.merchant,
    mall: at!.mall ?? '',
    guide_rule: at!.rule ?? ('merchant' as const),
    wecom_userid: row.wecom_userid ?? '',
  }
}
const borneOf = async (db: Db, id: number): Promise<number> => {
  const [sum] = await db
    .select({
      cents: sql<string>`coalesce(sum(${dist_commission.amount_cents} - ${dist_commission.reversed_cents}), 0)`,
    })
    .from(dist_commission)
    .where(and(eq(dist_commission.distributor_id, id), eq(dist_commission.role, 'guide')))
  return Number(sum!.cents)
}

const handlers = {
  detail: async ({ id }, { db, staff, now }) => {
    const row = await sellers.read(db, staff, id)
    if (row.kind !== 'guide') throw missing()
    return {
      row: await shown(db, row),
      states: await commissionByState(db, id),
      borne_cents: await borneOf(db, id),
      products: await topProducts(db, { distributor_id: id }, now),
      in_store: await placeOf(db, row, 'store_id'),
      in_mall: row.mall_id > 0 ? await placeOf(db, row, 'mall_id') : null,
      withdrawing: await db.$count(
        withdrawal,
        and(
          eq(withdrawal.owner_kind, 'distributor'),
          eq(withdrawal.owner_id, id),
          inArray(withdrawal.status, ['pending', 'approved', 'paying', 'wait_confirm']),
        ),
      ),
    }
  },
  successors: async ({ page, pageSize, keyword, of_id }, { db, staff }) => {
    const where = and(
      within(staff.scope, { city: distributor.city_id, mall: distributor.mall_id }),
      eq(distributor.kind, 'guide'),
      eq(distributor.status, 'active'),
      holding(keyword, [distributor.name], distributor.id),
      of_id === undefined
        ? undefined
        : and(
            ne(distributor.id, of_id),
            sql`${distributor.store_id} = (select g.store_id from distributor g where g.id = ${of_id})`,
          ),
    )
    const list = await db
      .select({
        id: distributor.id,
        name: distributor.name,
        store: sql<string>`coalesce(${store.name}, '')`,
      })
      .from(distributor)
      .leftJoin(store, eq(store.id, distributor.store_id))
      .where(where)
      .orderBy(asc(distributor.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, distributor, where)) }
  },
  stores: async ({ page, pageSize, keyword }, { db, staff }) => {
    const where = and(
      within(staff.scope, { city: store.city_id, mall: store.mall_id }),
      eq(store.kind, 'offline'),
      eq(store.status, 'open'),
      holding(keyword, [store.name], store.id),
    )
    const list = await db
      .select({ id: store.id, name: store.name })
      .from(store)
      .where(where)
      .orderBy(asc(store.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, store, where)) }
  },
  changeStore: (input, context) => changeStore(context, input),
  bindWecom: (input, context) => bindWecom(context, input),
  setRate: async ({ rate_bp, reason, ...one }, context) =>
    sellers.save(context, await heldGuide(context, one), { rate_bp }, reason),
  freeze: async ({ reason, ...one }, context) => {
    await heldGuide(context, one)
    return freezeSeller(context, one, reason)
  },
  leave: (input, context) => leaveGuide(context, input),
  export: exportEarned({
    page: 'distribution.index.guideDetail',
    title: ['导购业绩', 'Commission of a guide'],
    permit: calls.export.permit,
  }),
} satisfies { [K in keyof typeof calls]: Handler<(typeof calls)[K]> }
export const guideDetailServer = implement(calls, handlers)
