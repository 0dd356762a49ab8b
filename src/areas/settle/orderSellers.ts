/** What sellers earn of the lines of an order: one part each, which follows its line. */
import type { CommissionCalc, CommissionState } from '#src/areas/commission/commission.ts'
import {
  cutTo,
  mostOf,
  uncutOf,
  type Distribution,
  type SaleRole,
} from '#src/areas/commission/selling.ts'
import {
  distributors,
  lineOf,
  merchants,
  ours,
  type AccountKind,
  type AccountOf,
  type PostingLine,
} from '#src/areas/ledger/ledger.ts'
import { shares } from '#src/domain/money.ts'
import type { Line } from './orderLines.ts'
import type { FeeBearer } from './settle.ts'

/** What one seller earns of a line (`dist_commission`). */
export type LineSeller = {
  /** None until it is written. */
  id: number | null
  distributor_id: number
  role: SaleRole
  rate_bp: number
  base_cents: number
  amount_cents: number
  gone_cents: number
  status: CommissionState
  frozen_until: number | null
  group_id: number | null
  /** The merchant that a distributing store is paid through. */
  merchant_id: number | null
  calc: CommissionCalc
}
/** The part of a line that its sellers have. */
export type SoldBy = {
  distributor_cents: number
  distributor_bearer: FeeBearer
  gone_distributor_cents: number
  sellers: LineSeller[]
}
export const soldByNobody = (): SoldBy => ({
  distributor_cents: 0,
  distributor_bearer: 'platform',
  gone_distributor_cents: 0,
  sellers: [],
})
const sum = <T>(of: readonly T[], n: (one: T) => number): number =>
  of.reduce((all, one) => all + n(one), 0)
export const sellerLeft = (of: LineSeller): number => of.amount_cents - of.gone_cents
export const distributorLeft = (line: SoldBy): number =>
  line.distributor_cents - line.gone_distributor_cents
/** What of the sellers' part its merchant bears, as part of the base. */
export const borneByMerchant = (line: SoldBy): number =>
  line.distributor_bearer === 'merchant' ? distributorLeft(line) : 0

/** What the side that bears the sellers has of a line, less the fee that it bears. */
const roomOf = (line: Line, bearer: FeeBearer): number =>
  bearer === 'merchant'
    ? line.merchant_cents
    : line.commission_cents - (line.fee_bearer === 'platform' ? line.fee_cents : 0)
const userOf = (line: Line): number =>
  line.cash_cents + line.balance_cents + line.ecard_cents + line.points_cents

/** Whether sellers have their part of a line already, whole or not any more. */
const isSold = (line: Line): boolean => line.sellers.length > 0
/** A line that is paid in full: its sellers' parts, cut to the margin and to the ceiling. */
export const paySellers = (
  line: Line,
  unit: { times: number; use: number },
  sold: Distribution | null | undefined,
): void => {
  const user_cents = userOf(line)
  if (isSold(line) || !sold || line.unit_no === 0 || user_cents === 0) return
  const of = { base_cents: line.base_cents, ...unit }
  const uncut = sold.sellers.map(one => uncutOf(one, of))
  const most = mostOf({
    room_cents: roomOf(line, sold.bearer),
    user_cents,
    waived: sold.waived ?? false,
  })
  const amounts = cutTo(uncut, most)
  line.sellers = sold.sellers.flatMap((one, at): LineSeller[] => {
    const amount_cents = amounts[at]!
    if (uncut[at] === 0) return []
    const { distributor_id, role, rate_bp, group_id, merchant_id, fixed_cents } = one
    return [
      {
        id: null,
        distributor_id,
        role,
        rate_bp,
        base_cents: line.base_cents,
        amount_cents,
        gone_cents: 0,
        status: amount_cents === 0 ? 'cancelled' : 'estimated',
        frozen_until: null,
        group_id,
        merchant_id,
        calc: {
          ...one.calc,
          ...(fixed_cents !== undefined && { fixed_cents: uncut[at]! }),
          ...(amount_cents !== uncut[at] && { uncut_cents: uncut[at]! }),
        },
      },
    ]
  })
  line.distributor_bearer = sold.bearer
  line.distributor_cents = sum(line.sellers, one => one.amount_cents)
  if (sold.bearer === 'merchant') line.merchant_cents -= line.distributor_cents
}
/**
 * Takes what sellers have off a line whose parts were said anew, as when a part of a bundle was
 * replaced: what its bearer has no longer is cut.
 */
