import { shares } from '#src/domain/money.ts'
import {
  borneByMerchant,
  sellerLeft,
  soldByNobody,
  type SellersBack,
  type SoldBy,
} from './orderSellers.ts'
import type { LineState } from './settle.ts'
import type { Parts, SoldUnit } from './split.ts'

/** A settlement line as the books change it. */
export type Line = Parts &
  SoldBy & {
    id: number
    item_id: number
    unit_no: number
    verify_code_id: number | null
    merchant_id: number
    store_id: number
    refunded_user_cents: number
    gone_base_cents: number
    gone_commission_cents: number
    gone_fee_cents: number
    gone_merchant_cents: number
    status: LineState
    paid_at: number | null
    verified_at: number | null
    freeze_until_at: number | null
    /** The redemption that used it. */
    verify_id: number | null
    /** The refund that its unit went back with. */
    refund_id: number | null
  }
const sum = <T>(of: readonly T[], n: (one: T) => number): number =>
  of.reduce((all, one) => all + n(one), 0)

/** What its buyer paid of a line, by whatever source. */
export const userOf = (line: Parts): number =>
  line.cash_cents + line.balance_cents + line.ecard_cents + line.points_cents
export const baseLeft = (line: Line): number => line.base_cents - line.gone_base_cents
export const commissionLeft = (line: Line): number =>
  line.commission_cents - line.gone_commission_cents
export const merchantLeft = (line: Line): number => line.merchant_cents - line.gone_merchant_cents
/** The fee that its merchant bears and has not got back. */
export const feeLeft = (line: Line): number =>
  line.fee_bearer === 'merchant' ? line.fee_cents - line.gone_fee_cents : 0
const userLeft = (line: Line): number => userOf(line) - line.refunded_user_cents
/** A line whose unit neither went back nor was used. */
const isFree = (line: Line): boolean =>
  line.refund_id === null && line.verified_at === null && line.unit_no > 0
const isGone = (line: Line): boolean => line.refund_id !== null
/** Whether its money still lies where it was paid to, and its unit can be used. */
export const isOpen = (line: Line): boolean => line.status === 'not_settled'

/** A line for a unit that nobody has paid for. */
export const newLine = (id: number, unit: SoldUnit, parts: Parts): Line => ({
  id,
  ...placeOf(unit),
  item_id: unit.item_id,
  unit_no: unit.unit_no,
  ...parts,
  ...soldByNobody(),
  refunded_user_cents: 0,
  gone_base_cents: 0,
  gone_commission_cents: 0,
  gone_fee_cents: 0,
  gone_merchant_cents: 0,
  status: 'pending_payment',
  paid_at: null,
  verified_at: null,
  freeze_until_at: null,
  verify_id: null,
  refund_id: null,
})
/** Whose a line is: another store's once its part of a bundle was replaced. */
export const placeOf = ({ code_id, merchant_id, store_id }: SoldUnit) => ({
  verify_code_id: code_id,
  merchant_id,
  store_id,
})

/**
 * Picks `n` lines that its buyer paid `cents` for, if some do: those that a redemption or a refund
 * took its share from. `lines` come in the order of preference.
 */
const pick = (lines: readonly Line[], n: number, cents: number): Line[] => {
  if (lines.length <= n) return [...lines]
  const least = Math.min(...lines.map(userOf))
  const dearer = Math.max(0, Math.min(n, cents - n * least))
  const [high, low] = [
    lines.filter(line => userOf(line) > least),
    lines.filter(line => userOf(line) === least),
  ]
  return high.length < dearer || low.length < n - dearer
    ? lines.slice(0, n)
    : [...high.slice(0, dearer), ...low.slice(0, n - dearer)]
}
/** The lines of a code that a redemption uses. */
export const linesToUse = (
  lines: readonly Line[],
  of: { code_id: number; paid_times: number; pay_cents: number },
): Line[] =>
  pick(
    lines.filter(line => line.verify_code_id === of.code_id && isFree(line)),
    of.paid_times,
    of.pay_cents,
  )
/** The pieces of an item that arrived and are not down as such. */
export const linesToReceive = (
  lines: readonly Line[],
  of: { item_id: number; received_qty: number },
): Line[] => {
  const own = lines.filter(line => line.item_id === of.item_id && line.unit_no > 0 && !isGone(line))
  const had = own.filter(line => line.verified_at !== null).length
  return own.filter(isFree).slice(0, Math.max(0, of.received_qty - had))
}
/** A line of a refund: times of a code, or pieces of an item. */
export type BackLine = {
  item_id: number
  code_id: number | null
  qty: number
  paid_times: number
  shipped_qty: number
  share_cents: number
  amount_cents: number
}
/** The lines whose units a line of a refund gives back: what was sent are those that arrived. */
const linesBack = (lines: readonly Line[], of: BackLine): Line[] => {
  const own = lines.filter(line => line.item_id === of.item_id && line.unit_no > 0 && !isGone(line))
  if (of.code_id !== null)
    return pick(
      own.filter(line => line.verify_code_id === of.code_id && isFree(line)),
      of.paid_times,
      of.share_cents,
    )
  const [arrived, unsent] = [
    own.filter(line => line.verified_at !== null),
    own.filter(line => line.verified_at === null),
  ]
  return pick(
    of.shipped_qty > 0 ? [...arrived, ...unsent] : [...unsent, ...arrived],
    of.qty,
    of.share_cents,
  )
}

