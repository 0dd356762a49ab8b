import { Button } from '@blueprintjs/core'
import { useEffect, useMemo, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { CITY_REACH_M, metres, type Pin } from '#src/areas/place/geo.ts'
import {
  drawnAt,
  gridOf,
  labelsOf,
  MAP_HEIGHT,
  MAP_WIDTH,
  pointAt,
  scaleOf,
  shifted,
  type View,
} from './map-sketch.ts'
import { useSay } from './text.ts'

type Props = {
  label: string
  value: Pin | null
  /** How the pin is told. */
  written: (pin: Pin | null) => string
  onChange: (pin: Pin | null) => void
  centre: Pin
  place: string
  others: readonly { id: number; name: string; pin: Pin }[]
  readOnly: boolean
}
/** Metres across the drawn map, from near to far. */
const spans = [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000] as const
/** From this span on the cities round about are in sight. */
const FAR = 50_000
const reachWords = (metresFar: number): string =>
  metresFar >= 1000 ? `${metresFar / 1000} km` : `${metresFar} m`

type Place = { key: string; name: string; pin: Pin; kind: 'city' | 'near' | 'other' }
/** The seats of the cities round about, from the table of divisions, where one looks from afar. */
const useCitiesNear = (centre: Pin, place: string, span: number): readonly Place[] => {
  const [all, setAll] = useState<readonly Place[]>([])
  const far = span >= FAR
  useEffect(() => {
    if (!far) return
    let live = true
    void import('#src/areas/place/divisions.ts').then(({ divisions }) => {
      if (!live) return
      const seats = [...divisions.values()].flatMap(({ adcode, city_name, lng, lat }) =>
        lng === null || lat === null
          ? []
          : {
              key: adcode,
              name: city_name,
              kind: 'near' as const,
              pin: { lng_e6: Math.round(Number(lng) * 1e6), lat_e6: Math.round(Number(lat) * 1e6) },
            },
      )
      setAll(seats.filter(one => one.name !== place && metres(one.pin, centre) < span))
    })
    return () => {
      live = false
    }
  }, [far, centre, place, span])
  return far ? all : []
}

/** The corner of the scale bar, where nothing else is written. */
const SCALE_BOX = { left: 0, top: MAP_HEIGHT - 36, right: 180, bottom: MAP_HEIGHT }

const Grid = ({ view }: { view: View }) => {
  const { meridians, parallels } = useMemo(() => gridOf(view), [view])
  return (
    <g aria-hidden="true">
      {meridians.map(({ at, degrees }) => (
        <g key={degrees}>
          <path className="m-map-line" d={`M${at} 0V${MAP_HEIGHT}`} />
          <text className="m-map-degrees" x={at + 3} y={11}>
            {degrees}
          </text>
        </g>
      ))}
      {parallels.map(({ at, degrees }) => (
        <g key={degrees}>
          <path className="m-map-line" d={`M0 ${at}H${MAP_WIDTH}`} />
          {at < SCALE_BOX.top && (
            <text className="m-map-degrees" x={3} y={at - 3}>
              {degrees}
            </text>
          )}
        </g>
      ))}
    </g>
  )
}
const ScaleBar = ({ view }: { view: View }) => {
  const { metres: far, width } = scaleOf(view)
  return (
    <g aria-hidden="true">
      <path className="m-map-scale" d={`M12 ${MAP_HEIGHT - 16}v4h${width}v-4`} />
      <text x="16" y={MAP_HEIGHT - 18}>
        {reachWords(far)}
      </text>
    </g>
  )
}

const marks: Readonly<Record<Place['kind'], (x: number, y: number) => string>> = {
  city: (x, y) => `M${x - 5} ${y}a5 5 0 1 0 10 0a5 5 0 1 0-10 0`,
  near: (x, y) => `M${x - 3} ${y}a3 3 0 1 0 6 0a3 3 0 1 0-6 0`,
  other: (x, y) => `M${x - 4} ${y - 4}h8v8h-8z`,
}
/** Points with their names: the city's seat, cities round about, and what else stands near by. */
const Places = ({ view, places }: { view: View; places: readonly Place[] }) => {
  const drawn = useMemo(
    () =>
      places
        .map(one => ({ ...one, ...drawnAt(view, one.pin) }))
        .filter(({ x, y }) => x >= 0 && y >= 0 && x <= MAP_WIDTH && y <= MAP_HEIGHT),
    [view, places],
  )
  const labels = useMemo(() => labelsOf(drawn, [SCALE_BOX]), [drawn])
  return (
    <g>
      {drawn.map(({ key, name, kind, x, y }) => {
        const label = labels.get(key)
        return (
          <g key={key}>
            <title>{name}</title>
            <path className={`m-map-${kind}`} d={marks[kind](x, y)} />
            {label && (
              <text className={`m-map-name-${kind}`} x={label.x} y={label.y}>
                {name}
              </text>
            )}
          </g>
        )
      })}
    </g>
  )
}

/** How the map is looked at: how far it spans, and what is in its middle. The pin stays in sight. */
const useView = (value: Pin | null, centre: Pin) => {
  const [zoom, setZoom] = useState(value ? 2 : 5)
  const [middle, setMiddle] = useState(value ?? centre)
  const span = spans[zoom]!
  useEffect(() => {
    setMiddle(now => {
      if (!value) return centre
      return metres(value, now) > span / 3 ? value : now
    })
  }, [value, centre, span])
  const view = useMemo((): View => ({ middle, span }), [middle, span])
  const to = (next: number) => setZoom(Math.max(0, Math.min(spans.length - 1, next)))
  return { view, zoom, to }
}

/** Arrows move the pin, + and − the eye. */
const pressed =
  ({
    value,
    view,
    zoom,
    to,
    onChange,
    readOnly,
  }: Pick<Props, 'value' | 'onChange' | 'readOnly'> & ReturnType<typeof useView>) =>
  (event: KeyboardEvent) => {
    const far = event.shiftKey ? 500 : 50
    const by: Record<string, [number, number]> = {
      ArrowLeft: [-far, 0],
      ArrowRight: [far, 0],
      ArrowUp: [0, far],
      ArrowDown: [0, -far],
    }
    const zooms: Record<string, number> = { '+': -1, '=': -1, '-': 1 }
    const step = event.altKey || event.ctrlKey || event.metaKey ? undefined : by[event.key]
    const closer = zooms[event.key]
    if (!step && !closer) return
    event.preventDefault()
    event.stopPropagation()
    if (closer) to(zoom + closer)
    else if (step && !readOnly) onChange(shifted(view, value ?? view.middle, ...step))
  }
const ZoomButtons = ({ zoom, to }: Pick<ReturnType<typeof useView>, 'zoom' | 'to'>) => {
  const say = useSay()
  return (
    <div className="m-map-zoom">
      <Button
        size="small"
        aria-label={say(['放大', 'Zoom in'])}
        disabled={zoom === 0}
        onClick={() => to(zoom - 1)}
      >
        +
      </Button>
      <Button
        size="small"
        aria-label={say(['缩小', 'Zoom out'])}
        disabled={zoom === spans.length - 1}
        onClick={() => to(zoom + 1)}
      >
        −
      </Button>
    </div>
  )
}

/**
 * A plain drawing, to scale, where there is no map service: degrees, the city's seat and how far it
 * reaches, the cities round about and what stands near by; enough to put a pin by eye or by keys.
 */
export const Drawn = ({
  label,
  value,
  written,
  onChange,
  centre,
  place,
  others,
  readOnly,
}: Props) => {
  const say = useSay()
  const { view, zoom, to } = useView(value, centre)
  const near = useCitiesNear(centre, place, view.span)
  const places = useMemo(
    (): Place[] => [
      { key: 'centre', name: place, pin: centre, kind: 'city' },
      ...others.map(one => ({ ...one, key: `other${one.id}`, kind: 'other' as const })),
      ...near,
    ],
    [centre, place, others, near],
  )
  const onKeyDown = pressed({ value, view, zoom, to, onChange, readOnly })
  const onClick = (event: MouseEvent<SVGSVGElement>) => {
    if (readOnly) return
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    onChange(pointAt(view, (event.clientX - left) / width, (event.clientY - top) / height))
  }
  const [at, seat] = [value && drawnAt(view, value), drawnAt(view, centre)]
  return (
    <div className="m-map-box">
      <svg
        viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`}
        preserveAspectRatio="none"
        role="application"
        aria-roledescription={say(['地图', 'map'])}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={onClick}
        aria-label={
          value
            ? say(['{label}：{at}', '{label}: {at}'], { label, at: written(value) })
            : say(['{label}：未选点', '{label}: no pin'], { label })
        }
      >
        <circle
          className="m-map-reach"
          cx={seat.x}
          cy={seat.y}
          r={(CITY_REACH_M / view.span) * MAP_WIDTH}
        />
        <Grid view={view} />
        <Places view={view} places={places} />
        {at && (
          <path
            className="m-map-pin"
            d={`M${at.x} ${at.y}c-9-12-10-15-10-19a10 10 0 0 1 20 0c0 4-1 7-10 19z`}
          />
        )}
        <ScaleBar view={view} />
      </svg>
      <ZoomButtons zoom={zoom} to={to} />
    </div>
  )
}
