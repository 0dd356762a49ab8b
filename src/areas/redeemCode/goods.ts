import type { Text } from '#src/domain/text.ts'
import { cardText, type GivenCard } from './card.ts'
import type { Membership } from './membership.ts'

/** How a prize stands that a code gave its member. */
export const goodsStates = {
  waiting: ['待核销', 'To hand over'],
  handed: ['已核销', 'Handed over'],
  expired: ['逾期未领', 'Not fetched in time'],
} as const satisfies Record<string, Text>
export type GoodsState = keyof typeof goodsStates
/** The filters of records: how their prize stands, or that there is none to hand over. */
export const goodsFilters = {
  ...goodsStates,
  none: ['无实物奖品', 'No prize'],
} as const satisfies Record<string, Text>
export type GoodsFilter = keyof typeof goodsFilters
export const GOODS_NAME_MAX = 60

/** How a prize stands that can be fetched until `end` (unix seconds). */
export const goodsStateOf = (
  { handed_at }: { handed_at: number | null },
  end: number,
  now: number,
): GoodsState => {
  if (handed_at !== null) return 'handed'
  return end > now ? 'waiting' : 'expired'
}
/** Whether a prize may be handed over, or why not. */
export const mayHandOver = (goods: { state: GoodsState } | null): true | Text => {
  if (goods === null) return ['没有待核销的实物奖品', 'No prize waits to be handed over']
  if (goods.state === 'handed') return ['实物奖品已核销', 'The prize was handed over']
  return goods.state === 'waiting' || ['实物奖品已过领取期限', 'The time to fetch it is over']
}
/** The fault that keeps a prize out of a batch. */
export const goodsFaults = (of: { code_kind: string; goods: string }): { goods?: Text } =>
  of.goods !== '' && of.code_kind === 'shared'
    ? {
        goods: [
          '通用码由多人使用，核销时分不清是谁的，不能含实物奖品',
          'Many use a shared code: nobody can tell whose prize it is',
        ],
      }
    : {}

type Say = (text: Text, values?: Record<string, string | number>) => string
/** The rewards of a code besides its coupons, in words. */
export const otherRewards = (
  {
    points,
    goods = '',
    membership = null,
    card = null,
  }: { points: number; goods?: string; membership?: Membership | null; card?: GivenCard | null },
  say: Say,
): string[] => [
  ...(points > 0 ? [say(['{n} 积分', '{n} points'], { n: points })] : []),
  ...(card ? [cardText(card, say)] : []),
  ...(membership
    ? [
        say(['会员时长「{plan}」{n} 天', '{n} days of “{plan}”'], {
          plan: membership.plan,
          n: membership.days,
        }),
      ]
    : []),
  ...(goods === '' ? [] : [say(['实物「{name}」', 'Prize “{name}”'], { name: goods })]),
]
