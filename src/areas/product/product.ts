import type { Text } from '#src/domain/text.ts'

export const offerKinds = {
  bulks: ['团购', 'Group-buy'],
  card: ['次卡', 'Card'],
  voucher: ['代金券', 'Voucher'],
  goods: ['到店商品', 'Store goods'],
  elist: ['电商商品', 'E-commerce goods'],
} as const satisfies Record<string, Text>
type OfferKind = keyof typeof offerKinds

export const productStates = {
  draft: ['草稿', 'Draft'],
  auditing: ['审核中', 'In audit'],
  on_sale: ['在售', 'On sale'],
  off_sale: ['已下架', 'Off sale'],
  ended: ['已结束', 'Ended'],
  forced_off: ['强制下架', 'Forced off'],
} as const satisfies Record<string, Text>
export type ProductState = keyof typeof productStates

type Sku = {
  code: string
  name: string
  price_cents: number
  stock: number
  image?: string | undefined
}
/**
 * What a merchant offers for sale, of any kind, as the rules of the trade read it. Money in cents,
 * times in unix seconds.
 */
export type Offer = {
  kind: OfferKind
  title: string
  category_id: number
  brand_id?: number | undefined
  store_ids: readonly number[]
  images: readonly string[]
  tags: readonly string[]
  list_price_cents: number
  price_cents: number
  settle_price_cents: number
  commission_bp: number
  stock: number
  sale_start_at: number
  sale_end_at: number
  check_start_at: number
  check_end_at: number
  valid_days?: number | undefined
  valid_from?: 'purchase' | 'first_use' | undefined
  refund_policy: 'anytime' | 'before_expiry' | 'none'
  use_time?: string | undefined
  buy_notes?: string | undefined
  unavailable_dates?: readonly string[] | undefined
  group_need?: number | undefined
  group_price_cents?: number | undefined
  group_leader_free?: boolean | undefined
  times_total?: number | undefined
  single_price_cents?: number | undefined
  face_cents?: number | undefined
  min_spend_cents?: number | undefined
  per_bill_limit?: number | undefined
  exclude_weekdays?: readonly number[] | undefined
  skus?: readonly Sku[] | undefined
  freight_template_id?: number | undefined
  return_address_id?: number | undefined
}

/**
 * Verb → states it may start from. `submit` of a product on sale opens a version in audit while the
 * old one keeps selling.
 */
const from = {
  submit: ['draft', 'on_sale', 'off_sale', 'ended', 'forced_off'],
  approve: ['auditing', 'on_sale', 'off_sale', 'ended', 'forced_off', 'draft'],
  reject: ['auditing', 'on_sale', 'off_sale', 'ended', 'forced_off', 'draft'],
  offShelf: ['on_sale'],
  changeTimes: ['on_sale', 'off_sale', 'ended'],
} as const satisfies Record<string, readonly ProductState[]>
export type ProductVerb = keyof typeof from

/** True, or the state that forbids it. */
export const productCan = (verb: ProductVerb, state: ProductState): true | Text =>
  (from[verb] as readonly ProductState[]).includes(state) || productStates[state]

/**
 * Where a product stands after a submission of it was rejected or withdrawn: a first version goes
 * back to draft, a later one leaves the old on sale.
 */
export const afterRefusal = (state: ProductState, live_version: number): ProductState => {
  if (state !== 'auditing') return state
  return live_version > 0 ? 'off_sale' : 'draft'
}

const byCode = (skus: readonly Sku[] | undefined) =>
  [...(skus ?? [])].sort((a, b) => (a.code < b.code ? -1 : 1))
const comparable = (field: string, value: unknown): string => {
  if (field === 'store_ids' && Array.isArray(value)) return JSON.stringify([...value].sort())
  if (field === 'skus' && Array.isArray(value))
    return JSON.stringify(
      byCode(value).map(({ code, name, price_cents, stock, image }) => [
        code,
        name,
        price_cents,
        stock,
        image,
      ]),
    )
  return JSON.stringify(value ?? null)
}
/**
 * Names of the fields in which a submission differs from what is live, in the submission's order;
 * empty for a first one. The order of stores and of SKUs does not count.
 */
