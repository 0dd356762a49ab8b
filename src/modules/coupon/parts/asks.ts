import { ask, type Ask } from '#commands/command.ts'
import { weekdays } from '#src/areas/code/voucher.ts'
import type { CouponScope } from '#src/areas/coupon/coupon.ts'
import {
  COUPON_DAYS_MAX,
  COUPON_FACE_MAX,
  COUPON_NAME_MAX,
  COUPON_NAME_MIN,
  COUPON_TOTAL_MAX,
  couponFaults,
  type CouponFaults,
} from '#src/areas/coupon/couponRules.ts'
import {
  appliesOf,
  couponClaims,
  couponValidities,
  kindsOf,
  type CouponApply,
} from '#src/areas/coupon/couponWords.ts'
import type { CouponKind } from '#src/areas/mall/recommend.ts'
import { memberLevels } from '#src/areas/member/levels.ts'
import { cityOptions } from '#src/contract/places.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dayStart, unixNow } from '#src/domain/time.ts'
import { callsIn, type CouponWhole } from '../contract/coupon.ts'
import { draftOf, type CouponAnswers } from './written.ts'

type Rows = readonly CouponWhole[]
type First = CouponWhole | undefined
type Maker = {
  scope: CouponScope
  /** What a new one begins with, where it is a copy. */
  from: First
}
type Checks = (field: keyof CouponFaults) => (value: unknown, answers: unknown) => Text | undefined
/** The rules of the form ask about what is written, never about what is still missing. */
const checksOf =
  (scope: CouponScope): Checks =>
  field =>
  (_, answers) =>
    couponFaults(draftOf(scope, answers as CouponAnswers), unixNow())[field]

const isKind =
  (...kinds: readonly CouponKind[]) =>
  (answers: CouponAnswers) =>
    kinds.includes(answers.kind ?? 'full_reduce')
const worthAsks = ({ scope }: Maker, first: (rows: Rows) => First, check: Checks) => ({
  name: ask.text({
    label: ['券名称', 'Name'],
    min: COUPON_NAME_MIN,
    max: COUPON_NAME_MAX,
    check: check('name'),
    hint: ['如“周末满减券”，2 至 20 个字', 'Shown to members; 2 to 20 characters'],
    initial: rows => first(rows)?.name,
  }),
  kind: ask.choice({
    label: ['优惠方式', 'Kind'],
    options: kindsOf(scope),
    initial: rows => first(rows)?.kind ?? 'full_reduce',
  }),
  threshold_cents: ask.money({
    label: ['使用门槛（满）', 'Minimum spend'],
    min: 0,
    max: COUPON_FACE_MAX,
    optional: true,
    check: check('threshold_cents'),
    hint: ['适用商品的金额；留空为无门槛', 'Of eligible products; empty: no minimum'],
    initial: rows => first(rows)?.threshold_cents || undefined,
  }),
  face_cents: ask.money({
    label: ['减免金额', 'Amount off'],
    min: 1,
    max: COUPON_FACE_MAX,
    optional: 'in-draft',
    shown: isKind('full_reduce', 'direct', 'exchange', 'freight'),
    check: check('face_cents'),
    hint: ['运费券、兑换券为最高抵扣额', 'Freight and exchange coupons: maximum off'],
    initial: rows => first(rows)?.face_cents || undefined,
  }),
  discount: ask.text({
    label: ['折扣', 'Discount'],
    max: 4,
    optional: 'in-draft',
    shown: isKind('discount'),
    check: (typed, answers) =>
      /^\s*[1-9](\.\d)?\s*$/.test(typed)
        ? check('discount_bp')(typed, answers)
        : ['填写 1.0 至 9.9，如 8.5 折填 8.5', '1.0 to 9.9; 8.5 means 15% off'],
    hint: ['8.5 折填 8.5，即实付 85%', '8.5: the buyer pays 85%'],
    field: 'discount_bp',
    initial: rows => {
      const bp = first(rows)?.discount_bp
      return bp == null ? undefined : String(bp / 1000)
    },
  }),
  cap_cents: ask.money({
    label: ['最高减免', 'Maximum off'],
    min: 1,
    max: COUPON_FACE_MAX,
    optional: 'in-draft',
    shown: isKind('discount'),
    check: check('cap_cents'),
    initial: rows => first(rows)?.cap_cents ?? undefined,
  }),
  zero_confirmed: ask.flag({
    label: ['确认无门槛立减', 'Confirm: no minimum spend'],
    shown: (answers: CouponAnswers) => answers.kind === 'direct' && !answers.threshold_cents,
    hint: ['提交审核前须勾选', 'Required to submit'],
  }),
})

