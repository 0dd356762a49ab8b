import { brands as calls, brandRow, type BrandRow } from '#src/modules/brand/contract/index.ts'
import { ask, to, type Told } from '../command.ts'
import { brandDesign, brands } from '../pages/brand.ts'
import { citiesAsk } from '../places.ts'
import {
  arrangeAction,
  asking,
  createAction,
  exportAction,
  formOf,
  idOf,
  one,
  pageAction,
  reason,
  rowActions,
  type Arranged,
} from '../record.ts'

const mergedAway = ['已合并，不能再修改', 'It is merged and changes no more'] as const
const disabled = ['请先启用', 'Enable it first'] as const
/** Whether a brand still changes. */
const stands = ({ state }: BrandRow) => state !== 'merged' || mergedAway
const isOn = (row: BrandRow) => {
  if (row.state === 'merged') return mergedAway
  return row.state === 'on' || disabled
}
/** What ids of a row are called, by the names beside them. */
const called = (ids: readonly number[] | null | undefined, names: readonly string[] | undefined) =>
  Object.fromEntries((ids ?? []).map((id, at) => [id, names?.[at] ?? `#${id}`]))

/** What a merge takes along, of the person's places. */
const comesAlong = ([row]: readonly BrandRow[]): Told | undefined =>
  row && [
    [
      '“{name}”的 {stores} 家门店、{goods} 件在售商品与 {followers} 位关注者将转入目标品牌，不可撤销',
      'The {stores} stores, {goods} goods on sale and {followers} followers of “{name}” go over for good',
    ],
    {
      name: row.name,
      stores: row.stores.toLocaleString('en'),
      goods: row.goods.toLocaleString('en'),
      followers: row.followers.toLocaleString('en'),
    },
  ]
const form = formOf(
  {
    name: ask.text({ label: ['品牌名称', 'Name'], max: 64 }),
    en_name: ask.text({ label: ['英文名', 'English name'], max: 64, optional: true }),
    logo: ask.images({
      label: ['标志', 'Logo'],
      max: 1,
      ratio: [1, 1],
      maxBytes: 2 * 1024 * 1024,
      optional: true,
    }),
    category_id: ask.entity({
      label: ['分类', 'Category'],
      find: calls.categories,
      labelOf: row => row.name,
      named: rows => rows[0]?.category_name,
    }),
    company: ask.text({ label: ['所属公司', 'Company'], max: 64, optional: true }),
    initial: ask.text({
      label: ['首字母', 'Letter'],
      max: 1,
      optional: true,
      hint: ['留空按拼音自动生成', 'Empty: as its name is read'],
    }),
    auth_category_ids: ask.entities({
      label: ['授权分类', 'Authorised for'],
      find: calls.categories,
      max: 60,
      optional: true,
      labelOf: row => row.name,
      named: rows => called(rows[0]?.auth_category_ids, rows[0]?.auth_category_names),
      hint: ['商户自有品牌留空，无需授权', 'None for a merchant’s own brand'],
    }),
    auth_end_at: ask.time({
      label: ['授权到期', 'Authorised until'],
      optional: true,
      hint: ['留空为长期', 'Empty: without end'],
    }),
    city_ids: citiesAsk({
      label: ['推荐城市', 'Recommended in'],
      max: 400,
      optional: true,
      hint: ['不选为全国', 'None: the whole country'],
    }),
  },
  ({ logo, ...asked }) => ({
    name: asked.name,
    en_name: asked.en_name ?? '',
    initial: asked.initial ?? '',
    logo: logo?.[0] ?? '',
    category_id: asked.category_id,
    company: asked.company ?? '',
    auth_category_ids: asked.auth_category_ids ?? [],
    ...(asked.auth_end_at && { auth_end_at: asked.auth_end_at }),
    city_ids: asked.city_ids ?? [],
  }),
)
const row = rowActions(brands, brandRow)
export const brandActions = {
  create: createAction(calls.create, ['新增品牌', 'New brand'], brands, form),
  edit: row.row(calls.edit, ['编辑品牌', 'Edit brand'], {
    key: 'e',
    main: true,
    when: stands,
    asks: form.asks,
    input: asking(form.input),
  }),
  merge: row.row(calls.merge, ['合并重复品牌', 'Merge a duplicate'], {
    key: 'm',
    danger: true,
    main: 'plain',
    when: stands,
    tells: comesAlong,
    asks: {
      target_id: ask.entity({
        label: ['并入品牌', 'Merge into'],
        find: calls.pick,
        labelOf: of => `${of.name} · ${of.category_name}`,
        given: rows => ({ but: rows[0]?.id }),
        initial: rows => rows[0]?.twins[0]?.id,
        named: rows => rows[0]?.twins[0]?.name,
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
  setRecommend: row.row(calls.setRecommend, ['设为推荐', 'Recommend'], {
    key: 'r',
    main: 'plain',
    when: of => (of.recommended ? ['已是推荐品牌', 'Already recommended'] : isOn(of)),
    input: one,
  }),
  cancelRecommend: row.row(calls.cancelRecommend, ['取消推荐', 'Recommend no more'], {
    key: 'shift+r',
    takenBack: 'opposite',
    when: of => of.recommended || ['不是推荐品牌', 'Not recommended'],
    input: one,
  }),
  sort: arrangeAction<Arranged, {}>(
    calls.sort,
    ['调整推荐顺序', 'Arrange recommended'],
    brands,
    () => ({}),
  ),
  bindStores: row.row(calls.bindStores, ['关联门店', 'Give stores'], {
    key: 'b',
    when: isOn,
    asks: {
      store_ids: ask.entities({
        label: ['无品牌的门店', 'Stores without a brand'],
        find: calls.freeStores,
        max: 200,
        labelOf: of => `${of.name} · ${of.city_name}`,
        none: ['门店都已有品牌', 'Every store has a brand'],
      }),
    },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
  }),
  bindGoods: row.row(calls.bindGoods, ['关联商品', 'Give goods'], {
    key: 'p',
    when: isOn,
    asks: {
      product_ids: ask.entities({
        label: ['无品牌的商品', 'Goods without a brand'],
        find: calls.freeGoods,
        max: 200,
        labelOf: of => `${of.title} · ${of.merchant_name}`,
        none: ['商品都已有品牌', 'Everything has a brand'],
      }),
    },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
  }),
  openDesigner: row.row('brand.index.openDesigner', ['装修品牌主页', 'Design its page'], {
    key: 'y',
    when: isOn,
    to: ([of]) => to(brandDesign, { brand_id: of!.id }),
  }),
  enable: row.enable(calls.enable, {
    when: of => {
      if (of.state === 'merged') return mergedAway
      return of.state === 'off' || ['已启用', 'It is enabled']
    },
  }),
  disable: row.disable(calls.disable, { when: isOn }),
  del: row.del(calls.del, ['删除品牌', 'Delete brand'], {
    when: of => {
      if (of.state === 'merged') return mergedAway
      return of.stores + of.goods === 0 || ['仍有门店或商品在使用', 'Stores or goods name it']
    },
  }),
  batchImport: pageAction(calls.batchImport, ['批量导入', 'Import'], brands, { key: 'i' }),
  export: exportAction(calls.export, ['导出品牌', 'Export brands'], brands),
}
