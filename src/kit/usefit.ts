import { useCallback, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { CHECK, type Column } from './column.ts'
import { fit, type Fit, type Wish } from './fit.ts'
import { useLang } from './text.ts'

/** The width that cuts none of a column's cells, whether they may be cut, and whether they tell a state. */
type Need = { width: number; firm: boolean; state: boolean }
/** A long name may end in … even where it is what the row is known by. */
const NAME = 240
/** Below this the main text is a prefix that many rows share: lesser columns go before. */
const MAIN = 180
/** A text keeps so much of its usual width, and is still to be told from others. */
const SHRINK = 0.7
const SHORTEST = 80
const NONE: readonly string[] = []

const cellsOf = (box: HTMLElement) => box.querySelectorAll<HTMLElement>('[data-column]')
/** A phone, or the number of an order, a card or a parcel, masked or not. */
const CODE = /^[A-Z]{0,4}[\d*]{7,}$/
/** A number, an amount, a state or a moment says something else when it is cut; a button does less. */
export const isFirm = (cell: HTMLElement): boolean =>
  cell.dataset.align === 'end' ||
  (cell.querySelector('time, .m-badge, .m-row-acts') !== null &&
    cell.querySelector('.m-tagged') === null) ||
  (cell.firstElementChild?.matches('.m-num') === true &&
    cell.firstElementChild.textContent === cell.textContent) ||
  CODE.test(cell.textContent)

/** Lays the drawn cells out as wide as they are, and puts them back. */
const measured = (box: HTMLElement, columns: number): Map<string, Need> => {
  const was = box.style.getPropertyValue('--m-columns')
  box.style.setProperty('--m-columns', `repeat(${columns + 1}, max-content)`)
  const needs = new Map<string, Need>()
  for (const cell of cellsOf(box)) {
    const key = cell.dataset.column!
    const before = needs.get(key)
    needs.set(key, {
      width: Math.max(before?.width ?? 0, Math.ceil(cell.getBoundingClientRect().width)),
      firm: before?.firm === true || isFirm(cell),
      state: before?.state === true || cell.querySelector(':not(.m-tagged) > .m-badge') !== null,
    })
  }
  box.style.setProperty('--m-columns', was)
  return needs
}
/** What was known with what is seen now; the same where nothing needs more. */
const widened = (known: ReadonlyMap<string, Need>, found: ReadonlyMap<string, Need>) => {
  const next = new Map(known)
  for (const [key, need] of found) {
    const before = known.get(key)
    if (!before) next.set(key, need)
    else if (need.width > before.width || (need.firm && !before.firm))
      next.set(key, {
        width: Math.max(before.width, need.width),
        firm: before.firm || need.firm,
        state: before.state || need.state,
      })
  }
  return [...next].some(([key, need]) => known.get(key) !== need) ? next : known
}

const rankOf = <Row>(column: Column<Row>, at: number, need: Need | undefined): number => {
  if (at === 0 || column.left !== undefined || column.fixed) return 0
  if (column.priority !== undefined) return column.priority
  if (column.grow || column.optional || need?.state) return 1
  // What rows are put in order by, a deadline or a sum, is what they are compared by.
  if (column.sort && column.align === 'end') return 1
  return column.align === 'end' ? 2 : 3
}
const wishOf = <Row>(column: Column<Row>, at: number, need: Need | undefined): Wish => {
  const { key, width } = column
  const firm = column.align === 'end' || need?.firm === true
  const rank = rankOf(column, at, need)
  const asks = need?.width || width
  if (column.fixed) return { key, least: width, usual: width, whole: width, words: false, rank }
  if (firm) {
    const least = asks
    return { key, least, usual: Math.max(least, width), whole: least, words: false, rank }
  }
  const whole = asks
  const short = Math.max(column.grow ? MAIN : SHORTEST, Math.floor(width * SHRINK))
  const least = Math.min(whole, at === 0 ? Math.max(width, NAME) : short)
  return { key, least, usual: Math.max(least, Math.min(width, whole)), whole, words: true, rank }
}

type Fitted<Row> = {
  fitted: readonly Column<Row>[]
  folded: readonly string[]
  /** A column has not been drawn yet: all are, to see what they ask for. */
  measuring: boolean
  look: () => void
}
/**
 * Fits columns to the list they are in and to what their cells hold: widths follow what is drawn,
 * and only grow while it is scrolled. Without a layout, as on paper, columns stay as they are.
 */
export const useFit = <Row>(
  box: RefObject<HTMLElement | null>,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  on: boolean,
): Fitted<Row> => {
  const [room, setRoom] = useState(0)
  const [needs, setNeeds] = useState<ReadonlyMap<string, Need>>(new Map())
  const measuring = columns.some(column => !needs.has(column.key))
  const { fitted, folded } = useMemo(() => {
    if (!on || room <= 0 || measuring) return { fitted: columns, folded: NONE }
    const wishes = columns.map((column, at) => wishOf(column, at, needs.get(column.key)))
    return placedBy(columns, fit(wishes, room - CHECK))
  }, [columns, needs, room, on, measuring])
  const lang = useLang()
  const seen = useRef({ rows, fitted, needs, lang, cells: new WeakSet<Element>() })

  const look = useCallback(() => {
    const node = box.current
    if (!node || !on) return
    setRoom(node.clientWidth)
    const cells = [...cellsOf(node)]
    // A head without rows tells nothing of them.
    if (node.clientWidth === 0 || cells.length <= fitted.length) return
    const known = seen.current
    const unseen = cells.filter(cell => !known.cells.has(cell))
    const isSame = known.rows === rows && known.fitted === fitted
    // Other rows than before are measured anew; what scrolls into sight only where it is cut.
    const isOther = known.rows !== rows && unseen.length > cells.length / 2
    // Words of another language ask for other widths, all of them.
    const isTurned = known.lang !== lang
    if (isTurned) known.needs = new Map()
    Object.assign(known, { rows, fitted, lang })
    for (const cell of unseen) known.cells.add(cell)
    const isNew = unseen.some(cell => !known.needs.has(cell.dataset.column!))
    const isCut = () =>
      (isSame ? unseen : cells).some(cell => isFirm(cell) && cell.scrollWidth > cell.clientWidth)
    if (!isTurned && !isNew && !isOther && !isCut()) return
    const next = widened(known.needs, measured(node, fitted.length))
    if (next === known.needs) return
    known.needs = next
    setNeeds(next)
  }, [box, on, fitted, rows, lang])
  useLayoutEffect(look, [look])
  return { fitted, folded, measuring, look }
}
/** The columns that stay, as wide as they were fitted, and where those that are pinned stay. */
const placedBy = <Row>(columns: readonly Column<Row>[], { widths, folded }: Fit) => {
  let left = CHECK
  const fitted = columns.flatMap(column => {
    const width = widths.get(column.key)
    if (width === undefined) return []
    const one = { ...column, width, grow: false, ...(column.left !== undefined && { left }) }
    left += width
    return [one]
  })
  return { fitted, folded }
}
