import { and, asc, eq } from 'drizzle-orm'
import { eCategoryTree } from '#src/areas/merchant/eCategories.server.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { holdSellers } from '#src/areas/merchant/sales.server.ts'
import { changersOf } from '#src/areas/product/goodsRows.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { productStates } from '#src/areas/product/product.ts'
import { priceBands } from '#src/areas/product/shipped.ts'
import { setLimit, setPrices, setStock, skuOf, skusOf } from '#src/areas/product/skus.server.ts'
import { percent } from '#src/domain/money.ts'
import { say, semicolon } from '#src/domain/text.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { exporting, holding } from '#src/server/call/record.ts'
import { within } from '#src/server/call/scope.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import { countOf } from '#src/server/db/paging.ts'
import { goods as contract } from '../contract/goods.ts'
import { goodsImportHandlers } from './goodsImport.ts'
import { batchEditPrice, saveGrid } from './goodsPrices.ts'
import { goods, list, shelf, skuShown } from './goodsRows.ts'

type Picks = 'skus' | 'rows' | 'shops' | 'categories'
const picks = {
  skus: async ({ product_id, keyword, page, pageSize }, { db, staff }) => {
    const of = await goods.read(db, staff, product_id)
    const all = ((await skusOf(db, [of.id])).get(of.id) ?? []).filter(
      sku => !keyword || sku.name.includes(keyword) || sku.code.includes(keyword),
    )
    return {
      list: all.slice((page - 1) * pageSize, page * pageSize).map(skuShown),
      total: all.length,
    }
  },
  rows: async ({ ids }, context) => {
    const { db, staff } = context
    const found = await db
      .select()
      .from(product)
      .where(and(oneOf(product.id, ids), goods.seen(staff)))
      .orderBy(product.id)
    const shown = await list.shown(db, found, context)
    const by = await changersOf(
      db,
      found.map(row => row.id),
    )
    return {
      list: shown.flatMap(({ skus, ...of }) =>
        skus.map(sku => ({
          ...of,
          ...sku,
          product_id: of.id,
          changed_by: by.get(of.id) ?? null,
        })),
      ),
    }
  },
  shops: async ({ page, pageSize, keyword }, { db, staff }) => {
    const where = and(
      eq(store.kind, 'online'),
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
    const tree = await eCategoryTree.standing(db)
    return { list: tree.branch(null).map(({ id, name, level }) => ({ id, name, level })) }
  },
} satisfies { [K in Picks]: Handler<(typeof contract)[K]> }

const handlers = {
  ...picks,
  ...goodsImportHandlers,
  lst: async (input, context) => list.page(input as never, context),
  onShelf: async (one, context) => {
    // Its merchant is held first, as a freeze holds it.
    await holdSellers(context.tx, [one.id])
    return shelf.putOn(context, await shelf.heldFor(context, 'onShelf', one))
  },
  offShelf: shelf.offShelf,
  forceOff: shelf.forceOff,
  setSort: shelf.setSort,
  batchOff: shelf.batchOff,
  editStock: async ({ sku_id, stock, ...one }, context) => {
    const was = await shelf.heldFor(context, 'editStock', one)
    return setStock(goods, context, was, { sku: await skuOf(context, was, sku_id), left: stock })
  },
  editPrice: async ({ sku_id, price_cents, reason, ...one }, context) => {
    const was = await shelf.heldFor(context, 'editPrice', one)
    const sku = await skuOf(context, was, sku_id)
    return setPrices(goods, context, was, { prices: [{ sku, price_cents }], reason })
  },
  setLimit: async ({ limit_per_member, ...one }, context) =>
    setLimit(goods, context, await shelf.heldFor(context, 'setLimit', one), limit_per_member),
  batchEditPrice,
  saveGrid,
  export: exporting(list, {
    page: 'stores.goods',
    title: ['线上店铺商品', 'Online shop goods'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'title', title: ['商品', 'Product'] },
      { key: 'merchant_name', title: ['商户', 'Merchant'] },
      { key: 'store_name', title: ['店铺', 'Shop'] },
      { key: 'city_name', title: ['城市', 'City'] },
      { key: 'category_name', title: ['分类', 'Category'] },
      { key: 'variants', title: ['规格（售价｜可售）', 'Variants (price | stock)'] },
      { key: 'list_price_cents', title: ['划线价', 'List price'], kind: 'money' },
      { key: 'price_cents', title: ['最低售价', 'Lowest price'], kind: 'money' },
      {
        key: 'settle_price_cents',
        title: ['结算价', 'Settle price'],
        kind: 'money',
        field: 'product.settle_price_cents',
      },
      { key: 'stock_left', title: ['可售库存', 'Stock'], kind: 'number' },
      { key: 'sold_30d', title: ['30 天销量', 'Sold 30 d'], kind: 'number' },
      { key: 'refunded', title: ['30 天退款率', 'Refunded 30 d'] },
      { key: 'limit_per_member', title: ['每人限购', 'Limit each'], kind: 'number' },
      { key: 'sort', title: ['排序', 'Order'], kind: 'number' },
      { key: 'state', title: ['状态', 'State'] },
      { key: 'off_reason', title: ['下架原因', 'Why off sale'] },
    ],
    words: ({ state, price, low_stock, keyword }, lang) => [
      state && say(productStates[state], lang),
      price && say(priceBands[price].text, lang),
      low_stock && say(['库存预警', 'Low stock'], lang),
      keyword,
    ],
    cells: ({ skus, ...row }, { lang }) => ({
      ...row,
      // A file has no cells for lists.
      store_ids: '',
      images: '',
      taken_off: '',
      grams: '',
      variants: skus
        .map(sku => `${sku.name} ¥${(sku.price_cents / 100).toFixed(2)}｜${sku.stock_left}`)
        .join(say(semicolon, lang)),
      refunded: row.refund_bp === null ? '' : percent(row.refund_bp),
      state: say(productStates[row.state], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const shippedServer = implement(contract, handlers)