/** How much of a line goes back to its buyer, and whether its unit does. */
export type Take = { line: Line; cents: number; ends: boolean }
const spread = (takes: readonly Take[], cents: number, key: (one: Take) => number): number => {
  let rest = cents
  const parts = shares(Math.min(cents, sum(takes, key)), takes.map(key))
  takes.forEach((take, at) => {
    take.cents += parts[at]!
    rest -= parts[at]!
  })
  return rest
}
/**
 * Spreads a refund over the lines of its order: first what each of its units is worth, then the
 * freight, then whatever the others have left. `rest` found no line to come from.
 */
export const spreadBack = (
  lines: readonly Line[],
  of: { amount_cents: number; freight_cents: number; units: readonly BackLine[] },
): { takes: Take[]; rest: number } => {
  const takes: Take[] = lines.map(line => ({ line, cents: 0, ends: false }))
  const room = (take: Take): number => Math.max(0, userLeft(take.line) - take.cents)
  let left = of.amount_cents
  const from = (some: readonly Take[], cents: number): void => {
    const most = Math.max(0, Math.min(cents, left))
    left -= most - spread(some, most, room)
  }
  const ended: Take[] = []
  const taken = new Set<Line>()
  for (const unit of of.units) {
    const those = linesBack(
      lines.filter(line => !taken.has(line)),
      unit,
    )
    those.forEach(line => taken.add(line))
    const some = takes.filter(take => those.includes(take.line))
    some.forEach(take => (take.ends = true))
    ended.push(...some)
    from(some, unit.amount_cents)
  }
  from(
    takes.filter(take => take.line.unit_no === 0),
    of.freight_cents,
  )
  from(ended, left)
  from(
    takes.filter(take => take.line.unit_no === 0),
    left,
  )
  from(
    takes.filter(take => !isGone(take.line)),
    left,
  )
  from(takes, left)
  return { takes: takes.filter(take => take.cents > 0 || take.ends), rest: left }
}

/** What of each part of a line goes back now, in cents. */
export type Back = {
  base: number
  commission: number
  fee: number
  merchant: number
  sellers: SellersBack
}
/** Moves cents between bounds; shared by what each has left where they move. */
const between = (
  cents: readonly number[],
  left: readonly number[],
  { least, most }: { least: number; most: number },
): number[] => {
  const all = sum(cents, one => one)
  const total = Math.min(most, Math.max(least, all))
  return total === all ? [...cents] : shares(total, left)
}
/**
 * Takes `cents` of what its buyer paid off a line, each part by cumulative rounding, the merchant's
 * as what balances: so a line that goes back whole leaves nothing behind, in however many steps.
 * `cents` must be left on it; `ends`: its unit goes back too.
 */
export const takeBack = (line: Line, cents: number, ends: boolean): Back => {
  const user = userOf(line)
  const after = line.refunded_user_cents + cents
  const whole = user === 0 ? ends : after === user
  const part = (total: number, gone: number): number =>
    whole ? total - gone : Math.max(0, Math.round((total * after) / Math.max(1, user)) - gone)
  const subsidy = line.base_cents - user
  const base = whole
    ? baseLeft(line)
    : cents + part(subsidy, line.gone_base_cents - line.refunded_user_cents)
  // The channel keeps its fee once a line is settled; the merchant gets back what it bore.
  const keeps = line.status === 'settled' && line.fee_bearer === 'platform'
  const fee = keeps ? 0 : part(line.fee_cents, line.gone_fee_cents)
  const borne = line.fee_bearer === 'merchant' ? Math.min(fee, base) : 0
  const most = base - borne
  const least = most - merchantLeft(line) - borneByMerchant(line)
  const commission = Math.min(
    most,
    Math.max(least, part(line.commission_cents, line.gone_commission_cents)),
  )
  const rest = most - commission
  const wanted = line.sellers.map(one => part(one.amount_cents, one.gone_cents))
  const byMerchant = line.distributor_bearer === 'merchant'
  const sellers = byMerchant
    ? between(wanted, line.sellers.map(sellerLeft), {
        least: Math.max(0, rest - merchantLeft(line)),
        most: Math.min(rest, borneByMerchant(line)),
      })
    : wanted
  const gone = sum(sellers, one => one)
  const back = { base, commission, fee, merchant: rest - (byMerchant ? gone : 0), sellers }
  line.refunded_user_cents = after
  line.gone_base_cents += base
  line.gone_commission_cents += commission
  line.gone_fee_cents += fee
  line.gone_merchant_cents += back.merchant
  line.gone_distributor_cents += gone
  return back
}
