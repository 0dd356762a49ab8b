import type { Text } from '#src/domain/text.ts'
import { widthOf } from '#src/domain/validate.ts'

export const mallKinds = {
  mall: ['购物中心', 'Mall'],
  street: ['商业街', 'Street'],
  community: ['社区商业', 'Community centre'],
} as const satisfies Record<string, Text>
export type MallKind = keyof typeof mallKinds
export const mallStates = {
  draft: ['草稿', 'Draft'],
  online: ['已上线', 'Online'],
  offline: ['已下线', 'Offline'],
  closed: ['已关闭', 'Closed'],
} as const satisfies Record<string, Text>
export type MallState = keyof typeof mallStates

/** A store is used, and sold from, while it is open. */
export const storeStates = {
  draft: ['草稿', 'Draft'],
  auditing: ['审核中', 'In audit'],
  open: ['营业中', 'Open'],
  resting: ['休息中', 'Paused'],
  closed: ['已关闭', 'Closed'],
} as const satisfies Record<string, Text>
export type StoreState = keyof typeof storeStates

/** What may happen from which state (domain B, mall). `closed` is the end. */
const from = {
  publish: ['draft', 'offline'],
  offline: ['online'],
  close: ['offline'],
  del: ['draft'],
  edit: ['draft', 'online', 'offline'],
  setHot: ['online'],
} as const satisfies Record<string, readonly MallState[]>
export type MallVerb = keyof typeof from
const whyNot: Record<MallVerb, Text> = {
  publish: ['只有草稿或已下线的商场可以上线', 'Only a draft or an offline mall can go online'],
  offline: ['商场不在线上', 'The mall is not online'],
  close: ['须先下线再关闭', 'Take it offline first'],
  del: ['只能删除草稿', 'Only a draft can be deleted'],
  edit: ['已关闭的商场只读', 'A closed mall is read-only'],
  setHot: ['只有线上商场可设为热门', 'Only an online mall can be hot'],
}
/** True, or why a mall of this state can't have it. */
export const mallCan = (verb: MallVerb, of: { status: MallState }): true | Text =>
  (from[verb] as readonly MallState[]).includes(of.status) ? true : whyNot[verb]
export const mallAfter = {
  online: 'publish',
  offline: 'offline',
  closed: 'close',
} as const satisfies Partial<Record<MallState, MallVerb>>

/** Modules of a mall's home page; the order of some of them is the mall's own. */
export const mallModules = {
  hot: ['热门', 'Hot'],
  category: ['导购分类', 'Categories'],
  coupon: ['优惠券', 'Coupons'],
  group: ['团购', 'Group-buys'],
  voucher: ['代金券', 'Vouchers'],
  featured: ['精选商品', 'Featured'],
  shop: ['推荐门店', 'Stores'],
  floor: ['楼层', 'Floors'],
} as const satisfies Record<string, Text>
export type MallModule = keyof typeof mallModules
export const moduleKeys = Object.keys(mallModules) as MallModule[]
export type MallOptions = Record<`show_${MallModule}`, boolean> & {
  block_order: MallModule[]
  default_tab: string
  theme: string
}
export const usualOptions: MallOptions = {
  show_hot: true,
  show_category: true,
  show_coupon: true,
  show_group: true,
  show_voucher: true,
  show_featured: true,
  show_shop: true,
  show_floor: true,
  block_order: [...moduleKeys],
  default_tab: 'shop',
  theme: 'light',
}

export type Hours = { weekdays: number[]; from: string; to: string }
const HOURS = /^([01]\d|2[0-3]):[0-5]\d$/
/**
 * Opening hours as `HH:mm` per weekday (1 Monday); a day must not stand in two lines, and `to` may
 * be past midnight.
 */
export const hoursFault = (hours: readonly Hours[]): Text | undefined => {
  const days = hours.flatMap(one => one.weekdays)
  if (
    hours.some(
      one =>
        one.weekdays.length === 0 ||
        !HOURS.test(one.from) ||
        !HOURS.test(one.to) ||
        one.from === one.to,
    )
  )
    return ['请填写星期与 HH:mm 的起止时间', 'Give weekdays, and times as HH:mm']
  return new Set(days).size < days.length
    ? ['同一天出现在两行营业时间里', 'A weekday stands in two lines']
    : undefined
}

const NAME_MIN = 2
const NAME_MAX = 40
export const nameFault = (name: string): Text | undefined => {
  const width = widthOf(name.trim())
  return width < NAME_MIN || width > NAME_MAX
    ? [
        '名称须为 2–40 个字符（汉字按 2 个计）',
        'A name has 2–40 characters; a Chinese one counts as 2',
      ]
    : undefined
}

/** Malls this near each other are asked about before a second one is made. */
export const NEAR_M = 500

/** What an online mall must have. */
const checklist = {
  city: ['城市', 'City'],
  pin: ['地图坐标', 'Map pin'],
  cover: ['封面图', 'Cover'],
  floor: ['至少一个展示的楼层', 'A shown floor'],
} as const satisfies Record<string, Text>
/** What the list calls incomplete besides. */
const further = {
  logo: ['商场标志', 'Logo'],
  phone: ['电话', 'Phone'],
  open_hours: ['营业时间', 'Opening hours'],
  address: ['地址', 'Address'],
  intro: ['简介', 'Introduction'],
} as const satisfies Record<string, Text>
export const wanted = { ...checklist, ...further }
export type Wanted = keyof typeof wanted
export type Complete = {
  city_id?: number | null
  lng_e6: number | null
  lat_e6: number | null
  covers: readonly string[]
  shown_floors: number
  logo: string
  phone: string
  open_hours: readonly Hours[]
  address: string
  intro: string
}
/** What is missing, the needed ones first. */
export const missingOf = (of: Complete): Wanted[] => {
  const has: Record<Wanted, boolean> = {
    city: Boolean(of.city_id),
    pin: of.lng_e6 !== null && of.lat_e6 !== null,
    cover: of.covers.length > 0,
    floor: of.shown_floors > 0,
    logo: of.logo !== '',
    phone: of.phone !== '',
    open_hours: of.open_hours.length > 0,
    address: of.address !== '',
    intro: of.intro !== '',
  }
  return (Object.keys(wanted) as Wanted[]).filter(key => !has[key])
}
export const isNeeded = (key: Wanted): boolean => key in checklist
/** In percent. */
export const completeness = (missing: readonly Wanted[]): number =>
  Math.round(((Object.keys(wanted).length - missing.length) / Object.keys(wanted).length) * 100)

export const FLOOR_MIN = -5
export const FLOOR_MAX = 99
/** B2, 1F: how a level is called when nobody gave it another name. */
export const floorName = (level: number): string =>
  level < 0 ? `B${-level}` : `${level === 0 ? 'G' : `${level}F`}`

export type CategorySettings = {
  title: string
  show_title: boolean
  per_row: 4 | 5
  max_rows: number
  layout: 'grid' | 'tabs'
  store_limit: number
  hide_empty: boolean
}
export const usualSettings: CategorySettings = {
  title: '导购分类',
  show_title: true,
  per_row: 5,
  max_rows: 2,
  layout: 'grid',
  store_limit: 10,
  hide_empty: true,
}
