import { page, type Given, type Section } from '../command.ts'

export const section: Section = { key: 'mall', title: '商场', en: 'Malls', place: 40, icon: 'shop' }

/** Linked to the list of malls, a board shows the mall in focus there. */
const ofMall = ({ type, id }: Given) => (type === 'mall' ? { mid: id } : undefined)
export const malls = page('/manage/mall', '商场列表', 'Malls', {
  object: 'mall',
  keys: 'g m m',
  keepAlive: true,
  file: 'mall/pages/index.tsx',
  alias: ['购物中心', '商业街', 'shopping centres'],
})
export const mallForm = page('/manage/mall/add', '商场资料', 'Mall form', {
  follows: ofMall,
  object: 'mall',
  menu: false,
})
export const hot = page('/manage/mall/hot', '商场热门', 'Mall hot items', {
  follows: ofMall,
  object: 'hot_item',
  keys: 'g m h',
  alias: ['热词', 'hot words'],
})
export const featured = page('/manage/mall/productsFeatured', '精选商品', 'Featured products', {
  follows: ofMall,
  object: 'product',
  keys: 'g m p',
})
export const coupons = page('/manage/mall/coupon', '优惠券推荐位', 'Recommended coupons', {
  follows: ofMall,
  object: 'coupon',
  keys: 'g m q',
})
export const groups = page('/manage/mall/group', '团购推荐位', 'Recommended group-buys', {
  follows: ofMall,
  object: 'product',
  keys: 'g m t',
})
export const vouchers = page('/manage/mall/voucher', '代金券推荐位', 'Recommended vouchers', {
  follows: ofMall,
  object: 'product',
  keys: 'g m v',
})
export const floors = page('/manage/mall/floor', '楼层管理', 'Mall floors', {
  follows: ofMall,
  object: row => ['door_no' in row ? 'store' : 'mall_floor', row.id],
  keys: 'g m f',
})
export const categories = page('/manage/mall/category', '导购分类', 'Mall guide categories', {
  follows: ofMall,
  object: 'mall_category',
  keys: 'g m c',
})
export const shops = page('/manage/mall/shop', '推荐门店', 'Recommended stores', {
  follows: ofMall,
  object: row => ['store', row.store_id],
  keys: 'g m s',
})
