import { GROUP_MAX, GROUP_MIN } from '#src/areas/group/rollGroup.ts'
import type { Offer } from '#src/areas/product/product.ts'
import { isDeepCut } from '#src/areas/product/shipped.ts'
import { weekdayOf } from '#src/domain/calendar.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { joinedNames } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import {
  auditRules,
  auditSettings,
  type AuditRule,
  type AuditSettings,
  type Finding,
  type FindingLevel,
} from './audit.ts'

/** What the rules need to know beside the submission itself. */
export type SubmissionFacts = {
  merchant: {
    status: string
    license_expire_at: number | null
    contract_end_at: number | null
    qualifications: readonly { name: string; expire_at: number | null }[]
  } | null
  /** The stores named, as they stand now; one that is missing here does not exist. */
  stores: readonly {
    id: number
    name: string
    own: boolean
    status: string
    mall_name: string
    mall_status: string | null
  }[]
  category: {
    name: string
    on: boolean
    commission_min_bp: number
    commission_max_bp: number
    floor_bp: number
    need_licenses: readonly string[]
    /** The kinds of products that it takes; without any all. */
    product_kinds?: readonly string[]
  } | null
  brand: {
    name: string
    on: boolean
    auth_end_at: number | null
    auth_category_ids: readonly number[] | null
  } | null
  freight_ok: boolean
  return_ok: boolean
  /** Another live or waiting offer of this merchant with the same title. */
  duplicate: { id: number; title: string } | null
  /** Live vouchers of the same stores with the same face. */
  same_face: readonly string[]
  /** Cash-out hits on its stores within the days of the settings. */
  cash_out_hits: number
  /** What the machine found in pictures: address → blurred or small. */
  image_faults: Readonly<Record<string, string>>
  /** Sold units of the live version that may still be used. */
  sold_left: number
}

const names = (of: readonly string[]) =>
  joinedNames(of.slice(0, 5).map((name, at) => (at === 4 && of.length > 5 ? `${name}…` : name)))
const inOffer = (offer: Offer) =>
  [offer.title, ...(offer.tags ?? []), offer.buy_notes ?? '', offer.use_time ?? ''].join('\n')

/**
 * Days from the later of now and the first on which something may be used; stops at one, for only
 * that is asked.
 */
const hasUsableDay = (offer: Offer, now: number): boolean => {
  const excluded = new Set(offer.unavailable_dates ?? [])
  const weekdays = new Set(offer.exclude_weekdays ?? [])
  const first = dayStart(Math.max(now, offer.check_start_at))
  // Eleven years: more than any window, so that a rubbish one ends too.
  for (let at = first, n = 0; at <= offer.check_end_at && n < 4000; at += DAY, n++) {
    if (!weekdays.has(weekdayOf(at)) && !excluded.has(dateOf(at))) return true
  }
  return false
}

/** A submission with all that decides on it, and where the rules say what they find. */
type Asked = {
  offer: Offer
  live: Offer | null
  facts: SubmissionFacts
  now: number
  settings: AuditSettings
  say: (rule: AuditRule, field?: string, values?: Record<string, string | number>) => void
}
const moneyOf = (offer: Offer) => ({
  price: yuan(offer.price_cents),
  list: yuan(offer.list_price_cents),
})
/** The name and the prices: none is missing, and a sale price is a sale price. */
const sayPrice = ({ offer, live, say }: Asked): void => {
  const price = offer.price_cents
  const list = offer.list_price_cents
  const money = moneyOf(offer)
  if (!offer.title.trim()) say('title_empty', 'title')
  if (price <= 0) say('price_zero', 'price_cents')
  if (offer.kind === 'bulks' && price >= list) say('price_not_below_list', 'price_cents', money)
  if ((offer.kind === 'goods' || offer.kind === 'elist') && list > 0 && price > list)
    say('price_above_list', 'price_cents', money)
  if (offer.settle_price_cents > price)
    say(isCut(offer, live) ? 'below_cost' : 'settle_above_price', 'settle_price_cents', {
      price: money.price,
      settle: yuan(offer.settle_price_cents),
    })
}
/** Whether goods that are shipped are only made cheaper: then a person decides, and no rule. */
const isCut = (offer: Offer, live: Offer | null): boolean =>
  offer.kind === 'elist' &&
  live !== null &&
  offer.settle_price_cents === live.settle_price_cents &&
  offer.price_cents < live.price_cents
