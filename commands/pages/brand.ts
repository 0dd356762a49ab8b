import { page, type Section } from '../command.ts'

export const section: Section = {
  key: 'brand',
  title: '品牌',
  en: 'Brands',
  place: 47,
  icon: 'gift',
}

export const brands = page('/manage/brand/index', '品牌库', 'Brands', {
  object: 'brand',
  keys: 'g b b',
  alias: ['商标', '授权', '重复品牌', 'trademarks'],
})
export const brandAudit = page('/manage/brand/audit', '品牌入驻审核', 'Brand applications', {
  object: 'application',
  keys: 'g b a',
  keepAlive: true,
  alias: ['品牌审核', '商标审核', '品牌授权', 'brand audit'],
})
export const brandDesign = page('/manage/brand/index/config', '品牌主页配置', 'Brand page setup', {
  object: 'page_scheme',
  keys: 'g b p',
  alias: ['品牌页装修', '品牌故事', 'brand page', 'brand story'],
  follows: ({ type, id }) => (type === 'brand' ? { brand_id: id } : undefined),
})
