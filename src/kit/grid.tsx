import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode, type Ref } from 'react'
import { useLocation } from 'wouter'
import { say as inWords, type Text } from '#src/domain/text.ts'
import { lang, useSay } from './text.ts'

export type Column<Row> = {
  key: string
  title: Text
  /** Pixels; `grow` lets it take what is left. */
  width: number
  grow?: boolean
  /** Pinned: where it stays while the others scroll under it. */
  left?: number
  align?: 'end'
  /** The sort this column asks for. */
  sort?: string
  /** Not shown until the person chooses it. */
  optional?: boolean
  cell: (row: Row) => ReactNode
  /** The cell in plain words, shown on hover where the column is too narrow. */
  words?: (row: Row) => string
}
export type GridProps<Row> = {
  label: string
  rows: readonly Row[]
  idOf: (row: Row) => number
  columns: readonly Column<Row>[]
  /** Rows before the first one, so that a screen reader hears the place in the whole list. */
  before?: number
  total?: number
  focused: number | undefined
  onFocus: (id: number) => void
  selected: ReadonlySet<number>
  onSelect: (ids: readonly number[], on: boolean) => void
  onOpen: (row: Row) => void
  sort?: string
  onSort?: (sort: string) => void
  /** Old rows while new ones are under way: dimmed, not taken away. */
  stale?: boolean
  /** Its pane has the focus: the focused row shows it even while another control of the pane holds the caret. */
  active?: boolean
  /** Narrow rows. */
  dense?: boolean
  /** The person drew a column's edge. */
  onWidth?: (key: string, width: number) => void
  scrollTop?: number
  onScroll?: (top: number) => void
  ref?: Ref<HTMLDivElement>
}
const ROWS = { usual: 32, dense: 26 } as const

type RowProps<Row> = { row: Row; id: string; top: number; index: number; place: number; columns: readonly Column<Row>[]; focused: boolean; selected: boolean; onPick: (index: number, event: { shiftKey: boolean }) => void; onCheck: (index: number, on: boolean) => void; onOpen: (index: number) => void; checkLabel: string }
const Line = <Row,>({ row, id, top, index, place, columns, focused, selected, onPick, onCheck, onOpen, checkLabel }: RowProps<Row>) => (
  <div id={id} role="row" aria-rowindex={place + 2} aria-selected={selected} data-focused={focused || undefined} className="m-grid-row" style={{ transform: `translateY(${top}px)` }}
    onMouseDown={event => onPick(index, event)} onDoubleClick={() => onOpen(index)}>
    <div role="gridcell" className="m-grid-cell m-grid-check">
      <input type="checkbox" tabIndex={-1} aria-label={checkLabel} checked={selected} onChange={event => onCheck(index, event.target.checked)} onMouseDown={event => event.stopPropagation()} />
    </div>
    {columns.map(column => (
      <div role="gridcell" key={column.key} className="m-grid-cell" data-align={column.align} data-pinned={column.left === undefined ? undefined : true} style={column.left === undefined ? undefined : { left: column.left }} title={column.words?.(row)}>{column.cell(row)}</div>
    ))}
  </div>
)
const MemoLine = memo(Line) as typeof Line

