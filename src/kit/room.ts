import { useEffect, useRef, useState } from 'react'

/** Pixels between two parts of a row, as in kit.css. */
const GAP = 4
/** Pixels that the button of the parts without room takes. */
const MORE = 72

/**
 * The places of the parts that a row of so many pixels shows: the first ones, and always the one
 * that is chosen. `more` is what a button for the others takes of it.
 */
export const fitting = (
  widths: readonly number[],
  chosen: number,
  room: number,
  more = MORE,
): ReadonlySet<number> => {
  const whole = widths.reduce((sum, width) => sum + width + GAP, -GAP)
  if (whole <= room) return new Set(widths.keys())
  const shown = new Set(chosen < 0 ? [] : [chosen])
  let left = room - more - GAP - (widths[chosen] ?? 0)
  for (const [at, width] of widths.entries()) {
    if (shown.has(at)) continue
    left -= width + GAP
    if (left < 0) break
    shown.add(at)
  }
  return shown
}

type Sizes = { room: number; widths: readonly number[] }
const isSame = (one: Sizes, other: Sizes) =>
  one.room === other.room && one.widths.join() === other.widths.join()
/** How wide a row and each of its parts are, once they are laid out; other `keys`, other parts. */
export const useSizes = (keys: string, parts: string) => {
  const row = useRef<HTMLDivElement>(null)
  const [sizes, setSizes] = useState<Sizes>({ room: 0, widths: [] })
  useEffect(() => {
    const node = row.current!
    const all = [...node.querySelectorAll<HTMLElement>(parts)]
    const seen = new ResizeObserver(() => {
      const style = getComputedStyle(node)
      const padding = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight)
      const next = {
        room: node.clientWidth - padding,
        widths: all.map(part => part.offsetWidth),
      }
      // A hidden pane has no room at all, and is not measured.
      if (node.clientWidth > 0) setSizes(known => (isSame(known, next) ? known : next))
    })
    for (const part of [node, ...all]) seen.observe(part)
    return () => seen.disconnect()
  }, [keys, parts])
  return { row, sizes }
}