/** The prices of what is shipped do not fall by more than half. */
const sayDeepCut = ({ offer, live, say }: Asked): void => {
  if (offer.kind !== 'elist' || live === null) return
  const was = new Map(live.skus?.map(sku => [sku.code, sku.price_cents]))
  const cut = (offer.skus ?? []).filter(sku => isDeepCut(was.get(sku.code) ?? 0, sku.price_cents))
  if (cut.length > 0) say('deep_cut', 'skus', { names: names(cut.map(sku => sku.name)) })
  else if (isDeepCut(live.price_cents, offer.price_cents))
    say('deep_cut', 'price_cents', { names: offer.title })
}
/** When it is sold and when its codes are used. */
const sayTimes = ({ offer, now, say }: Asked): void => {
  const hasCodes = offer.kind === 'bulks' || offer.kind === 'card' || offer.kind === 'voucher'
  if (offer.sale_end_at <= offer.sale_start_at) say('sale_end_before_start', 'sale_end_at')
  if (offer.sale_end_at <= now) say('sale_ended', 'sale_end_at')
  if (hasCodes && offer.check_end_at <= offer.check_start_at)
    say('redeem_end_before_start', 'check_end_at')
  if (hasCodes && offer.check_end_at <= offer.sale_end_at)
    say('redeem_end_before_sale_end', 'check_end_at')
  if (hasCodes && offer.check_end_at <= now) say('redeem_ended', 'check_end_at')
}
/** Something is there to sell. */
const sayStock = ({ offer, say }: Asked): void => {
  const stock = offer.skus?.length
    ? offer.skus.reduce((sum, sku) => sum + sku.stock, 0)
    : offer.stock
  if (stock < 1) say('stock_empty', 'stock')
}
/** The merchant trades, under a contract and a licence. */
const sayMerchant = ({ facts, now, settings, say }: Asked): void => {
  const merchant = facts.merchant
  if (!merchant || merchant.status !== 'active') say('merchant_inactive')
  if (merchant?.contract_end_at && merchant.contract_end_at <= now)
    say('contract_ended', undefined, { date: dateOf(merchant.contract_end_at) })
  if (merchant?.license_expire_at) {
    const date = dateOf(merchant.license_expire_at)
    if (merchant.license_expire_at <= now) say('licence_expired', undefined, { date })
    else if (merchant.license_expire_at <= now + settings.licence_warn_days * DAY)
      say('licence_expiring', undefined, { date })
  }
}
/** The stores exist, are the merchant’s own and are open. */
const sayStores = ({ offer, facts, say }: Asked): void => {
  const toStore = offer.kind !== 'elist'
  const known = new Map(facts.stores.map(store => [store.id, store]))
  if (toStore && offer.store_ids.length === 0) say('store_none', 'store_ids')
  const foreign = offer.store_ids.filter(id => !known.get(id)?.own)
  if (foreign.length)
    say('store_foreign', 'store_ids', {
      stores: names(foreign.map(id => known.get(id)?.name ?? String(id))),
    })
  const own = facts.stores.filter(store => store.own)
  const closed = own.filter(store =>
    offer.kind === 'card'
      ? store.status !== 'open'
      : store.status !== 'open' && store.status !== 'resting',
  )
  if (closed.length)
    say('store_closed', 'store_ids', { stores: names(closed.map(store => store.name)) })
  const resting = own.filter(store => store.status === 'resting' && !closed.includes(store))
  if (resting.length)
    say('store_resting', 'store_ids', { stores: names(resting.map(store => store.name)) })
}
/** The malls of the stores are open. */
const sayMalls = ({ facts, say }: Asked): void => {
  const own = facts.stores.filter(store => store.own)
  const mallsOf = (states: readonly string[]) => [
    ...new Set(
      own.filter(store => states.includes(store.mall_status ?? '')).map(store => store.mall_name),
    ),
  ]
  if (mallsOf(['closed']).length)
    say('mall_closed', 'store_ids', { malls: names(mallsOf(['closed'])) })
  if (mallsOf(['draft', 'offline']).length)
    say('mall_offline', 'store_ids', { malls: names(mallsOf(['draft', 'offline'])) })
}
/** The category is on and sells such products, and the commission lies within its range. */
const sayCategory = ({ offer, facts, say }: Asked): void => {
  const category = facts.category
  if (!category?.on) say('category_unknown', 'category_id')
  const kinds = category?.product_kinds ?? []
  if (kinds.length > 0 && !kinds.includes(offer.kind))
    say('category_kind', 'category_id', { category: category!.name })
  if (
    category &&
    (offer.commission_bp < category.commission_min_bp ||
      offer.commission_bp > category.commission_max_bp)
  )
    say('commission_out_of_range', 'commission_bp', {
      bp: percent(offer.commission_bp),
      category: category.name,
      min: percent(category.commission_min_bp),
      max: percent(category.commission_max_bp),
    })
}
/** The merchant holds what the category needs. */
const sayLicences = ({ facts, now, say }: Asked): void => {
  const { category, merchant } = facts
  if (!category) return
  const held = merchant?.qualifications ?? []
  const missing = category.need_licenses.filter(name => !held.some(one => one.name === name))
  if (missing.length)
    say('qualification_missing', 'category_id', {
      category: category.name,
      names: names(missing),
    })
  const expired = category.need_licenses.filter(
    name =>
      held.some(one => one.name === name) &&
      !held.some(one => one.name === name && (one.expire_at === null || one.expire_at > now)),
  )
  if (expired.length) say('qualification_expired', 'category_id', { names: names(expired) })
}
/** A price far below the list price may be a mistake. */
const sayTooCheap = ({ offer, facts, say }: Asked): void => {
  const { category } = facts
  if (!category) return
  const price = offer.price_cents
  const list = offer.list_price_cents
  const share = list > 0 ? Math.floor((price * 10_000) / list) : 10_000
  if (offer.kind !== 'voucher' && price > 0 && share < category.floor_bp)
    say('too_cheap', 'price_cents', { bp: percent(share), floor: percent(category.floor_bp) })
}
/** The brand is known, and its authorisation covers the category. */
const sayBrand = ({ offer, facts, now, say }: Asked): void => {
  if (offer.brand_id === undefined) return
  const { brand } = facts
  if (!brand?.on) say('brand_unknown', 'brand_id')
  else if (brand.auth_category_ids) {
    if (brand.auth_end_at !== null && brand.auth_end_at <= now)
      say('brand_expired', 'brand_id', { brand: brand.name, date: dateOf(brand.auth_end_at) })
    if (!brand.auth_category_ids.includes(offer.category_id))
      say('brand_category', 'brand_id', { brand: brand.name })
  }
}
/** The wording is allowed, and no other offer says the same. */
const sayWords = ({ offer, facts, settings, say }: Asked): void => {
  const said = inOffer(offer)
  const banned = settings.banned_words.filter(word => said.includes(word))
  if (banned.length) say('banned_words', 'title', { words: names(banned) })
  if (facts.duplicate) say('duplicate', 'title', facts.duplicate)
}
/** There are pictures, and they can be looked at. */
const sayPictures = ({ offer, facts, say }: Asked): void => {
  if (offer.images.length === 0) say('image_missing', 'images')
  for (const fault of ['blurred', 'small'] as const) {
    const nos = offer.images.flatMap((image, at) =>
      Object.hasOwn(facts.image_faults, image) && facts.image_faults[image] === fault
        ? [at + 1]
        : [],
    )
    if (nos.length) say(`image_${fault}`, 'images', { nos: joinedNames(nos) })
  }
}
/** The price does not jump. */
const sayRise = ({ offer, live, settings, say }: Asked): void => {
  const price = offer.price_cents
  if (live && live.price_cents > 0) {
    const rise = Math.floor(((price - live.price_cents) * 10_000) / live.price_cents)
    if (rise > settings.price_rise_bp) say('price_rise', 'price_cents', { bp: percent(rise) })
  }
}
/** What is bought in groups has a size and a price for it. */
const sayGroup = ({ offer, say }: Asked): void => {
  const price = offer.price_cents
  const money = moneyOf(offer)
  if (offer.group_need !== undefined || offer.group_price_cents !== undefined) {
    const [need, group] = [offer.group_need ?? 0, offer.group_price_cents ?? 0]
    if (offer.kind !== 'bulks' && offer.kind !== 'elist') say('group_kind', 'group_need')
    if (need < GROUP_MIN || need > GROUP_MAX)
      say('group_need', 'group_need', { min: GROUP_MIN, max: GROUP_MAX })
    if (group <= 0 || group >= price)
      say('group_price', 'group_price_cents', { price: money.price })
  }
}
/** A card holds times that are cheaper together, for so many days and so much money. */
const sayCard = ({ offer, settings, say }: Asked): void => {
  if (offer.kind !== 'card') return
  const price = offer.price_cents
  const money = moneyOf(offer)
  const times = offer.times_total ?? 0
  const single = offer.single_price_cents ?? 0
  if (times < 1 || times > settings.card_times_max)
    say('card_times', 'times_total', { max: settings.card_times_max })
  if (single <= 0) say('card_single_price', 'single_price_cents')
  else if (price > times * single)
    say('card_price', 'price_cents', { price: money.price, times, face: yuan(times * single) })
  const days = offer.valid_days ?? Math.floor((offer.check_end_at - offer.sale_end_at) / DAY)
  if (days < settings.card_days_min || days > settings.card_days_max)
    say('card_validity', 'valid_days', {
      min: settings.card_days_min,
      max: settings.card_days_max,
    })
  if (times * single > settings.prepaid_limit_cents)
    say('card_prepaid', 'single_price_cents', {
      face: yuan(times * single),
      limit: yuan(settings.prepaid_limit_cents),
    })
}
/** Sold cards keep their times, their stores and their validity. */
const sayCardCut = ({ offer, live, facts, say }: Asked): void => {
  if (offer.kind !== 'card') return
  const times = offer.times_total ?? 0
  if (!live || facts.sold_left <= 0) return
  if (times < (live.times_total ?? 0))
    say('card_cut_times', 'times_total', { before: live.times_total ?? 0, after: times })
  if (live.store_ids.some(id => !offer.store_ids.includes(id))) say('card_cut_stores', 'store_ids')
  if (
    (offer.valid_days ?? Infinity) < (live.valid_days ?? Infinity) ||
    offer.check_end_at < live.check_end_at
  )
    say('card_cut_validity', 'valid_days')
}
/** A voucher costs less than its face, and its spend is no trap. */
const sayVoucher = ({ offer, facts, say }: Asked): void => {
  if (offer.kind !== 'voucher') return
  const price = offer.price_cents
  const money = moneyOf(offer)
  const face = offer.face_cents ?? 0
  const spend = offer.min_spend_cents ?? 0
  if (face <= 0) say('voucher_face', 'face_cents')
  else if (price >= face)
    say('voucher_price', 'price_cents', { price: money.price, face: yuan(face) })
  const share = face > 0 ? Math.floor((price * 10_000) / face) : 10_000
  if (facts.category && price > 0 && share < facts.category.floor_bp)
    say('voucher_too_cheap', 'price_cents', {
      bp: percent(share),
      floor: percent(facts.category.floor_bp),
    })
  if (spend !== 0 && spend < face) say('voucher_min_spend', 'min_spend_cents')
}
/** A voucher can be used, on so many bills and days, and not to draw cash. */
const sayVoucherUse = ({ offer, facts, now, settings, say }: Asked): void => {
  if (offer.kind !== 'voucher') return
  const perBill = offer.per_bill_limit ?? 0
  if (perBill < 1 || perBill > settings.per_bill_max)
    say('voucher_per_bill', 'per_bill_limit', { max: settings.per_bill_max })
  if (offer.check_start_at > offer.sale_start_at || offer.check_end_at < offer.sale_end_at)
    say('voucher_redeem_covers', 'check_start_at')
  if (!hasUsableDay(offer, now)) say('voucher_no_day', 'unavailable_dates')
  if (facts.same_face.length)
    say('voucher_same_face', 'face_cents', { titles: names(facts.same_face) })
  if (facts.cash_out_hits > 0)
    say('cash_out_risk', 'store_ids', {
      days: settings.cash_out_days,
      count: facts.cash_out_hits,
    })
}
/** Goods have variants, each with a price and a code of its own. */
const saySkus = ({ offer, live, settings, say }: Asked): void => {
  if (offer.kind !== 'goods' && offer.kind !== 'elist') return
  const skus = offer.skus ?? []
  if (skus.length === 0) say('sku_none', 'skus')
  const free = skus.filter(sku => sku.price_cents <= 0)
  if (free.length) say('sku_price', 'skus', { names: names(free.map(sku => sku.name)) })
  const codes = skus.map(sku => sku.code)
  const twice = skus.filter((sku, at) => codes.indexOf(sku.code) !== at)
  if (twice.length) say('sku_code', 'skus', { names: names(twice.map(sku => sku.code)) })
  const was = new Map((live?.skus ?? []).map(sku => [sku.code, sku.price_cents]))
  const risen = skus.filter(
    sku =>
      (was.get(sku.code) ?? 0) > 0 &&
      (sku.price_cents - was.get(sku.code)!) * 10_000 > was.get(sku.code)! * settings.price_rise_bp,
  )
  if (risen.length)
    say('sku_rise', 'skus', {
      bp: percent(settings.price_rise_bp),
      names: names(risen.map(sku => sku.name)),
    })
}
/** What is posted has its freight and an address for returns. */
const sayPosted = ({ offer, facts, say }: Asked): void => {
  if (offer.kind !== 'elist') return
  if (!facts.freight_ok) say('freight_missing', 'freight_template_id')
  if (!facts.return_ok) say('return_missing', 'return_address_id')
}