/** Rows for work: virtual, one tab stop, arrows move, Space selects, Shift extends, Enter opens. j, k, x and o come from the registry (`useListKeys`). */
/** Explains a column's word on hover, where the glossary has it; that is fetched by the first hover. */
const explain = (head: HTMLElement, title: Text, path: string) => void import('#src/domain/glossary.ts').then(({ termOf }) => { const term = termOf(title[0], path); if (term) head.title = inWords(term.means, lang()) }, () => {})
export const Grid = <Row,>({ label, rows, idOf, columns, before = 0, total, focused, onFocus, selected, onSelect, onOpen, sort, onSort, stale, active, dense = false, onWidth, scrollTop = 0, onScroll, ref }: GridProps<Row>) => {
  const say = useSay()
  const name = useId()
  const [here] = useLocation()
  const box = useRef<HTMLDivElement | null>(null)
  const ROW = dense ? ROWS.dense : ROWS.usual
  const [drawn, setDrawn] = useState<{ key: string; width: number } | undefined>(undefined)
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => box.current, estimateSize: () => ROW, overscan: 12, initialOffset: scrollTop, scrollPaddingStart: ROW, getItemKey: index => idOf(rows[index]!) })
  const at = rows.findIndex(row => idOf(row) === focused)
  // A hidden pane loses its scroll in some browsers: put it back when it is shown again.
  useLayoutEffect(() => { if (box.current && scrollTop && box.current.scrollTop === 0) box.current.scrollTop = scrollTop }, [])
  // Only when the focus moved: a pane shown again runs its effects again, and must not lose its place.
  // Nor a list that comes back as it was left: its scroll is what the person chose.
  const scrolledTo = useRef(scrollTop > 0 ? at : -1)
  useEffect(() => {
    if (at >= 0 && at !== scrolledTo.current) virtual.scrollToIndex(at, { align: 'auto' })
    scrolledTo.current = at
  }, [at, virtual])

  const latest = useRef({ rows, at })
  latest.current = { rows, at }
  const handlers = useRef({
    pick: (index: number, event: { shiftKey: boolean }) => {
      const { rows: now, at: from } = latest.current
      if (event.shiftKey && from >= 0) call.current.onSelect(now.slice(Math.min(from, index), Math.max(from, index) + 1).map(call.current.idOf), true)
      call.current.onFocus(call.current.idOf(now[index]!))
    },
    check: (index: number, on: boolean) => call.current.onSelect([call.current.idOf(latest.current.rows[index]!)], on),
    open: (index: number) => call.current.onOpen(latest.current.rows[index]!),
  })
  const call = useRef({ idOf, onFocus, onSelect, onOpen })
  call.current = { idOf, onFocus, onSelect, onOpen }

  const go = (index: number, extend: boolean) => {
    const to = Math.max(0, Math.min(rows.length - 1, index))
    if (extend && at >= 0) onSelect(rows.slice(Math.min(at, to), Math.max(at, to) + 1).map(idOf), true)
    if (rows[to]) onFocus(idOf(rows[to]))
  }
  const pageRows = () => Math.max(1, Math.floor((box.current?.clientHeight ?? 320) / ROW) - 2)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current || event.nativeEvent.isComposing || event.altKey) return
    const mod = event.ctrlKey || event.metaKey
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(at + 1, event.shiftKey), ArrowUp: () => go(at < 0 ? 0 : at - 1, event.shiftKey),
      PageDown: () => go(at + pageRows(), event.shiftKey), PageUp: () => go(at - pageRows(), event.shiftKey),
      Home: () => go(0, event.shiftKey), End: () => go(rows.length - 1, event.shiftKey),
      ' ': () => { if (rows[at]) onSelect([idOf(rows[at])], !selected.has(idOf(rows[at]))) },
      Enter: () => { if (rows[at]) onOpen(rows[at]) },
    }
    const move = mod ? (event.key === 'a' ? () => onSelect(rows.map(idOf), true) : event.key === 'Home' || event.key === 'End' ? moves[event.key] : undefined) : moves[event.key]
    if (!move) return
    event.preventDefault()
    event.stopPropagation()
    move()
  }
  const template = ['36px', ...columns.map(column => (column.key === drawn?.key ? `${drawn.width}px` : column.grow ? `minmax(${column.width}px, 1fr)` : `${column.width}px`))].join(' ')
  const least = 36 + columns.reduce((sum, column) => sum + column.width, 0)
  /** The edge follows the pointer; what was drawn is told once it is let go. */
  const draw = (event: PointerEvent, key: string) => {
    if (event.button !== 0) return
    const [edge, cell] = [event.currentTarget, event.currentTarget.parentElement!]
    const [from, was] = [event.clientX, cell.getBoundingClientRect().width]
    const widthAt = (x: number) => Math.max(40, Math.min(900, Math.round(was + x - from)))
    const move = (moved: Event) => setDrawn({ key, width: widthAt((moved as MouseEvent).clientX) })
    const end = (ended: Event) => {
      edge.removeEventListener('pointermove', move)
      setDrawn(undefined)
      if (ended.type === 'pointerup' && (ended as MouseEvent).clientX !== from) onWidth?.(key, widthAt((ended as MouseEvent).clientX))
    }
    event.preventDefault()
    edge.setPointerCapture(event.pointerId)
    edge.addEventListener('pointermove', move)
    edge.addEventListener('pointerup', end, { once: true })
    edge.addEventListener('pointercancel', end, { once: true })
  }
  const allOn = rows.length > 0 && rows.every(row => selected.has(idOf(row)))
  const checkLabel = say(['选择此行', 'Select this row'])
  return (
    <div ref={node => { box.current = node; if (typeof ref === 'function') ref(node); else if (ref) ref.current = node }}
      className="m-grid" data-stale={stale || undefined} data-active={active || undefined} role="grid" aria-label={label} aria-multiselectable="true" aria-rowcount={(total ?? rows.length) + 1} aria-colcount={columns.length + 1} aria-busy={stale}
      tabIndex={0} data-autofocus aria-activedescendant={at >= 0 ? `${name}-${focused}` : undefined} onKeyDown={onKeyDown} onScroll={event => onScroll?.(event.currentTarget.scrollTop)}
      onFocus={event => { if (event.target === box.current && at < 0 && rows[0]) onFocus(idOf(rows[0])) }} style={{ ['--m-columns' as string]: template, ['--m-least' as string]: `${least}px`, ...(dense ? { ['--m-row' as string]: `${ROW}px` } : {}) }}>
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className="m-grid-head">
          <div role="columnheader" className="m-grid-cell m-grid-check">
            <input type="checkbox" tabIndex={-1} aria-label={say(['选择本页', 'Select this page'])} checked={allOn} onChange={event => onSelect(rows.map(idOf), event.target.checked)} />
          </div>
          {columns.map(column => (
            <div role="columnheader" key={column.key} onMouseEnter={event => explain(event.currentTarget, column.title, here)} className="m-grid-cell" data-align={column.align} data-pinned={column.left === undefined ? undefined : true} style={column.left === undefined ? undefined : { left: column.left }} aria-sort={column.sort && column.sort === sort ? 'ascending' : undefined}>
              {column.sort && onSort
                ? <button type="button" className="m-sort" tabIndex={-1} onClick={() => onSort(column.sort!)}>{say(column.title)}{column.sort === sort ? ' ↓' : ''}</button>
                : say(column.title)}
              {onWidth && <i className="m-grid-edge" aria-hidden="true" onPointerDown={event => draw(event, column.key)} />}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(item => {
          const row = rows[item.index]
          if (!row) return null
          const rowId = idOf(row)
          return <MemoLine key={rowId} row={row} id={`${name}-${rowId}`} top={item.start} index={item.index} place={before + item.index} columns={columns} focused={rowId === focused} selected={selected.has(rowId)}
            onPick={handlers.current.pick} onCheck={handlers.current.check} onOpen={handlers.current.open} checkLabel={checkLabel} />
        })}
      </div>
    </div>
  )
}
