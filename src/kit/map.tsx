import { Button, InputGroup } from '@blueprintjs/core'
import { Locate, Search } from '@blueprintjs/icons'
import { useEffect, useId, useRef, useState } from 'react'
import type { Pin } from '#src/areas/place/geo.ts'
import { mapService } from '#src/contract/map.ts'
import { useRead } from './data.ts'
import { Drawn } from './map-drawn.tsx'
import { useSay } from './text.ts'
import './map.css'

/** As much of AMap's JS API 1.4 as is used here. */
type LngLat = { getLng: () => number; getLat: () => number }
type Tip = { id: string; name: string; address?: string; location?: LngLat }
type AMapMap = {
  on: (event: 'click', run: (event: { lnglat: LngLat }) => void) => void
  addControl: (control: unknown) => void
  setCenter: (at: [number, number]) => void
  setZoom: (zoom: number) => void
  add: (overlay: unknown) => void
  remove: (overlay: unknown) => void
  destroy: () => void
}
type AMapApi = {
  Map: new (box: HTMLElement, of: object) => AMapMap
  Marker: new (of: object) => {
    setPosition: (at: [number, number]) => void
    setMap: (map: AMapMap | null) => void
    on: (event: 'dragend', run: (event: { lnglat: LngLat }) => void) => void
  }
  Polygon: new (of: object) => unknown
  Scale: new () => unknown
  OverView: new (of?: object) => unknown
  ToolBar: new (of?: object) => unknown
  MapType: new (of?: object) => unknown
  PlaceSearch: new (of: object) => {
    search: (
      words: string,
      run: (status: string, result: { poiList?: { pois: Tip[] } }) => void,
    ) => void
  }
  DistrictSearch: new (of: object) => {
    search: (
      name: string,
      run: (status: string, result: { districtList?: { boundaries?: unknown[] }[] }) => void,
    ) => void
  }
  Geolocation: new (of: object) => {
    getCurrentPosition: (run: (status: string, result: { position?: LngLat }) => void) => void
  }
  Geocoder: new (of: object) => {
    getAddress: (
      at: [number, number],
      run: (status: string, result: { regeocode?: { formattedAddress: string } }) => void,
    ) => void
  }
}
const PLUGINS = [
  'AMap.Scale',
  'AMap.OverView',
  'AMap.ToolBar',
  'AMap.MapType',
  'AMap.PlaceSearch',
  'AMap.DistrictSearch',
  'AMap.Geolocation',
  'AMap.Geocoder',
]
/** A service that does not answer within this is called lost, and the drawn map takes its place. */
const LOAD_MS = 8000
let loading: Promise<AMapApi> | undefined
const loadAMap = (of: { key: string; security_code: string }): Promise<AMapApi> =>
  (loading ??= (async () => {
    Object.assign(window, { _AMapSecurityConfig: { securityJsCode: of.security_code } })
    const { load } = await import('@amap/amap-jsapi-loader')
    return Promise.race([
      load({ key: of.key, version: '1.4.4', plugins: PLUGINS }) as Promise<AMapApi>,
      new Promise<never>((_, fail) => {
        setTimeout(() => fail(new Error('the map service did not answer')), LOAD_MS)
      }),
    ])
  })().catch((error: unknown) => {
    loading = undefined
    throw error
  }))

const e6 = (at: LngLat): Pin => ({
  lng_e6: Math.round(at.getLng() * 1e6),
  lat_e6: Math.round(at.getLat() * 1e6),
})
const degrees = (pin: Pin): [number, number] => [pin.lng_e6 / 1e6, pin.lat_e6 / 1e6]
const written = (pin: Pin | null) =>
  pin ? `${(pin.lng_e6 / 1e6).toFixed(6)}, ${(pin.lat_e6 / 1e6).toFixed(6)}` : ''
/**
 * `121.4737, 31.2304` in either width, degrees east and north; undefined for what is no point on
 * earth.
 */
const pinOf = (text: string): Pin | undefined => {
  const parts = text
    .normalize('NFKC')
    .split(/[,\s，]+/)
    .filter(Boolean)
    .map(Number)
  const [lng, lat] = parts
  return parts.length === 2 &&
    lng !== undefined &&
    lat !== undefined &&
    Math.abs(lng) <= 180 &&
    Math.abs(lat) <= 90
    ? { lng_e6: Math.round(lng * 1e6), lat_e6: Math.round(lat * 1e6) }
    : undefined
}

