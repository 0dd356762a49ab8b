/**
 * Says who earns of goods that are sold, at what rates, and what that comes to: it is decided when an
 * order is made, kept with its items, and counted when that is paid (domain B, dist_commission).
 */
import { shares } from '#src/domain/money.ts'
import { CEILING_BP, type CommissionCalc } from './commission.ts'

/** As what a seller earns of a sale; prizes and adjustments are given by hand. */
export type SaleRole = 'direct' | 'leader' | 'guide' | 'store'
/** What one seller earns of each unit of an item. */
export type SellerTerms = {
  distributor_id: number
  role: SaleRole
  /** Basis points of the unit's price; 0 where a fixed amount is paid. */
  rate_bp: number
  /** Cents of each piece, instead of the rate. */
  fixed_cents?: number
  calc: CommissionCalc
  group_id: number | null
  /** The merchant that a distributing store is paid through. */
  merchant_id: number | null
}
/** What an item of an order keeps of who sold it (`order_item.snapshot.distribution`). */
export type Distribution = {
  bearer: 'platform' | 'merchant'
  sellers: readonly SellerTerms[]
  /** Whether the ceiling is waived for its goods. */
  waived?: boolean
}

/** What distributed goods pay, as `dist_product` says it. */
export type DistributedGoods = {
  product_id: number
  /** The merchant of the store that sells them. */
  merchant_id: number
  commission_kind: 'rate' | 'fixed'
  rate_bp: number
  fixed_cents: number
  level_plus: Readonly<Record<string, number>>
  leader_bp: number | null
  guide_bp: number
  waived: boolean
}
/** A binding of the buyer that stands, with its seller, who may sell. */
export type BoundSeller = {
  binding_id: number
  role: 'expert' | 'guide'
  id: number
  active: boolean
  member_id: number | null
  level_no: number
  plus_bp: number
  rate_bp: number | null
  /** The merchant of a guide's store. */
  merchant_id: number | null
  /** The team of an expert, with its leader where that is another active seller. */
  team?: {
    group_id: number
    leader_bp: number
    leader: { id: number; member_id: number | null } | null
  }
  /** The guide's store, where it is a distributing store that may sell now. */
  store?: {
    id: number
    rate_bp: number | null
    product_ids: readonly number[] | null
    /** Merchants whose goods its mall keeps out. */
    rival_ids?: readonly number[]
  }
}

const plain = (goods_bp: number): CommissionCalc => ({ goods_bp, level_bp: 0, plus_bp: 0 })
const byGuide = (
  goods: DistributedGoods,
  bound: BoundSeller,
  buyer_id: number,
): SellerTerms | undefined => {
  if (!bound.active || bound.merchant_id !== goods.merchant_id || bound.member_id === buyer_id)
    return undefined
  const rate_bp = bound.rate_bp ?? goods.guide_bp
  return {
    distributor_id: bound.id,
    role: 'guide',
    rate_bp,
    calc: { ...plain(rate_bp), binding_id: bound.binding_id },
    group_id: null,
    merchant_id: null,
  }
}
/** What the goods themselves pay, at a rate or a fixed amount. */
const goodsPay = (goods: DistributedGoods) =>
  goods.commission_kind === 'fixed'
    ? { rate_bp: 0, fixed_cents: goods.fixed_cents }
    : { rate_bp: goods.rate_bp }