/** The rules of the four queues, in the order in which they speak. */
const rules: readonly ((of: Asked) => void)[] = [
  sayPrice,
  sayTimes,
  sayStock,
  sayMerchant,
  sayStores,
  sayMalls,
  sayCategory,
  sayLicences,
  sayTooCheap,
  sayBrand,
  sayWords,
  sayPictures,
  sayRise,
  sayGroup,
  sayCard,
  sayCardCut,
  sayVoucher,
  sayVoucherUse,
  saySkus,
  sayDeepCut,
  sayPosted,
]
const order: Record<FindingLevel, number> = { block: 0, second: 1, flag: 2, warn: 3 }
/**
 * Everything the rules of the four queues say of a submission at `now`, the forbidding ones first.
 * Never throws, whatever the body.
 */
export const findings = (
  offer: Offer,
  live: Offer | null,
  facts: SubmissionFacts,
  now: number,
  settings: AuditSettings = auditSettings,
): Finding[] => {
  const found: Finding[] = []
  const say: Asked['say'] = (rule, field, values) =>
    void found.push({
      rule,
      level: auditRules[rule][0],
      ...(field ? { field } : {}),
      ...(values ? { values } : {}),
    })
  for (const rule of rules) rule({ offer, live, facts, now, settings, say })
  return found.sort((x, y) => order[x.level] - order[y.level])
}
