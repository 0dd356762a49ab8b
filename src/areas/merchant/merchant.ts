import type { Text } from '#src/domain/text.ts'
import { DAY, dayStart } from '#src/domain/time.ts'

export const merchantStates = {
  draft: ['草稿', 'Draft'],
  auditing: ['审核中', 'In audit'],
  active: ['正常', 'Active'],
  frozen: ['已冻结', 'Frozen'],
  terminated: ['已终止', 'Terminated'],
} as const satisfies Record<string, Text>
export type MerchantState = keyof typeof merchantStates

export const bankKinds = {
  company: ['对公账户', 'Company account'],
  personal: ['法人个人账户', 'Account of the legal person'],
} as const satisfies Record<string, Text>
export type BankKind = keyof typeof bankKinds

export const settleCycles = {
  daily: ['日结', 'Daily'],
  weekly: ['周结', 'Weekly'],
  monthly: ['月结', 'Monthly'],
} as const satisfies Record<string, Text>
export type SettleCycle = keyof typeof settleCycles

/** Why the platform itself took a product off sale: it comes back when every reason is gone. */
export const offReasons = {
  merchant_frozen: ['商户冻结', 'Merchant frozen'],
  contract_ended: ['商户合同到期', 'Contract ended'],
  no_open_store: ['没有营业中的适用门店', 'No open store takes it'],
} as const satisfies Record<string, Text>
export type OffReason = keyof typeof offReasons

/** So long before it ends a contract or a licence is told as ending. */
export const ENDING_S = 30 * DAY

/** Verb → states it may start from. `contact` is what of a frozen merchant can still be edited, `apply` is for what an audit changes. */
const from = {
  edit: ['draft', 'active'],
  submit: ['draft'],
  apply: ['draft', 'active'],
  withdraw: ['draft', 'auditing', 'active'],
  contact: ['draft', 'active', 'frozen'],
  freeze: ['active'],
  unfreeze: ['frozen'],
  terminate: ['active', 'frozen'],
  renew: ['active'],
  changeBd: ['draft', 'auditing', 'active', 'frozen'],
  resetPassword: ['active', 'frozen'],
  verifyBank: ['draft', 'auditing', 'active', 'frozen'],
} as const satisfies Record<string, readonly MerchantState[]>
export type MerchantVerb = keyof typeof from
const whyNot: Record<MerchantVerb, Text> = {
  edit: ['审核中、已冻结或已终止的商户不能编辑资料', 'In audit, frozen or terminated: not edited'],
  submit: ['只有草稿可以提交审核', 'Only a draft is submitted'],
  apply: [
    '审核中、已冻结或已终止的商户不能提交变更',
    'In audit, frozen or terminated: nothing is applied for',
  ],
  withdraw: ['没有审核中的申请', 'It applies for nothing'],
  contact: ['审核中或已终止的商户不能编辑', 'In audit or terminated: not edited'],
  freeze: ['只有正常的商户可以冻结', 'Only an active merchant is frozen'],
  unfreeze: ['商户没有被冻结', 'It is not frozen'],
  terminate: ['只有正常或已冻结的商户可以终止', 'Only an active or frozen merchant is terminated'],
  renew: ['只有正常的商户可以续约', 'Only an active merchant’s contract is renewed'],
  changeBd: ['已终止的商户没有 BD', 'A terminated merchant has no BD'],
  resetPassword: ['商户还没有可用的商家端账号', 'It has no account in use yet'],
  verifyBank: ['已终止的商户不再打款验证', 'A terminated merchant’s account is not verified'],
}
/** True, or why a merchant of this state can't have it. */
export const merchantCan = (
  verb: MerchantVerb,
  { status }: { status: MerchantState },
): true | Text => (from[verb] as readonly MerchantState[]).includes(status) || whyNot[verb]

/** A contract or licence without an end runs; one that ends at a moment is over from then on. */
export const isOver = (end_at: number | null, now: number): boolean =>
  end_at !== null && end_at <= now
export const isEnding = (end_at: number | null, now: number): boolean =>
  end_at !== null && end_at > now && end_at <= now + ENDING_S
/** Whether anything of a merchant may be sold: it is active, and its contract runs. */
export const maySell = (
  of: { status: MerchantState; contract_end_at: number | null },
  now: number,
): boolean => of.status === 'active' && !isOver(of.contract_end_at, now)

/** Why a contract may not last until then, or undefined. */
export const contractFault = (
  end_at: number,
  of: { start_at: number | null; current_end_at: number | null; license_expire_at: number | null },
  now: number,
): Text | undefined => {
  if (end_at <= now) return ['合同到期时间已过', 'It would have ended already']
  if (of.start_at !== null && end_at <= of.start_at)
    return ['合同到期须晚于开始', 'The contract ends after it starts']
  if (of.current_end_at !== null && end_at <= of.current_end_at)
    return ['须晚于现在的合同到期时间', 'It must be later than the present end']
  if (of.license_expire_at !== null && end_at > of.license_expire_at)
    return [
      '不能晚于营业执照有效期，请先更新执照',
      'It can’t outlast the business licence: renew that first',
    ]
  return undefined
}

