export type Box = { left: number; top: number; right: number; bottom: number }
type Size = { width: number; height: number }

const EDGE = 16
/** From the top or the bottom of the window (specification, section 9). */
const OFFSET = 70
const STEP = 40

const shared = (one: Box, other: Box): number =>
  Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
  Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top))
const covered = (place: Box, of: readonly Box[]): number =>
  of.reduce((sum, box) => sum + shared(place, box), 0)
/** Where messages may stand: at the top right, then from the bottom right up, then farther left. */
const placesIn = ({ width, height }: Size, room: Size): Box[] => {
  const lefts = [room.width - width - EDGE, (room.width - width) / 2, EDGE].map(left =>
    Math.max(0, Math.round(left)),
  )
  const lowest = room.height - height - OFFSET
  const upwards = Array.from(
    { length: Math.max(1, Math.floor((lowest - OFFSET) / STEP) + 1) },
    (_, at) => Math.max(0, lowest - at * STEP),
  )
  const tops = [OFFSET, ...upwards]
  return lefts.flatMap(left =>
    tops.map(top => ({ left, top, right: left + width, bottom: top + height })),
  )
}
/**
 * Where messages of such a size stand in the window: the first place that covers nothing of what
 * must be seen, and of those the one that covers least of what is pressed; where none is clear, the
 * one that covers least.
 */
export const placeOf = (
  size: Size,
  room: Size,
  { kept, pressed }: { kept: readonly Box[]; pressed: readonly Box[] },
): { left: number; top: number } => {
  const costs = placesIn(size, room).map(place => ({
    place,
    cost: covered(place, kept) * 1000 + covered(place, pressed),
  }))
  const best = costs.reduce((least, one) => (one.cost < least.cost ? one : least))
  return { left: best.place.left, top: best.place.top }
}

/** What is never covered: what an item is called, what is decided on it, and which one is next. */
export const KEPT = [
  '.s-pane header',
  '.m-decisions',
  '.m-over-head',
  '.bp6-button.bp6-intent-primary',
  '.bp6-button.bp6-intent-danger',
  ':is(.m-grid-row, .m-tree-row, .m-board-row)[data-focused]',
  ':is(.m-grid-row, .m-tree-row, .m-board-row)[data-focused] + *',
  '.bp6-dialog-header',
]
/** What is covered only where nothing else is free. */
const PRESSED = 'button, a, input, select, textarea, [role=tab], [role=dialog]'

const boxesOf = (selector: string): Box[] =>
  [...document.querySelectorAll<HTMLElement>(selector)].flatMap(element => {
    if (element.closest('.s-toasts') || !element.checkVisibility()) return []
    const { left, top, right, bottom } = element.getBoundingClientRect()
    return right > left && bottom > top ? [{ left, top, right, bottom }] : []
  })
/** Puts the messages where they are in nobody's way; those that a person is at stay. */
export const putAside = (toasts: HTMLElement): void => {
  if (toasts.childElementCount === 0) return
  if (toasts.matches(':hover') || toasts.contains(document.activeElement)) return
  const size = { width: toasts.offsetWidth, height: toasts.offsetHeight }
  const room = { width: window.innerWidth, height: window.innerHeight }
  const { left, top } = placeOf(size, room, {
    kept: boxesOf(KEPT.join()),
    pressed: boxesOf(PRESSED),
  })
  Object.assign(toasts.style, { left: `${left}px`, top: `${top}px`, right: 'auto', bottom: 'auto' })
}
