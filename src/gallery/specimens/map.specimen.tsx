import type { Pin } from '#src/areas/place/geo.ts'
import { Drawn } from '#src/kit/map-drawn.tsx'
import { MapPin } from '#src/kit/map.tsx'
import { Kept } from '../frame.tsx'
import { longNames } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const centre: Pin = { lng_e6: 125_323_500, lat_e6: 43_817_000 }
const map = (first: Pin | null, readOnly = false) => (
  <Kept<Pin | null> first={first}>
    {(pin, change) => (
      <MapPin
        label="位置"
        value={pin}
        onChange={change}
        centre={centre}
        place="长春"
        readOnly={readOnly}
        others={[{ id: 1, name: longNames[0]!, pin: { lng_e6: 125_330_000, lat_e6: 43_820_000 } }]}
      />
    )}
  </Kept>
)
export const specimen: Specimen = {
  part: 'map',
  title: ['地图选点', 'A pin on a map'],
  states: [
    { name: ['没有点', 'No pin'], draw: () => map(null) },
    { name: ['有点', 'A pin'], draw: () => map(centre) },
    { name: ['只读', 'Read only'], draw: () => map(centre, true) },
    {
      name: ['示意图，名称相邻', 'The drawing, names close together'],
      draw: () => (
        <Kept<Pin | null> first={null}>
          {(pin, change) => (
            <Drawn
              label="位置"
              value={pin}
              written={() => '125.323500, 43.817000'}
              onChange={change}
              centre={centre}
              place="长春"
              readOnly={false}
              others={longNames.map((name, at) => ({
                id: at + 1,
                name,
                pin: { lng_e6: centre.lng_e6 + at * 9000, lat_e6: centre.lat_e6 + at * 4000 },
              }))}
            />
          )}
        </Kept>
      ),
    },
  ],
}
