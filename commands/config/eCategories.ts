import { daysFault, freightPayers, RETURN_MAX_DAYS } from '#src/areas/afterSalePolicy/policy.ts'
import {
  eCategoryConfig as calls,
  eCategoryRow,
} from '#src/modules/config/contract/eCategoryConfig.ts'
import { askLicences, askNeededClasses, askRate, classesOf, rateOf } from '../categories.ts'
import { ask } from '../command.ts'
import { eCategories } from '../pages/config.ts'
import { asking, createAction, exportAction, formOf, one, reason, rowActions } from '../record.ts'
import { askParent, treeActions } from '../tree.ts'

const picture = { max: 1, optional: true, ratio: [1, 1], maxBytes: 2 * 1024 * 1024 } as const
const asks = {
  name: ask.text({ label: ['名称', 'Name'], max: 24 }),
  icon: ask.images({ label: ['图标', 'Icon'], ...picture }),
  picture: ask.images({ label: ['配图', 'Picture'], ...picture }),
}
type Answers = { name: string; icon?: string[] | undefined; picture?: string[] | undefined }
const fields = ({ name, icon, picture }: Answers) => ({
  name,
  icon: icon?.[0] ?? '',
  picture: picture?.[0] ?? '',
})
const row = rowActions(eCategories, eCategoryRow)
export const eCategoryActions = {
  create: createAction(
    calls.create,
    ['新增分类', 'New category'],
    eCategories,
    formOf(
      {
        parent: askParent(calls),
        ...asks,
        take: ask.flag({
          label: ['接收上级的商品', 'Take over the products of the one above'],
          hint: [
            '上级已有商品时须勾选：商品只能挂在末级分类',
            'Needed where that has products: only leaves have any',
          ],
          shown: ({ parent }) => parent !== undefined,
        }),
      },
      ({ parent, take, ...asked }) => ({
        ...fields(asked),
        ...(parent && { parent_id: parent, take_products: take ?? false }),
      }),
    ),
  ),
  edit: row.edit(calls.edit, ['编辑分类', 'Edit category'], formOf(asks, fields), { main: true }),
  setCommission: row.row(calls.setCommission, ['设置佣金比例', 'Set the commission'], {
    key: 'b',
    asks: {
      percent: askRate(
        ['佣金比例（%）', 'Commission, %'],
        [
          '0–50，之后的订单按此计算；留空沿用上级或商品约定',
          '0–50, for later orders; leave empty to inherit, or to follow each product',
        ],
      ),
      reason,
    },
    input: asking(({ percent, reason: why }) => ({
      ...rateOf(percent),
      reason: why,
    })),
  }),
  setQualification: row.row(
    calls.setQualification,
    ['设置资质与商标类别', 'Set licences and trademarks'],
    {
      key: 'q',
      asks: { list: askLicences, classes: askNeededClasses },
      input: asking(({ list, classes }) => ({ list: list ?? [], classes: classesOf(classes) })),
    },
  ),
  setReturnPolicy: row.row(calls.setReturnPolicy, ['设置退货政策', 'Set the return policy'], {
    key: 'r',
    asks: {
      own: ask.flag({
        label: ['单独设置', 'A policy of its own'],
        hint: ['不勾选则沿用上级或默认售后政策', 'Else as above, or as the default policy says'],
        initial: () => true,
      }),
      days: ask.number({
        label: ['签收后可退天数', 'Days after receipt'],
        min: 0,
        max: RETURN_MAX_DAYS,
        shown: ({ own }) => own,
        initial: rows => rows[0]?.return_policy.days,
        hint: ['只影响之后的订单', 'For later orders'],
        check: (days, { exempt }) =>
          daysFault({ no_reason_days: days, exempt: exempt ?? false }, 1),
      }),
      exempt: ask.flag({
        label: ['不适用七天无理由', 'Exempt from the seven days'],
        shown: ({ own }) => own,
        initial: rows => rows[0]?.return_policy.exempt,
      }),
      payer: ask.choice({
        label: ['无理由退货运费', 'No-reason return freight'],
        options: freightPayers,
        shown: ({ own }) => own,
        initial: rows => rows[0]?.return_policy.payer,
      }),
    },
    input: asking(({ own, days, exempt, payer }) =>
      own ? { policy: { days, exempt, payer } } : {},
    ),
  }),
  show: row.row(calls.show, ['显示', 'Show'], {
    key: 'v',
    when: ({ status }) => status === 'off' || ['已显示', 'Already shown'],
    input: one,
  }),
  hide: row.row(calls.hide, ['隐藏', 'Hide'], {
    key: 'shift+v',
    when: ({ status }) => status === 'on' || ['已隐藏', 'Already hidden'],
    tells: ([of]) => [
      [
        '连同 {m} 个下级不再展示，涉及 {n} 件在售商品；隐藏期间不接受新商品',
        'Hidden with its {m} subcategories; {n} products on sale are in them, and no new ones while hidden',
      ],
      { n: of!.on_sale, m: of!.children },
    ],
    asks: {
      searchable: ask.flag({
        label: ['商品仍可搜索到', 'Its products are still found by searching'],
        initial: () => true,
      }),
      reason,
    },
    input: asking(({ searchable, reason: why }) => ({ searchable, reason: why })),
  }),
  moveProducts: row.row(calls.moveProducts, ['转移商品', 'Move products'], {
    key: 'p',
    when: ({ products }) => products > 0 || ['该分类没有商品', 'It has no products'],
    tells: ([of]) => [['将转移 {n} 件商品', '{n} products move'], { n: of!.products }],
    asks: {
      target: ask.entity({
        label: ['转移到', 'To'],
        find: calls.leaves,
        given: rows => ({ id: rows[0]?.id }),
        labelOf: ({ full_name }: { full_name: string }) => full_name,
      }),
    },
    input: asking(({ target }) => ({ target_id: target })),
  }),
  ...treeActions(row, calls, {
    tells: ([of]) => [
      [
        '将移走 {n} 件商品、{m} 个下级；原分类不再展示，旧编号指向新分类',
        '{n} products and {m} children move; the category closes, and its number leads on',
      ],
      { n: of!.products, m: of!.children },
    ],
    mayDelete: ({ children, products }) => {
      if (children > 0) return ['还有下级，不能删除', 'Others stand under it']
      return products === 0 || ['还有商品，请先转移或合并', 'It has products: move or merge it']
    },
  }),
  export: exportAction(calls.export, ['导出分类', 'Export the categories'], eCategories),
}
