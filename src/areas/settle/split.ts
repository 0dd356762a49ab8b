import type { Distribution } from '#src/areas/commission/selling.ts'
import type { ItemWay, OrderKind, PayWay } from '#src/areas/order/order.ts'
import { settleOf, unitShares } from '#src/areas/order/orderMoney.ts'
import { shares } from '#src/domain/money.ts'
import type { FeeBearer } from './settle.ts'

const CHANNEL_FEE_BP = 60
const sum = (of: readonly number[]): number => of.reduce((all, one) => all + one, 0)
/** The fee of a payment channel: 60 basis points of what came in, half a cent rounded up. */
export const feeOf = (cash_cents: number): number =>
  Math.floor((cash_cents * CHANNEL_FEE_BP + 5000) / 10_000)

/** What a buyer paid with, in cents. `cash_cents` came by a payment channel. */
export type Sources = {
  cash_cents: number
  balance_cents: number
  ecard_cents: number
  points_cents: number
}
export const noSources: Sources = {
  cash_cents: 0,
  balance_cents: 0,
  ecard_cents: 0,
  points_cents: 0,
}
const sourceKeys = Object.keys(noSources) as (keyof Sources)[]
/** Which source a payment is. */
export const sourceOf = (channel: PayWay): keyof Sources => {
  if (channel === 'balance') return 'balance_cents'
  if (channel === 'ecard') return 'ecard_cents'
  return channel === 'points' ? 'points_cents' : 'cash_cents'
}
/** All that a buyer paid. */
export const userCents = (of: Sources): number => sum(sourceKeys.map(key => of[key]))

export type SoldItem = {
  id: number
  fulfil: ItemWay
  qty: number
  price_cents: number
  pay_cents: number
  platform_cents: number
  store_id: number
  /** The merchant of its store. */
  merchant_id: number
  commission_bp: number
  /** Uses of each of its codes; 1 but for cards. */
  times: number
  refunded_qty: number
  received_qty: number
  issued: boolean
  /** What the house pays somebody else for it, instead of a rate: film tickets. */
  cost_cents?: number | null
  /** Its sellers, where somebody earns of it. */
  distribution?: Distribution | null
  product_id?: number | null
  /** Its codes that are not void, in the order of their ids. */
  codes: readonly {
    id: number
    times_total: number
    pay_cents: number
    platform_cents: number
    settle_cents: number
  }[]
}
export type SoldOrder = {
  kind: OrderKind
  freight_cents: number
}
/** A unit that was sold at its full price: a piece, a code or one paid use of it. */
export type SoldUnit = {
  item_id: number
  /** From 1 within its item; 0 is the freight of the order, which goes with its goods. */
  unit_no: number
  code_id: number | null
  merchant_id: number
  store_id: number
  user_cents: number
  platform_cents: number
  discount_cents: number
  /** The merchant's part, before a fee. */
  settle_cents: number
  commission_bp: number
  /** Which of the paid uses of its piece it is, from 0, of how many. */
  times: number
  use: number
}
/** The parts of a unit's price, as its settlement line keeps them. */
export type Parts = Sources & {
  price_cents: number
  platform_subsidy_cents: number
  merchant_discount_cents: number
  base_cents: number
  commission_cents: number
  fee_cents: number
  fee_bearer: FeeBearer
  merchant_cents: number
}

type Block = {
  code_id: number | null
  times: number
  pay: number
  platform: number
  settle: number
}
/** What is counted by one: a code with its uses, or a piece. */
const blocksOf = (item: SoldItem): Block[] => {
  if (item.codes.length > 0)
    return item.codes.map(code => ({
      code_id: code.id,
      times: code.times_total,
      pay: code.pay_cents,
      platform: code.platform_cents,
      settle: code.settle_cents,
    }))
  const pickup = item.fulfil === 'pickup'
  const n = pickup ? 1 : item.qty
  const [pays, platforms] = [unitShares(item.pay_cents, n), unitShares(item.platform_cents, n)]
  const costs = item.cost_cents == null ? undefined : unitShares(item.cost_cents, n)
  const settle = (pay: number, at: number) =>
    costs
      ? Math.max(0, pay + platforms[at]! - costs[at]!)
      : settleOf(pay, platforms[at]!, item.commission_bp)
  return pays.map((pay, at) => ({
    code_id: null,
    times: pickup ? item.qty : item.times,
    pay,
    platform: platforms[at]!,
    settle: settle(pay, at),
  }))
}
/** Cents that fit under their bounds: what is too much for one goes to the next with room. */
const within = (cents: readonly number[], most: readonly number[]): number[] => {
  const kept = cents.map((one, at) => Math.min(one, most[at]!))
  let rest = sum(cents) - sum(kept)
  return kept.map((one, at) => {
    const more = Math.min(rest, most[at]! - one)
    rest -= more
    return one + more
  })
}
const itemUnits = (item: SoldItem): SoldUnit[] => {
  const uses = blocksOf(item).flatMap(block => {
    const [pays, platforms, settles] = [block.pay, block.platform, block.settle].map(cents =>
      unitShares(cents, block.times),
    )
    const settle = within(
      settles!,
      pays!.map((pay, at) => pay + platforms![at]!),
    )
    const times = item.fulfil === 'pickup' ? 1 : block.times
    return pays!.map((user_cents, at) => ({
      code_id: block.code_id,
      times,
      use: at % times,
      user_cents,
      platform_cents: platforms![at]!,
      settle_cents: settle[at]!,
    }))
  })
  const off = Math.max(0, item.price_cents * item.qty - item.pay_cents - item.platform_cents)
  const discounts = unitShares(off, uses.length)
  return uses.map((use, at) => ({
    ...use,
    item_id: item.id,
    unit_no: at + 1,
    merchant_id: item.merchant_id,
    store_id: item.store_id,
    discount_cents: discounts[at]!,
    commission_bp: item.commission_bp,
  }))
}
/** Whether an item is brought or sent to its buyer. */
export const isSent = (item: SoldItem): boolean =>
  item.fulfil === 'express' || item.fulfil === 'delivery'
