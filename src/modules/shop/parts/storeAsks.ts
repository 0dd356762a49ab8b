import { ask } from '#commands/command.ts'
import { PICTURES_MOST, PIN_FAR_M } from '#src/areas/merchant/storeForm.ts'
import { hoursWords, noHours, type StoreHours } from '#src/areas/merchant/storeHours.ts'
import { metres, type Pin } from '#src/areas/place/geo.ts'
import { callableFault } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'
import { storeAdd } from '../contract/storeAdd.ts'
import type { StoreProfile } from '../contract/storeForm.ts'
import { stores } from '../contract/stores.ts'

/** What is asked of a store that an audit alone changes. */
export type AuditedAnswers = {
  name: string
  category_id: number
  brand_id?: number
  mid: number
  floor_id?: number
  door_no?: string
  address?: string
  pin?: Pin
  confirm_pin?: boolean
}
/** What customers are told of it. */
export type LiveAnswers = {
  phone?: string
  hours?: StoreHours
  images?: string[]
  price?: number
  facilities?: string[]
}
export type NewAnswers = AuditedAnswers & LiveAnswers & { merchant_id: number; city: string }
type Named = { id: number; name: string }
export type MallPin = Pin | null | undefined
/** How far a pin is from the mall; undefined where one of them is not known. */
export const farFrom = (mall: MallPin, pin: Pin | undefined): number | undefined =>
  mall && pin ? Math.round(metres(mall, pin)) : undefined

type Rows = readonly StoreProfile[]
type Given = Readonly<Record<string, unknown>>
/** The city that the form is about: the one that was chosen, or the store's own. */
const cityOf = (rows: Rows, answers: Given) =>
  Number(answers['city'] ?? 0) || (rows[0]?.city_id ?? 0)
/** Questions whose answers wait for an audit; `mall` is where the mall chosen stands. */
export const auditedAsks = (mall: MallPin) => ({
  name: ask.text({
    label: ['门店名称', 'Name'],
    max: 40,
    min: 2,
    hint: ['品牌名（分店名），如“海底捞（万达店）”', 'Brand (branch), e.g. Haidilao (Wanda)'],
    initial: rows => rows[0]?.name || undefined,
  }),
  category_id: ask.entity({
    label: ['经营分类', 'Category'],
    find: storeAdd.leaves,
    labelOf: (row: Named) => row.name,
    initial: rows => rows[0]?.category_id || undefined,
    named: rows => rows[0]?.category_name || undefined,
  }),
  brand_id: ask.entity({
    label: ['品牌', 'Brand'],
    find: storeAdd.brands,
    labelOf: (row: Named) => row.name,
    optional: true,
    initial: rows => rows[0]?.brand_id ?? undefined,
    named: rows => rows[0]?.brand_name || undefined,
  }),
  mid: ask.entity({
    label: ['商场', 'Mall'],
    find: storeAdd.malls,
    labelOf: (row: Named) => row.name,
    given: (rows: Rows, answers: Given) => ({ city_id: cityOf(rows, answers) || 1 }),
    shown: (answers, rows) => cityOf(rows as Rows, answers) > 0,
    initial: rows => rows[0]?.mid,
    named: rows => (rows[0]?.mid === 0 ? '商场外' : rows[0]?.mall_name),
  }),
  floor_id: ask.entity({
    label: ['楼层', 'Floor'],
    find: stores.floors,
    labelOf: floor => (floor.alias ? `${floor.name} ${floor.alias}` : floor.name),
    given: (rows: Rows, answers: Given) => ({ mid: answers['mid'] ?? rows[0]?.mid }),
    none: ['该商场还没有楼层', 'The mall has no floor yet'],
    optional: true,
    shown: answers => Number(answers['mid'] ?? 0) > 0,
    initial: rows => rows[0]?.floor_id ?? undefined,
    named: rows => rows[0]?.floor_name || undefined,
  }),
  door_no: ask.text({
    label: ['门牌号', 'Door'],
    max: 20,
    optional: true,
    initial: rows => rows[0]?.door_no || undefined,
  }),
  address: ask.text({
    label: ['地址', 'Address'],
    max: 120,
    optional: 'in-draft',
    initial: rows => rows[0]?.address || undefined,
  }),
  confirm_pin: ask.flag({
    label: ['已核对，位置无误', 'I checked it: the pin is right'],
    shown: answers =>
      Number(answers['mid'] ?? 0) > 0 &&
      (farFrom(mall, answers['pin'] as Pin | undefined) ?? 0) > PIN_FAR_M,
  }),
})
/** Questions whose answers hold at once; `strict` ones are needed of a store in trade. */
export const liveAsks = (facilities: readonly Named[], strict: boolean) => ({
  phone: ask.text({
    label: ['电话', 'Phone'],
    max: 30,
    optional: strict ? false : 'in-draft',
    hint: ['手机号或带区号的座机', 'A mobile, or a landline with its area code'],
    check: callableFault,
    initial: rows => rows[0]?.phone || undefined,
  }),
  price: ask.money({
    label: ['人均消费', 'Per person'],
    min: 0,
    max: 10_000_000,
    optional: true,
    field: 'avg_price_cents',
    initial: rows => rows[0]?.avg_price_cents,
  }),
  images: ask.images({
    label: ['门店图片（首张为门头图）', 'Pictures (first one is the storefront)'],
    max: PICTURES_MOST,
    optional: strict ? true : 'in-draft',
    maxBytes: 5 * 1024 * 1024,
    initial: rows => rows[0]?.images ?? [],
  }),
  facilities: ask.choices({
    label: ['设施', 'Facilities'],
    options: Object.fromEntries(
      facilities.map(one => [String(one.id), [one.name, one.name] as const]),
    ),
    optional: true,
    field: 'facility_ids',
    initial: rows => rows[0]?.facility_ids.map(String) ?? [],
  }),
})
/** Questions of a new store alone. */
export const newAsks = (cities: readonly { id: number; city_name: string }[]) => ({
  merchant_id: ask.entity({
    label: ['商户', 'Merchant'],
    find: storeAdd.merchants,
    labelOf: (row: Named) => row.name,
    initial: rows => rows[0]?.merchant_id,
    named: rows => rows[0]?.merchant_name,
  }),
  city: ask.choice({
    label: ['城市', 'City'],
    options: Object.fromEntries(
      cities.map(one => [String(one.id), [one.city_name, one.city_name] as const]),
    ),
    field: 'city_id',
    initial: rows => (rows[0] ? String(rows[0].city_id) : undefined),
  }),
})

