import { Button, MenuItem, PopoverNext } from '@blueprintjs/core'
import { CaretDown } from '@blueprintjs/icons'
import type { KeyboardEvent, ReactNode } from 'react'
import { EntryMenu } from './menu.tsx'
import { fitting, useSizes } from './room.ts'
import { useSay } from './text.ts'

type Tab<K extends string> = { key: K; title: ReactNode }
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
  const { row, sizes } = useSizes(all.map(({ key }) => key).join(), '[role=tab]')
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
        <EntryMenu className="m-more-tabs" aria-label={label}>
          {others.map(({ key, title }) => (
            <MenuItem key={key} text={title} onClick={() => go(key)} />
          ))}
        </EntryMenu>
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
