import type { PayoutChannel, RiskFlag, WithdrawalState } from './withdrawing.ts'

/** A withdrawal that the demo is to have: how it ends, and what is particular about it. */
export type Plan = {
  owner_kind: 'merchant' | 'distributor' | 'film'
  status: WithdrawalState
  /** Days ago that it was asked for. */
  days: readonly [from: number, to: number]
  channels: readonly PayoutChannel[]
  large?: boolean
  /** The first reviewer has agreed. */
  seen?: boolean
  flags?: readonly RiskFlag[]
  hold?: boolean
  code?: string
  /** A film owner's invoice: made out for another amount, or not sent yet; else of the amount. */
  invoice?: 'differs' | 'missing'
  /** Asked by a seller who was frozen since. */
  frozen?: boolean
}
const everyChannel = [
  'bank',
  'bank',
  'bank',
  'wechat_transfer',
  'wechat_transfer',
  'alipay',
  'offline',
] as const
type Round = readonly [count: number, least: number, plan: Omit<Plan, 'owner_kind'>]
const ofMerchants: readonly Round[] = [
  [470, 8, { status: 'paid', days: [4, 75], channels: everyChannel }],
  [40, 2, { status: 'rejected', days: [2, 60], channels: everyChannel }],
  [28, 2, { status: 'canceled', days: [3, 60], channels: everyChannel }],
  [18, 3, { status: 'approved', days: [1, 2], channels: ['bank', 'wechat_transfer', 'offline'] }],
  [8, 1, { status: 'paying', days: [1, 2], channels: ['wechat_transfer'] }],
  [8, 2, { status: 'paying', days: [1, 2], channels: ['bank'] }],
  [6, 2, { status: 'wait_confirm', days: [0, 0], channels: ['wechat_transfer'] }],
  ...['NOT_ENOUGH', 'NAME_NOT_CORRECT', 'DAY_RECEIVED_QUOTA_EXCEED', 'NAME_NOT_CORRECT'].map(
    code =>
      [1, 1, { status: 'failed', days: [1, 3], channels: ['wechat_transfer'], code }] as const,
  ),
  [26, 4, { status: 'pending', days: [0, 2], channels: everyChannel }],
  [1, 1, { status: 'pending', days: [1, 2], channels: ['bank'], hold: true }],
  ...(['new_card', 'night', 'jump', 'refunds'] as const).map(
    flag =>
      [1, 1, { status: 'pending', days: [0, 1], channels: everyChannel, flags: [flag] }] as const,
  ),
  [1, 1, { status: 'pending', days: [0, 1], channels: ['bank'], flags: ['new_card', 'jump'] }],
  [1, 1, { status: 'pending', days: [0, 1], channels: ['bank'], large: true }],
  [2, 2, { status: 'pending', days: [0, 1], channels: ['bank'], large: true, seen: true }],
]
const sellersChannels = [
  'wechat_transfer',
  'wechat_transfer',
  'wechat_transfer',
  'bank',
  'alipay',
] as const
const ofSellers: readonly Round[] = [
  [320, 6, { status: 'paid', days: [3, 60], channels: sellersChannels }],
  [24, 2, { status: 'rejected', days: [2, 50], channels: sellersChannels }],
  [14, 1, { status: 'canceled', days: [3, 50], channels: sellersChannels }],
  [9, 2, { status: 'approved', days: [1, 2], channels: ['wechat_transfer', 'bank'] }],
  [3, 1, { status: 'paying', days: [1, 2], channels: ['wechat_transfer'] }],
  [4, 1, { status: 'paying', days: [1, 2], channels: ['bank'] }],
  [4, 1, { status: 'wait_confirm', days: [0, 0], channels: ['wechat_transfer'] }],
  ...[
    'NAME_NOT_CORRECT',
    'NAME_NOT_CORRECT',
    'DAY_RECEIVED_QUOTA_EXCEED',
    'ACCOUNT_NOT_EXIST',
    'ACCOUNT_NOT_EXIST',
    'NOT_ENOUGH',
  ].map(
    (code, n) =>
      [1, n % 2, { status: 'failed', days: [1, 3], channels: ['wechat_transfer'], code }] as const,
  ),
  [14, 2, { status: 'pending', days: [0, 2], channels: sellersChannels }],
  [3, 2, { status: 'pending', days: [0, 2], channels: ['bank'] }],
  [
    2,
    1,
    { status: 'pending', days: [1, 3], channels: ['wechat_transfer', 'alipay'], frozen: true },
  ],
  [1, 1, { status: 'pending', days: [1, 2], channels: ['wechat_transfer'], hold: true }],
  [3, 1, { status: 'pending', days: [0, 1], channels: sellersChannels, flags: ['refunds'] }],
  [2, 1, { status: 'pending', days: [1, 2], channels: ['bank'], large: true, seen: true }],
  [1, 1, { status: 'pending', days: [0, 1], channels: ['bank'], large: true }],
]
const filmChannels = ['bank', 'bank', 'bank', 'offline'] as const
/** A film owner has one request at a time: what is open is of an owner each. */
const ofFilms: readonly Round[] = [
  [40, 3, { status: 'paid', days: [4, 75], channels: filmChannels }],
  [5, 1, { status: 'rejected', days: [3, 60], channels: filmChannels }],
  [3, 0, { status: 'canceled', days: [3, 60], channels: filmChannels }],
  [2, 2, { status: 'pending', days: [0, 2], channels: ['bank'] }],
  [1, 1, { status: 'pending', days: [0, 1], channels: ['bank'], large: true, seen: true }],
  [1, 1, { status: 'approved', days: [1, 2], channels: ['bank'] }],
  [1, 1, { status: 'paying', days: [1, 2], channels: ['bank'] }],
  [1, 1, { status: 'failed', days: [1, 3], channels: ['wechat_transfer'], code: 'NOT_ENOUGH' }],
  [1, 1, { status: 'paying', days: [1, 2], channels: ['wechat_transfer'] }],
  [1, 1, { status: 'pending', days: [1, 2], channels: ['bank'], hold: true }],
  [1, 0, { status: 'pending', days: [0, 1], channels: ['bank'], invoice: 'differs' }],
  [1, 0, { status: 'pending', days: [0, 1], channels: ['bank'], invoice: 'missing' }],
]
/** So many of each, by the scale of the demo; of sellers' after those of merchants. */
export const plansOf = (scale: number): Plan[] =>
  (
    [
      ['merchant', ofMerchants],
      ['distributor', ofSellers],
      ['film', ofFilms],
    ] as const
  ).flatMap(([owner_kind, rounds]) =>
    rounds.flatMap(([count, least, plan]) =>
      Array.from({ length: Math.max(least, Math.round(count * Math.min(1, scale))) }, () => ({
        owner_kind,
        ...plan,
      })),
    ),
  )
