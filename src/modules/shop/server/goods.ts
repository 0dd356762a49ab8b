import { and, asc, eq } from 'drizzle-orm'
import { submitOffer } from '#src/areas/audit/decision.server.ts'
import { liveBody } from '#src/areas/audit/submission.server.ts'
import { shop_category, store } from '#src/areas/merchant/merchant.table.ts'
import { hasOpenStore, holdSellers } from '#src/areas/merchant/sales.server.ts'
import { askedTimes, timeLogs, undoTimes } from '#src/areas/product/batchTime.server.ts'
import { distributionFault, priceFaults, refundPolicies } from '#src/areas/product/goods.ts'
import { changersOf, needGoods, type Goods } from '#src/areas/product/goodsRows.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { productStates } from '#src/areas/product/product.ts'
import type { ChangedBy } from '#src/contract/envelope.ts'
import { say, type Text } from '#src/domain/text.ts'
import { tryRows } from '#src/server/call/batch.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting, faultless, holding } from '#src/server/call/record.ts'
import { missing, ruled, type Refusal } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { goods as contract, type GoodsEdit as Edited } from '../contract/goods.ts'
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
/** So many may still be sold; what unpaid orders hold is kept besides. */
const setStock = (context: WriteContext, was: Goods, left: number, reason: string) =>
  goods.save(context, was, { stock: left + was.held }, reason)

const prices = ['price_cents', 'settle_price_cents', 'group_price_cents'] as const
/** Submits what was edited of the prices to the audit: the old ones sell until it is decided. */
const submitPrices = async (
  context: WriteContext,
  was: Goods,
  { edited, reason }: { edited: Edited; reason: string },
): Promise<Text> => {
  const { tx, staff, now } = context
  await needGoods(context, 'editPrice', was)
  const live = await liveBody(tx, was.id)
  if (!live) throw ruled('never_approved', ['商品尚未审核通过', 'It was never approved'])
  const set = Object.fromEntries(
    prices.flatMap(key => (edited[key] === undefined ? [] : [[key, edited[key]]])),
  )
  if (set['group_price_cents'] !== undefined && live.group_price_cents === undefined)
    faultless(staff, { group_price_cents: ['该商品不支持拼团', 'Nobody buys it together'] })
  const body = { ...live, ...set }
  faultless(staff, priceFaults(body))
  const task = await submitOffer(tx, {
    product_id: was.id,
    body,
    submit_type: 'edit',
    by: staff.id,
    now,
  })
  const before = Object.fromEntries(Object.keys(set).map(key => [key, live[key as 'price_cents']]))
  goods.log(context, was, { before, after: { ...set, audit_task: task.id }, reason })
  return task.state === 'approved'
    ? ['已保存，新价格已生效', 'Saved, the new price holds']
    : ['已保存，价格待审核', 'Saved, the price waits for an audit']
}
/** Saves a row of a grid: what needs no audit at once, the prices last. */
const saveRow = async (context: WriteContext, edited: Edited, reason: string): Promise<Text> => {
  let was = await goods.heldFast(context, edited)
  if (edited.stock_left !== undefined) {
    await needGoods(context, 'editStock', was)
    was = await setStock(context, was, edited.stock_left, reason)
  }
  if (edited.sort !== undefined) was = await goods.save(context, was, { sort: edited.sort }, reason)
  return prices.some(key => edited[key] !== undefined)
    ? submitPrices(context, was, { edited, reason })
    : ['已保存', 'Saved']
}
/** A refusal of a row as its grid shows it: at its cells, where it says at which. */
const refused = (error: Refusal, edited: Edited, context: WriteContext) => {
  const { lang } = context.staff
  const text = error.in(lang)
  const { fields, by } = error.dataIn(lang) as {
    fields?: Record<string, string>
    by?: ChangedBy
  }
  const isPrice = error.data['rule'] === 'in_audit'
  const at = prices.filter(key => isPrice && edited[key] !== undefined)
  return {
    result: error.status === 409 ? ('conflict' as const) : ('error' as const),
    text,
    fields: fields ?? Object.fromEntries(at.map(key => [key, text])),
    ...(by && { by }),
  }
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
    return goods.save(context, was, { distribution_bp: rate_bp })
  },
  saveGrid: async ({ rows, reason }, context) => {
    const once = [...new Map(rows.map(row => [row.id, row])).values()]
    const told = new Map<number, Text>()
    const tried = await tryRows(context, once, async (inside, edited) => {
      told.set(edited.id, await saveRow(inside, edited, reason))
    })
    return {
      results: tried.map(({ one, error }) => ({
        id: one.id,
        ...(error
          ? refused(error, one, context)
          : {
              result: 'saved' as const,
              text: say(told.get(one.id)!, context.staff.lang),
              fields: {},
            }),
      })),
    }
  },
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
        title: ['结算价', 'Settle price'],
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
