import type { StoreState } from '#src/areas/mall/mall.ts'
import { isCallable } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'
import type { MerchantState } from './merchant.ts'
import { storeCan, type StoreVerb } from './store.ts'

/** What a shop that ships goods is: a brand's own, the cloud shop of a mall, or the platform's. */
export const shopTypes = {
  flagship: ['品牌旗舰店', 'Brand flagship'],
  mall: ['商场云店', 'Mall cloud shop'],
  self_run: ['自营店', 'Self-run'],
} as const satisfies Record<string, Text>
export type ShopType = keyof typeof shopTypes
export const invoices = {
  none: ['不开发票', 'None'],
  plain: ['普通发票', 'Plain'],
  special: ['普通发票与专用发票', 'Plain and special'],
} as const satisfies Record<string, Text>
export type ShopInvoice = keyof typeof invoices

/** So many main categories at most; the first gives the shop its take rate. */
export const SHOP_CATEGORIES_MOST = 5
export const SHOP_RATE_MOST_BP = 5000
/** A draft that nobody has touched for so long is thrown away. */
export const SHOP_DRAFT_DAYS = 30

const whyNot: Partial<Record<StoreVerb, Text>> = {
  open: ['只有暂停中的店铺可以开店', 'Only a paused shop can be reopened'],
  rest: ['店铺不在营业中', 'The shop is not open'],
  close: ['只有营业或暂停中的店铺可以关闭', 'Only an open or paused shop can be closed'],
  edit: ['审核中或已关闭的店铺只读', 'In audit or closed: it is read-only'],
}
/** True, or why a shop of this state can't have it: the states are those of all stores. */
export const shopCan = (verb: StoreVerb, of: { status: StoreState }): true | Text => {
  const may = storeCan(verb, of)
  return may === true ? true : (whyNot[verb] ?? may)
}

/** What an audit alone changes once the shop is there. */
type AuditedShop = {
  name: string
  /** E-commerce categories, the main one first. */
  category_ids: number[]
  brand_id: number | null
  /** Null: what the main category says. */
  commission_bp: number | null
  commission_reason: string
}
/** What holds as soon as it is saved. */
type LiveShop = {
  logo: string
  phone: string
  open_hours: string
  ship_area: string
  freight_template_id: number | null
  return_address_id: number | null
  invoice: ShopInvoice
}
export type ShopBody = AuditedShop & LiveShop & { shop_type: ShopType; mall_id: number }
export type ShopField = keyof ShopBody
export const shopFields = {
  name: ['店铺名称', 'Name'],
  shop_type: ['店铺类型', 'Kind'],
  mall_id: ['所属商场', 'Mall'],
  category_ids: ['主营分类', 'Main categories'],
  brand_id: ['品牌', 'Brand'],
  commission_bp: ['抽佣比例', 'Take rate'],
  commission_reason: ['低于默认费率的原因', 'Why below the default'],
  logo: ['店标', 'Logo'],
  phone: ['客服电话', 'Service phone'],
  open_hours: ['客服时间', 'Service hours'],
  ship_area: ['发货地', 'Ships from'],
  freight_template_id: ['运费模板', 'Freight template'],
  return_address_id: ['退货地址', 'Return address'],
  invoice: ['开票能力', 'Invoices'],
} as const satisfies Record<ShopField, Text>
export const allShopFields = Object.keys(shopFields) as ShopField[]
export const auditedShopFields = [
  'name',
  'category_ids',
  'brand_id',
  'commission_bp',
  'commission_reason',
] as const satisfies readonly (keyof AuditedShop)[]
/** The audited fields of `next` that are not as in `was`. */
export const changedShop = (was: AuditedShop, next: AuditedShop): (keyof AuditedShop)[] =>
  auditedShopFields.filter(field => JSON.stringify(was[field]) !== JSON.stringify(next[field]))

/** What a draft must hold before anybody can audit it. */
export const shopProofs = {
  logo: ['店标', 'Logo'],
  phone: ['客服电话', 'Service phone'],
  hours: ['客服时间', 'Service hours'],
  ship_area: ['发货地', 'Ships from'],
  freight: ['运费模板', 'Freight template'],
  return_address: ['退货地址', 'Return address'],
} as const satisfies Record<string, Text>
type ShopProof = keyof typeof shopProofs
type Drafted = Pick<LiveShop, 'logo' | 'phone' | 'ship_area' | 'freight_template_id'> & {
  has_hours: boolean
  has_return_address: boolean
}
/** What is still missing of a draft, in the order of the form. */
export const missingOfShop = (of: Drafted): ShopProof[] => {
  const there: Record<ShopProof, boolean> = {
    logo: of.logo !== '',
    phone: of.phone !== '',
    hours: of.has_hours,
    ship_area: of.ship_area !== '',
    freight: of.freight_template_id !== null,
    return_address: of.has_return_address,
  }
  return (Object.keys(shopProofs) as ShopProof[]).filter(proof => !there[proof])
}

/** What keeps a shop from being opened. */
export const shopBlocks = {
  merchant: ['商户须为正常状态', 'Its merchant trades'],
  return_address: ['退货地址', 'A return address'],
  freight: ['运费模板', 'A freight template'],
  goods: ['至少一件可售商品', 'One product to sell'],
} as const satisfies Record<string, Text>
export type ShopBlock = keyof typeof shopBlocks
export type ShopStanding = {
  merchant_status: MerchantState
  return_address_id: number | null
  freight_template_id: number | null
  /** Products on sale, and those that only wait for the shop to open. */
  sellable: number
}
export const blocksOf = (of: ShopStanding): ShopBlock[] => {
  const met: Record<ShopBlock, boolean> = {
    merchant: of.merchant_status === 'active',
    return_address: of.return_address_id !== null,
    freight: of.freight_template_id !== null,
    goods: of.sellable > 0,
  }
  return (Object.keys(shopBlocks) as ShopBlock[]).filter(block => !met[block])
}

/** What keeps a shop from being closed. */
export type ShopDuties = {
  /** Paid and not yet sent in full. */
  unshipped: number
  after_sales: number
  unsettled_cents: number
}

/** Why a rate may not be this, or undefined: less than the category's default needs a reason. */
export const rateFault = (
  { commission_bp, commission_reason }: Pick<AuditedShop, 'commission_bp' | 'commission_reason'>,
  default_bp: number | null,
): Text | undefined =>
  commission_bp !== null &&
  default_bp !== null &&
  commission_bp < default_bp &&
  commission_reason.trim().length < 2
    ? [
        `低于分类默认费率 ${default_bp / 100}%，请填写原因`,
        `It is below the ${default_bp / 100}% of its category: say why`,
      ]
    : undefined

/** Where goods are sent back to, as it is typed. */
export type ReturnTo = { name: string; phone: string; area: string; address: string }
/** What is wrong with a return address, by its field; `isPlace` knows the table of divisions. */
export const returnFaults = (
  of: ReturnTo,
  isPlace: (area: string) => boolean,
): Partial<Record<keyof ReturnTo, Text>> => ({
  ...(of.name.trim() === '' && { name: ['请填写收货人', 'Name the receiver'] }),
  ...(!isCallable(of.phone) && {
    phone: ['请填写收货人的手机号或座机', 'A mobile or landline of the receiver'],
  }),
  ...(!isPlace(of.area) && {
    area: ['请从省选到区县', 'Choose from the province down to the district'],
  }),
  ...(of.address.trim().length < 2 && {
    address: ['请填写街道与门牌', 'The street and the number'],
  }),
})
