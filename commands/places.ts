import { mallPicker } from '#src/contract/malls.ts'
import { cityOptions } from '#src/contract/places.ts'
import { ask } from './command.ts'

/** Questions for places, named as a row names its own; each page says what is different. */
type One = Partial<Parameters<typeof ask.entity>[0]>
type Several = Parameters<typeof ask.entities>[0]

export const cityAsk = (of: One = {}) =>
  ask.entity({
    label: ['城市', 'City'],
    find: cityOptions,
    labelOf: row => row.city_name,
    named: rows => rows[0]?.city_name,
    ...of,
  })
export const citiesAsk = (of: Partial<Several> & { max: number }) =>
  ask.entities({
    label: ['城市', 'Cities'],
    find: cityOptions,
    labelOf: row => row.city_name,
    named: ([row]) =>
      Object.fromEntries(
        (row?.city_ids ?? []).map((id: number, at: number) => [id, row.city_names[at]]),
      ),
    ...of,
  })
export const mallAsk = (of: One = {}) =>
  ask.entity({
    label: ['商场', 'Mall'],
    find: mallPicker,
    key: 'mid',
    labelOf: row => row.name,
    named: rows => rows[0]?.mall_name,
    ...of,
  })
