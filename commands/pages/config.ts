import { followsBy, page, type Section } from '../command.ts'

export const section: Section = {
  key: 'config',
  title: '配置',
  en: 'Configuration',
  place: 15,
  icon: 'file',
  setup: true,
}

export const couriers = page('/manage/config/courierCompany', '快递公司', 'Courier companies', {
  object: 'courier',
  keys: 'g c k',
  alias: ['物流公司', '单号规则', 'carriers', 'shipping companies'],
})
export const goodies = page('/manage/config/goodiesSwitch', '好物开关', 'Goodies switches', {
  object: 'feature_switch',
  keys: 'g c g',
  alias: ['灰度', '放量', '功能开关', 'feature flags', 'rollout'],
})
export const issueCates = page('/manage/config/issueCate', '问题分类', 'Issue categories', {
  object: 'issue_cate',
  keys: 'g c i',
  alias: ['工单分类', '投诉分类', '时限', 'SLA', 'ticket categories'],
})
export const entries = page('/manage/config/entry', '首页与频道入口', 'Home and channel entries', {
  object: 'entry_icon',
  keys: 'g c m',
  alias: ['金刚区', '图标入口', '频道入口', '角标', 'icon grid', 'home icons'],
})
export const eCategories = page(
  '/manage/config/entry/eCategoryConfig',
  '电商分类配置',
  'E-commerce category setup',
  {
    object: 'e_category',
    keys: 'g c e',
    alias: ['类目', '商品分类', '佣金', '退货政策', 'product categories'],
  },
)
export const afterSales = page('/manage/config/afterSales', '售后政策配置', 'After-sales policy', {
  object: 'after_sale_config',
  keys: 'g c a',
  alias: ['退货政策', '七天无理由', '极速退款', '退货地址', '售后原因', 'return policy'],
})
export const categoryWalls = page(
  '/manage/config/entry/categoryBrands',
  '分类品牌墙',
  'Category brand wall',
  {
    keys: 'g c b',
    alias: ['品牌推荐', '品牌排序', '品牌置顶', 'brand tiles'],
  },
)
export const homeDesign = page('/manage/config/entry/homePage', '首页装修', 'Home page designer', {
  object: 'page_scheme',
  keys: 'g c h',
  alias: ['首页搭建', '页面装修', '楼层', 'home design', 'page builder'],
  follows: followsBy('city_id'),
})
export const channelDesign = page(
  '/manage/config/entry/categoryHome',
  '频道首页装修',
  'Channel home designer',
  {
    object: 'page_scheme',
    keys: 'g c n',
    alias: ['分类首页', '频道页', '榜单', 'category home', 'channel page'],
    follows: followsBy('city_id'),
  },
)
export const categoryBrandDesign = page(
  '/manage/config/entry/categoryBrandConfigPage',
  '分类品牌页装修',
  'Category brand designer',
  {
    object: 'page_scheme',
    keys: 'g c r',
    alias: ['品牌落地页', '分类品牌', 'brand landing page'],
    follows: followsBy('city_id'),
  },
)
