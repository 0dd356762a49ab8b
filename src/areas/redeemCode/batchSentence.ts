import { comma, countEn, say, type Lang, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { GivenCard } from './card.ts'
import { couponText } from './film.ts'
import { otherRewards } from './goods.ts'
import type { Membership } from './membership.ts'
import { codeKinds, type CodeKind } from './redeemCode.ts'

/** What a batch's sentence is made of, also while it is half written. */
export type BatchSaid = {
  partner: string
  code_kind: CodeKind
  quantity: number
  use_limit: number | null
  coupons: readonly { name: string; film_cents: number | null }[]
  points: number
  membership: Membership | null
  card: GivenCard | null
  goods: string
  /** Unix seconds. */
  start_at: number | undefined
  end_at: number | undefined
  limit_member: number | null
  limit_phone: number | null
  limit_device: number | null
  new_only: boolean
  /** How many malls it is good in; 0 for all. */
  malls: number
}
const both = (make: (lang: Lang) => string): Text => [make('zh'), make('en')]
/** A number that was typed whole; null of one that is half typed. */
const typed = (n: number | null | undefined): number | null =>
  typeof n === 'number' && Number.isSafeInteger(n) ? n : null
const minute = (of: number | undefined): string => {
  const at = typed(of)
  return at === null ? '…' : timeFull(at).slice(0, 16)
}
const count = (of: number | null): string => typed(of)?.toLocaleString('en') ?? '…'
const codesText = (of: BatchSaid): Text => {
  const n = count(of.quantity)
  const [zh, en] = codeKinds[of.code_kind]
  const uses = of.code_kind === 'shared' ? count(of.use_limit) : ''
  return [
    `${of.partner || '…'}的 ${n} 个${zh}${uses && `（每码可用 ${uses} 次）`}`,
    `${n} ${en.toLowerCase()} ${of.quantity === 1 ? 'code' : 'codes'} for ${of.partner || '…'}${uses && `, ${uses} uses each`}`,
  ]
}
const rewardsText = (of: BatchSaid): Text => {
  const [zh, en] = both(lang =>
    [
      ...of.coupons.map(one =>
        one.film_cents === null
          ? say(['优惠券「{name}」', '“{name}”'], lang, { name: one.name })
          : couponText(one, (text, values) => say(text, lang, values)),
      ),
      ...otherRewards(of, (text, values) => say(text, lang, values)),
    ].join(say(comma, lang)),
  )
  return zh === ''
    ? ['尚未设奖励', 'no reward yet']
    : [`每次兑换得${/^\d/.test(zh) ? ' ' : ''}${zh}`, `each redemption gives ${en}`]
}
const limitsText = (of: BatchSaid): Text | undefined => {
  const limits: Text[] = [
    [typed(of.limit_member), '每位会员', 'member'] as const,
    [of.code_kind === 'per_phone' ? 1 : typed(of.limit_phone), '每个手机号', 'phone'] as const,
    [typed(of.limit_device), '每台设备', 'device'] as const,
  ].flatMap(([most, zh, en]) =>
    most === null ? [] : [[`${zh} ${most} 次`, `${most} per ${en}`] as const],
  )
  return limits.length === 0
    ? undefined
    : [
        `限${limits.map(([zh]) => zh).join('、')}`,
        `at most ${limits.map(([, en]) => en).join(', ')}`,
      ]
}
const malls = (n: number): Text => [`限在 ${n} 家商场兑换`, `at ${countEn(n, 'mall')}`]
/** A batch as one sentence: whose codes, what each gives, when, how often, to whom and where. */
export const batchSentence = (of: BatchSaid): Text => {
  const limits = limitsText(of)
  const parts: Text[] = [
    codesText(of),
    rewardsText(of),
    [
      `${minute(of.start_at)} 至 ${minute(of.end_at)} 可兑换`,
      `from ${minute(of.start_at)} to ${minute(of.end_at)}`,
    ],
    ...(limits ? [limits] : []),
    ...(of.new_only ? [['仅限新会员', 'new members only'] as const] : []),
    ...(of.malls > 0 ? [malls(of.malls)] : []),
  ]
  return [`${parts.map(([zh]) => zh).join('；')}。`, `${parts.map(([, en]) => en).join('; ')}.`]
}