const NONE: NonNullable<Props['others']> = []
type Props = {
  label: string
  value: Pin | null
  onChange: (pin: Pin | null) => void
  /**
   * Where the map looks when there is no pin, and the name by which the service knows that place.
   */
  centre: Pin
  place: string
  /** Other points to show: what stands near by. */
  others?: readonly { id: number; name: string; pin: Pin }[]
  /** The service's words for the pin, where it has some. */
  onAddress?: (address: string) => void
  readOnly?: boolean
}

const hints = {
  fault: [
    '请输入“经度, 纬度”，如 121.473700, 31.230400',
    'Longitude, latitude, such as 121.473700, 31.230400',
  ],
  lost: ['地图服务暂时不可用，可手动选点', 'The map service is not available: put the pin by hand'],
  drawn: [
    '示意图：点击放置，方向键移动 50 米，Shift 移动 500 米，+ − 缩放',
    'A sketch: click puts the pin, arrows move it 50 m, with Shift 500 m, + and − zoom',
  ],
} as const
/**
 * Puts a pin on a map: by mouse, by arrow keys, by typed coordinates, and by search where the
 * installation has a map service. Values in 1/1000000 degree.
 */
export const MapPin = (props: Props) => {
  const say = useSay()
  const base = useId()
  const { data: service } = useRead(mapService, {})
  const [api, setApi] = useState<AMapApi | undefined>(undefined)
  const [lost, setLost] = useState(false)
  const [typed, setTyped] = useState(() => written(props.value))
  const [shown, setShown] = useState(written(props.value))
  useEffect(() => {
    const now = written(props.value)
    if (now !== shown) {
      setShown(now)
      setTyped(now)
    }
  }, [props.value, shown])
  useEffect(() => {
    if (!service || lost || api) return
    let live = true
    loadAMap(service).then(
      found => {
        if (live) setApi(() => found)
      },
      () => {
        if (live) setLost(true)
      },
    )
    return () => {
      live = false
    }
  }, [service, lost, api])
  const fault = typed.trim() !== '' && !pinOf(typed)
  const map = lost ? 'lost' : 'drawn'
  const hint = fault ? hints.fault : !api && hints[map]
  const commit = () => {
    if (typed.trim() === '') {
      if (props.value) props.onChange(null)
    } else {
      const pin = pinOf(typed)
      if (pin && written(pin) !== written(props.value)) props.onChange(pin)
    }
  }
  return (
    <div className="m-map" role="group" aria-label={props.label}>
      {api ? (
        <Served api={api} {...props} />
      ) : (
        <Drawn
          {...props}
          written={written}
          others={props.others ?? NONE}
          readOnly={props.readOnly ?? false}
        />
      )}
      <div className="m-map-foot">
        <InputGroup
          size="small"
          aria-label={say(['经纬度', 'Longitude, latitude'])}
          aria-invalid={fault}
          aria-describedby={`${base}-fault`}
          placeholder="121.473700, 31.230400"
          value={typed}
          readOnly={props.readOnly ?? false}
          onValueChange={setTyped}
          onBlur={commit}
          onKeyDown={event => {
            if (event.key === 'Enter') {
              event.preventDefault()
              event.stopPropagation()
              commit()
            }
          }}
        />
        <span className="m-muted" id={`${base}-fault`} role={fault ? 'alert' : undefined}>
          {hint && say(hint)}
        </span>
      </div>
    </div>
  )
}