/** What the forms hold beside their questions. */
export const pinFrom = ([of]: Rows): { pin: Pin | undefined } => ({
  pin:
    of?.lng_e6 != null && of.lat_e6 !== null ? { lng_e6: of.lng_e6, lat_e6: of.lat_e6 } : undefined,
})
export const hoursOf = ([of]: Rows): { hours: StoreHours } => ({
  hours: of?.hours ?? noHours,
})
export const pinWords = {
  pin: {
    label: ['地图位置', 'Pin'] as Text,
    told: (of?: Pin) => (of ? `${of.lng_e6 / 1e6}, ${of.lat_e6 / 1e6}` : '—'),
  },
}
export const hoursInWords = {
  hours: {
    label: ['营业时间', 'Hours'] as Text,
    told: (of?: StoreHours) => (of && hoursWords(of)) || '—',
  },
}
/** The names under which the server refuses a field, as the questions are called here. */
export const namesHere: Record<string, string> = {
  city_id: 'city',
  lng_e6: 'pin',
  lat_e6: 'pin',
  avg_price_cents: 'price',
  facility_ids: 'facilities',
}

/** What is sent of the answers that an audit waits for. */
export const auditedOf = (of: AuditedAnswers) => ({
  name: of.name,
  category_id: of.category_id,
  brand_id: of.brand_id ?? null,
  mid: of.mid,
  floor_id: of.mid > 0 ? (of.floor_id ?? null) : null,
  door_no: of.door_no ?? '',
  address: of.address ?? '',
  lng_e6: of.pin?.lng_e6 ?? null,
  lat_e6: of.pin?.lat_e6 ?? null,
})
/** What is sent of those that hold at once. */
export const liveOf = (of: LiveAnswers) => ({
  hours: of.hours ?? noHours,
  images: of.images ?? [],
  avg_price_cents: of.price ?? 0,
  facility_ids: (of.facilities ?? []).map(Number),
})
