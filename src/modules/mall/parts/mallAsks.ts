import { ask } from '#commands/command.ts'
import { mallKinds, nameFault, type Hours, type MallKind } from '#src/areas/mall/mall.ts'
import type { Pin } from '#src/areas/place/geo.ts'
import type { Result, Sent } from '#src/contract/call.ts'
import type { CityRow } from '#src/contract/places.ts'
import { isCallable } from '#src/domain/phone.ts'
import { semicolon } from '#src/domain/text.ts'
import type { Say } from '#src/kit/text.ts'
import type { mall as calls } from '../contract/index.ts'

export type MallProfile = Result<typeof calls.detail>
export type MallAnswers = {
  name: string
  short_name?: string
  kind: MallKind
  city: string
  district?: string
  address?: string
  pin?: Pin
  logo?: string[]
  covers?: string[]
  hours?: Hours[]
  phone?: string
  parking_note?: string
  facility_note?: string
  intro?: string
  pin_reason?: string
}
/** The names under which the server refuses a field, as the questions are called here. */
export const namesHere: Record<string, string> = {
  city_id: 'city',
  lng_e6: 'pin_reason',
  lat_e6: 'pin_reason',
  open_hours: 'hours',
}

/** The cities with their codes and centres, for who may read them. */
export type Coded = { list?: readonly CityRow[] } | undefined
export type Cities = readonly { id: number; city_name: string }[]
const basicAsks = (cities: Cities) => ({
  name: ask.text({
    label: ['商场名称', 'Name'],
    max: 40,
    wide: 40,
    initial: rows => rows[0]?.name,
    check: value => nameFault(value),
  }),
  short_name: ask.text({
    label: ['简称', 'Short name'],
    max: 12,
    optional: true,
    initial: rows => rows[0]?.short_name,
  }),
  kind: ask.choice({
    label: ['类型', 'Kind'],
    options: mallKinds,
    initial: rows => rows[0]?.kind ?? 'mall',
  }),
  city: ask.choice({
    label: ['城市', 'City'],
    options: Object.fromEntries(
      cities.map(city => [String(city.id), [city.city_name, city.city_name] as const]),
    ),
    initial: rows => (rows[0] ? String(rows[0].city_id) : undefined),
  }),
  phone: ask.text({
    label: ['电话', 'Phone'],
    max: 20,
    optional: true,
    initial: rows => rows[0]?.phone,
    check: value =>
      isCallable(value)
        ? undefined
        : ['手机号或座机，如 021-51234567', 'A mobile or landline number, such as 021-51234567'],
  }),
})
const placeAsks = (coded: Coded) => ({
  district: ask.text({
    label: ['区县', 'District'],
    max: 20,
    optional: true,
    region: {
      level: 'district',
      within: answers => coded?.list?.find(one => String(one.id) === answers['city'])?.adcode,
    },
    initial: rows => rows[0]?.district,
  }),
  address: ask.text({
    label: ['地址', 'Address'],
    max: 120,
    optional: true,
    initial: rows => rows[0]?.address,
  }),
  pin_reason: ask.text({
    label: ['坐标在城市之外的原因', 'Why the pin is outside the city'],
    max: 200,
    optional: true,
    lines: 2,
    shown: answers => answers.far === true,
  }),
})
const shownAsks = {
  logo: ask.images({
    label: ['标志', 'Logo'],
    max: 1,
    optional: true,
    maxBytes: 5 * 1024 * 1024,
    initial: rows => (rows[0]?.logo ? [rows[0].logo] : []),
  }),
  covers: ask.images({
    label: ['封面与环境图（首张为封面）', 'Cover and pictures (the first is the cover)'],
    max: 9,
    optional: true,
    maxBytes: 5 * 1024 * 1024,
    initial: rows => rows[0]?.covers ?? [],
  }),
  parking_note: ask.text({
    label: ['停车说明', 'Parking'],
    max: 200,
    lines: 2,
    optional: true,
    initial: rows => rows[0]?.parking_note,
  }),
  facility_note: ask.text({
    label: ['设施说明', 'Facilities'],
    max: 200,
    lines: 2,
    optional: true,
    initial: rows => rows[0]?.facility_note,
  }),
  intro: ask.text({
    label: ['简介', 'Introduction'],
    max: 2000,
    lines: 4,
    optional: true,
    initial: rows => rows[0]?.intro,
  }),
}
/** The questions of a mall's form. */
export const mallAsks = (cities: Cities, coded: Coded) => ({
  ...basicAsks(cities),
  ...placeAsks(coded),
  ...shownAsks,
})

/** What the form holds beside its questions. */
export const givenFrom = ([of]: readonly MallProfile[]): {
  pin: Pin | undefined
  hours: Hours[]
} => ({
  pin:
    of?.lng_e6 != null && of.lat_e6 != null ? { lng_e6: of.lng_e6, lat_e6: of.lat_e6 } : undefined,
  hours: of?.open_hours ?? [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '10:00', to: '22:00' }],
})
/** How the review of changes tells what is no question. */
export const besides = {
  pin: {
    label: ['位置', 'Place'],
    told: (of?: Pin) => (of ? `${of.lng_e6 / 1e6}, ${of.lat_e6 / 1e6}` : '—'),
  },
  hours: {
    label: ['营业时间', 'Opening hours'],
    told: (of: Hours[] | undefined, say: Say) =>
      (of ?? []).map(one => `${one.weekdays.join(' ')} ${one.from}–${one.to}`).join(say(semicolon)),
  },
} as const

/** What is sent of the answers; a pin outside its city is sent with the reason that was given. */
export const bodyOf = (answers: MallAnswers) =>
  ({
    name: answers.name,
    short_name: answers.short_name ?? '',
    city_id: Number(answers.city),
    kind: answers.kind,
    district: answers.district ?? '',
    address: answers.address ?? '',
    lng_e6: answers.pin?.lng_e6 ?? null,
    lat_e6: answers.pin?.lat_e6 ?? null,
    logo: answers.logo?.[0] ?? '',
    covers: answers.covers ?? [],
    open_hours: answers.hours ?? [],
    phone: answers.phone ?? '',
    parking_note: answers.parking_note ?? '',
    facility_note: answers.facility_note ?? '',
    intro: answers.intro ?? '',
    ...(answers.pin_reason?.trim() ? { confirm_pin: true, reason: answers.pin_reason.trim() } : {}),
  }) satisfies Sent<typeof calls.create>
