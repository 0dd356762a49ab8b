import { bannedIn, type CouponState } from '#src/areas/mall/recommend.ts'
import type { Text } from '#src/domain/text.ts'
import { lengthOf } from '#src/domain/text.ts'
import { exposure, type CouponDraft } from './couponSentence.ts'
import { appliesOf, kindsOf } from './couponWords.ts'

/** The bounds of what is written in the form; money in cents, days as days. */
export const COUPON_NAME_MIN = 2
export const COUPON_NAME_MAX = 20
export const COUPON_TOTAL_MAX = 1_000_000
export const COUPON_FACE_MAX = 1_000_000_00
export const COUPON_DAYS_MAX = 365
const DISCOUNT_MIN = 1000
const DISCOUNT_MAX = 9900
/** A tenth of a 折, in basis points. */
const DISCOUNT_STEP = 100

export type CouponFaults = Partial<Record<keyof CouponDraft, Text>>
const worthFaults = (of: CouponDraft): CouponFaults => {
  if (!Object.hasOwn(kindsOf(of.scope), of.kind))
    return { kind: ['该范围没有这种优惠券', 'There is no such coupon in this scope'] }
  if (of.kind === 'discount') {
    const bp = of.discount_bp ?? 0
    const isRate = bp >= DISCOUNT_MIN && bp <= DISCOUNT_MAX && bp % DISCOUNT_STEP === 0
    return {
      ...(!isRate && { discount_bp: ['填写 1.0 至 9.9 折', 'From 1.0 to 9.9 of ten'] }),
      ...((of.cap_cents ?? 0) < 1 && {
        cap_cents: ['折扣券须填写最高减免金额', 'A discount needs a limit'],
      }),
    }
  }
  if (of.face_cents < 1) return { face_cents: ['面额须大于 0', 'More than nothing'] }
  return of.kind === 'full_reduce' && of.threshold_cents <= of.face_cents
    ? { threshold_cents: ['门槛须高于减免金额', 'It is more than what is taken off'] }
    : {}
}
const reachFaults = (of: CouponDraft): CouponFaults => {
  if (!Object.hasOwn(appliesOf(of.scope), of.apply_kind))
    return { apply_kind: ['该范围不能这样限定', 'This scope has no such limit'] }
  if (of.kind === 'freight' && (of.apply_kind === 'category' || of.exclude_ids.length > 0))
    return {
      apply_kind: [
        '运费券不能按分类限定，也不能排除商品',
        'Freight knows neither categories nor products left out',
      ],
    }
  return of.apply_kind !== 'all' && of.apply_ids.length === 0
    ? { apply_ids: ['请选择适用范围', 'Say what it is for'] }
    : {}
}
const countFaults = (of: CouponDraft): CouponFaults => ({
  ...((of.total < 1 || of.total > COUPON_TOTAL_MAX) && {
    total: ['数量为 1 至 100 万', 'From 1 to 1,000,000'],
  }),
  ...(of.per_member < 1 && { per_member: ['至少 1 张', 'At least 1'] }),
  ...(of.per_member > of.total && {
    per_member: ['每人限领不能超过总量', 'No more for each than there are'],
  }),
  ...(of.per_day !== null &&
    (of.per_day < 1 || of.per_day > of.per_member) && {
      per_day: ['每天限领为 1 至每人限领数', 'From 1 up to the number for each member'],
    }),
})
const fixedFaults = (of: CouponDraft): CouponFaults => {
  if (of.use_end_at === null)
    return { use_end_at: ['请填写使用截止时间', 'Say until when it is good'] }
  if (of.use_end_at <= of.claim_end_at)
    return { use_end_at: ['使用截止须晚于领取截止', 'Later than the end of claiming'] }
  return of.use_start_at !== null && of.use_start_at >= of.use_end_at
    ? { use_start_at: ['使用开始须早于截止', 'Before its end'] }
    : {}
}
const timeFaults = (of: CouponDraft, now: number): CouponFaults => {
  const days = of.valid_days ?? 0
  const wait = of.valid_after_days ?? 0
  return {
    ...(of.claim_end_at <= now && {
      claim_end_at: ['领取截止已过，请改期', 'It is past: choose another time'],
    }),
    ...(of.claim_end_at <= of.claim_start_at && {
      claim_end_at: ['领取截止须晚于开始', 'Must be after the start'],
    }),
    ...(of.valid_kind === 'fixed'
      ? fixedFaults(of)
      : {
          ...((days < 1 || days > COUPON_DAYS_MAX) && {
            valid_days: ['有效天数为 1 至 365', 'From 1 to 365 days'],
          }),
          ...((wait < 0 || wait > COUPON_DAYS_MAX) && {
            valid_after_days: ['等待天数为 0 至 365', 'From 0 to 365 days'],
          }),
        }),
  }
}
const costFaults = (of: CouponDraft): CouponFaults => ({
  ...(of.platform_share_bp + of.merchant_share_bp !== 10_000 && {
    platform_share_bp: ['平台与商户承担比例须合计 100%', 'The shares come to 100% together'],
  }),
  ...(of.merchant_share_bp > 0 &&
    !of.consent_no && {
      consent_no:
        of.scope === 'local'
          ? ['商户承担费用须填写商户确认编号', 'What a merchant pays needs its consent']
          : ['店铺承担费用须填写店铺协议编号', 'What a shop pays needs its agreement'],
    }),
  ...(of.budget_cents === null
    ? { budget_cents: ['请填写预算', 'Say what it may cost'] }
    : of.budget_cents < exposure(of) && {
        budget_cents: ['预算低于最大成本', 'Less than the most it can cost'],
      }),
})
const wordFaults = (of: CouponDraft): CouponFaults => {
  const length = lengthOf(of.name)
  const [name, words] = [bannedIn(of.name), bannedIn(of.recommend_text)]
  return {
    ...((length < COUPON_NAME_MIN || length > COUPON_NAME_MAX) && {
      name: ['名称为 2 至 20 个字', 'From 2 to 20 characters'],
    }),
    ...(name && { name: [`名称含禁用词“${name}”`, `It has the forbidden word “${name}”`] }),
    ...(words && {
      recommend_text: [`含禁用词“${words}”`, `It has the forbidden word “${words}”`],
    }),
  }
}
/**
 * The faults that keep a coupon from being submitted, by field; none where all is well. Faults that
 * only the database knows, such as a store outside its cities, are asked for besides.
 */
