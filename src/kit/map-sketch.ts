import type { Pin } from '#src/areas/place/geo.ts'

/** The size of a drawn map, in its own units. */
export const [MAP_WIDTH, MAP_HEIGHT] = [640, 320]
const METRES_A_DEGREE = 111_320
/** A view of the earth, to scale: `span` metres from its left to its right. */
export type View = { middle: Pin; span: number }
const squeezeOf = ({ middle }: View): number => Math.cos((middle.lat_e6 / 1e6) * (Math.PI / 180))
/** Where a point is drawn. */
export const drawnAt = (view: View, pin: Pin): { x: number; y: number } => {
  const scale = MAP_WIDTH / view.span
  return {
    x:
      MAP_WIDTH / 2 +
      ((pin.lng_e6 - view.middle.lng_e6) / 1e6) * METRES_A_DEGREE * squeezeOf(view) * scale,
    y: MAP_HEIGHT / 2 - ((pin.lat_e6 - view.middle.lat_e6) / 1e6) * METRES_A_DEGREE * scale,
  }
}
/** The point so many metres east and north of another. */
export const shifted = (view: View, from: Pin, east: number, north: number): Pin => ({
  lng_e6: from.lng_e6 + Math.round((east / METRES_A_DEGREE / squeezeOf(view)) * 1e6),
  lat_e6: from.lat_e6 + Math.round((north / METRES_A_DEGREE) * 1e6),
})
/** The point at a place of the drawing, from 0 to 1 across and down. */
export const pointAt = (view: View, across: number, down: number): Pin =>
  shifted(
    view,
    view.middle,
    (across - 0.5) * view.span,
    (0.5 - down) * view.span * (MAP_HEIGHT / MAP_WIDTH),
  )

/** Steps of the grid in 1/1000000 degree: round, so that a line can be read. */
const steps = [2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000]
const LINES = 8
type GridLine = { at: number; degrees: string }
const linesOf = (from: number, to: number, step: number): number[] =>
  Array.from(
    { length: Math.max(0, Math.floor(to / step) - Math.ceil(from / step) + 1) },
    (_, n) => (Math.ceil(from / step) + n) * step,
  )
/** Meridians and parallels in sight, with the degrees they stand for. */
export const gridOf = (view: View): { meridians: GridLine[]; parallels: GridLine[] } => {
  const [top, bottom] = [pointAt(view, 0, 0), pointAt(view, 1, 1)]
  const wide = bottom.lng_e6 - top.lng_e6
  const step = steps.find(one => wide / one <= LINES) ?? steps.at(-1)!
  const digits = step % 10_000 === 0 ? 2 : 3
  const words = (e6: number) => `${(e6 / 1e6).toFixed(digits)}°`
  return {
    meridians: linesOf(top.lng_e6, bottom.lng_e6, step).map(lng_e6 => ({
      at: drawnAt(view, { lng_e6, lat_e6: view.middle.lat_e6 }).x,
      degrees: words(lng_e6),
    })),
    parallels: linesOf(bottom.lat_e6, top.lat_e6, step).map(lat_e6 => ({
      at: drawnAt(view, { lng_e6: view.middle.lng_e6, lat_e6 }).y,
      degrees: words(lat_e6),
    })),
  }
}

/** A round length for the scale bar, a tenth to a quarter of the drawing. */
export const scaleOf = ({ span }: View): { metres: number; width: number } => {
  const most = span / 4
  const power = 10 ** Math.floor(Math.log10(most))
  const metres = [5, 2, 1].map(n => n * power).find(one => one <= most)!
  return { metres, width: (metres / span) * MAP_WIDTH }
}

type Box = { left: number; top: number; right: number; bottom: number }
type Labelled = { key: string; name: string; x: number; y: number }
const [WIDE, NARROW, TALL, GAP] = [12, 7, 16, 8]
const widthOf = (name: string): number =>
  [...name].reduce((sum, one) => sum + (one.charCodeAt(0) > 255 ? WIDE : NARROW), 0)
const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
const inside = (box: Box): boolean =>
  box.left >= 0 && box.top >= 0 && box.right <= MAP_WIDTH && box.bottom <= MAP_HEIGHT
/**
 * Where the names of points stand so that none covers another or a point: right of its point, left,
 * above or below, the first named first. One that finds no place is left out.
 */
export const labelsOf = (
  points: readonly Labelled[],
  taken: readonly Box[] = [],
): Map<string, { x: number; y: number }> => {
  const boxes: Box[] = [
    ...taken,
    ...points.map(({ x, y }) => ({ left: x - 5, top: y - 5, right: x + 5, bottom: y + 5 })),
  ]
  const placed = new Map<string, { x: number; y: number }>()
  for (const { key, name, x, y } of points) {
    const width = widthOf(name)
    const tries: Box[] = [
      [x + GAP, y - TALL / 2],
      [x - GAP - width, y - TALL / 2],
      [x - width / 2, y - GAP - TALL],
      [x - width / 2, y + GAP],
    ].map(([left, top]) => ({
      left: left!,
      top: top!,
      right: left! + width,
      bottom: top! + TALL,
    }))
    const box = tries.find(one => inside(one) && !boxes.some(other => overlap(one, other)))
    if (!box) continue
    boxes.push(box)
    placed.set(key, { x: box.left, y: box.bottom - 4 })
  }
  return placed
}
