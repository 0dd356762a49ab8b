import type { Text } from '#src/domain/text.ts'

export type AccountState = 'normal' | 'muted' | 'banned' | 'canceling' | 'canceled' | 'merged'
export const accountStates: Readonly<Record<AccountState, Text>> = {
  normal: ['正常', 'Normal'],
  muted: ['禁言', 'Muted'],
  banned: ['封禁', 'Banned'],
  canceling: ['注销中', 'Closing'],
  canceled: ['已注销', 'Closed'],
  merged: ['已合并', 'Merged'],
}
export type Gender = 'unknown' | 'male' | 'female'
export const genders: Readonly<Record<Gender, Text>> = {
  unknown: ['未知', 'Unknown'],
  male: ['男', 'Male'],
  female: ['女', 'Female'],
}
export type RegisterSource = 'mini_program' | 'h5' | 'app' | 'wecom' | 'import'
/** Where a member came from. */
export const registerSources: Readonly<Record<RegisterSource, Text>> = {
  mini_program: ['小程序', 'Mini-program'],
  h5: ['H5', 'Web'],
  app: ['App', 'App'],
  wecom: ['企业微信', 'WeCom'],
  import: ['导入', 'Imported'],
}

/** Accounts in these states have no benefits. */
export const withoutBenefits = [
  'banned',
  'canceled',
  'merged',
] as const satisfies readonly AccountState[]
/** Why a member has no benefits just now, or true: points, coupons and prices for members. */
export const benefitsOf = (row: {
  account_state: AccountState
  benefits_frozen: boolean
}): true | Text => {
  if (withoutBenefits.some(state => state === row.account_state))
    return [
      `账号${accountStates[row.account_state][0]}，不能领取积分与优惠券`,
      `The account is ${accountStates[row.account_state][1].toLowerCase()}: no points or coupons`,
    ]
  return row.benefits_frozen
    ? ['会员权益已冻结，请先恢复权益', 'The benefits of this member are frozen: restore them first']
    : true
}

/** An adjustment of more than this, either way, waits for a second person. */
export const ADJUST_ALONE = 10_000
/** The most that one adjustment moves. */
export const ADJUST_MAX = 1_000_000
export type AdjustKind = 'points' | 'growth'
export const adjustKinds: Readonly<Record<AdjustKind, Text>> = {
  points: ['积分', 'Points'],
  growth: ['成长值', 'Growth'],
}
export type AdjustState = 'pending' | 'posted' | 'rejected'
export const adjustStates: Readonly<Record<AdjustState, Text>> = {
  pending: ['待复核', 'To confirm'],
  posted: ['已生效', 'In force'],
  rejected: ['已驳回', 'Rejected'],
}
/** Why a person may not decide an adjustment, or true: it waits, and another asked for it. */
export const mayDecide = (
  row: { state: AdjustState; maker_id: number },
  me: number,
): true | Text => {
  if (row.state !== 'pending') return ['该调整已处理', 'It was decided already']
  return row.maker_id === me
    ? ['申请人不能复核自己的调整', 'Whoever asked for it can’t decide it']
    : true
}

export type SanctionKind = 'mute' | 'ban' | 'no_order' | 'no_payout' | 'watch'
export const sanctionKinds: Readonly<Record<SanctionKind, Text>> = {
  mute: ['禁言', 'Muted'],
  ban: ['封禁', 'Banned'],
  no_order: ['禁止下单', 'May not order'],
  no_payout: ['禁止提现', 'May not withdraw'],
  watch: ['观察', 'Watched'],
}
/** What a ban shuts. */
export type BanScope = 'login' | 'post' | 'order' | 'payout'
export const banScopes: Readonly<Record<BanScope, Text>> = {
  login: ['登录', 'Sign-in'],
  post: ['发布内容', 'Posting'],
  order: ['下单', 'Ordering'],
  payout: ['提现', 'Withdrawals'],
}
export type SanctionState = 'active' | 'expired' | 'lifted'
export const sanctionStates: Readonly<Record<SanctionState, Text>> = {
  active: ['生效中', 'In force'],
  expired: ['已到期', 'Over'],
  lifted: ['已解除', 'Lifted'],
}
/** How an account's closing stands. */
export type ClosingState = 'cooling' | 'rejected' | 'done'
export const closingStates: Readonly<Record<ClosingState, Text>> = {
  cooling: ['冷静期', 'Cooling off'],
  rejected: ['已驳回', 'Rejected'],
  done: ['已注销', 'Closed'],
}
/** How long a closing can still be taken back, in days. */
export const CLOSING_DAYS = 15