/** What is paid for the way: all of it is for whoever sends, for no commission is taken of it. */
const freightUnit = (order: SoldOrder, items: readonly SoldItem[]): SoldUnit[] => {
  const item = items.find(isSent) ?? items[0]
  if (!item || order.freight_cents === 0) return []
  return [
    {
      item_id: item.id,
      unit_no: 0,
      code_id: null,
      merchant_id: item.merchant_id,
      store_id: item.store_id,
      user_cents: order.freight_cents,
      platform_cents: 0,
      discount_cents: 0,
      settle_cents: order.freight_cents,
      commission_bp: 0,
      times: 1,
      use: 0,
    },
  ]
}
/**
 * What the house sells itself, with the account that takes its money: it has no units to settle. By
 * the rules of prepaid cards an e-card's money is owed to whoever holds the card until it is used; a
 * membership is earned as it is sold.
 */
export const ownSale = (
  kind: string,
): { biz: 'card_sale' | 'vip_sale'; account: 'prepaid_card' | 'vip_income' } | undefined => {
  if (kind === 'ecard') return { biz: 'card_sale', account: 'prepaid_card' }
  return kind === 'vip_card' ? { biz: 'vip_sale', account: 'vip_income' } : undefined
}
/**
 * The units of an order with what each is worth at its full price (cents). The merchant's part is
 * what the codes keep, of goods by the rate of the day of sale. Uses that were given on top have
 * no unit, and what the house sells itself has none either.
 */
export const unitsSold = (order: SoldOrder, items: readonly SoldItem[]): SoldUnit[] =>
  ownSale(order.kind) ? [] : [...items.flatMap(itemUnits), ...freightUnit(order, items)]

/** What each source paid of each unit; the parts meet on both sides to the cent. */
const bySource = (users: readonly number[], sources: Sources): Sources[] => {
  // Most orders were paid by one channel.
  if (userCents(sources) === sources.cash_cents)
    return users.map(cash_cents => ({ ...noSources, cash_cents }))
  let left = [...users]
  const parts = users.map(() => ({ ...noSources }))
  for (const key of sourceKeys) {
    const some = shares(Math.min(sources[key], sum(left)), left)
    some.forEach((cents, at) => (parts[at]![key] = cents))
    left = left.map((cents, at) => cents - some[at]!)
  }
  return parts
}
/**
 * Splits what was paid for an order to its units, source by source, by largest remainder. Of an
 * order that is not paid in full (a deposit) each unit has its share of what came, and no subsidy
 * yet. `fee_cents`: the channels' fees on it, split by what they brought.
 */
export const splitPrice = (
  units: readonly SoldUnit[],
  of: { sources: Sources; fee_cents: number; bearerOf: (unit: SoldUnit, at: number) => FeeBearer },
): Parts[] => {
  const asked = units.map(unit => unit.user_cents)
  const paid = userCents(of.sources)
  const full = paid >= sum(asked)
  const users = paid === sum(asked) ? asked : shares(paid, asked)
  const sources = bySource(users, of.sources)
  const fees = shares(
    of.sources.cash_cents === 0 ? 0 : of.fee_cents,
    sources.map(one => one.cash_cents),
  )
  return units.map((unit, at) => {
    const platform = full ? unit.platform_cents : 0
    const discount = full ? unit.discount_cents : 0
    const base = users[at]! + platform
    const settle =
      users[at] === unit.user_cents && full
        ? unit.settle_cents
        : settleOf(users[at]!, platform, unit.commission_bp)
    const fee_bearer = of.bearerOf(unit, at)
    const fee = fee_bearer === 'merchant' ? fees[at]! : 0
    const merchant_cents = Math.max(0, Math.min(settle, base) - fee)
    return {
      ...sources[at]!,
      price_cents: base + discount,
      platform_subsidy_cents: platform,
      merchant_discount_cents: discount,
      base_cents: base,
      commission_cents: base - merchant_cents - fee,
      fee_cents: fees[at]!,
      fee_bearer,
      merchant_cents,
    }
  })
}
