import { ask } from '#commands/command.ts'
import { GOODS_NAME_MAX } from '#src/areas/redeemCode/goods.ts'
import { VIP_DAYS_MOST } from '#src/areas/redeemCode/membership.ts'
import {
  bearers,
  codeKinds,
  QUANTITY_MAX,
  type Bearer,
  type CodeKind,
} from '#src/areas/redeemCode/redeemCode.ts'
import { alphabetWords, CODE_MAX, CODE_MIN, type Alphabet } from '#src/areas/secret/secretCode.ts'
import { mallPicker } from '#src/contract/malls.ts'
import { yuan } from '#src/domain/money.ts'
import { codeBatches, type BatchRow } from '../contract/index.ts'

export type BatchAnswers = {
  name: string
  partner: string
  contract_no?: string
  bearer: Bearer
  note?: string
  code_kind: CodeKind
  alphabet: Alphabet
  length: number
  prefix: string
  quantity: number
  use_limit?: number
  coupons?: number[]
  film?: number
  ecard_attr_id?: number
  points?: number
  points_days?: number
  vip_card_id?: number
  vip_days?: number
  goods?: string
  goods_cents?: number
  budget: number
  start_at?: number
  end_at?: number
  limit_member?: number
  limit_phone?: number
  limit_device?: number
  new_only?: boolean
  malls?: number[]
}
type Rows = readonly BatchRow[]
const isShared = (answers: Partial<BatchAnswers>) => answers.code_kind === 'shared'
const most = 1000
const limit = (
  label: readonly [string, string],
  key: 'limit_member' | 'limit_phone' | 'limit_device',
  of: From,
) =>
  ask.number({
    label,
    min: 1,
    max: most,
    optional: true,
    initial: rows => of(rows)?.[key] ?? undefined,
    ...(key === 'limit_phone' && {
      shown: (answers: Partial<BatchAnswers>, rows: Rows) =>
        (answers.code_kind ?? rows[0]?.code_kind) !== 'per_phone',
    }),
  })
type From = (rows: Rows) => BatchRow | undefined
/** The coupons of a batch that are a film ticket, or the others. */
const couponsOf = (row: BatchRow | undefined, isFilm: boolean) =>
  (row?.coupons ?? []).filter(one => (one.film_cents !== null) === isFilm)
