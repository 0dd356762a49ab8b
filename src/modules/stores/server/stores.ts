import { storeStates } from '#src/areas/mall/mall.ts'
import { eCategoryTree } from '#src/areas/merchant/eCategories.server.ts'
import { shopBlocks, shopTypes } from '#src/areas/merchant/onlineShop.ts'
import { dropOldDrafts, shopDuties } from '#src/areas/merchant/onlineShops.server.ts'
import { restFault } from '#src/areas/merchant/store.ts'
import { storeEffects } from '#src/areas/merchant/stores.server.ts'
import { closeStore, openStore, restStore } from '#src/areas/merchant/storeTrading.server.ts'
import { percent } from '#src/domain/money.ts'
import { comma, say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { exporting, faultless } from '#src/server/call/record.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { shops as contract } from '../contract/stores.ts'
import { heldShop, list, lockedShop, saveShop, shops, statOf, type Filters } from './rows.ts'
import { shopImportHandlers } from './shopImport.ts'

const handlers = {
  lst: async ({ page, pageSize, ...filters }, context) => {
    const { status: _, ...others } = filters
    return {
      ...(await list.page({ page, pageSize, ...filters } as never, context)),
      stat: await statOf(context.db, list.where(others as Filters, context)),
    }
  },
  effects: async ({ id }, { db, staff }) => {
    const row = await shops.read(db, staff, id)
    const { unsettled_cents, ...duties } = await shopDuties(db, row.id)
    return { ...(await storeEffects(db, row.id)), ...duties, is_settled: unsettled_cents <= 0 }
  },
  categories: async (_, { db }) => {
    const tree = await eCategoryTree.standing(db)
    return { list: tree.branch(null).map(({ id, name, level }) => ({ id, name, level })) }
  },
  open: async (one, context) => {
    await shops.held(context, one)
    return openStore(context, one)
  },
  rest: async ({ reason, until_at, ...one }, context) =>
    restStore(context, await heldShop(context, 'rest', one), { reason, until_at }),
  close: async ({ reason, ...one }, context) =>
    closeStore(context, await heldShop(context, 'close', one), reason),
  setSort: async ({ sort, ...one }, context) =>
    saveShop(context, await shops.heldFast(context, one), { sort }),
  batchRest: async ({ ids, ...rest }, context) => {
    faultless(context.staff, { until_at: restFault(rest.until_at, context.now) })
    return eachRow(context, ids, async (inner, id) =>
      restStore(inner, await lockedShop(inner, 'rest', id), rest),
    )
  },
  ...shopImportHandlers,
  export: exporting(list, {
    page: 'stores.stores',
    title: ['线上店铺', 'Online shops'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'store_no', title: ['店铺号', 'Number'] },
      { key: 'name', title: ['店铺', 'Shop'] },
      { key: 'shop_type', title: ['类型', 'Kind'] },
      { key: 'merchant_name', title: ['商户', 'Merchant'] },
      { key: 'city_name', title: ['城市', 'City'] },
      { key: 'mall_name', title: ['商场', 'Mall'] },
      { key: 'category_name', title: ['主营分类', 'Categories'] },
      { key: 'brand_name', title: ['品牌', 'Brand'] },
      { key: 'on_sale_count', title: ['在售商品', 'On sale'], kind: 'number' },
      { key: 'unshipped', title: ['待发货', 'To ship'], kind: 'number' },
      { key: 'late', title: ['30 天晚发率', 'Late 30 d'] },
      { key: 'back', title: ['30 天退款率', 'Refunded 30 d'] },
      { key: 'score', title: ['服务分', 'Score'] },
      { key: 'ship_area', title: ['发货地', 'Ships from'] },
      { key: 'sort', title: ['排序', 'Order'], kind: 'number' },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'status_reason', title: ['状态原因', 'Why'] },
      { key: 'blocks', title: ['开店还缺', 'Missing to open'] },
    ],
    words: ({ status, shop_type, no_goods, keyword }, lang) => [
      status && say(storeStates[status], lang),
      shop_type && say(shopTypes[shop_type], lang),
      no_goods && say(['无在售商品', 'Nothing on sale'], lang),
      keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      category_ids: '',
      images: '',
      hours: '',
      name_pairs: '',
      shop_type: say(shopTypes[row.shop_type], lang),
      late: row.late_bp === null ? '' : percent(row.late_bp),
      back: row.refund_bp === null ? '' : percent(row.refund_bp),
      score: (row.score_x10 / 10).toFixed(1),
      status: say(storeStates[row.status], lang),
      blocks: row.blocks.map(block => say(shopBlocks[block], lang)).join(say(comma, lang)),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

defineTimer('stores.drafts', '20 4 * * *', async ({ database, now }) =>
  (await dropOldDrafts(database.db, now)) > 0 ? ['store'] : [],
)

export const shopsServer = implement(contract, handlers)
