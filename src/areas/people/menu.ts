import type { Text } from '#src/domain/text.ts'

export const menuTypes = {
  dir: ['目录', 'Directory'],
  page: ['页面', 'Page'],
  action: ['操作', 'Action'],
} as const satisfies Record<string, Text>
export type MenuType = keyof typeof menuTypes
const above: Record<MenuType, MenuType | null> = { dir: null, page: 'dir', action: 'page' }
const misplaced: Record<MenuType, Text> = {
  dir: ['目录只能放在最上层', 'A directory stands at the top'],
  page: ['页面只能放在目录下', 'A page stands under a directory'],
  action: ['操作只能放在页面下', 'An action stands under a page'],
}
/**
 * Only directory > page > action: true, or why this kind can't stand under that parent (null is the
 * top).
 */
export const mayHold = (type: MenuType, parent: MenuType | null): true | Text =>
  above[type] === parent || misplaced[type]

/** Accounts of the merchant's side, each with its package of pages. */
export const merchantRoles = {
  owner: ['店主', 'Owner'],
  manager: ['店长', 'Manager'],
  cashier: ['收银员', 'Cashier'],
  finance: ['财务', 'Finance clerk'],
} as const satisfies Record<string, Text>
export type MerchantRole = keyof typeof merchantRoles
export const merchantRoleKeys = Object.keys(merchantRoles) as MerchantRole[]

/**
 * Pages that the merchant app knows, each with the version that brought it: an older app must not
 * be sent there.
 */
export const merchantRoutes: Readonly<Record<string, string>> = {
  '/home': '1.0.0',
  '/verify/scan': '1.0.0',
  '/verify/input': '1.0.0',
  '/verify/record': '1.0.0',
  '/verify/shift': '2.1.0',
  '/order/list': '1.0.0',
  '/order/detail': '1.0.0',
  '/order/remark': '1.6.0',
  '/order/booking': '2.0.0',
  '/refund/list': '1.2.0',
  '/refund/detail': '1.2.0',
  '/aftersale/list': '1.8.0',
  '/goods/bulks': '1.0.0',
  '/goods/card': '1.4.0',
  '/goods/voucher': '1.4.0',
  '/goods/product': '1.6.0',
  '/goods/create': '1.0.0',
  '/goods/stock': '1.3.0',
  '/goods/audit': '1.0.0',
  '/marketing/coupon': '1.5.0',
  '/marketing/seckill': '2.0.0',
  '/marketing/roll': '2.2.0',
  '/marketing/notice': '2.3.0',
  '/settle/bill': '1.0.0',
  '/settle/withdraw': '1.0.0',
  '/settle/account': '1.1.0',
  '/settle/invoice': '2.1.0',
  '/settle/fee': '2.4.0',
  '/store/info': '1.0.0',
  '/store/hours': '1.0.0',
  '/store/photos': '1.2.0',
  '/store/contract': '2.0.0',
  '/store/qualification': '1.7.0',
  '/staff/list': '1.3.0',
  '/staff/verifier': '1.3.0',
  '/data/today': '1.0.0',
  '/data/trend': '1.9.0',
  '/data/goods': '2.0.0',
  '/review/list': '1.4.0',
  '/message/list': '1.0.0',
  '/message/service': '1.0.0',
  '/live/room': '2.5.0',
  '/delivery/list': '2.6.0',
}
/** Where codes are redeemed: a cashier keeps it while codes are out. */
export const VERIFY_PAGE = '/verify/scan'

export const VERSION = /^\d{1,4}\.\d{1,4}\.\d{1,4}$/
/** Below 0, 0 or above 0, as `a` is older, the same or newer: `2.10.0` is newer than `2.9.9`. */
export const compareVersions = (a: string, b: string): number => {
  const [x, y] = [a, b].map(one => one.split('.').map(Number)) as [number[], number[]]
  return x[0]! - y[0]! || x[1]! - y[1]! || x[2]! - y[2]!
}

type Released = {
  visible: boolean
  gray_city_ids: readonly number[]
  gray_store_ids: readonly number[]
}
export const releases = {
  off: ['未上线', 'Offline'],
  gray: ['灰度中', 'In gray release'],
  full: ['已全量', 'Released to all'],
} as const satisfies Record<string, Text>
/**
 * Gray and full exclude each other by what they are: a visible page with a list is gray, one
 * without is released to all.
 */
export const releaseOf = (of: Released): keyof typeof releases => {
  if (!of.visible) return 'off'
  return of.gray_city_ids.length + of.gray_store_ids.length > 0 ? 'gray' : 'full'
}
/** True when a store sees the page at all. */
export const reaches = (of: Released, store: { id: number; city_id: number }): boolean => {
  const release = releaseOf(of)
  return (
    release === 'full' ||
    (release === 'gray' &&
      (of.gray_store_ids.includes(store.id) || of.gray_city_ids.includes(store.city_id)))
  )
}
/** What a merchant node may have now. */
export const releaseCan = (
  verb: 'toggleVisible' | 'grayRelease' | 'stopGray',
  of: Released,
): true | Text => {
  const release = releaseOf(of)
  if (verb === 'stopGray') return release === 'gray' || ['不在灰度中', 'It is not in gray release']
  if (verb === 'grayRelease')
    return (
      release !== 'full' || [
        '已全量上线，须先下线才能灰度',
        'Released to all: take it offline first',
      ]
    )
  return (
    release !== 'gray' || [
      '灰度中：请先结束灰度，选择全量或撤下',
      'In gray release: end it first, to all or withdrawn',
    ]
  )
}
