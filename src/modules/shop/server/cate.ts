import { isNull } from 'drizzle-orm'
import { isUploaded } from '#src/areas/merchant/eCategories.server.ts'
import { shop_category } from '#src/areas/merchant/merchant.table.ts'
import {
  listedShopCategories,
  salesOf,
  shopCategories as categories,
  shopCategoryPlaces,
  shopCategoryTree as tree,
} from '#src/areas/merchant/shopCategories.server.ts'
import { kindWords, rateWords } from '#src/areas/merchant/shopCategory.ts'
import { switches } from '#src/areas/people/people.ts'
import { comma, say } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting, faultless, reverting, turning } from '#src/server/call/record.ts'
import { inputOf, way } from '#src/server/call/reverts.ts'
import { listedWithNames, moveWay } from '#src/server/call/tree.ts'
import { shopCate as contract } from '../contract/cate.ts'

const pictured = async ({ tx, staff }: WriteContext, icon: string): Promise<void> =>
  faultless(staff, {
    icon: (await isUploaded(tx, icon))
      ? undefined
      : ['图片已不存在，请重新上传', 'The picture is gone: upload it again'],
  })
const shownNow = {
  rule: 'wrong_state',
  on: ['已展示', 'Already shown'],
  off: ['已隐藏', 'Already hidden'],
} as const
/** What products of a new category must hold to, until it is said otherwise: as the one above. */
const bounds = (above: typeof shop_category.$inferSelect | undefined) => ({
  commission_min_bp: above?.commission_min_bp ?? 0,
  commission_max_bp: above?.commission_max_bp ?? 3000,
  floor_bp: above?.floor_bp ?? 3000,
  need_licenses: above?.need_licenses ?? [],
  product_kinds: above?.product_kinds ?? [],
})

const handlers = {
  lst: async (_, { db }) => ({ list: await listedShopCategories(db) }),
  sales: async ({ id }, { db, now }) => ({ gmv_30d_cents: await salesOf(db, id, now - 30 * DAY) }),
  places: (asked, { db, staff }) => shopCategoryPlaces(db, asked, staff.lang),
  create: async ({ parent_id = null, take, ...fields }, context) => {
    const all = await tree.locked(context.tx)
    await pictured(context, fields.icon)
    const values = { ...fields, ...bounds(all.row(parent_id)), parent_id }
    if (!take) return { ...(await tree.add(context, all, values)), moved: 0 }
    return tree.addTaking(context, all, values)
  },
  edit: async ({ id, version, ...fields }, context) => {
    const held = await tree.held(context, { id, version })
    tree.named(held, fields.name)
    await pictured(context, fields.icon)
    return categories.save(context, held.row, fields)
  },
  move: async ({ id, version, parent_id = null, sort }, context) =>
    tree.place(context, await tree.held(context, { id, version }), { parent_id, sort }),
  setRate: async ({ rate_bp, reason, ...one }, context) => {
    const { row } = await tree.held(context, one)
    return categories.save(context, row, { commission_bp: rate_bp ?? null }, reason)
  },
  setLicense: async ({ list, classes, ...one }, context) => {
    const { row } = await tree.held(context, one)
    return categories.save(context, row, {
      need_licenses: [...new Set(list)],
      ...(classes && { trademark_classes: [...new Set(classes)] }),
    })
  },
  setKinds: async ({ kinds, ...one }, context) => {
    const { row } = await tree.held(context, one)
    return categories.save(context, row, { product_kinds: [...new Set(kinds)] })
  },
  show: async (one, context) => {
    const { row } = await tree.held(context, one)
    await turning(Promise.resolve(row), 'on', shownNow)
    return categories.save(context, row, { status: 'on' })
  },
  hide: async ({ reason, ...one }, context) => {
    const { row } = await tree.held(context, one)
    await turning(Promise.resolve(row), 'off', shownNow)
    return categories.save(context, row, { status: 'off' }, reason)
  },
  mergeInto: async ({ target_id, reason, ...one }, context) =>
    tree.merge(context, await tree.held(context, one), {
      target_id,
      reason,
      gone: { status: 'off' },
    }),
  del: async (one, context) => tree.remove(context, await tree.held(context, one)),
  export: exporting(
    {
      of: categories,
      where: () => isNull(shop_category.merged_into),
      shown: async (db, rows) =>
        listedWithNames(await tree.standing(db), rows, await listedShopCategories(db)),
    },
    {
      page: 'shop.cate',
      title: ['门店经营分类', 'Store categories'],
      permit: contract.export.permit,
      columns: [
        { key: 'id', title: ['编号', 'ID'], kind: 'number' },
        { key: 'name', title: ['分类', 'Category'] },
        { key: 'level', title: ['层级', 'Level'], kind: 'number' },
        { key: 'stores', title: ['门店', 'Stores'], kind: 'number' },
        { key: 'open', title: ['营业门店', 'Open stores'], kind: 'number' },
        { key: 'products', title: ['商品', 'Products'], kind: 'number' },
        { key: 'on_sale', title: ['在售', 'On sale'], kind: 'number' },
        { key: 'rate', title: ['默认费率', 'Take rate'] },
        { key: 'licences', title: ['必备资质', 'Licences'] },
        { key: 'kinds', title: ['可售类型', 'Product types'] },
        { key: 'status', title: ['状态', 'State'] },
      ],
      words: () => [],
      cells: (row, { lang }) => ({
        id: row.id,
        name: row.full_name,
        level: row.level,
        stores: row.stores_all,
        open: row.open_stores,
        products: row.products_all,
        on_sale: row.on_sale,
        rate: rateWords(row.rate_bp, lang),
        licences: row.need_licenses.join(say(comma, lang)),
        kinds: kindWords(row.product_kinds, lang),
        status: say(switches[row.status], lang),
      }),
    },
  ),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(categories, [
  way(contract.edit, handlers.edit, ['name', 'icon']),
  moveWay(contract.move, handlers.move),
  way(
    contract.setLicense,
    handlers.setLicense,
    ['need_licenses', 'trademark_classes'],
    inputOf({ list: 'need_licenses', classes: 'trademark_classes' }),
  ),
  way(contract.setKinds, handlers.setKinds, ['product_kinds'], inputOf({ kinds: 'product_kinds' })),
])

export const shopCateServer = implement(contract, handlers)
