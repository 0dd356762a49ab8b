import { and, asc, eq } from 'drizzle-orm'
import { setDistributed } from '#src/areas/commission/distributed.server.ts'
import { shop_category, store } from '#src/areas/merchant/merchant.table.ts'
import { hasOpenStore, holdSellers } from '#src/areas/merchant/sales.server.ts'
import { askedTimes, timeLogs, undoTimes } from '#src/areas/product/batchTime.server.ts'
import { distributionFault, refundPolicies } from '#src/areas/product/goods.ts'
import { changersOf, type Goods } from '#src/areas/product/goodsRows.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { productStates } from '#src/areas/product/product.ts'
import { say } from '#src/domain/text.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting, faultless, holding } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { goods as contract } from '../contract/goods.ts'
import { saveRows, setStock } from './goodsGrid.ts'
import { goodsImportHandlers } from './goodsImport.ts'
import { goods, goodsOf, list, shelf } from './goodsRows.ts'

/** No store that is open takes it: it would be sold for nobody. */
const needOpenStore = async ({ tx }: WriteContext, of: Goods): Promise<void> => {
  const [sells] = await tx
    .select({ id: product.id })
    .from(product)
    .where(and(eq(product.id, of.id), hasOpenStore))
  if (!sells)
    throw ruled('no_open_store', [
      '没有营业中的适用门店，请先设置适用门店',
      'No open store takes it: link one first',
    ])
}
type Picks = 'stores' | 'categories' | 'rows'
const picks = {
  rows: async ({ ids }, context) => {
    const rows = await goodsOf(context.db, context.staff, [...new Set(ids)])
    const by = await changersOf(
      context.db,
      rows.map(row => row.id),
    )
    const shown = await list.shown(context.db, rows, context)
    return { list: shown.map(row => ({ ...row, changed_by: by.get(row.id) ?? null })) }
  },
  stores: async ({ page, pageSize, keyword }, { db, staff }) => {
    const where = and(
      eq(store.kind, 'offline'),
      holding(keyword, [store.name]),
      within(staff.scope, { city: store.city_id, mall: store.mall_id }),
    )
    const rows = await db
      .select({ id: store.id, name: store.name })
      .from(store)
      .where(where)
      .orderBy(asc(store.name), asc(store.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, store, where)) }
  },
  categories: async (_, { db }) => {
    const { id, parent_id, name, level } = shop_category
    const rows = await db
      .select({ id, parent_id, name, level })
      .from(shop_category)
      .orderBy(asc(shop_category.sort), asc(shop_category.id))
    const under = (parent: number | null): typeof rows =>
      rows.filter(row => row.parent_id === parent).flatMap(row => [row, ...under(row.id)])
    return { list: under(null).filter(row => row.level < 3) }
  },
} satisfies { [K in Picks]: Handler<(typeof contract)[K]> }

const handlers = {
  ...picks,
  ...goodsImportHandlers,
  lst: async (input, context) => list.page(input as never, context),
  onShelf: async (one, context) => {
    // Its merchant is held first, as a freeze holds it.
    await holdSellers(context.tx, [one.id])
    const was = await shelf.heldFor(context, 'onShelf', one)
    await needOpenStore(context, was)
    return shelf.putOn(context, was)
  },
  offShelf: shelf.offShelf,
  forceOff: shelf.forceOff,
  setSort: shelf.setSort,
  batchOff: shelf.batchOff,
  editStock: async ({ stock, reason, ...one }, context) =>
    setStock(context, await shelf.heldFor(context, 'editStock', one), stock, reason),
  setDistribution: async ({ rate_bp, ...one }, context) => {
    const was = await shelf.heldFor(context, 'setDistribution', one)
    if (rate_bp !== null)
      faultless(context.staff, { rate_bp: distributionFault(rate_bp, was.commission_bp) })
    const after = await goods.save(context, was, { distribution_bp: rate_bp })
    // The list of distributed goods says the same, and is what orders go by.
    await setDistributed(context.tx, after, rate_bp, context.now)
    return after
  },
  saveGrid: async ({ rows, reason }, context) => ({
    results: await saveRows(context, rows, reason),
  }),
  batchTime: async (input, context) => askedTimes(context, input),
  timeLogs: async (asked, { db, staff }) => timeLogs(db, staff, asked),
  undoBatch: async ({ batch_no, reason }, context) => {
    const { undone = 0, fail_count } = await undoTimes(context, batch_no, reason)
    if (undone === 0 && fail_count === 0) throw missing()
    return { batch_no, undone, left: fail_count }
  },
  export: exporting(list, {
    page: 'shop.goods',
    title: ['门店团购', 'Store group-buys'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'title', title: ['商品', 'Product'] },
      { key: 'merchant_name', title: ['商户', 'Merchant'] },
      { key: 'store_name', title: ['门店', 'Store'] },
      { key: 'city_name', title: ['城市', 'City'] },
      { key: 'mall_name', title: ['商场', 'Mall'] },
      { key: 'category_name', title: ['分类', 'Category'] },
      { key: 'list_price_cents', title: ['门市价', 'List price'], kind: 'money' },
      { key: 'price_cents', title: ['售价', 'Price'], kind: 'money' },
      {
        key: 'settle_price_cents',
        title: ['结算价', 'Settlement price'],
        kind: 'money',
        field: 'product.settle_price_cents',
      },
      { key: 'group_price_cents', title: ['拼团价', 'Group price'], kind: 'money' },
      { key: 'stock_left', title: ['可售库存', 'Stock'], kind: 'number' },
      { key: 'sold', title: ['已售', 'Sold'], kind: 'number' },
      { key: 'redeemed', title: ['已核销', 'Redeemed'], kind: 'number' },
      { key: 'sale_start_at', title: ['开售时间', 'Sale from'], kind: 'time' },
      { key: 'sale_end_at', title: ['停售时间', 'Sale until'], kind: 'time' },
      { key: 'check_start_at', title: ['核销开始', 'Redeem from'], kind: 'time' },
      { key: 'check_end_at', title: ['核销截止', 'Redeem until'], kind: 'time' },
      { key: 'refund', title: ['退款规则', 'Refund'] },
      { key: 'state', title: ['状态', 'State'] },
    ],
    words: ({ state, keyword, ...on }, lang) => [
      state && say(productStates[state], lang),
      on.ending && say(['7 天内停售', 'Ending in 7 days'], lang),
      on.short_redeem && say(['核销截止早于券码', 'Redeeming ends before codes'], lang),
      on.sold_out && say(['已售罄', 'Sold out'], lang),
      keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      refund: say(refundPolicies[row.refund_policy], lang),
      state: say(productStates[row.state], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const goodsServer = implement(contract, handlers)
