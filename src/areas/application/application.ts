import { auditCan, type AuditFacts, type AuditVerb } from '#src/areas/audit/audit.ts'
import type { BrandBody } from '#src/areas/brand/brandBody.ts'
import type { BankKind, SettleCycle } from '#src/areas/merchant/merchant.ts'
import type { ShopBody } from '#src/areas/merchant/onlineShop.ts'
import type { StoreBody } from '#src/areas/merchant/storeForm.ts'
import type { Text } from '#src/domain/text.ts'
import { HOUR } from '#src/domain/time.ts'

/** The queues of applications, named as their pages. */
export const applicationQueues = ['shop', 'brand'] as const

/** What is applied for, the gravest first: a change of several kinds is of the first of them. */
export const applicationKinds = {
  merchant: ['新商户', 'New merchant'],
  licence: ['执照变更', 'Licence change'],
  bank: ['账户变更', 'Account change'],
  profile: ['资料变更', 'Profile change'],
  store: ['新门店', 'New store'],
  store_change: ['门店变更', 'Store change'],
  eshop: ['新网店', 'New online shop'],
  eshop_change: ['网店变更', 'Online shop change'],
  brand: ['新品牌', 'New brand'],
  brand_change: ['品牌变更', 'Brand change'],
} as const satisfies Record<string, Text>
export type ApplicationKind = keyof typeof applicationKinds
/** The kinds of the queue of brands; all others are of merchants. */
export const brandKinds = ['brand', 'brand_change'] as const
const ofBrands: ReadonlySet<ApplicationKind> = new Set(brandKinds)
/** The kinds of application that a queue holds. */
export const kindsIn = (
  queue: (typeof applicationQueues)[number],
): Readonly<Record<string, Text>> =>
  Object.fromEntries(
    Object.entries(applicationKinds).filter(
      ([kind]) => ofBrands.has(kind as ApplicationKind) === (queue === 'brand'),
    ),
  )
/** True of what is about a shop that ships goods. */
export const isOfShop = (kind: ApplicationKind): boolean =>
  kind === 'eshop' || kind === 'eshop_change'
/** True of what is about a store, online or not, and not about the merchant itself. */
export const isOfStore = (kind: ApplicationKind): boolean =>
  kind === 'store' || kind === 'store_change' || isOfShop(kind)
/** True of what asks for all of it, not for a change. */
export const isWhole = (kind: ApplicationKind): boolean =>
  kind === 'merchant' || kind === 'store' || kind === 'eshop'

type Licence = { name: string; no: string; expire_at: number | null }
/** A merchant's own data, as an application asks for it. */
export type MerchantBody = {
  name: string
  license_no: string
  license_image: string
  license_expire_at: number | null
  legal_name: string
  legal_id_no: string | null
  contact_name: string
  contact_phone: string
  city_id: number
  category_ids: number[]
  licenses: Licence[]
  bank_kind: BankKind | null
  bank_holder: string | null
  bank_name: string | null
  bank_no: string | null
  contract_no: string | null
  contract_start_at: number | null
  contract_end_at: number | null
  commission_bp: number
  settle_cycle: SettleCycle
  deposit_cents: number
}
export type BodyField = keyof MerchantBody
/**
 * A new merchant asks for all of it, a change for what is to be otherwise; what is of a store or a
 * brand stands under its name.
 */
export type ApplicationBody = Partial<MerchantBody> & {
  store?: Partial<StoreBody>
  eshop?: Partial<ShopBody>
  brand?: BrandBody
}