export const changedFields = (live: object | null, body: object): string[] => {
  if (!live) return []
  const [before, after] = [live as Record<string, unknown>, body as Record<string, unknown>]
  return [...new Set([...Object.keys(after), ...Object.keys(before)])].filter(
    field => comparable(field, before[field]) !== comparable(field, after[field]),
  )
}

export type Window = {
  sale_start_at: number
  sale_end_at: number
  check_start_at: number
  check_end_at: number
}
/**
 * Why a change of the four times may not be made, by code; `promised_until` is the latest validity
 * of a sold unused code.
 */
export const timeFaults = {
  check_end_before_sale_end: ['核销结束不能早于售卖结束', 'Redeeming ends before the sale does'],
  sale_end_before_start: ['售卖结束须晚于开售', 'The sale ends before it starts'],
  check_end_before_start: ['核销结束须晚于核销开始', 'Redeeming ends before it starts'],
  check_start_after_sale_end: [
    '核销开始不能晚于售卖结束',
    'Redeeming begins after the sale has ended',
  ],
  check_end_past: ['核销结束已过', 'Redeeming would end in the past'],
  earlier_than_sold_codes: [
    '已售出未使用的券码有效期至 {until}，不能提前',
    'Unused codes are promised until {until}',
  ],
  later_than_sold_codes: [
    '已售出未使用的券码已可使用，不能推迟核销开始',
    'Unused codes are already redeemable',
  ],
  contract_ended: ['商户合同在新的结束时间之前到期', 'The contract ends before that'],
  in_activity: ['正在参加活动，不能修改时间', 'It takes part in an activity'],
  wrong_state: ['商品当前不可改时间', 'Its state forbids it'],
  changed_meanwhile: ['商品已被修改，请重新预览', 'It was changed meanwhile, preview again'],
  not_bulks: ['不是团购商品', 'Not a group-buy'],
  not_found: ['没有找到，或不在你的数据范围内', 'Not found, or outside your data scope'],
  nothing_changes: ['时间没有变化', 'Nothing changes'],
} as const satisfies Record<string, Text>
export type TimeFault = keyof typeof timeFaults

/** The first rule that forbids `after` in place of `before`; null when none does. */
export const timeFault = (
  before: Window,
  after: Window,
  facts: {
    state: ProductState
    in_activity: boolean
    contract_end_at: number | null
    unused_codes: number
    promised_until: number | null
  },
  now: number,
): TimeFault | null => {
  if (productCan('changeTimes', facts.state) !== true) return 'wrong_state'
  if (facts.in_activity) return 'in_activity'
  if (
    JSON.stringify(Object.entries(before).sort()) === JSON.stringify(Object.entries(after).sort())
  )
    return 'nothing_changes'
  if (after.sale_end_at <= after.sale_start_at) return 'sale_end_before_start'
  if (after.check_end_at <= after.check_start_at) return 'check_end_before_start'
  if (after.check_start_at > after.sale_end_at) return 'check_start_after_sale_end'
  if (after.check_end_at < after.sale_end_at) return 'check_end_before_sale_end'
  if (after.check_end_at <= now) return 'check_end_past'
  if (
    facts.unused_codes > 0 &&
    after.check_end_at < before.check_end_at &&
    after.check_end_at < (facts.promised_until ?? 0)
  )
    return 'earlier_than_sold_codes'
  if (
    facts.unused_codes > 0 &&
    after.check_start_at > before.check_start_at &&
    after.check_start_at > now &&
    before.check_start_at <= now
  )
    return 'later_than_sold_codes'
  if (
    facts.contract_end_at !== null &&
    after.check_end_at > facts.contract_end_at &&
    after.check_end_at > before.check_end_at
  )
    return 'contract_ended'
  return null
}
