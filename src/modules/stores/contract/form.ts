import { z } from 'zod'
import {
  applicationKinds,
  askedItems,
  refuseCodes,
  type ApplicationKind,
  type AskedItem,
  type RefuseCode,
} from '#src/areas/application/application.ts'
import { auditStates, type AuditState } from '#src/areas/audit/audit.ts'
import { storeStates, type StoreState } from '#src/areas/mall/mall.ts'
import { merchantStates, type MerchantState } from '#src/areas/merchant/merchant.ts'
import {
  invoices,
  SHOP_CATEGORIES_MOST,
  SHOP_RATE_MOST_BP,
  shopTypes,
  type ShopInvoice,
  type ShopType,
} from '#src/areas/merchant/onlineShop.ts'
import {
  basisPoints,
  guarded,
  id,
  keysOf,
  keyText,
  open,
  phoneText,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { hours, worded } from '#src/modules/shop/contract/storeForm.ts'

/** Where goods are sent back to; what is wrong with it is told by its rule (`returnFaults`). */
const returnTo = z.object({
  name: text(20, 0),
  phone: phoneText(30, 0),
  area: text(60, 0),
  address: text(120, 0),
})
/** What an audit alone changes of a shop that is there. */
export const auditedShop = {
  name: text(40, 2),
  category_ids: z.array(id).min(1).max(SHOP_CATEGORIES_MOST),
  brand_id: id.nullable().default(null),
  /** Null: what the main category says; left out: as it is. */
  commission_bp: z.int().min(0).max(SHOP_RATE_MOST_BP).nullable().optional(),
  commission_reason: text(200, 0).default(''),
}
/** What holds as soon as it is saved. */
export const liveShop = {
  logo: keyText(255).default(''),
  phone: phoneText(30, 0).default(''),
  hours: hours.default({ week: [], holidays: [] }),
  ship_area: text(60, 0).default(''),
  freight_template_id: id.nullable().default(null),
  return_to: returnTo.nullable().default(null),
  invoice: keysOf<ShopInvoice>(invoices).default('none'),
}
const applied = {
  kind: keysOf<ApplicationKind>(applicationKinds),
  state: keysOf<AuditState>(auditStates),
  reason: z.string(),
  submitted_at: unix,
  /** What is asked for, and what stands there now, of the fields that are to be otherwise. */
  body: worded,
  live: worded,
}
/** What it applied for before. */
export const pastChange = z.object({
  id,
  ...applied,
  submitter_name: z.string(),
  decided_at: unix.nullable(),
  decider_name: z.string(),
  reason_code: keysOf<RefuseCode>(refuseCodes).nullable(),
})
/** A shop as its forms begin with it; where more was asked for, with what was asked for already. */
export const shopProfile = z.object({
  id,
  store_no: z.string(),
  merchant_id: z.int(),
  merchant_name: z.string(),
  merchant_status: keysOf<MerchantState>(merchantStates),
  shop_type: keysOf<ShopType>(shopTypes),
  city_id: z.int(),
  city_name: z.string(),
  mid: z.int(),
  mall_name: z.string(),
  name: z.string(),
  categories: z.array(z.object({ id, name: z.string() })),
  brand_id: z.int().nullable(),
  brand_name: z.string(),
  commission_bp: guarded('product.commission_bp', basisPoints.nullable()),
  commission_reason: z.string(),
  logo: z.string(),
  phone: open('A shop’s own, which customers call', z.string()),
  hours,
  ship_area: z.string(),
  freight_template_id: z.int().nullable(),
  freight_name: z.string(),
  return_to: z
    .object({
      name: z.string(),
      phone: open('Who takes returns, which buyers are told', z.string()),
      area: z.string(),
      address: open('Where goods are sent back to', z.string()),
    })
    .nullable(),
  invoice: keysOf<ShopInvoice>(invoices),
  status: keysOf<StoreState>(storeStates),
  status_reason: z.string(),
  application: z.object({ ...applied, asked: z.array(keysOf<AskedItem>(askedItems)) }).nullable(),
  version,
})
export type ShopProfile = z.output<typeof shopProfile>
