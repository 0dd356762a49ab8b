import { shopProductKinds, type ShopProductKind } from '#src/areas/merchant/shopCategory.ts'
import { shopCate as calls, shopCategoryRow } from '#src/modules/shop/contract/cate.ts'
import { askLicences, askNeededClasses, askRate, classesOf, rateOf } from '../categories.ts'
import { ask } from '../command.ts'
import { shopCategories } from '../pages/shop.ts'
import { asking, createAction, exportAction, formOf, one, reason, rowActions } from '../record.ts'
import { askParent, treeActions } from '../tree.ts'

const asks = {
  name: ask.text({ label: ['名称', 'Name'], max: 10 }),
  icon: ask.images({
    label: ['图标', 'Icon'],
    max: 1,
    optional: true,
    ratio: [1, 1],
    maxBytes: 2 * 1024 * 1024,
  }),
}
type Answers = { name: string; icon?: string[] | undefined }
const fields = ({ name, icon }: Answers) => ({ name, icon: icon?.[0] ?? '' })
const row = rowActions(shopCategories, shopCategoryRow)
export const cateActions = {
  create: createAction(
    calls.create,
    ['新增分类', 'New category'],
    shopCategories,
    formOf(
      {
        parent: askParent(calls),
        ...asks,
        take: ask.flag({
          label: ['接收上级的门店与商品', 'Take over the parent’s stores and products'],
          hint: [
            '上级已有门店或商品时须勾选：只有末级分类可以承载',
            'Required if the parent has stores or products: only the lowest level can hold them',
          ],
          shown: ({ parent }) => parent !== undefined,
        }),
      },
      ({ parent, take, ...asked }) => ({
        ...fields(asked),
        ...(parent && { parent_id: parent, take: take ?? false }),
      }),
    ),
  ),
  edit: row.edit(calls.edit, ['编辑分类', 'Edit category'], formOf(asks, fields), { main: true }),
  setRate: row.row(calls.setRate, ['修改默认费率', 'Set the take rate'], {
    key: 'b',
    asks: {
      percent: askRate(
        ['默认费率（%）', 'Take rate (%)'],
        [
          '0–50，只用于之后的新合同；留空沿用上级',
          '0–50, for new contracts only; empty: same as parent',
        ],
      ),
      reason,
    },
    input: asking(({ percent, reason: why }) => ({ ...rateOf(percent), reason: why })),
  }),
  setLicense: row.row(calls.setLicense, ['设置资质与商标类别', 'Set licences and trademarks'], {
    key: 'q',
    asks: { list: askLicences, classes: askNeededClasses },
    input: asking(({ list, classes }) => ({ list: list ?? [], classes: classesOf(classes) })),
  }),
  setKinds: row.row(calls.setKinds, ['设置可售类型', 'Set product types'], {
    key: 't',
    asks: {
      kinds: ask.choices({
        label: ['可售商品类型', 'Product types'],
        options: shopProductKinds,
        optional: true,
        field: 'product_kinds',
        hint: ['不勾选为不限；审核新商品时检查', 'Empty: no limit; checked at audit'],
        initial: rows => rows[0]?.product_kinds,
      }),
    },
    input: asking(({ kinds }) => ({ kinds: (kinds ?? []) as ShopProductKind[] })),
  }),
  show: row.row(calls.show, ['展示', 'Show'], {
    key: 'v',
    when: ({ status }) => status === 'off' || ['已展示', 'Already shown'],
    input: one,
  }),
  hide: row.row(calls.hide, ['隐藏', 'Hide'], {
    key: 'shift+v',
    when: ({ status }) => status === 'on' || ['已隐藏', 'Already hidden'],
    tells: ([of]) => [
      [
        '连同 {m} 个下级不再展示，涉及 {n} 家门店；隐藏期间不接受新商品',
        'Hidden with its {m} subcategories; {n} stores affected, and no new products while hidden',
      ],
      { n: of!.stores_all, m: of!.children },
    ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  ...treeActions(row, calls, {
    tells: ([of]) => [
      [
        '将移走 {s} 家门店、{n} 件商品、{m} 个下级；原分类不再展示，旧编号指向新分类',
        'Moves {s} stores, {n} products and {m} subcategories; this category is hidden and its number points to the new one',
      ],
      { s: of!.stores, n: of!.products, m: of!.children },
    ],
    mayDelete: ({ children, stores, products }) => {
      if (children > 0) return ['还有下级，不能删除', 'Has subcategories: can’t be deleted']
      return (
        stores + products === 0 || [
          '还有门店或商品，请先合并到其他分类',
          'Has stores or products: merge it into another category first',
        ]
      )
    },
  }),
  export: exportAction(calls.export, ['导出分类', 'Export the categories'], shopCategories),
}
