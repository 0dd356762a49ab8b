import type { SanctionKind } from '#src/areas/member/member.ts'
import type { ProfileField } from '#src/areas/pointsRule/earning.ts'
import type { Text } from '#src/domain/text.ts'
import { HOUR, SHANGHAI, DAY } from '#src/domain/time.ts'

/** What a member did, or what was done with the account. */
export const userDeeds = {
  register: ['注册', 'Signed up'],
  login: ['登录', 'Signed in'],
  logout: ['退出登录', 'Signed out'],
  login_fail: ['登录失败', 'Sign-in failed'],
  bind_wechat: ['绑定微信', 'WeChat bound'],
  unbind_wechat: ['解绑微信', 'WeChat unbound'],
  bind_phone: ['绑定手机号', 'Phone bound'],
  change_phone: ['换绑手机号', 'Phone changed'],
  profile: ['修改资料', 'Profile changed'],
  post: ['发布动态', 'Posted'],
  comment: ['发表评价', 'Reviewed'],
  order: ['下单', 'Ordered'],
  pay: ['支付', 'Paid'],
  refund: ['退款', 'Refunded'],
  coupon: ['领券', 'Coupon taken'],
  withdraw: ['提现', 'Withdrew'],
  sanction: ['账号处罚', 'Sanction'],
  cancel_apply: ['申请注销', 'Asked to close'],
  cancel_done: ['注销完成', 'Account closed'],
} as const satisfies Record<string, Text>
export type UserDeed = keyof typeof userDeeds

/** Days of the log that are looked through; what is older is had as a file, for who may export. */
export const ONLINE_DAYS = 180
/** The longest period of one question, in days. */
export const QUERY_DAYS = 31
/** The most accounts that one device or address is told with. */
export const SHARED_MOST = 200
/** The most deeds of one member's timeline. */
export const TIMELINE_MOST = 200

/** From which score a deed is suspicious, and from which it is of high risk. */
export const RISK_SOME = 30
export const RISK_HIGH = 60
export const riskBands = {
  high: ['高风险（60 分起）', 'High risk (from 60)'],
  some: ['可疑及以上（30 分起）', 'Suspicious (from 30)'],
} as const satisfies Record<string, Text>
export type RiskBand = keyof typeof riskBands
export const riskFloors: Readonly<Record<RiskBand, number>> = { high: RISK_HIGH, some: RISK_SOME }

/** Why a deed has its score; points of each. */
export const riskReasons = {
  shared_many: {
    text: ['设备上有 8 个以上账号', 'Eight accounts or more on the device'],
    points: 60,
  },
  shared: { text: ['设备上有多个账号', 'Several accounts on the device'], points: 30 },
  moved_out: {
    text: ['换绑手机号后 24 小时内提现', 'Withdrew within 24 hours of a new phone'],
    points: 60,
  },
  night: { text: ['凌晨敏感操作', 'A sensitive act at night'], points: 20 },
  new_device: { text: ['新设备', 'A new device'], points: 10 },
  barred: { text: ['账号受限仍尝试登录', 'Tried to sign in while barred'], points: 30 },
} as const satisfies Record<string, { text: Text; points: number }>
export type RiskReason = keyof typeof riskReasons

/** What is known of a deed when it is noted. */
export type RiskFacts = {
  kind: UserDeed
  at: number
  /** Other accounts that the device was seen with. */
  others: number
  /** The member was seen before, and never by this device. */
  newDevice: boolean
  /** The phone was changed within the 24 hours before. */
  phoneChanged: boolean
}
const sensitive: readonly UserDeed[] = ['change_phone', 'unbind_wechat', 'withdraw', 'cancel_apply']
const NIGHT_ENDS_H = 5
const isNight = (at: number): boolean => (at + SHANGHAI) % DAY < NIGHT_ENDS_H * HOUR
/** The score of a deed, from 0 to 100, and what it comes from, the weightiest first. */
export const riskOf = (of: RiskFacts): { risk: number; why: RiskReason[] } => {
  const holds: Readonly<Record<RiskReason, boolean>> = {
    shared_many: of.others >= 7,
    shared: of.others >= 2 && of.others < 7,
    moved_out: of.kind === 'withdraw' && of.phoneChanged,
    night: sensitive.includes(of.kind) && isNight(of.at),
    new_device: of.newDevice,
    barred: of.kind === 'login_fail',
  }
  const why = (Object.keys(riskReasons) as RiskReason[]).filter(key => holds[key])
  return {
    risk: Math.min(
      100,
      why.reduce((all, key) => all + riskReasons[key].points, 0),
    ),
    why,
  }
}

/** What a line tells besides: numbers of what it is about, never a name, a phone or a text. */
export type DeedDetail = {
  /** An order's, a refund's or a withdrawal's number. */
  no?: string
  cents?: number
  /** The coupon or the product, and how many. */
  coupon_id?: number
  product_id?: number
  qty?: number
  rating?: number
  /** Fields of the profile that differ. */
  fields?: ProfileField[]
  sanction?: SanctionKind
  /** The end of a sanction; null: for good. */
  until?: number | null
  step?: 'begin' | 'lift'
  /** Staff did it for the member, or the house by a rule. */
  by?: 'staff' | 'rule'
  why?: RiskReason[]
}
/** Where a call of the member came from, as far as it is known. */
export type Client = { ip?: string; region?: string; device_id?: string | null; client?: string }

/** What a person may do with an account from its line of the log. */
export const sanctionsOffered = {
  watch: ['加入观察名单', 'Watch'],
  mute: ['禁言', 'Mute'],
  ban: ['封禁账号', 'Ban'],
} as const satisfies Record<string, Text>
/** What stands in the place of an erased account's name. */
export const ERASED: Text = ['已注销用户', 'A closed account']