export const bearSellers = (line: Line): void => {
  const left = distributorLeft(line)
  if (left === 0) return
  const cents = Math.max(0, Math.min(left, roomOf(line, line.distributor_bearer)))
  if (cents < left) {
    const parts = shares(cents, line.sellers.map(sellerLeft))
    line.sellers.forEach((one, at) => {
      one.calc = { ...one.calc, uncut_cents: one.calc.uncut_cents ?? one.amount_cents }
      one.amount_cents = one.gone_cents + parts[at]!
    })
    line.distributor_cents = line.gone_distributor_cents + cents
  }
  if (line.distributor_bearer === 'merchant') line.merchant_cents -= cents
}

/** Where the money of a seller's commission is once it is settled, and where what is owed stands. */
const pair =
  (of: Pick<LineSeller, 'distributor_id' | 'merchant_id'>) => (kind: 'balance' | 'debt') =>
    of.merchant_id === null
      ? distributors(`distributor_${kind}` satisfies AccountKind, of.distributor_id)
      : merchants(`merchant_${kind}` satisfies AccountKind, of.merchant_id)
export const balanceAccount = (of: Pick<LineSeller, 'distributor_id' | 'merchant_id'>): AccountOf =>
  pair(of)('balance')
export const debtAccount = (of: Pick<LineSeller, 'distributor_id' | 'merchant_id'>): AccountOf =>
  pair(of)('debt')
export const frozenAccount = (of: Pick<LineSeller, 'distributor_id'>): AccountOf =>
  distributors('distributor_frozen', of.distributor_id)

/** Takes so much of an account's balance as is there; answers it (cents). */
export type Spend = (account: AccountOf, cents: number) => number
/** Commission that is on hold from now on, or is not any more. */
const onHold = (line: Line, sellers: readonly LineSeller[], sign: 1 | -1): PostingLine[] => {
  const own = { line_id: line.id }
  const cents = sum(sellers, sellerLeft)
  return [
    ...sellers.flatMap(one => lineOf(frozenAccount(one), -sign * sellerLeft(one), own)),
    ...(line.distributor_bearer === 'platform'
      ? lineOf(ours('distribution_expense'), sign * cents, own)
      : []),
  ]
}
/** A line was used: what its sellers earn of it is on hold for as long as its merchant's part. */
export const earnSellers = (line: Line): PostingLine[] => {
  const those = line.sellers.filter(one => one.status === 'estimated')
  for (const one of those)
    Object.assign(one, { status: 'frozen', frozen_until: line.freeze_until_at })
  return onHold(line, those, 1)
}
/** What of it is taken from where it is: on hold, or in the balance, else owed. */
const takenOf = (line: Line, one: LineSeller, cents: number, spend: Spend): PostingLine[] => {
  const own = { line_id: line.id }
  if (one.status !== 'settled' && one.status !== 'clawed_back')
    return lineOf(frozenAccount(one), cents, own)
  const paid = spend(balanceAccount(one), cents)
  return [...lineOf(balanceAccount(one), paid, own), ...lineOf(debtAccount(one), cents - paid, own)]
}
/** The use of a line was taken back: what its sellers still have of it is estimated again. */
export const unearnSellers = (line: Line, spend: Spend): PostingLine[] => {
  const those = line.sellers.filter(one => sellerLeft(one) > 0)
  const cents = sum(those, sellerLeft)
  const lines = [
    ...those.flatMap(one => takenOf(line, one, sellerLeft(one), spend)),
    ...(line.distributor_bearer === 'platform'
      ? lineOf(ours('distribution_expense'), -cents, { line_id: line.id })
      : []),
  ]
  for (const one of those) Object.assign(one, { status: 'estimated', frozen_until: null })
  return lines
}

/** What goes back of each seller's part, in the order of the line's sellers (cents). */
export type SellersBack = readonly number[]
/**
 * Takes so much of each seller's part of a line; what has nothing left is cancelled, or clawed back
 * once it was settled. Answers what that posts; nothing where the line was not used.
 */
export const takeSellers = (
  line: Line,
  backs: SellersBack,
  of: { used: boolean; spend: Spend },
): PostingLine[] => {
  const lines: PostingLine[] = []
  const all = sum(backs, cents => cents)
  line.sellers.forEach((one, at) => {
    const cents = backs[at]!
    if (cents === 0) return
    if (of.used) lines.push(...takenOf(line, one, cents, of.spend))
    one.gone_cents += cents
    if (sellerLeft(one) === 0) one.status = one.status === 'settled' ? 'clawed_back' : 'cancelled'
  })
  if (of.used && line.distributor_bearer === 'platform')
    lines.push(...lineOf(ours('distribution_expense'), -all, { line_id: line.id }))
  return lines
}
/** The sellers of a line get nothing more: it brought less than was agreed. */
export const dropSellers = (line: Line): void => {
  const left = distributorLeft(line)
  takeSellers(line, line.sellers.map(sellerLeft), { used: false, spend: () => 0 })
  if (line.distributor_bearer === 'merchant') line.distributor_cents -= left
  else line.gone_distributor_cents += left
}