const targetAsk = (
  { scope }: Maker,
  kind: Exclude<CouponApply, 'all'>,
  label: Text,
  first: (rows: Rows) => First,
) =>
  ask.entities({
    label,
    max: 100,
    optional: 'in-draft',
    field: 'apply_ids',
    find: callsIn(scope).targets,
    labelOf: (row: { name: string }) => row.name,
    given: (_: Rows, answers: CouponAnswers) => ({
      apply_kind: kind,
      city_ids: answers.city_ids ?? [],
    }),
    shown: (answers: CouponAnswers) => answers.apply_kind === kind,
    initial: (rows: Rows) => {
      const of = first(rows)
      return of?.apply_kind === kind ? of.apply_ids : undefined
    },
    named: (rows: Rows) => byId(first(rows)?.applies),
  })
const byId = (some: readonly { id: number; name: string }[] | undefined) =>
  Object.fromEntries((some ?? []).map(one => [one.id, one.name]))
const reachAsks = (maker: Maker, first: (rows: Rows) => First, check: Checks) => {
  const { scope } = maker
  const excluded = scope === 'local' ? 'store' : 'product'
  return {
    city_ids: ask.entities({
      label: ['适用城市', 'Cities'],
      max: 100,
      optional: true,
      find: cityOptions,
      labelOf: (row: { city_name: string }) => row.city_name,
      hint: ['不选为全部城市', 'Empty: all cities'],
      initial: (rows: Rows) => first(rows)?.city_ids,
      named: (rows: Rows) => byId(first(rows)?.cities),
    }),
    apply_kind: ask.choice({
      label: ['适用范围', 'Scope'],
      options: appliesOf(scope) as Readonly<Record<CouponApply, Text>>,
      check: check('apply_kind'),
      initial: rows => first(rows)?.apply_kind ?? 'all',
    }),
    category: targetAsk(maker, 'category', ['适用分类', 'Categories'], first),
    mall: targetAsk(maker, 'mall', ['适用商场', 'Malls'], first),
    store: targetAsk(maker, 'store', ['适用门店', 'Stores'], first),
    shop: targetAsk(maker, 'shop', ['适用店铺（商户）', 'Shops (merchants)'], first),
    product: targetAsk(maker, 'product', ['适用商品', 'Products'], first),
    exclude_ids: ask.entities({
      label:
        scope === 'local' ? ['排除门店', 'Excluded stores'] : ['排除商品', 'Excluded products'],
      max: 100,
      optional: true,
      find: callsIn(scope).targets,
      labelOf: (row: { name: string }) => row.name,
      given: (_: Rows, answers: CouponAnswers) => ({
        apply_kind: excluded,
        city_ids: answers.city_ids ?? [],
      }),
      shown: (answers: CouponAnswers) => answers.kind !== 'freight',
      initial: (rows: Rows) => first(rows)?.exclude_ids,
      named: (rows: Rows) => byId(first(rows)?.excludes),
    }),
  }
}

