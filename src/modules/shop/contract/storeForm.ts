import { z } from 'zod'
import {
  applicationKinds,
  askedItems,
  type ApplicationKind,
  type AskedItem,
} from '#src/areas/application/application.ts'
import { auditStates, type AuditState } from '#src/areas/audit/audit.ts'
import { storeStates, type StoreState } from '#src/areas/mall/mall.ts'
import { merchantStates, type MerchantState } from '#src/areas/merchant/merchant.ts'
import { PICTURES_MOST } from '#src/areas/merchant/storeForm.ts'
import { HOLIDAY_LINES_MOST, WEEK_LINES_MOST } from '#src/areas/merchant/storeHours.ts'
import { cents, id, keysOf, keyText, open, text, unix, version } from '#src/contract/shapes.ts'

const time = keyText(5)
/** Hours as they are sent: what is wrong with them is told by their rule (`hoursFault`). */
export const hours = z.object({
  week: z
    .array(z.object({ weekdays: z.array(z.int().min(1).max(7)).max(7), from: time, to: time }))
    .max(WEEK_LINES_MOST),
  holidays: z.array(z.object({ date: keyText(10), from: time, to: time })).max(HOLIDAY_LINES_MOST),
})
const degree = (most: number) => z.int().min(-most).max(most).nullable().default(null)
/** Where a pin stands, in 1/1000000 degree. */
export const pin = { lng_e6: degree(180_000_000), lat_e6: degree(90_000_000) }
/** 0 outside any mall. */
export const mid = z.int().min(0).max(2147483647)
export const audited = {
  name: text(40),
  category_id: id,
  brand_id: id.nullable().default(null),
  mid,
  floor_id: id.nullable().default(null),
  door_no: text(20, 0).default(''),
  address: text(120, 0).default(''),
  ...pin,
}
export const pictures = z.array(keyText(255, 1)).max(PICTURES_MOST)
export const price = cents.min(0).max(10_000_000)
export const facility_ids = z.array(id).max(100)

/** The fields of a store in words, by their names (`storeFields`). */
export const worded = z.record(z.string(), z.string())
/** What is applied for and nobody has decided. */
const applied = z.object({
  kind: keysOf<ApplicationKind>(applicationKinds),
  state: keysOf<AuditState>(auditStates),
  reason: z.string(),
  asked: z.array(keysOf<AskedItem>(askedItems)),
  submitted_at: unix,
  changed: z.array(z.string()),
  /** What is asked for, and what stands there now, of the fields that are to be otherwise. */
  body: worded,
  live: worded,
})
/** A store as its forms begin with it; where more was asked for, with what was asked for already. */
export const storeProfile = z.object({
  id,
  store_no: z.string(),
  merchant_id: z.int(),
  merchant_name: z.string(),
  merchant_status: keysOf<MerchantState>(merchantStates),
  name: z.string(),
  category_id: z.int(),
  category_name: z.string(),
  brand_id: z.int().nullable(),
  brand_name: z.string(),
  city_id: z.int(),
  city_name: z.string(),
  mid: z.int(),
  mall_name: z.string(),
  floor_id: z.int().nullable(),
  floor_name: z.string(),
  door_no: z.string(),
  address: open('A store’s own, where customers go', z.string()),
  lng_e6: z.int().nullable(),
  lat_e6: z.int().nullable(),
  phone: open('A store’s own, which customers call', z.string()),
  hours,
  images: z.array(z.string()),
  avg_price_cents: cents,
  facility_ids: z.array(z.int()),
  status: keysOf<StoreState>(storeStates),
  status_reason: z.string(),
  application: applied.nullable(),
  version,
})
export type StoreProfile = z.output<typeof storeProfile>
