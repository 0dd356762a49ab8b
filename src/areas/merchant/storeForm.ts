import type { Pin } from '#src/areas/place/geo.ts'
import type { Text } from '#src/domain/text.ts'

/** A pin further from its mall than this is asked about. */
export const PIN_FAR_M = 500
/** Stores this near each other are told of before another is made. */
export const STORE_NEAR_M = 200
export const PICTURES_MIN = 3
export const PICTURES_MOST = 9

/** What a store is and where it stands: an audit alone changes it once the store is open. */
export type AuditedStore = {
  name: string
  category_id: number
  brand_id: number | null
  mall_id: number
  floor_id: number | null
  door_no: string
  address: string
  pin: Pin | null
}
type AuditedField = keyof AuditedStore
/** What customers are told of a store, which holds as soon as it is saved. */
type LiveStore = {
  phone: string
  open_hours: string
  images: string[]
  avg_price_cents: number
  facility_ids: number[]
}
export type StoreBody = AuditedStore & LiveStore
export type StoreField = keyof StoreBody

export const storeFields = {
  name: ['门店名称', 'Name'],
  category_id: ['经营分类', 'Category'],
  brand_id: ['品牌', 'Brand'],
  mall_id: ['商场', 'Mall'],
  floor_id: ['楼层', 'Floor'],
  door_no: ['门牌号', 'Door'],
  address: ['地址', 'Address'],
  pin: ['地图位置', 'Pin'],
  phone: ['电话', 'Phone'],
  open_hours: ['营业时间', 'Hours'],
  images: ['门店图片', 'Pictures'],
  avg_price_cents: ['人均消费', 'A person'],
  facility_ids: ['设施', 'Facilities'],
} as const satisfies Record<StoreField, Text>
export const auditedFields: readonly AuditedField[] = [
  'name',
  'category_id',
  'brand_id',
  'mall_id',
  'floor_id',
  'door_no',
  'address',
  'pin',
]
export const allStoreFields = Object.keys(storeFields) as StoreField[]
/** The audited fields of `next` that are not as in `was`. */
export const changedStore = (was: AuditedStore, next: AuditedStore): AuditedField[] =>
  auditedFields.filter(field => JSON.stringify(was[field]) !== JSON.stringify(next[field]))

/**
 * Why pictures of a store in trade may not be these, or undefined: what has fewer than it should gets
 * no fewer still.
 */
export const picturesFault = (
  images: readonly string[],
  was: readonly string[],
): Text | undefined =>
  images.length < PICTURES_MIN && images.length < was.length
    ? [`至少保留 ${PICTURES_MIN} 张图片`, `At least ${PICTURES_MIN} pictures stay`]
    : undefined
