import type { ComponentProps } from 'react'
import { places } from '#src/contract/places.ts'
import { useRead } from './data.ts'
import { Choice } from './filters.tsx'
import { useSay } from './text.ts'

type Filtered = Pick<ComponentProps<typeof Choice>, 'of'>
type Option = { value: string | number; label: string }

/** The cities of my scope as every filter and form offers them (specification, section 7). */
export const useCities = () => useRead(places.cities, { simp: 1, page: 1, pageSize: 100 })

/** The cities to filter by: 全部 first, whose value is empty (specification, section 3). */
export const useCityOptions = (): readonly Option[] => {
  const say = useSay()
  const { data = [] } = useCities()
  return [
    { value: '', label: say(['全部', 'All']) },
    ...data.map(one => ({ value: one.id, label: one.city_name })),
  ]
}
/**
 * The malls to filter by, of a city or of all: 全部 first, whose value is empty, then 商场外, which
 * is 0 (specification, section 3).
 */
export const useMallOptions = (city_id?: number): readonly Option[] => {
  const say = useSay()
  const { data } = useRead(places.malls, { page: 1, limit: 1000, ...(city_id && { city_id }) })
  return [
    { value: '', label: say(['全部', 'All']) },
    { value: 0, label: say(['商场外', 'Outside malls']) },
    ...(data?.list ?? []).map(one => ({ value: one.mid, label: one.name })),
  ]
}

/** Filters a list by its `city_id`; a mall of another city is let go with it. */
export const CityFilter = ({ of }: Filtered) => (
  <Choice
    of={'mid' in of.input ? { ...of, filter: more => of.filter({ ...more, mid: undefined }) } : of}
    by="city_id"
    label={useSay()(['城市', 'City'])}
    options={useCityOptions()}
    named
  />
)
/** Filters a list by its `mid`: the malls of the city that it is filtered by, or all. */
export const MallFilter = ({ of }: Filtered) => (
  <Choice
    of={of}
    by="mid"
    label={useSay()(['商场', 'Mall'])}
    options={useMallOptions((of.input as { city_id?: number }).city_id)}
    named
  />
)