/** All coupons of the answers; the film ticket is one of them. */
export const couponIds = ({
  coupons = [],
  film,
}: {
  coupons?: number[] | undefined
  film?: number | undefined
}): number[] => (film === undefined ? coupons : [...coupons, film])
/** The questions about a batch that was approved, through its audit. */
export const amendAsks = (of: From) => ({
  name: ask.text({ label: ['批次名称', 'Name'], max: 60, initial: rows => of(rows)?.name }),
  end_at: ask.time({
    label: ['结束时间', 'Until'],
    initial: rows => of(rows)?.end_at,
    check: (end, answers: Partial<BatchAnswers>) =>
      end !== undefined && answers.start_at !== undefined && end <= answers.start_at
        ? ['结束须晚于开始', 'Must end after it starts']
        : undefined,
  }),
  quantity: ask.number({
    label: ['数量', 'Codes'],
    min: 1,
    max: QUANTITY_MAX,
    initial: rows => of(rows)?.quantity,
  }),
  use_limit: ask.number({
    label: ['每个码可用次数', 'Uses per code'],
    min: 1,
    max: QUANTITY_MAX,
    shown: (answers, rows: Rows) => isShared(answers) || rows[0]?.code_kind === 'shared',
    initial: rows => of(rows)?.use_limit ?? undefined,
  }),
  budget: ask.money({
    label: ['预算', 'Budget'],
    min: 0,
    field: 'budget_cents',
    initial: rows => of(rows)?.budget_cents,
  }),
  limit_member: limit(['每会员限兑', 'Limit per member'], 'limit_member', of),
  limit_phone: limit(['每手机号限兑', 'Limit per phone'], 'limit_phone', of),
  limit_device: limit(['每设备限兑', 'Limit per device'], 'limit_device', of),
  note: ask.text({
    label: ['备注', 'Note'],
    max: 200,
    lines: 2,
    optional: true,
    initial: rows => of(rows)?.note,
  }),
})
const codeAsks = (of: From, source: BatchRow | undefined) => ({
  partner: ask.text({
    label: ['合作方', 'Partner'],
    max: 40,
    initial: rows => of(rows)?.partner,
  }),
  contract_no: ask.text({
    label: ['合同号', 'Contract'],
    max: 40,
    optional: true,
    initial: rows => of(rows)?.contract_no,
  }),
  bearer: ask.choice({
    label: ['成本承担', 'Cost borne by'],
    options: bearers,
    initial: rows => of(rows)?.bearer ?? 'platform',
  }),
  code_kind: ask.choice({
    label: ['码类型', 'Kind of code'],
    options: codeKinds,
    initial: rows => of(rows)?.code_kind ?? 'once',
  }),
  alphabet: ask.choice({
    label: ['字符', 'Characters'],
    options: alphabetWords,
    initial: rows => of(rows)?.alphabet ?? 'mixed',
  }),
  length: ask.number({
    label: ['码长（含前缀与校验位）', 'Length (with prefix and check digit)'],
    min: CODE_MIN,
    max: CODE_MAX,
    initial: rows => of(rows)?.length ?? 16,
  }),
  prefix: ask.text({
    label: ['前缀', 'Prefix'],
    max: 8,
    hint: ['各批次不同，不含易混的 0 O 1 I L', 'Unique per batch, without 0 O 1 I L'],
    initial: rows => rows[0]?.prefix,
    check: typed =>
      source && typed.trim().toUpperCase() === source.prefix
        ? ['复制的批次须更换前缀', 'A copy needs its own prefix']
        : undefined,
  }),
})
const membershipAsks = (of: From) => ({
  vip_card_id: ask.entity({
    label: ['会员时长卡种', 'Plan of membership days'],
    find: codeBatches.plans,
    labelOf: (row: { name: string }) => row.name,
    optional: true,
    hint: [
      '同卡种顺延，未开通的从兑换时起算；正在使用其他卡种的会员到期后才能兑换',
      'Extends the same plan or starts it; members on another plan redeem after it ends',
    ],
    initial: (rows: Rows) => of(rows)?.vip_card_id ?? undefined,
    named: (rows: Rows) => of(rows)?.membership?.plan,
  }),
  vip_days: ask.number({
    label: ['每码赠送天数', 'Days per code'],
    min: 1,
    max: VIP_DAYS_MOST,
    shown: (answers: Partial<BatchAnswers>) => answers.vip_card_id !== undefined,
    initial: rows => of(rows)?.vip_days || 30,
  }),
})
const couponAsks = (of: From) => ({
  coupons: ask.entities({
    label: ['优惠券（每码各发一张）', 'Coupons (one of each per code)'],
    max: 5,
    find: codeBatches.coupons,
    labelOf: (row: { name: string }) => row.name,
    optional: true,
    field: 'coupon_ids',
    initial: (rows: Rows) => couponsOf(of(rows), false).map(one => one.id),
    named: (rows: Rows) =>
      Object.fromEntries(couponsOf(of(rows), false).map(one => [one.id, one.name])),
  }),
  film: ask.entity({
    label: ['影票', 'Film ticket'],
    find: codeBatches.films,
    labelOf: (row: { name: string }) => row.name,
    optional: true,
    hint: [
      '每码一张，抵一个座位；可选仅限影院门店、有面额的兑换券',
      'One per code, for one seat; an exchange coupon with a face value, for cinemas only',
    ],
    initial: (rows: Rows) => couponsOf(of(rows), true)[0]?.id,
    named: (rows: Rows) => couponsOf(of(rows), true)[0]?.name,
  }),
})
const cardAsks = (of: From) => ({
  ecard_attr_id: ask.entity({
    label: ['电子卡', 'E-card'],
    find: codeBatches.cards,
    labelOf: (row: { name: string }) => row.name,
    optional: true,
    hint: [
      '每码一张，兑换即归会员并激活；搜卡名或面值',
      'One per code, activated at once for the member; search by name or value',
    ],
    initial: (rows: Rows) => of(rows)?.ecard_attr_id ?? undefined,
    named: (rows: Rows) => {
      const card = of(rows)?.card
      return card ? `${card.name} ¥${yuan(card.face_cents)}` : undefined
    },
  }),
})
const rewardAsks = (of: From, source: BatchRow | undefined) => ({
  ...couponAsks(of),
  points: ask.number({
    label: ['积分', 'Points'],
    min: 0,
    max: 1_000_000,
    initial: rows => of(rows)?.points ?? 0,
    hint: ['抽奖次数尚不能作为奖励', 'Draws can’t be rewards yet'],
  }),
  points_days: ask.number({
    label: ['积分有效天数', 'Days the points last'],
    min: 1,
    max: 3650,
    shown: answers => (answers.points ?? 0) > 0,
    initial: rows => of(rows)?.points_days ?? 365,
  }),
  ...cardAsks(of),
  ...membershipAsks(of),
  goods: ask.text({
    label: ['实物奖品', 'Prize'],
    max: GOODS_NAME_MAX,
    optional: true,
    hint: [
      '每码一件，兑换后凭码到门店领取，至有效期结束',
      'One per code, collected at a store while the code is valid',
    ],
    initial: rows => of(rows)?.goods,
    check: (typed, answers: Partial<BatchAnswers>) =>
      typed.trim() && isShared(answers)
        ? ['通用码不能含实物奖品', 'Shared codes can’t include prizes']
        : undefined,
  }),
  goods_cents: ask.money({
    label: ['实物单件成本', 'Cost per prize'],
    min: 0,
    shown: (answers: Partial<BatchAnswers>) => Boolean(answers.goods?.trim()),
    initial: rows => of(rows)?.goods_cents,
  }),
  start_at: ask.time({
    label: ['开始时间', 'From'],
    initial: rows => rows[0]?.start_at ?? source?.end_at,
  }),
  new_only: ask.flag({
    label: ['仅限没有消费过的新会员', 'New members with no purchases only'],
    initial: rows => of(rows)?.new_only ?? false,
  }),
  malls: ask.entities({
    label: ['适用商场（不选为全部）', 'Malls; none: all'],
    max: 50,
    find: mallPicker,
    key: 'mid',
    labelOf: (row: { name: string }) => row.name,
    optional: true,
    field: 'mall_ids',
    initial: (rows: Rows) => of(rows)?.mall_ids ?? [],
    named: (rows: Rows) =>
      Object.fromEntries((of(rows)?.malls ?? []).map(one => [one.id, one.name])),
  }),
})
/** All questions of a draft; a copy begins with its source but for its prefix. */
export const batchAsks = (source?: BatchRow) => {
  const of: From = rows => rows[0] ?? source
  return {
    ...amendAsks(of),
    ...codeAsks(of, source),
    ...rewardAsks(of, source),
    ...(source && {
      end_at: ask.time({
        label: ['结束时间', 'Until'],
        initial: rows => rows[0]?.end_at ?? source.end_at + (source.end_at - source.start_at),
      }),
    }),
  }
}
/** The names that fields of the call have among the questions. */
export const namesHere = {
  coupon_ids: 'coupons',
  mall_ids: 'malls',
  budget_cents: 'budget',
} as const
/** The call's input of the answers. */
export const bodyOf = ({ coupons, film, malls, budget, ...of }: BatchAnswers) => ({
  name: of.name,
  partner: of.partner,
  contract_no: of.contract_no ?? '',
  bearer: of.bearer,
  note: of.note ?? '',
  code_kind: of.code_kind,
  alphabet: of.alphabet,
  length: of.length,
  prefix: of.prefix,
  quantity: of.quantity,
  use_limit: of.use_limit ?? null,
  coupon_ids: couponIds({ coupons, film }),
  points: of.points ?? 0,
  points_days: of.points_days ?? 365,
  vip_card_id: of.vip_card_id ?? null,
  vip_days: of.vip_card_id === undefined ? 0 : (of.vip_days ?? 0),
  ecard_attr_id: of.ecard_attr_id ?? null,
  goods: of.goods ?? '',
  goods_cents: of.goods?.trim() ? (of.goods_cents ?? 0) : 0,
  budget_cents: budget,
  start_at: of.start_at!,
  end_at: of.end_at!,
  limit_member: of.limit_member ?? null,
  limit_phone: of.limit_phone ?? null,
  limit_device: of.limit_device ?? null,
  new_only: of.new_only ?? false,
  mall_ids: malls ?? [],
})
export type AmendAnswers = Pick<
  BatchAnswers,
  | 'name'
  | 'note'
  | 'quantity'
  | 'use_limit'
  | 'budget'
  | 'end_at'
  | 'limit_member'
  | 'limit_phone'
  | 'limit_device'
> & { why: string }
export const amendOf = ({ budget, why, ...of }: AmendAnswers, was: BatchRow) => ({
  name: of.name,
  note: of.note ?? '',
  end_at: of.end_at!,
  quantity: of.quantity,
  budget_cents: budget,
  use_limit: of.use_limit ?? null,
  limit_member: of.limit_member ?? null,
  limit_phone: was.code_kind === 'per_phone' ? was.limit_phone : (of.limit_phone ?? null),
  limit_device: of.limit_device ?? null,
  reason: why,
})
