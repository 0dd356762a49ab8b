import {
  lineOf,
  ours,
  type AccountKind,
  type AccountOf,
  type Posting,
  type PostingLine,
} from '#src/areas/ledger/ledger.ts'
import type { Text } from '#src/domain/text.ts'

export const chargeStates = {
  pending: ['待复核', 'To check'],
  posted: ['已入账', 'Posted'],
  rejected: ['已驳回', 'Rejected'],
  reversed: ['已冲销', 'Reversed'],
} as const satisfies Record<string, Text>
export type ChargeState = keyof typeof chargeStates

export const chargeDirections = {
  in: ['收入', 'In'],
  out: ['支出', 'Out'],
} as const satisfies Record<string, Text>
export type ChargeDirection = keyof typeof chargeDirections

export const chargeOwners = {
  merchant: ['商户', 'Merchant'],
  mall: ['商场', 'Mall'],
  distributor: ['分销员', 'Distributor'],
  member: ['会员', 'Member'],
} as const satisfies Record<string, Text>
export type ChargeOwner = keyof typeof chargeOwners

export const chargeChannels = {
  bank: ['银行转账', 'Bank'],
  wechat: ['微信支付', 'WeChat Pay'],
  offline: ['线下', 'Offline'],
  balance: ['余额扣款', 'From the balance'],
} as const satisfies Record<string, Text>
export type ChargeChannel = keyof typeof chargeChannels

type Kind = {
  title: Text
  direction: ChargeDirection
  owners: readonly ChargeOwner[]
}
/** What a charge is for: which way its money goes and whose it may be. */
export const chargeKindFacts = {
  recharge: { title: ['充值', 'Top-up'], direction: 'in', owners: ['merchant', 'mall'] },
  deposit: { title: ['保证金', 'Deposit'], direction: 'in', owners: ['merchant'] },
  subsidy_fund: { title: ['补贴注资', 'Subsidy funding'], direction: 'in', owners: ['mall'] },
  member_topup: { title: ['会员充值', 'Member top-up'], direction: 'in', owners: ['member'] },
  deposit_refund: {
    title: ['退还保证金', 'Deposit refund'],
    direction: 'out',
    owners: ['merchant'],
  },
  service_fee: { title: ['服务费', 'Service fee'], direction: 'out', owners: ['merchant'] },
  ad_fee: { title: ['广告费', 'Advertising fee'], direction: 'out', owners: ['merchant'] },
  penalty: { title: ['违约金', 'Penalty'], direction: 'out', owners: ['merchant'] },
  correction: { title: ['差错更正', 'Correction'], direction: 'out', owners: ['merchant'] },
} as const satisfies Record<string, Kind>
export type ChargeKind = keyof typeof chargeKindFacts
export const chargeKinds = Object.fromEntries(
  Object.entries(chargeKindFacts).map(([kind, { title }]) => [kind, title]),
) as Readonly<Record<ChargeKind, Text>>
/** The kinds that a person writes down, by their direction; deposits go back by a verb of their own. */
export const writtenKinds = (direction: ChargeDirection): readonly ChargeKind[] =>
  (Object.keys(chargeKindFacts) as ChargeKind[]).filter(
    kind =>
      chargeKindFacts[kind].direction === direction &&
      kind !== 'member_topup' &&
      kind !== 'deposit_refund',
  )
export const CHARGE_MAX_CENTS = 100_000_000

type Charge = {
  id: number
  no: string
  kind: ChargeKind
  owner_kind: ChargeOwner
  owner_id: number
  amount_cents: number
  city_id: number
  mall_id: number
}
const balanceKind: Record<ChargeOwner, AccountKind> = {
  merchant: 'merchant_balance',
  mall: 'mall_fund',
  distributor: 'distributor_balance',
  member: 'member_balance',
}
const debtKind: Partial<Record<ChargeOwner, AccountKind>> = {
  merchant: 'merchant_debt',
  distributor: 'distributor_debt',
}
type Owned = Pick<Charge, 'kind' | 'owner_kind' | 'owner_id'>
const account = (kind: AccountKind, { owner_kind, owner_id }: Owned): AccountOf => ({
  kind,
  owner_kind,
  owner_id,
})
/** The owner's account that a charge moves. */
export const movedBy = (of: Owned): AccountOf =>
  account(
    of.kind === 'deposit' || of.kind === 'deposit_refund'
      ? 'merchant_deposit'
      : balanceKind[of.owner_kind],
    of,
  )
/** Where its owner's debt stands; undefined for those who never owe. */
export const debtOf = (of: Owned): AccountOf | undefined => {
  const kind = debtKind[of.owner_kind]
  return kind && account(kind, of)
}
/** The part of an amount that its owner lacks and comes to owe (cents, ≥ 0). */
export const debtPart = (amount_cents: number, has_cents: number): number =>
  Math.max(0, amount_cents - Math.max(0, has_cents))