/** Bands of a number to filter by: from and below, in the order of the choice. */
type Band = { words: Text; from?: number; below?: number }
export const pointsBands = {
  none: { words: ['无积分', 'None'], below: 1 },
  some: { words: ['1–999 分', '1–999'], from: 1, below: 1000 },
  many: { words: ['1000–9999 分', '1,000–9,999'], from: 1000, below: 10_000 },
  most: { words: ['1 万分以上', '10,000 or more'], from: 10_000 },
} as const satisfies Record<string, Band>
export const growthBands = {
  none: { words: ['无成长值', 'None'], below: 1 },
  some: { words: ['1–999', '1–999'], from: 1, below: 1000 },
  many: { words: ['1000–4999', '1,000–4,999'], from: 1000, below: 5000 },
  most: { words: ['5000 以上', '5,000 or more'], from: 5000 },
} as const satisfies Record<string, Band>
/** How long ago something was: within so many days, or before that; null for never. */
type Ago = { words: Text; within?: number; before?: number; never?: true }
export const agoBands = {
  week: { words: ['7 天内', 'Within 7 days'], within: 7 },
  month: { words: ['30 天内', 'Within 30 days'], within: 30 },
  quiet: { words: ['30 天前', 'Over 30 days ago'], before: 30 },
  lost: { words: ['90 天前', 'Over 90 days ago'], before: 90 },
  never: { words: ['从未', 'Never'], never: true },
} as const satisfies Record<string, Ago>
export const vipBands = {
  now: ['付费会员', 'Paid members'],
  soon: ['30 天内到期', 'Ending within 30 days'],
  over: ['已过期', 'Over'],
  never: ['从未购买', 'Never paid'],
} as const satisfies Record<string, Text>
/** Members that are looked for most; the tabs of their list. */
export const memberTabs = {
  vip: ['付费会员', 'Paid members'],
  adjusting: ['调整待复核', 'To confirm'],
  frozen: ['权益冻结', 'Benefits frozen'],
  debt: ['积分欠账', 'Points owed'],
} as const satisfies Record<string, Text>
export type MemberTab = keyof typeof memberTabs
export type VipBand = keyof typeof vipBands
export type PointsBand = keyof typeof pointsBands
export type GrowthBand = keyof typeof growthBands
export type AgoBand = keyof typeof agoBands

export type Risk = 'none' | 'watch' | 'high'
export const risks: Readonly<Record<Risk, Text>> = {
  none: ['无', 'None'],
  watch: ['观察', 'Watched'],
  high: ['黑名单', 'Blacklisted'],
}

export type MemberVerb =
  | 'adjust'
  | 'changeLevel'
  | 'setTags'
  | 'grantCoupon'
  | 'merge'
  | 'freezeBenefits'
  | 'unfreezeBenefits'
  | 'decide'
export type MemberLook = {
  account_state: AccountState
  benefits_frozen: boolean
  adjust?: { maker_id: number } | null
}
const ended: Partial<Record<AccountState, Text>> = {
  canceled: ['账号已注销，只能查看', 'The account is closed: it can only be looked at'],
  merged: ['账号已合并，请到合并后的账号操作', 'It was merged: go to the account it went into'],
}
/** Whether something may be done with a member now, or why not. */
export const memberCan = (verb: MemberVerb, row: MemberLook): true | Text => {
  const over = ended[row.account_state]
  if (over) return over
  switch (verb) {
    case 'adjust':
      return row.adjust
        ? ['已有调整待复核，请先处理', 'An adjustment waits: decide it first']
        : true
    case 'decide':
      return row.adjust ? true : ['没有待复核的调整', 'No adjustment awaits approval']
    case 'grantCoupon':
      return benefitsOf(row)
    case 'merge':
      return row.account_state === 'canceling'
        ? ['账号注销中，请先驳回注销', 'The account is closing: reject the closure first']
        : true
    case 'freezeBenefits':
      return row.benefits_frozen ? ['权益已冻结', 'The benefits are frozen already'] : true
    case 'unfreezeBenefits':
      return row.benefits_frozen ? true : ['权益未冻结', 'The benefits are not frozen']
    default:
      return true
  }
}

export type AccountVerb =
  | 'mute'
  | 'unmute'
  | 'ban'
  | 'unban'
  | 'watch'
  | 'unwatch'
  | 'resetProfile'
  | 'changePhone'
  | 'unbindWechat'
  | 'forceLogout'
  | 'cancelAccount'
  | 'rejectCancel'
/** What each lifting lifts. */
const lifts: Partial<Record<AccountVerb, SanctionKind>> = {
  unmute: 'mute',
  unban: 'ban',
  unwatch: 'watch',
}
/** Whether something may be done with an account now, or why not. */
export const accountCan = (
  verb: AccountVerb,
  row: {
    account_state: AccountState
    bound: boolean
    sanctions: readonly { kind: SanctionKind }[]
  },
): true | Text => {
  const over = ended[row.account_state]
  if (over) return over
  const lifted = lifts[verb]
  if (lifted)
    return (
      row.sanctions.some(one => one.kind === lifted) || [
        `没有生效中的${sanctionKinds[lifted][0]}`,
        `Not ${sanctionKinds[lifted][1].toLowerCase()} now`,
      ]
    )
  const isClosing = row.account_state === 'canceling'
  switch (verb) {
    case 'rejectCancel':
      return isClosing || ['没有注销申请', 'It is not closing']
    case 'cancelAccount':
      return isClosing ? ['已受理注销', 'It is closing already'] : true
    case 'changePhone':
      return isClosing
        ? ['账号注销中，请先驳回注销', 'It is closing: reject the closure first']
        : true
    case 'forceLogout':
      return row.account_state === 'banned'
        ? ['已封禁的账号不能登录，无需下线', 'A banned account is signed out already']
        : true
    case 'unbindWechat':
      return row.bound || ['未绑定微信', 'No WeChat is bound']
    default:
      return true
  }
}
