import { mobileOf } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'

export const clickTypes = {
  page: ['页面', 'Page'],
  store: ['门店', 'Store'],
  product: ['商品', 'Product'],
  banner: ['轮播图', 'Banner'],
  activity: ['活动', 'Activity'],
  entry: ['入口', 'Entry'],
  hot: ['热门内容', 'Hot item'],
  recommend: ['推荐位', 'Recommendation'],
  act_area: ['活动专区', 'Activity area'],
  brand: ['品牌', 'Brand'],
} as const satisfies Record<string, Text>
export type ClickType = keyof typeof clickTypes

export const clickEntries = {
  home: ['首页', 'Home'],
  mall_home: ['商场首页', 'Mall home'],
  search: ['搜索', 'Search'],
  category: ['分类', 'Category'],
  banner: ['轮播图', 'Banner'],
  hot: ['热门内容', 'Hot items'],
  recommend: ['推荐位', 'Recommendations'],
  activity: ['活动页', 'Activity page'],
  live: ['直播间', 'Live room'],
  share: ['好友分享', 'A friend’s share'],
  qr: ['扫码', 'QR code'],
  message: ['服务通知', 'Service message'],
} as const satisfies Record<string, Text>
export type ClickEntry = keyof typeof clickEntries

/** Rows are counted exactly up to here; more are "more than". */
export const CLICKS_COUNTED = 100_000
/** At most so many rows go into one file. */
export const CLICKS_EXPORTED = 100_000
export const CLICKS_KEPT_DAYS = 180
/** The longest span of one question: without a member, device or object named, and with one. */
export const CLICK_DAYS = { open: 31, named: 93 } as const

/**
 * A keyword as what it asks for: a whole phone number or a nickname; `part` is a piece of a phone
 * number, which is not answered.
 */
export const clickKeyword = (typed: string): { phone: string } | { nickname: string } | 'part' => {
  const phone = mobileOf(typed)
  if (phone) return { phone }
  return /^\d+$/.test(typed.replace(/[\s-]/g, '')) ? 'part' : { nickname: typed }
}
