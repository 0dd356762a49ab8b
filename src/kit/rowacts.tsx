import { Button } from '@blueprintjs/core'
import { More } from '@blueprintjs/icons'
import {
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type MouseEvent,
} from 'react'
import type { Action } from '#commands/command.ts'
import { ACTS, type Column } from './column.ts'
import { PressButton } from './pressable.tsx'
import { joined, slotOf, type Stretch } from './rowslot.ts'
import { titleIn, useLang, useSay } from './text.ts'
import { useDo, useReason } from './toolbar.tsx'
import { isFirm } from './usefit.ts'
import { useWorkbench } from './workbench.ts'

/** So many of a row's actions stand in it as buttons; all of them are in the menu behind. */
const FIRST = 2
/** What rows of a list can have done to them, and where their menu opens. */
type RowActing = { actions: readonly Action[]; menu: (button: Element) => void }
const RowActingContext = createContext<RowActing | undefined>(undefined)
export const RowActingProvider = RowActingContext.Provider

/** Those that a row shows of its actions: the main ones before the others, dangerous ones last of each. */
const firstOf = (actions: readonly Action[]): readonly Action[] => {
  const rank = (action: Action) => (action.main ? 0 : 2) + (action.danger ? 1 : 0)
  return [...actions].sort((one, other) => rank(one) - rank(other)).slice(0, FIRST)
}
/** The same value for the same actions, so that no row is drawn anew for another list of them. */
export const useRowActing = (actions: readonly Action[], menu: RowActing['menu']): RowActing => {
  const first = firstOf(actions)
  const names = first.map(action => action.id).join()
  const latest = useRef(first)
  latest.current = first
  return useMemo(() => ({ actions: names ? latest.current : [], menu }), [names, menu])
}

const quiet = (event: MouseEvent) => event.stopPropagation()
/** The rows have the focus, not the button: keys go on from the row that was pressed in. */
const keepFocus = (event: MouseEvent) => {
  event.preventDefault()
  event.currentTarget.closest<HTMLElement>('.m-grid')?.focus({ preventScroll: true })
}
/**
 * The first actions of a row, and the menu of all. They are for the mouse: keys have the toolbar's
 * keys and the row's menu, so none of these is a stop of Tab.
 */
const Acts = ({ row }: { row: unknown }) => {
  const acting = useContext(RowActingContext)
  const { keysOf } = useWorkbench()
  const now = useLang()
  const say = useSay()
  const reason = useReason()
  const perform = useDo()
  if (!acting) return null
  const titleOf = (action: Action) => {
    const keys = keysOf(action.id)
    return keys ? `${titleIn(action, now)} (${keys})` : titleIn(action, now)
  }
  return (
    <span className="m-row-acts" onMouseDown={keepFocus} onDoubleClick={quiet}>
      {acting.actions.map(action => (
        <PressButton
          key={action.id}
          size="small"
          variant="outlined"
          tabIndex={-1}
          why={reason(action, [row])}
          title={titleOf(action)}
          data-command={action.id}
          onClick={() => perform(action, [row])}
        >
          {titleIn(action, now)}
        </PressButton>
      ))}
      <Button
        size="small"
        variant="minimal"
        tabIndex={-1}
        icon={<More size={14} />}
        aria-label={say(['此行的更多操作', 'More actions of this row'])}
        aria-haspopup="menu"
        onClick={event => acting.menu(event.currentTarget)}
      />
    </span>
  )
}
/** What can be done with each row, in a column that a person switches on. */
export const actsColumn: Column<unknown> = {
  key: ACTS,
  title: ['操作', 'Actions'],
  width: 180,
  optional: true,
  cell: row => <Acts row={row} />,
}

/** So long the pointer rests on a row before its actions come: a list is crossed more than used. */
const REST_MS = 160
/** A column of words keeps so much at its left, to be told from others: pixels, and at least a part. */
const KEPT = [72, 0.4] as const
type At = { id: number; x: number; line: HTMLElement }

/** The right end of what a cell shows. */
const endOf = (cell: Element) => {
  const range = document.createRange()
  range.selectNodeContents(cell)
  return range.getBoundingClientRect().right + 8
}
/**
 * Where only words stand in a row: numbers, states and moments stay in sight, and so does all of
 * what the row is known by. Firm is what is so in any row drawn, so that the place is the same in
 * each.
 */
