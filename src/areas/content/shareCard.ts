import type { Text } from '#src/domain/text.ts'
import { cutToWidth, widthOf } from '#src/domain/validate.ts'

export const shareTypes = {
  home: ['首页', 'Home'],
  mall: ['商场', 'Mall'],
  store: ['门店', 'Store'],
  bulks: ['团购', 'Group-buy'],
  roll_buy: ['拼团', 'Group deal'],
  elist: ['电商商品', 'E-commerce item'],
  activity: ['活动', 'Activity'],
  card: ['卡券', 'Card'],
} as const satisfies Record<string, Text>
export type ShareType = keyof typeof shareTypes

export const placeholders = {
  city: ['城市名', 'City'],
  mall: ['商场名', 'Mall'],
  store: ['门店名', 'Store'],
  product: ['商品名', 'Product'],
  price: ['售价', 'Price'],
  list_price: ['门市价', 'List price'],
  group_price: ['拼团价', 'Group price'],
  activity: ['活动名', 'Activity'],
  nickname: ['分享人昵称', 'Sharer'],
} as const satisfies Record<string, Text>
export type Placeholder = keyof typeof placeholders
/** The placeholders that a page of this type can fill. */
export const placeholdersOf: Readonly<Record<ShareType, readonly Placeholder[]>> = {
  home: ['city', 'nickname'],
  mall: ['city', 'mall', 'nickname'],
  store: ['city', 'mall', 'store', 'nickname'],
  bulks: ['city', 'store', 'product', 'price', 'list_price', 'nickname'],
  roll_buy: ['city', 'store', 'product', 'price', 'group_price', 'nickname'],
  elist: ['product', 'price', 'list_price', 'nickname'],
  activity: ['city', 'activity', 'nickname'],
  card: ['city', 'store', 'product', 'price', 'nickname'],
}
/** What a default card says when nobody changed it. */
export const shareAtFirst: Readonly<Record<ShareType, string>> = {
  home: '{city}本地好店，都在这里',
  mall: '一起去{mall}逛逛',
  store: '{store}，朋友推荐的好店',
  bulks: '{product}只要{price}元',
  roll_buy: '快来和我拼{product}，拼团价{group_price}元',
  elist: '{product}，{price}元包邮到家',
  activity: '{activity}正在进行',
  card: '{store}{product}，{price}元',
}

/** A template as its readers name what goes into it: “[城市名]本地好店”. */
export const namedTemplate = (template: string, say: (text: Text) => string): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(placeholders, name) ? `[${say(placeholders[name as Placeholder])}]` : whole,
  )
/** The placeholders of a template that its page type does not know. */
export const unknownPlaceholders = (template: string, type: ShareType): string[] =>
  [...new Set([...template.matchAll(/\{([^{}]*)\}/g)].map(found => found[1]!))].filter(
    name => !(placeholdersOf[type] as readonly string[]).includes(name),
  )
export const rendered = (
  template: string,
  values: Readonly<Partial<Record<Placeholder, string>>>,
): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name as Placeholder] ?? whole)

/** What friends see of a title: 30 double-byte characters. */
const SHARE_TITLE_MAX = 30
/** As a friend's phone shows it: cut with an ellipsis where it is wider. */
export const cutTitle = (text: string): { text: string; cut: boolean } =>
  widthOf(text) <= SHARE_TITLE_MAX * 2
    ? { text, cut: false }
    : { text: `${cutToWidth(text, SHARE_TITLE_MAX * 2 - 2)}…`, cut: true }

export type ShareVisit = {
  sharer_id: number
  sharer_device: string
  visitor_id: number | null
  visitor_device: string
}
/**
 * The share visits of one card that earn points: each visitor once, and never from a device the
 * sharer shared with, nor the sharer's own account.
 */
export const rewarded = <T extends ShareVisit>(visits: readonly T[]): T[] => {
  const own = new Set(visits.map(visit => `${visit.sharer_id}|${visit.sharer_device}`))
  const seen = new Set<string>()
  return visits.filter(visit => {
    if (
      visit.visitor_id === visit.sharer_id ||
      own.has(`${visit.sharer_id}|${visit.visitor_device}`)
    )
      return false
    // A visitor is the device, and the person where they are known: neither earns twice.
    const keys = [
      `${visit.sharer_id}|d${visit.visitor_device}`,
      ...(visit.visitor_id === null ? [] : [`${visit.sharer_id}|m${visit.visitor_id}`]),
    ]
    const fresh = keys.every(key => !seen.has(key))
    keys.forEach(key => seen.add(key))
    return fresh
  })
}
