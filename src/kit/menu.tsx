import { Menu, type MenuProps } from '@blueprintjs/core'
import type { KeyboardEvent } from 'react'

const ENTRIES = '[role^=menuitem], [role=option]'
const entriesOf = (menu: Element) => [...menu.querySelectorAll<HTMLElement>(ENTRIES)]
/** Where an arrow, Home or End leads in a menu of `n` entries, of which the one at `at` has the focus. */
const stepTo = (key: string, at: number, n: number): number | undefined =>
  ({
    ArrowDown: (at + 1) % n,
    ArrowUp: (Math.max(at, 0) - 1 + n) % n,
    Home: 0,
    End: n - 1,
  })[key]
/** The next entry that begins with a letter, round at the end. */
const beginsWith = (entries: readonly HTMLElement[], at: number, letter: string) =>
  [...entries.slice(at + 1), ...entries.slice(0, at + 1)].find(entry =>
    entry.textContent.toLowerCase().startsWith(letter),
  )
const step = (event: KeyboardEvent<HTMLElement>) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const { key } = event
  const entries = entriesOf(event.currentTarget)
  const at = entries.indexOf(document.activeElement as HTMLElement)
  const to = stepTo(key, at, entries.length)
  const isLetter = key.length === 1 && key !== ' '
  const next =
    to === undefined && isLetter
      ? beginsWith(entries, at, key.toLowerCase())
      : to !== undefined && entries[to]
  if (!next) return
  event.preventDefault()
  event.stopPropagation()
  next.focus()
}
/** A menu that opens over the page takes the focus: the entry that holds now, or the first. */
const begin = (menu: HTMLElement | null) => {
  if (!menu?.closest('.bp6-popover')) return
  const entries = entriesOf(menu)
  const now = entries.find(entry => entry.getAttribute('aria-selected') === 'true') ?? entries[0]
  now?.focus({ preventScroll: true })
}
/**
 * A menu of entries, one of which has the focus from the moment it opens. Arrows, Home and End go
 * along them; a letter goes to the next that begins so.
 */
export const EntryMenu = (props: MenuProps) => <Menu ulRef={begin} onKeyDown={step} {...props} />
