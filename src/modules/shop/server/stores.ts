import { and, asc, eq, sql } from 'drizzle-orm'
import { mall_floor } from '#src/areas/mall/mall.table.ts'
import { storeStates } from '#src/areas/mall/mall.ts'
import { shop_category } from '#src/areas/merchant/merchant.table.ts'
import { restFault, storeProblems } from '#src/areas/merchant/store.ts'
import { heldFor, lockedFor, moved, stores } from '#src/areas/merchant/storeRecord.server.ts'
import { openRested, storeEffects } from '#src/areas/merchant/stores.server.ts'
import { closeStore, openStore, restStore } from '#src/areas/merchant/storeTrading.server.ts'
import { addClerk } from '#src/areas/merchant/storeVerifier.server.ts'
import type { Sent } from '#src/contract/call.ts'
import { comma, say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { exporting, faultless, holding, reverting, unlessTaken } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { inputOf, way } from '#src/server/call/reverts.ts'
import { within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { stores as contract } from '../contract/stores.ts'
import { storeImportHandlers } from './storeImport.ts'
import { floorIn, mallsOf, needMall, refuseDoor, takeAlong } from './storePlacing.ts'
import { list, statOf, type Filters } from './storeRows.ts'

type Picks = 'categories' | 'floors' | 'malls'
const picks = {
  categories: async (_, { db }) => {
    const rows = await db
      .select({
        id: shop_category.id,
        parent_id: shop_category.parent_id,
        name: shop_category.name,
        level: shop_category.level,
      })
      .from(shop_category)
      .orderBy(asc(shop_category.sort), asc(shop_category.id))
    const under = (parent_id: number | null): typeof rows =>
      rows.filter(row => row.parent_id === parent_id).flatMap(row => [row, ...under(row.id)])
    return { list: under(null).filter(row => row.level < 3) }
  },
  floors: async ({ page, pageSize, keyword, mid }, { db, staff }) => {
    const where = and(
      eq(mall_floor.mid, mid),
      holding(keyword, [mall_floor.name, mall_floor.alias]),
      within(staff.scope, {
        city: sql`(select m.city_id from mall m where m.id = ${mall_floor.mid})`,
        mall: mall_floor.mid,
      }),
    )
    const rows = await db
      .select({ id: mall_floor.id, name: mall_floor.name, alias: mall_floor.alias })
      .from(mall_floor)
      .where(where)
      .orderBy(asc(mall_floor.sort), asc(mall_floor.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, mall_floor, where)) }
  },
  malls: async (asked, context) => {
    const { rows, total, none } = await mallsOf(context, asked)
    // A store is outside already where its city has no mall.
    if (asked.keyword || total === 0) return { list: rows, total }
    return { list: asked.page === 1 ? [none, ...rows] : rows, total: total + 1 }
  },
} satisfies { [K in Picks]: Handler<(typeof contract)[K]> }

const handlers = {
  ...picks,
  ...storeImportHandlers,
  lst: async ({ page, pageSize, ...filters }, context) => {
    const { status: _, ...others } = filters
    return {
      ...(await list.page({ page, pageSize, ...filters } as never, context)),
      stat: await statOf(context.db, list.where(others as Filters, context)),
    }
  },
  effects: async ({ id }, { db, staff }) => storeEffects(db, (await stores.read(db, staff, id)).id),
  open: async (one, context) => openStore(context, one),
  rest: async ({ reason, until_at, ...one }, context) =>
    restStore(context, await heldFor(context, 'rest', one), { reason, until_at }),
  close: async ({ reason, ...one }, context) =>
    closeStore(context, await heldFor(context, 'close', one), reason),
  moveMall: async ({ mid, floor_id, door_no, ...one }, context) => {
    const was = await heldFor(context, 'move', one)
    await needMall(context, was, mid)
    const floor = await floorIn(context, { mid, floor_id })
    const to = { mall_id: mid, floor_id: floor.id, floor: floor.name, door_no: door_no || null }
    await refuseDoor(context.tx, { ...was, ...to })
    const after = await stores.save(context, was, to)
    await takeAlong(context.tx, after)
    return after
  },
  recommend: async (one, context) => {
    const was = await heldFor(context, 'recommend', one)
    if (was.is_recommend) throw ruled('already', ['已是推荐门店', 'Already recommended'])
    return stores.save(context, was, { is_recommend: true })
  },
  unrecommend: async (one, context) => {
    const was = await stores.heldFast(context, one)
    if (!was.is_recommend) throw ruled('already', ['不是推荐门店', 'Not recommended'])
    return stores.save(context, was, { is_recommend: false })
  },
  addVerifier: async ({ id, phone, name }, context) => {
    const of = await lockedFor(context, 'addVerifier', id)
    return unlessTaken(
      addClerk(context, of, { phone, name }).then(added => ({ id, ...added })),
      () => ruled('already', ['该手机号刚刚被添加', 'The phone was added just now']),
    )
  },
  batchRest: async ({ ids, ...rest }, context) => {
    faultless(context.staff, { until_at: restFault(rest.until_at, context.now) })
    return eachRow(context, ids, async (inner, id) =>
      restStore(inner, await lockedFor(inner, 'rest', id), rest),
    )
  },
  batchMoveFloor: async ({ ids, floor_id }, context) => {
    const [floor] = await context.tx.select().from(mall_floor).where(eq(mall_floor.id, floor_id))
    if (!floor) throw missing()
    return eachRow(context, ids, async (inner, id) => {
      const was = await lockedFor(inner, 'move', id)
      if (was.mall_id !== floor.mid)
        throw ruled('other_mall', [
          '门店不在该楼层所在的商场',
          'It is not in the mall of this floor',
        ])
      await refuseDoor(inner.tx, { ...was, floor_id })
      await stores.save(inner, was, { floor_id, floor: floor.name })
    })
  },
  export: exporting(list, {
    page: 'shop.stores',
    title: ['门店', 'Stores'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'store_no', title: ['门店号', 'Number'] },
      { key: 'name', title: ['门店', 'Store'] },
      { key: 'city_name', title: ['城市', 'City'] },
      { key: 'mall_name', title: ['商场', 'Mall'] },
      { key: 'floor_name', title: ['楼层', 'Floor'] },
      { key: 'door_no', title: ['门牌号', 'Door'] },
      { key: 'address', title: ['地址', 'Address'] },
      { key: 'phone', title: ['电话', 'Phone'] },
      { key: 'category_name', title: ['分类', 'Category'] },
      { key: 'brand_name', title: ['品牌', 'Brand'] },
      { key: 'merchant_name', title: ['商户', 'Merchant'] },
      { key: 'bd_name', title: ['BD', 'BD'] },
      { key: 'on_sale_count', title: ['在售商品', 'On sale'], kind: 'number' },
      {
        key: 'gmv_30d_cents',
        title: ['30 天成交', '30-day GMV'],
        kind: 'money',
        field: 'stat.gmv_cents',
      },
      { key: 'verified_30d', title: ['30 天核销', '30-day redeemed'], kind: 'number' },
      { key: 'score', title: ['评分', 'Score'] },
      { key: 'problems', title: ['资料问题', 'Problems'] },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'status_reason', title: ['状态原因', 'Why'] },
    ],
    words: ({ status, keyword, mid, ...on }, lang) => [
      status && say(storeStates[status], lang),
      mid === 0 && say(['商场外', 'Outside malls'], lang),
      on.recommended && say(['推荐', 'Recommended'], lang),
      on.no_deals && say(['无在售商品', 'Nothing on sale'], lang),
      on.problem && say(['资料有问题', 'Has problems'], lang),
      keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      score: (row.score_x10 / 10).toFixed(1),
      problems: row.problems.map(key => say(storeProblems[key], lang)).join(say(comma, lang)),
      status: say(storeStates[row.status], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

const asMoved = inputOf<Sent<typeof contract.moveMall>>({
  mid: 'mall_id',
  floor_id: 'floor_id',
  door_no: 'door_no',
})
reverting(stores, [way(contract.moveMall, handlers.moveMall, moved, asMoved)])
defineTimer('shop.rested', '*/5 * * * *', async ({ database, now }) =>
  (await openRested(database, now)) > 0 ? ['store', 'product'] : [],
)

export const storesServer = implement(contract, handlers)