const businessOf = (kind: ChargeKind) => {
  if (kind === 'deposit' || kind === 'deposit_refund') return 'deposit' as const
  if (kind === 'subsidy_fund') return 'subsidy_fund' as const
  return chargeKindFacts[kind].direction === 'in' ? ('charge_in' as const) : ('charge_out' as const)
}
/** What stands across from the owner: where the money came from or went to. */
const across = (kind: ChargeKind): AccountOf => {
  if (kind === 'member_topup') return ours('wechat_cash')
  if (kind === 'deposit_refund' || chargeKindFacts[kind].direction === 'in')
    return ours('bank_cash')
  return ours('service_income')
}
/** The lines that take `cents` from an owner: of what they have, and the rest as debt. */
const taken = (of: Charge, cents: number, debt_cents: number): PostingLine[] => [
  ...lineOf(movedBy(of), cents - debt_cents),
  ...(debt_cents > 0 ? lineOf(debtOf(of)!, debt_cents) : []),
]
type By = { at: number; debt_cents: number; maker_id?: number; checker_id?: number; memo?: string }
/**
 * What a charge posts (domain D, posting rules): money in is the owner's, money out is taken from
 * their balance and what that lacks (`debt_cents`) becomes their debt.
 */
export const chargePosting = (of: Charge, { debt_cents, ...by }: By): Posting => ({
  biz: businessOf(of.kind),
  biz_id: of.id,
  biz_no: of.no,
  idem_key: `charge:${of.id}`,
  place: { city_id: of.city_id, mall_id: of.mall_id },
  ...by,
  lines:
    chargeKindFacts[of.kind].direction === 'in'
      ? [...lineOf(across(of.kind), of.amount_cents), ...lineOf(movedBy(of), -of.amount_cents)]
      : [...taken(of, of.amount_cents, debt_cents), ...lineOf(across(of.kind), -of.amount_cents)],
})
/**
 * What undoes a charge: of money in, what the owner has left of it and the rest as debt
 * (`debt_cents`); of money out, all of it, its debt first.
 */
export const unchargePosting = (
  of: Charge & { debt_cents: number },
  /** The transaction that it undoes, and what the owner owes now. */
  { debt_cents, owes_cents, reverses_id, ...by }: By & { owes_cents: number; reverses_id: number },
): Posting => {
  const isIn = chargeKindFacts[of.kind].direction === 'in'
  const forgiven = Math.min(of.debt_cents, owes_cents)
  return {
    biz: 'reverse',
    biz_id: of.id,
    biz_no: of.no,
    idem_key: `charge:back:${of.id}`,
    place: { city_id: of.city_id, mall_id: of.mall_id },
    reverses_id,
    ...by,
    lines: isIn
      ? [...taken(of, of.amount_cents, debt_cents), ...lineOf(across(of.kind), -of.amount_cents)]
      : [
          ...lineOf(across(of.kind), of.amount_cents),
          ...(forgiven > 0 ? lineOf(debtOf(of)!, -forgiven) : []),
          ...lineOf(movedBy(of), forgiven - of.amount_cents),
        ],
  }
}

/** What a person sees of a charge before they do something about it. */
export type Checked = {
  status: ChargeState
  kind: ChargeKind
  maker_id: number | null
  debt_cents: number
}
export type ChargeVerb = 'approve' | 'reject' | 'reverse' | 'remind' | 'refundDeposit'
const only: Record<ChargeVerb, [ChargeState, Text]> = {
  approve: ['pending', ['只有待复核的单可以通过', 'Only one to check is approved']],
  reject: [
    'pending',
    ['只有待复核的单可以驳回；已驳回的请复制后重新登记', 'Only one to check is rejected'],
  ],
  reverse: ['posted', ['只有已入账的单可以冲销', 'Only a posted one is reversed']],
  remind: ['posted', ['只有已入账且有欠款的单可以催缴', 'Only a posted one with debt']],
  refundDeposit: ['posted', ['只有已入账的保证金可以退还', 'Only a posted deposit goes back']],
}
/** True, or why this person can't do this with it now. */
export const chargeCan = (verb: ChargeVerb, of: Checked, me: number): true | Text => {
  const [state, not] = only[verb]
  if (of.kind === 'member_topup')
    return ['会员充值只读，退款走原支付渠道', 'Top-ups of members are read only']
  if (of.status !== state) return not
  if (verb === 'remind' && of.debt_cents === 0) return not
  if (verb === 'refundDeposit' && of.kind !== 'deposit') return not
  if (verb === 'reverse' && of.kind === 'deposit_refund')
    return ['退还的保证金已付出，不能冲销', 'A deposit given back has left: it is not reversed']
  if (verb !== 'remind' && verb !== 'refundDeposit' && of.maker_id === me)
    return verb === 'reverse'
      ? ['登记人是你，须由他人冲销', 'You made it: another person reverses it']
      : ['登记人是你，须由他人复核', 'You made it: another person checks it']
  return true
}