const freeOf = (line: HTMLElement): Stretch[] => {
  const cells = [...line.querySelectorAll<HTMLElement>('[data-column]')]
  const rows = line.parentElement!
  const firm = new Set(
    [...rows.querySelectorAll<HTMLElement>('[data-column]')].flatMap(cell =>
      isFirm(cell) ? (cell.dataset.column ?? []) : [],
    ),
  )
  const left = line.getBoundingClientRect().left
  return joined(
    cells.flatMap((cell, at) => {
      const { left: start, right: to } = cell.getBoundingClientRect()
      const isWords = !firm.has(cell.dataset.column!)
      const before = cells[at - 1]?.dataset.column
      // Words that follow others may be covered whole, for the others keep their beginning.
      const isFirst = at < 2 || firm.has(before!)
      const kept = isFirst ? Math.min(KEPT[0], (to - start) * KEPT[1]) : 0
      const from = at === 0 ? Math.min(to, endOf(cell)) : start + kept
      if (at === 0 ? from >= to : !isWords) return []
      return [{ from: from - left, to: to - left }]
    }),
  )
}

/** Places the offer in its row, or leaves it out of sight where the row has no room for it. */
const place = (offer: HTMLElement, { line, x }: At) => {
  const parts = [...offer.querySelectorAll<HTMLElement>('.m-row-acts > *')]
  for (const part of parts) delete part.dataset.over
  const own = parts.map(part => part.offsetWidth + 4)
  // The menu is the last part, and the last to go.
  const widths = parts.map(
    (_, fewer) =>
      own.slice(0, parts.length - 1 - fewer).reduce((sum, one) => sum + one, 0) + own.at(-1)! + 8,
  )
  const box = line.getBoundingClientRect()
  const rows = line.parentElement!.getBoundingClientRect()
  const slot = slotOf(freeOf(line), x - box.left, widths)
  offer.style.visibility = slot ? 'visible' : 'hidden'
  if (!slot) return
  for (const part of parts.slice(parts.length - 1 - slot.fewer, -1)) part.dataset.over = 'true'
  offer.style.top = `${box.top - rows.top}px`
  offer.style.height = `${box.height - 1}px`
  offer.style.left = `${box.left - rows.left + slot.right - widths[slot.fewer]!}px`
}
/**
 * Offers the actions of the row that the pointer rests on, in the row, where only words stand.
 * Nothing moves for it, and it is drawn once for the whole list. A screen reader does not hear of
 * it: it has the row's menu.
 */
export const RowOffer = <Row extends { id: number }>({
  rows,
  onPick,
}: {
  rows: readonly Row[]
  onPick: (id: number) => void
}) => {
  const mark = useRef<HTMLElement>(null)
  const offer = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<At | undefined>(undefined)
  useEffect(() => {
    const list = mark.current!.parentElement!
    let timer: ReturnType<typeof setTimeout> | undefined
    let x = 0
    let line: HTMLElement | null = null
    const away = () => {
      clearTimeout(timer)
      line = null
      setAt(undefined)
    }
    const over = (event: PointerEvent) => {
      x = event.clientX
      const on = event.target as Element
      if (event.pointerType !== 'mouse' || offer.current?.contains(on)) return
      const next = on.closest<HTMLElement>('.m-grid-row')
      if (next === line) return
      away()
      if (!next || event.buttons !== 0) return
      line = next
      timer = setTimeout(() => {
        if (next.isConnected) setAt({ id: Number(next.dataset.row), x, line: next })
      }, REST_MS)
    }
    const moved = (event: PointerEvent) => {
      x = event.clientX
    }
    list.addEventListener('pointerover', over)
    list.addEventListener('pointermove', moved)
    list.addEventListener('pointerleave', away)
    return () => {
      away()
      list.removeEventListener('pointerover', over)
      list.removeEventListener('pointermove', moved)
      list.removeEventListener('pointerleave', away)
    }
  }, [])
  const row = at && rows.find(one => one.id === at.id)
  useLayoutEffect(() => {
    if (at && offer.current) place(offer.current, at)
  }, [at, row])
  return (
    <>
      <i ref={mark} hidden />
      {row && at.line.isConnected && (
        <div
          ref={offer}
          className="m-row-offer"
          aria-hidden="true"
          onMouseDown={() => onPick(row.id)}
        >
          <Acts row={row} />
        </div>
      )}
    </>
  )
}
