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

/** Why a member has no benefits just now, or true: points, coupons and prices for members. */
export const benefitsOf = (row: {
  account_state: AccountState
  benefits_frozen: boolean
}): true | Text => {
  if (['banned', 'canceled', 'merged'].includes(row.account_state))
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
  rejected: ['已驳回', 'Turned down'],
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
  rejected: ['已驳回', 'Turned down'],
  done: ['已注销', 'Closed'],
}
/** How long a closing can still be taken back, in days. */
export const CLOSING_DAYS = 15
