import { Button, Menu, MenuItem, PopoverNext } from '@blueprintjs/core'
import { CaretDown } from '@blueprintjs/icons'
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useSay } from './text.ts'

type Tab<K extends string> = { key: K; title: ReactNode }
/** Pixels between two tabs, as in kit.css. */
const GAP = 4
/** Pixels that the button of the tabs without room takes. */
const MORE = 72

/**
 * The places of the tabs that a row of so many pixels shows: the first ones, and always the one
 * that is chosen.
 */
export const fitting = (
  widths: readonly number[],
  chosen: number,
  room: number,
): ReadonlySet<number> => {
  const whole = widths.reduce((sum, width) => sum + width + GAP, -GAP)
  if (whole <= room) return new Set(widths.keys())
  const shown = new Set(chosen < 0 ? [] : [chosen])
  let left = room - MORE - GAP - (widths[chosen] ?? 0)
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
/** How wide the row and each of its tabs are, once they are laid out. */
const useSizes = (keys: string) => {
  const row = useRef<HTMLDivElement>(null)
  const [sizes, setSizes] = useState<Sizes>({ room: 0, widths: [] })
  useEffect(() => {
    const node = row.current!
    const tabs = [...node.querySelectorAll<HTMLElement>('[role=tab]')]
    const seen = new ResizeObserver(() => {
      const style = getComputedStyle(node)
      const padding = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight)
      const next = {
        room: node.clientWidth - padding,
        widths: tabs.map(tab => tab.offsetWidth),
      }
      // A hidden pane has no room at all, and is not measured.
      if (node.clientWidth > 0) setSizes(known => (isSame(known, next) ? known : next))
    })
    for (const part of [node, ...tabs]) seen.observe(part)
    return () => seen.disconnect()
  }, [keys])
  return { row, sizes }
}

/**
 * Tabs of which one is shown; the arrow keys turn to the one beside it, and round at the ends.
 * Those that have no room stand in a menu behind them.
 */
export const Tabs = <K extends string>({
  label,
  all,
  at,
  go,
}: {
  label: string
  all: readonly Tab<K>[]
  at: K
  go: (key: K) => void
}) => {
  const { row, sizes } = useSizes(all.map(({ key }) => key).join())
  const chosen = all.findIndex(({ key }) => key === at)
  const shown =
    sizes.widths.length === all.length ? fitting(sizes.widths, chosen, sizes.room) : undefined
  const others = shown ? all.filter((_, place) => !shown.has(place)) : []
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!by) return
    event.preventDefault()
    event.stopPropagation()
    go(turned(all, at, by))
    const list = event.currentTarget
    requestAnimationFrame(() => list.querySelector<HTMLElement>('[aria-selected=true]')?.focus())
  }
  return (
    <div className="m-tabs" ref={row}>
      <div role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {all.map(({ key, title }, place) => (
          <button
            key={key}
            type="button"
            role="tab"
            aria-selected={key === at}
            tabIndex={key === at ? 0 : -1}
            data-over={(shown && !shown.has(place)) || undefined}
            onClick={() => go(key)}
          >
            {title}
          </button>
        ))}
      </div>
      {others.length > 0 && <MoreTabs label={label} others={others} go={go} />}
    </div>
  )
}
const MoreTabs = <K extends string>({
  label,
  others,
  go,
}: {
  label: string
  others: readonly Tab<K>[]
  go: (key: K) => void
}) => {
  const say = useSay()
  return (
    <PopoverNext
      placement="bottom-end"
      content={
        <Menu className="m-more-tabs" aria-label={label}>
          {others.map(({ key, title }) => (
            <MenuItem key={key} text={title} onClick={() => go(key)} />
          ))}
        </Menu>
      }
    >
      <Button
        size="small"
        variant="minimal"
        endIcon={<CaretDown />}
        aria-label={say(['更多{of}', 'More: {of}'], { of: label })}
        text={say(['更多', 'More'])}
      />
    </PopoverNext>
  )
}
/** The key of the tab so many places on. */
export const turned = <K extends string>(all: readonly { key: K }[], at: K, by: number): K =>
  all[(all.findIndex(({ key }) => key === at) + by + all.length) % all.length]!.key
