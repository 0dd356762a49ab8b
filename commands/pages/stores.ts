import { z } from 'zod'
import { id } from '#src/contract/shapes.ts'
import { followsBy, page, type Section } from '../command.ts'

export const section: Section = {
  key: 'stores',
  title: '网店',
  en: 'Online shops',
  place: 46,
  icon: 'shop',
}

export const shops = page('/manage/stores/stores', '线上店铺', 'Online shops', {
  object: 'store',
  keys: 'g d o',
  keepAlive: true,
  alias: ['网店', '旗舰店', '云店', '自营店', 'online shops'],
})
export const shopForm = page('/manage/stores/addStores', '新增线上店铺', 'New online shop', {
  menu: false,
  under: shops.path,
  alias: ['开网店', '网店草稿', 'open an online shop'],
})
export const shopEdit = page('/manage/stores/editStores', '编辑线上店铺', 'Edit online shop', {
  object: 'store',
  menu: false,
  under: shops.path,
  search: z.looseObject({ id }),
  alias: ['网店资料', '网店变更', 'change of an online shop'],
})
export const shipped = page('/manage/stores/goods', '线上店铺商品', 'Online shop goods', {
  object: 'product',
  keys: 'g d w',
  keepAlive: true,
  follows: followsBy('store_id'),
  alias: ['网店商品', '电商商品', '规格价格', '库存预警', 'SKU', 'shipped goods'],
})
export const shelf = page('/manage/stores/linkGoods', '线上店铺选品', 'Goods of an online shop', {
  object: 'product',
  menu: false,
  under: shops.path,
  search: z.looseObject({ store_id: id }),
  follows: followsBy('store_id'),
  alias: ['店铺货架', '选品', '店铺价', 'shelf of a shop'],
})