export const bodyFields = {
  name: ['商户名称', 'Name'],
  license_no: ['信用代码', 'Credit code'],
  license_image: ['营业执照照片', 'Picture of the licence'],
  license_expire_at: ['执照有效期', 'Licence until'],
  legal_name: ['法人', 'Legal person'],
  legal_id_no: ['法人身份证号', 'ID number'],
  contact_name: ['联系人', 'Contact'],
  contact_phone: ['联系电话', 'Phone'],
  city_id: ['城市', 'City'],
  category_ids: ['经营类目', 'Categories'],
  licenses: ['经营资质', 'Licences'],
  bank_kind: ['账户类型', 'Kind of account'],
  bank_holder: ['户名', 'Account holder'],
  bank_name: ['开户行', 'Bank'],
  bank_no: ['结算账号', 'Account'],
  contract_no: ['合同编号', 'Contract'],
  contract_start_at: ['合同开始', 'Contract from'],
  contract_end_at: ['合同到期', 'Contract until'],
  commission_bp: ['抽佣比例', 'Take rate'],
  settle_cycle: ['结算周期', 'Settled'],
  deposit_cents: ['保证金', 'Deposit'],
} as const satisfies Record<BodyField, Text>
export const allFields = Object.keys(bodyFields) as BodyField[]
/** The fields that each kind of change is of, in the order in which they are read. */
export const fieldsOfKind: Record<'licence' | 'bank' | 'profile', readonly BodyField[]> = {
  licence: [
    'name',
    'license_no',
    'license_expire_at',
    'license_image',
    'legal_name',
    'legal_id_no',
  ],
  bank: ['bank_kind', 'bank_holder', 'bank_name', 'bank_no', 'settle_cycle'],
  profile: ['contact_name', 'contact_phone', 'category_ids', 'licenses'],
}
/** What stays as it was agreed: a renewal changes it, no application does. */
export const agreedFields: readonly BodyField[] = [
  'city_id',
  'contract_no',
  'contract_start_at',
  'contract_end_at',
  'commission_bp',
  'deposit_cents',
]
/** The kind of a change of these fields: a new account is no small matter because a phone is new too. */
export const kindOfChange = (changed: readonly BodyField[]): ApplicationKind =>
  (['licence', 'bank'] as const).find(kind =>
    fieldsOfKind[kind].some(field => changed.includes(field)),
  ) ?? 'profile'
/** Only what can do little harm is decided in a batch. */
export const isBatchable = (kind: ApplicationKind): boolean => kind === 'profile'

const plain = (value: unknown): unknown => (value === '' ? null : (value ?? null))
/** The fields of `next` that are not as in `was`; nothing and an empty text are the same. */
export const changedOf = (was: ApplicationBody, next: ApplicationBody): BodyField[] =>
  allFields.filter(
    field =>
      field in next && JSON.stringify(plain(was[field])) !== JSON.stringify(plain(next[field])),
  )

/** So long after its submission an application is to be decided. */
export const SLA_S = 24 * HOUR
/** From so long before that on it is told as pressing. */
export const PRESSING_S = 12 * HOUR
/** How long applications have waited. */
export const waits = {
  fresh: ['12 小时内', 'Within 12 h'],
  pressing: ['12–24 小时', '12–24 h'],
  late: ['超过 24 小时', 'Over 24 h'],
} as const satisfies Record<string, Text>
export type Wait = keyof typeof waits

/** Why an application is refused, in the order of their digits. */
export const refuseCodes = {
  licence: ['执照不清晰或已过期', 'Licence unclear or expired'],
  identity: ['主体与法人信息不符', 'Entity does not match'],
  proofs: ['资质缺失或无效', 'Proofs missing or invalid'],
  bank: ['结算账户不符', 'Account does not match'],
  contract: ['合同信息有误', 'Contract is wrong'],
  duplicate: ['重复入驻', 'Applied twice'],
  category: ['经营类目不符', 'Wrong categories'],
  risk: ['风险商户', 'A risk'],
  other: ['其他', 'Other'],
} as const satisfies Record<string, Text>
export type RefuseCode = keyof typeof refuseCodes
/** What merchants may be asked for once more. */
export const askedItems = {
  license_image: ['清晰的营业执照照片', 'A clear picture of the licence'],
  legal_id: ['法人身份证', 'ID card of the legal person'],
  licenses: ['类目资质证照', 'Licences of the categories'],
  bank: ['开户许可或账户证明', 'Proof of the account'],
  contract: ['盖章合同', 'The signed contract'],
  store_images: ['清晰的门店照片', 'Clear pictures of the store'],
  store_place: ['门牌与地址证明', 'Proof of the address'],
  authorisation: ['品牌授权或经办授权书', 'An authorisation'],
  other: ['其他资料', 'Something else'],
} as const satisfies Record<string, Text>
export type AskedItem = keyof typeof askedItems

/** States in which it is not finally decided: a merchant has one such application at a time. */
export const openStates = ['pending', 'claimed', 'need_more'] as const

type Facts = AuditFacts & { owner_id?: number | null }
/** True, or why somebody may not do a verb to an application: nobody judges the merchants they bring. */
export const applicationCan = (
  verb: AuditVerb,
  of: Facts,
  staffId: number,
  now: number,
): true | Text => {
  const may = auditCan(verb, of, staffId, now)
  const judges = ['claim', 'approve', 'reject', 'askMore'].includes(verb)
  return may === true && judges && of.owner_id === staffId
    ? ['不能审核自己负责的商户', 'You are the BD of this merchant']
    : may
}
