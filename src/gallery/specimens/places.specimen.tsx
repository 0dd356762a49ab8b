import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { Filtered } from '../frame.tsx'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'places',
  title: ['城市与商场', 'Cities and malls'],
  states: [
    {
      name: ['全部城市', 'All cities'],
      draw: () => <Filtered>{of => <CityFilter of={of} />}</Filtered>,
    },
    {
      name: ['一个城市', 'One city'],
      draw: () => <Filtered first={{ city_id: 2 }}>{of => <CityFilter of={of} />}</Filtered>,
    },
    {
      name: ['商场，长名称', 'A mall, a long name'],
      draw: () => <Filtered first={{ mid: 1 }}>{of => <MallFilter of={of} />}</Filtered>,
    },
  ],
}