const CLAIM_DAYS = 30
const tomorrow = () => dayStart(unixNow()) + DAY
const claimAsks = (first: (rows: Rows) => First, check: Checks) => ({
  total: ask.number({
    label: ['发放总量（张）', 'Quantity'],
    min: 1,
    max: COUPON_TOTAL_MAX,
    optional: 'in-draft',
    check: check('total'),
    initial: rows => first(rows)?.total || undefined,
  }),
  per_member: ask.number({
    label: ['每人限领（张）', 'Limit per member'],
    min: 1,
    max: COUPON_TOTAL_MAX,
    check: (value, answers: CouponAnswers) =>
      answers.total === undefined ? undefined : check('per_member')(value, answers),
    initial: rows => first(rows)?.per_member || 1,
  }),
  per_day: ask.number({
    label: ['每人每天限领（张）', 'Daily limit per member'],
    min: 1,
    max: COUPON_TOTAL_MAX,
    optional: true,
    check: check('per_day'),
    hint: ['留空为不限', 'Empty: no limit'],
    initial: rows => first(rows)?.per_day ?? undefined,
  }),
  claim_kind: ask.choice({
    label: ['领取方式', 'Claim method'],
    options: couponClaims,
    initial: rows => first(rows)?.claim_kind ?? 'claim',
  }),
  claim_start_at: ask.time({
    label: ['领取开始', 'Claim from'],
    initial: rows => first(rows)?.claim_start_at ?? tomorrow(),
  }),
  claim_end_at: ask.time({
    label: ['领取截止', 'Claim until'],
    check: check('claim_end_at'),
    initial: rows => first(rows)?.claim_end_at ?? tomorrow() + CLAIM_DAYS * DAY,
  }),
  new_only: ask.flag({
    label: ['仅限新客（没有已付款订单）', 'New customers only (no paid orders)'],
    initial: rows => first(rows)?.new_only ?? false,
  }),
  level_ids: ask.choices({
    label: ['限会员等级', 'Member levels only'],
    options: memberLevels,
    optional: true,
    hint: ['不选为所有会员', 'Empty: all members'],
    initial: rows => first(rows)?.level_ids.map(String),
  }),
})
const isFixed = (answers: CouponAnswers) => answers.valid_kind === 'fixed'
const isAfter = (answers: CouponAnswers) => answers.valid_kind !== 'fixed'
const usingAsks = (first: (rows: Rows) => First, check: Checks) => ({
  valid_kind: ask.choice({
    label: ['有效期', 'Validity'],
    options: couponValidities,
    initial: rows => first(rows)?.valid_kind ?? 'days_after',
  }),
  use_start_at: ask.time({
    label: ['使用开始', 'Valid from'],
    optional: true,
    shown: isFixed,
    check: check('use_start_at'),
    hint: ['留空为领取即可用', 'Empty: valid once claimed'],
    initial: rows => first(rows)?.use_start_at ?? undefined,
  }),
  use_end_at: ask.time({
    label: ['使用截止', 'Valid until'],
    optional: 'in-draft',
    shown: isFixed,
    check: check('use_end_at'),
    initial: rows => first(rows)?.use_end_at ?? undefined,
  }),
  valid_after_days: ask.number({
    label: ['领取后几天开始', 'Starts after (days)'],
    min: 0,
    max: COUPON_DAYS_MAX,
    shown: isAfter,
    hint: ['0 为立即可用', '0: immediately'],
    initial: rows => first(rows)?.valid_after_days ?? 0,
  }),
  valid_days: ask.number({
    label: ['有效天数', 'Valid days'],
    min: 1,
    max: COUPON_DAYS_MAX,
    optional: 'in-draft',
    shown: isAfter,
    check: check('valid_days'),
    initial: rows => first(rows)?.valid_days ?? 30,
  }),
  weekdays: ask.choices({
    label: ['可用星期', 'Days of the week'],
    options: Object.fromEntries(weekdays.map((day, at) => [String(at + 1), day])),
    optional: true,
    hint: ['不选为每天', 'Empty: every day'],
    initial: rows => first(rows)?.weekdays.map(String),
  }),
  stackable: ask.flag({
    label: ['可与其他优惠同享', 'Combinable with other offers'],
    initial: rows => first(rows)?.stackable ?? false,
  }),
})
const costAsks = ({ scope }: Maker, first: (rows: Rows) => First, check: Checks) => ({
  platform_share: ask.number({
    label: ['平台承担（%）', 'Paid by platform (%)'],
    min: 0,
    max: 100,
    places: 2,
    field: 'platform_share_bp',
    hint:
      scope === 'local'
        ? ['其余由商户承担', 'The merchant pays the rest']
        : ['其余由店铺承担', 'The shop pays the rest'],
    initial: rows => (first(rows)?.platform_share_bp ?? 10_000) / 100,
  }),
  consent_no: ask.text({
    label:
      scope === 'local'
        ? ['商户确认编号', 'Merchant consent no.']
        : ['店铺协议编号', 'Agreement no.'],
    max: 30,
    optional: 'in-draft',
    shown: (answers: CouponAnswers) => (answers.platform_share ?? 100) < 100,
    initial: rows => first(rows)?.consent_no || undefined,
  }),
  budget_cents: ask.money({
    label: ['预算', 'Budget'],
    min: 1,
    max: 1_000_000_000_00,
    optional: 'in-draft',
    check: (value, answers: CouponAnswers) =>
      answers.total === undefined ? undefined : check('budget_cents')(value, answers),
    hint: ['不低于最大成本', 'At least the maximum cost'],
    initial: rows => first(rows)?.budget_cents ?? undefined,
  }),
  recommend_text: ask.text({
    label: ['推荐语', 'Tagline'],
    max: 40,
    optional: true,
    check: check('recommend_text'),
    initial: rows => first(rows)?.recommend_text || undefined,
  }),
})
/** The questions of the form of a scope; a copy begins with `from`. */
export const couponAsks = (maker: Maker): Record<string, Ask> => {
  const first = (rows: Rows): First => rows[0] ?? maker.from
  const check = checksOf(maker.scope)
  return {
    ...worthAsks(maker, first, check),
    ...reachAsks(maker, first, check),
    ...claimAsks(first, check),
    ...usingAsks(first, check),
    ...costAsks(maker, first, check),
  }
}