const byExpert = (goods: DistributedGoods, bound: BoundSeller, buyer_id: number): SellerTerms[] => {
  if (!bound.active || bound.member_id === buyer_id) return []
  const pays = goodsPay(goods)
  const fixed = pays.fixed_cents !== undefined
  const level_bp = fixed ? 0 : (goods.level_plus[bound.level_no] ?? 0)
  const plus_bp = fixed ? 0 : bound.plus_bp
  const own: SellerTerms = {
    distributor_id: bound.id,
    role: 'direct',
    ...pays,
    rate_bp: pays.rate_bp + level_bp + plus_bp,
    calc: { goods_bp: pays.rate_bp, level_bp, plus_bp, binding_id: bound.binding_id },
    group_id: bound.team?.group_id ?? null,
    merchant_id: null,
  }
  const { leader } = bound.team ?? {}
  if (!leader || leader.id === bound.id || leader.member_id === buyer_id) return [own]
  const leader_bp = goods.leader_bp ?? bound.team!.leader_bp
  return [
    own,
    {
      distributor_id: leader.id,
      role: 'leader',
      rate_bp: leader_bp,
      calc: { ...plain(leader_bp), binding_id: bound.binding_id },
      group_id: bound.team!.group_id,
      merchant_id: null,
    },
  ]
}
const byStore = (goods: DistributedGoods, bound: BoundSeller): SellerTerms | undefined => {
  const { store } = bound
  const may =
    store &&
    bound.merchant_id !== goods.merchant_id &&
    !store.rival_ids?.includes(goods.merchant_id) &&
    (store.product_ids === null || store.product_ids.includes(goods.product_id))
  if (!may) return undefined
  const pays = store.rate_bp === null ? goodsPay(goods) : { rate_bp: store.rate_bp }
  return {
    distributor_id: store.id,
    role: 'store',
    ...pays,
    calc: { ...plain(pays.rate_bp), binding_id: bound.binding_id },
    group_id: null,
    merchant_id: bound.merchant_id,
  }
}
const pays = (of: SellerTerms): boolean => of.rate_bp > 0 || (of.fixed_cents ?? 0) > 0

/**
 * Says who earns of goods that a buyer takes: the guide of the goods' own merchant, at the merchant's
 * cost; else the buyer's expert, and the leader of the expert's team; else the store of the buyer's
 * guide. Undefined where nobody does. Nobody earns of what they buy themselves.
 */
export const sellersOf = (
  goods: DistributedGoods,
  bound: readonly BoundSeller[],
  buyer_id: number,
): Distribution | undefined => {
  const guide = bound.find(one => one.role === 'guide')
  const expert = bound.find(one => one.role === 'expert')
  const waived = goods.waived ? { waived: true } : {}
  const own = guide && byGuide(goods, guide, buyer_id)
  if (own && pays(own)) return { bearer: 'merchant', sellers: [own], ...waived }
  const both = expert ? byExpert(goods, expert, buyer_id).filter(pays) : []
  if (both.some(one => one.role === 'direct'))
    return { bearer: 'platform', sellers: both, ...waived }
  const store = guide && byStore(goods, guide)
  return store && pays(store) ? { bearer: 'platform', sellers: [store], ...waived } : undefined
}

/** What sellers may earn together of a unit: its part of the ceiling, and no more than the room. */
export const mostOf = (of: { room_cents: number; user_cents: number; waived: boolean }): number => {
  const ceiling = of.waived ? Infinity : Math.floor((of.user_cents * CEILING_BP) / 10_000)
  return Math.max(0, Math.min(of.room_cents, ceiling))
}
/** The share of a fixed amount that one use of a piece of several pays; the uses sum to it. */
const shareOfUse = (cents: number, { times, use }: { times: number; use: number }): number =>
  Math.floor((cents * (use + 1)) / times) - Math.floor((cents * use) / times)
/** What each seller would earn of a unit that nothing cuts (cents, half a cent rounded up). */
export const uncutOf = (
  of: SellerTerms,
  unit: { base_cents: number; times: number; use: number },
): number =>
  of.fixed_cents === undefined
    ? Math.round((unit.base_cents * of.rate_bp) / 10_000)
    : shareOfUse(of.fixed_cents, unit)
/** Cuts amounts to what they may be together, by largest remainder. */
export const cutTo = (cents: readonly number[], most: number): number[] =>
  cents.reduce((all, one) => all + one, 0) <= most ? [...cents] : shares(most, cents)