type Rated = {
  commission_bp: number
  next_commission_bp: number | null
  commission_from_at: number | null
}
/** The take rate of a contract at a moment: a new one holds from the day that was set for it. */
export const rateAt = (of: Rated, now: number): number =>
  of.next_commission_bp !== null && of.commission_from_at !== null && of.commission_from_at <= now
    ? of.next_commission_bp
    : of.commission_bp
/** What is kept of a rate that is agreed now: it holds from tomorrow on, never for what is sold. */
export const rateFromTomorrow = (of: Rated, bp: number, now: number): Rated => {
  const present = rateAt(of, now)
  return bp === present
    ? { commission_bp: present, next_commission_bp: null, commission_from_at: null }
    : {
        commission_bp: present,
        next_commission_bp: bp,
        commission_from_at: dayStart(now) + DAY,
      }
}

/** What hangs on a merchant: how much of it a freeze touches, and what keeps it from being terminated. */
export type MerchantEffects = {
  /** Products on sale, which a freeze takes off. */
  on_sale: number
  /** Products that come back on sale when a freeze ends: those that no other reason keeps off. */
  comes_back: number
  /** Paid codes that nobody has redeemed: they stay redeemable. */
  codes: number
  /** Paid orders whose goods are still to be sent, fetched or issued. */
  orders: number
  refunds: number
  /** Redeemed and not yet settled. */
  unsettled_cents: number
  /** Settled and not yet paid out. */
  balance_cents: number
  deposit_cents: number
}
/** What is left that keeps a merchant from being terminated. */
export const keepsContract = ({
  codes,
  orders,
  refunds,
  unsettled_cents,
  balance_cents,
}: MerchantEffects): boolean =>
  codes > 0 || orders > 0 || refunds > 0 || unsettled_cents !== 0 || balance_cents !== 0

/** What a merchant's application must hold before anybody can audit it. */
export const proofs = {
  license_image: ['营业执照照片', 'Picture of the licence'],
  legal_id_no: ['法人身份证号', 'ID number of the legal person'],
  contact: ['联系人与电话', 'Contact and phone'],
  categories: ['经营类目', 'Categories'],
  licenses: ['类目要求的资质', 'Licences of the categories'],
  bank: ['结算账户', 'Settlement account'],
  contract: ['合同编号与起止', 'Contract and its period'],
} as const satisfies Record<string, Text>
export type Proof = keyof typeof proofs
type Licence = { name: string; no: string; expire_at: number | null }
export type Profile = {
  license_image: string
  /** Whether there is one: a form need not know it in clear. */
  has_legal_id: boolean
  contact_name: string
  contact_phone: string
  category_ids: readonly number[]
  licenses: readonly Licence[]
  bank_kind: BankKind | null
  has_bank_no: boolean
  bank_name: string | null
  contract_no: string | null
  contract_start_at: number | null
  contract_end_at: number | null
}
/** Licences that categories ask for and the merchant does not show, or that are over. */
export const missingLicenses = (
  needed: readonly string[],
  licenses: readonly Licence[],
  now: number,
): string[] =>
  [...new Set(needed)].filter(
    name =>
      !licenses.some(one => one.name === name && one.no !== '' && !isOver(one.expire_at, now)),
  )
/** What is still missing of an application, in the order of the form. */
export const missingProofs = (of: Profile, needed: readonly string[], now: number): Proof[] => {
  const there: Record<Proof, boolean> = {
    license_image: of.license_image !== '',
    legal_id_no: of.has_legal_id,
    contact: of.contact_name !== '' && of.contact_phone !== '',
    categories: of.category_ids.length > 0,
    licenses: missingLicenses(needed, of.licenses, now).length === 0,
    bank: of.bank_kind !== null && of.has_bank_no && Boolean(of.bank_name),
    contract:
      Boolean(of.contract_no) && of.contract_start_at !== null && of.contract_end_at !== null,
  }
  return (Object.keys(proofs) as Proof[]).filter(proof => !there[proof])
}

/** Why money of a company may not go to this account, or undefined. */
export const holderFault = (of: {
  bank_kind: BankKind | null
  bank_holder: string
  name: string
  legal_name: string
}): Text | undefined => {
  if (of.bank_kind === 'personal' && of.bank_holder !== of.legal_name)
    return [
      '个人账户须为法人本人，户名与法人姓名一致',
      'A personal account is the legal person’s own',
    ]
  if (of.bank_kind === 'company' && of.bank_holder !== of.name)
    return ['对公账户的户名须与商户名称一致', 'A company account has the name of the merchant']
  return undefined
}
