/** Online shops as a sheet tells of them: its columns, and what its words mean. */
import type { SheetColumn } from '#src/areas/sheet/table.ts'
import type { Text } from '#src/domain/text.ts'
import { SHOP_CATEGORIES_MOST, shopTypes, type ShopType } from './onlineShop.ts'
import { nameKey } from './storeSheet.ts'

/** The columns; titles of the export of shops are among their names. */
export const shopColumns = [
  {
    key: 'merchant',
    title: ['商户', 'Merchant'],
    names: ['商户名称', '商户编号', '商户号', '所属商户', 'merchantname', 'merchantid'],
    needed: true,
    note: [
      '商户名称、商户号或编号；同名时填编号',
      'Its name or number; the number where several have the name',
    ],
    example: '示例贸易有限公司',
  },
  {
    key: 'name',
    title: ['店铺', 'Shop'],
    names: ['店铺名称', '店铺名', '网店', '网店名称', '店名', 'shopname', 'name'],
    needed: true,
    note: ['2 到 40 个字', '2 to 40 letters'],
    example: '示例旗舰店',
  },
  {
    key: 'type',
    title: ['类型', 'Kind'],
    names: ['店铺类型', '网店类型'],
    needed: true,
    note: ['品牌旗舰店、商场云店或自营店', 'Brand flagship, mall cloud shop or self-run'],
    example: '品牌旗舰店',
  },
  {
    key: 'category',
    title: ['主营分类', 'Categories'],
    names: ['分类', '类目', '主营类目'],
    needed: true,
    note: [
      `末级电商分类的名称，最多 ${SHOP_CATEGORIES_MOST} 个，用顿号隔开；同名时写上级，如 家电 / 冰箱`,
      `Categories with none below them, at most ${SHOP_CATEGORIES_MOST}, with commas between; with the one above where several have the name: Appliances / Fridges`,
    ],
    example: '家电 / 冰箱',
  },
  {
    key: 'city',
    title: ['城市', 'City'],
    names: ['所在城市'],
    note: ['留空为商户所在城市', 'Empty: the city of its merchant'],
    example: '上海',
  },
  {
    key: 'mall',
    title: ['商场', 'Mall'],
    names: ['所在商场', '商场名称'],
    note: ['旗舰店留空；云店与自营店填写', 'Empty of a flagship; of the others their mall'],
    example: '',
  },
  {
    key: 'brand',
    title: ['品牌', 'Brand'],
    names: ['品牌名称'],
    note: ['品牌库中启用的品牌', 'A brand of the library that is on'],
    example: '',
  },
  {
    key: 'phone',
    title: ['客服电话', 'Phone'],
    names: ['电话', '店铺电话', '联系电话'],
    note: [
      '手机、带区号的座机或 400 电话',
      'A mobile, a landline with its area code, a 400 number',
    ],
    example: '021-55550000',
  },
  {
    key: 'ship_area',
    title: ['发货地', 'Ships from'],
    names: ['发货地区', '发货城市'],
    note: ['省市，如 上海市 或 浙江省杭州市', 'A province and a city'],
    example: '上海市',
  },
] as const satisfies readonly SheetColumn[]
export type ShopKey = (typeof shopColumns)[number]['key']

const unknown: Text = [
  '“类型”请填写品牌旗舰店、商场云店或自营店',
  'The kind is brand flagship, mall cloud shop or self-run',
]
/** The kind of shop that a cell names, by its whole word or a part that no other kind has. */
export const shopTypeTyped = (typed: string): ShopType | { fault: Text } => {
  const key = nameKey(typed)
  const kinds = Object.keys(shopTypes) as ShopType[]
  const found = kinds.filter(
    kind => key.length > 1 && shopTypes[kind].some(word => nameKey(word).includes(key)),
  )
  return found.length === 1 ? found[0]! : { fault: unknown }
}
/** The categories of a cell, each with what stands above it where it says so. */
export const categoriesTyped = (typed: string): string[] =>
  typed.split(/[、,，;；\n]/).flatMap(part => (part.trim() === '' ? [] : [part.trim()]))
