/** A stretch of a row, in pixels from its left end. */
export type Stretch = { from: number; to: number }
/** The pointer's own place stays clear, so that a press meant for the row is none for a button. */
const CLEAR = 20

const without = (stretch: Stretch, pointer: number): Stretch[] => {
  const parts = [
    { from: stretch.from, to: Math.min(stretch.to, pointer - CLEAR) },
    { from: Math.max(stretch.from, pointer + CLEAR), to: stretch.to },
  ]
  return parts.filter(part => part.to > part.from)
}
/**
 * Where a row has room for what is offered in it: the stretch farthest right that holds as many of
 * the parts as any does. `widths` are those of all parts, of one fewer, and so on; `parts` says
 * which of them it is. Undefined where not even the last has room.
 */
export const slotOf = (
  free: readonly Stretch[],
  pointer: number,
  widths: readonly number[],
): { right: number; fewer: number } | undefined => {
  const places = free
    .flatMap(stretch => without(stretch, pointer))
    .sort((one, other) => other.to - one.to)
  for (const [fewer, width] of widths.entries()) {
    const place = places.find(({ from, to }) => to - from >= width)
    if (place) return { right: place.to, fewer }
  }
  return undefined
}
/** Joins stretches that touch, given from left to right. */
export const joined = (stretches: readonly Stretch[]): Stretch[] => {
  const all: Stretch[] = []
  for (const stretch of stretches) {
    const last = all.at(-1)
    if (last && stretch.from - last.to < 1) last.to = stretch.to
    else all.push({ ...stretch })
  }
  return all
}