const Served = ({
  api,
  label,
  value,
  onChange,
  centre,
  place,
  others = [],
  onAddress,
  readOnly = false,
}: Props & { api: AMapApi }) => {
  const say = useSay()
  const box = useRef<HTMLDivElement>(null)
  const held = useRef<{ map: AMapMap; marker: InstanceType<AMapApi['Marker']> } | undefined>(
    undefined,
  )
  const [words, setWords] = useState('')
  const [tips, setTips] = useState<readonly Tip[]>([])
  const latest = useRef({ onChange, onAddress, readOnly, centre })
  useEffect(() => {
    latest.current = { onChange, onAddress, readOnly, centre }
  })
  const put = (pin: Pin) => {
    if (latest.current.readOnly) return
    latest.current.onChange(pin)
    new api.Geocoder({ radius: 500 }).getAddress(degrees(pin), (status, result) => {
      if (status === 'complete' && result.regeocode)
        latest.current.onAddress?.(result.regeocode.formattedAddress)
    })
  }
  const putting = useRef(put)
  useEffect(() => {
    putting.current = put
  })
  useEffect(() => {
    if (!box.current) return
    const map = new api.Map(box.current, {
      zoom: 14,
      center: degrees(latest.current.centre),
      resizeEnable: true,
    })
    for (const control of [
      new api.Scale(),
      new api.ToolBar({ liteStyle: true }),
      new api.MapType({ defaultType: 0 }),
      new api.OverView({ isOpen: false }),
    ])
      map.addControl(control)
    const marker = new api.Marker({ draggable: true })
    marker.on('dragend', event => putting.current(e6(event.lnglat)))
    map.on('click', event => putting.current(e6(event.lnglat)))
    held.current = { map, marker }
    return () => {
      held.current = undefined
      map.destroy()
    }
  }, [api])
  useEffect(() => {
    const { map, marker } = held.current ?? {}
    if (!map || !marker) return
    if (value) {
      marker.setPosition(degrees(value))
      marker.setMap(map)
      map.setCenter(degrees(value))
    } else {
      marker.setMap(null)
      map.setCenter(degrees(centre))
    }
  }, [value, centre])
  useEffect(() => {
    const map = held.current?.map
    if (!map) return
    const marks = others.map(
      one => new api.Marker({ position: degrees(one.pin), title: one.name, map }),
    )
    return () => {
      for (const mark of marks) mark.setMap(null)
    }
  }, [api, others])
  useEffect(() => {
    const map = held.current?.map
    if (!map) return
    let border: unknown
    new api.DistrictSearch({ level: 'city', extensions: 'all', subdistrict: 0 }).search(
      place,
      (status, result) => {
        const path = result.districtList?.[0]?.boundaries
        if (status === 'complete' && path && held.current?.map === map) {
          border = new api.Polygon({ path, strokeWeight: 2, fillOpacity: 0.04, bubble: true })
          map.add(border)
        }
      },
    )
    return () => {
      if (border && held.current?.map === map) map.remove(border)
    }
  }, [api, place])
  const search = () => {
    if (words.trim())
      new api.PlaceSearch({ city: place, pageSize: 8 }).search(words.trim(), (status, result) =>
        setTips(status === 'complete' ? (result.poiList?.pois ?? []) : []),
      )
  }
  return (
    <>
      {!readOnly && (
        <div className="m-map-search">
          <InputGroup
            size="small"
            leftIcon={<Search />}
            aria-label={say(['搜索地点', 'Search a place'])}
            placeholder={say(['搜索地点，Enter 查找', 'Search a place, Enter finds'])}
            value={words}
            onValueChange={setWords}
            onKeyDown={event => {
              if (event.key === 'Enter') {
                event.preventDefault()
                event.stopPropagation()
                search()
              }
            }}
          />
          <Button
            size="small"
            icon={<Locate />}
            aria-label={say(['定位到我', 'Where I am'])}
            onClick={() =>
              new api.Geolocation({ enableHighAccuracy: true, timeout: 8000 }).getCurrentPosition(
                (status, result) => {
                  if (status === 'complete' && result.position) put(e6(result.position))
                },
              )
            }
          />
          {tips.length > 0 && (
            <div className="m-choices" aria-label={say(['搜索结果', 'Found'])}>
              {tips.map(tip => (
                <button
                  key={tip.id}
                  type="button"
                  onClick={() => {
                    if (tip.location) put(e6(tip.location))
                    setTips([])
                  }}
                >
                  {tip.name}
                  <span className="m-muted"> {tip.address}</span>
                </button>
              ))}
            </div>
          )}
        </div>
      )}
      <div ref={box} className="m-map-box" aria-label={label} />
    </>
  )
}
