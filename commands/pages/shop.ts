import { z } from 'zod'
import { id } from '#src/contract/shapes.ts'
import { followsBy, page, type Section } from '../command.ts'

export const section: Section = {
  key: 'shop',
  title: '商户门店',
  en: 'Merchants & stores',
  place: 45,
  opens: 'index',
  icon: 'people',
}

export const merchants = page('/manage/shop/index', '商户列表', 'Merchants', {
  object: 'merchant',
  keys: 'g d m',
  keepAlive: true,
  alias: ['商家', '合同到期', '冻结商户', 'sellers', 'contracts'],
})
export const merchantForm = page('/manage/shop/index/add', '商户资料', 'Merchant form', {
  menu: false,
  alias: ['录入商户', '商户入驻', 'application'],
})
export const shopAudit = page('/manage/shop/audit', '商户入驻审核', 'Merchant sign-ups', {
  object: 'application',
  keys: 'g a m',
  keepAlive: true,
  alias: ['入驻审核', '商户审核', '执照变更', '账户变更', 'onboarding audit', 'applications'],
})
export const stores = page('/manage/shop/stores', '门店列表', 'Stores', {
  object: 'store',
  keys: 'g d s',
  keepAlive: true,
  alias: ['营业', '闭店', '楼层', '核销员', '门店码', 'shops', 'branches'],
})
export const storeForm = page('/manage/shop/stores/add', '新增门店', 'New store', {
  menu: false,
  alias: ['门店草稿', '开店', 'open a store'],
})
export const storeEdit = page('/manage/shop/stores/edit', '编辑门店', 'Edit store', {
  object: 'store',
  menu: false,
  search: z.looseObject({ id }),
  follows: ({ type, id: of }) => (type === 'store' ? { id: of } : undefined),
  alias: ['门店资料', '门店变更', 'change of a store'],
})
export const storeGoods = page(
  '/manage/shop/stores/linkGoods',
  '门店适用商品',
  'Products of a store',
  {
    object: 'product',
    menu: false,
    search: z.looseObject({ store_id: id }),
    follows: followsBy('store_id'),
    alias: ['门店库存', 'deals of a store'],
  },
)
export const goods = page('/manage/shop/goods', '门店团购商品', 'Store group-buys', {
  object: 'product',
  keys: 'g d g',
  keepAlive: true,
  alias: ['在售商品', '补库存', '延期', '改价', 'deals', 'stock'],
})
export const shopCategories = page('/manage/shop/cate', '门店经营分类', 'Store categories', {
  object: 'shop_category',
  keys: 'g d c',
  alias: ['类目', '经营类目', '费率', '资质', 'categories', 'take rate'],
})
export const storeBrands = page('/manage/shop/brand', '品牌门店归属', 'Brands of stores', {
  object: 'store',
  keys: 'g d r',
  alias: ['门店品牌', '无品牌门店', '品牌归属', 'brand mapping'],
})
export const facilities = page('/manage/shop/facility', '门店设施', 'Facilities', {
  object: 'facility',
  keys: 'g d f',
  alias: ['配套', '设施', '停车', '母婴室', 'amenities'],
})
export const bds = page('/manage/shop/bd', 'BD 管辖', 'BD assignments', {
  keys: 'g d b',
  alias: ['商务', '无主门店', '移交', 'sales', 'handover', 'orphans'],
})
export const bdGmv = page('/manage/shop/bd/gmv', 'BD 业绩', 'BD results', {
  keys: 'g d p',
  keepAlive: true,
  alias: ['提成', '达成率', '锁定业绩', 'BD GMV', 'commission', 'ranking'],
})
export const activities = page('/manage/shop/activity', '门店活动', 'Store activities', {
  object: 'store_activity',
  keys: 'g d a',
  keepAlive: true,
  alias: ['满减', '折扣活动', '活动审核', '置顶活动', 'promotions'],
})