export const couponFaults = (of: CouponDraft, now: number): CouponFaults => ({
  ...wordFaults(of),
  ...worthFaults(of),
  ...reachFaults(of),
  ...countFaults(of),
  ...timeFaults(of, now),
  ...costFaults(of),
})

/** What may still change of a coupon that was approved once, and only upwards. */
export const openFields = ['total', 'per_member', 'claim_end_at', 'recommend_text'] as const
export type OpenField = (typeof openFields)[number]
/** The words beside every field that may not change. */
export const lockedField: Text = [
  '审核通过后不能修改，如需调整请复制为新券',
  'It does not change once it is approved: copy it to a new coupon',
]
type Open = Pick<CouponDraft, OpenField | 'valid_kind' | 'use_end_at'>
/** The faults of a change of a coupon that was approved once, by field. */
export const approvedFaults = (
  was: Open & { claimed_count: number },
  next: Pick<CouponDraft, OpenField>,
): CouponFaults => {
  const words = bannedIn(next.recommend_text)
  const isPastUse =
    was.valid_kind === 'fixed' && was.use_end_at !== null && next.claim_end_at >= was.use_end_at
  return {
    ...(next.total < was.total && {
      total: ['审核通过后数量只能增加', 'Once approved there can only be more'],
    }),
    ...(next.total > COUPON_TOTAL_MAX && { total: ['数量为 1 至 100 万', 'At most 1,000,000'] }),
    ...(next.per_member < was.per_member && {
      per_member: ['审核通过后每人限领只能提高', 'Once approved it can only be more'],
    }),
    ...(next.per_member > next.total && {
      per_member: ['每人限领不能超过总量', 'No more for each than there are'],
    }),
    ...(next.claim_end_at < was.claim_end_at && {
      claim_end_at: ['审核通过后领取截止只能延后', 'Once approved it can only be later'],
    }),
    ...(next.claim_end_at > was.claim_end_at &&
      isPastUse && {
        claim_end_at: ['须早于使用截止时间', 'Before the end of its use'],
      }),
    ...(words && {
      recommend_text: [`含禁用词“${words}”`, `It has the forbidden word “${words}”`],
    }),
  }
}

type Timed = { status: CouponState; claim_start_at: number; claim_end_at: number }
/** How a coupon stands at a moment, whenever the clock last looked at it. */
export const couponStateAt = (of: Timed, now: number): CouponState => {
  if (of.status !== 'waiting' && of.status !== 'active' && of.status !== 'paused') return of.status
  if (of.claim_end_at <= now) return 'ended'
  return of.status === 'waiting' && of.claim_start_at <= now ? 'active' : of.status
}

const running = ['waiting', 'active', 'paused'] as const satisfies readonly CouponState[]
/** In which states what may be done with a coupon. */
const allowed = {
  edit: ['draft', 'rejected', ...running],
  submit: ['draft', 'rejected'],
  withdraw: ['auditing'],
  pause: ['active'],
  resume: ['paused'],
  addStock: running,
  extend: running,
  end: ['active', 'paused'],
  void: running,
  grant: ['active'],
  qrcode: ['waiting', 'active'],
} as const satisfies Record<string, readonly CouponState[]>
export type CouponVerb = keyof typeof allowed
const refused: Readonly<Record<CouponState, Text>> = {
  draft: ['还是草稿', 'It is a draft'],
  auditing: ['审核中，请先撤回', 'It is in audit: withdraw it first'],
  rejected: ['已被驳回', 'It was rejected'],
  waiting: ['还未开始发放', 'It has not begun'],
  active: ['正在发放', 'It is being given out'],
  paused: ['已暂停', 'It is paused'],
  ended: ['已结束', 'It has ended'],
  void: ['已作废', 'It is void'],
}
/** True, or why a coupon that stands so can't have it. */
export const couponCan = (verb: CouponVerb, status: CouponState): true | Text =>
  (allowed[verb] as readonly CouponState[]).includes(status) || refused[status]

type Moved = Pick<CouponDraft, 'claim_start_at' | 'claim_end_at' | 'use_start_at' | 'use_end_at'>
/** The times of a coupon so many seconds later: each keeps its length. */
export const shifted = <T extends Moved>(of: T, by: number): T => ({
  ...of,
  claim_start_at: of.claim_start_at + by,
  claim_end_at: of.claim_end_at + by,
  use_start_at: of.use_start_at === null ? null : of.use_start_at + by,
  use_end_at: of.use_end_at === null ? null : of.use_end_at + by,
})
/** The name of a copy, within its length: 「满减券（2）」 of 「满减券」 and of 「满减券（1）」. */
export const copiedName = (name: string): string => {
  const found = /^(.*)（(\d{1,3})）$/.exec(name)
  const mark = `（${found ? Number(found[2]) + 1 : 2}）`
  return [...(found?.[1] ?? name)].slice(0, COUPON_NAME_MAX - mark.length).join('') + mark
}
