import type { Pin } from '#src/areas/place/geo.ts'
import type { Text } from '#src/domain/text.ts'
import { PICTURES_MIN } from './storeForm.ts'

/** What a draft must hold before anybody can audit it. */
export const storeProofs = {
  address: ['地址', 'Address'],
  pin: ['地图位置', 'Pin'],
  phone: ['电话', 'Phone'],
  hours: ['营业时间', 'Hours'],
  images: [`至少 ${PICTURES_MIN} 张图片`, `${PICTURES_MIN} pictures`],
} as const satisfies Record<string, Text>
type StoreProof = keyof typeof storeProofs
type Drafted = {
  address: string
  pin: Pin | null
  phone: string
  /** True where it has opening hours and nothing is wrong with them (`areHours`). */
  has_hours: boolean
  images: readonly string[]
}
/** What is still missing of a draft, in the order of the form. */
export const missingOfStore = (of: Drafted): StoreProof[] => {
  const there: Record<StoreProof, boolean> = {
    address: of.address !== '',
    pin: of.pin !== null,
    phone: of.phone !== '',
    hours: of.has_hours,
    images: of.images.length >= PICTURES_MIN,
  }
  return (Object.keys(storeProofs) as StoreProof[]).filter(proof => !there[proof])
}
