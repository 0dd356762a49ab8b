import { Tick } from '@blueprintjs/icons'
import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import './tiles.css'

type Props<Row> = {
  label: string
  rows: readonly Row[]
  focused: number | undefined
  onFocus: (id: number) => void
  selected: ReadonlySet<number>
  onSelect: (ids: readonly number[], on: boolean) => void
  onOpen: (row: Row) => void
  tile: (row: Row) => ReactNode
}
/** How many tiles stand in a line of a box of tiles. */
const inLine = (box: HTMLElement): number => {
  const tops = [...box.children].map(one => (one as HTMLElement).offsetTop)
  const next = tops.findIndex(top => top !== tops[0])
  return next < 0 ? Math.max(1, tops.length) : next
}
/** How far a key goes in a box of tiles; undefined for a key that goes nowhere. */
const stepOf = ({ key }: KeyboardEvent, line: number): number | undefined => {
  switch (key) {
    case 'ArrowRight':
      return 1
    case 'ArrowLeft':
      return -1
    case 'ArrowDown':
      return line
    case 'ArrowUp':
      return -line
    case 'Home':
      return -Infinity
    case 'End':
      return Infinity
    default:
      return undefined
  }
}
/** The rows of a list as tiles: arrows go over them as they stand, Space selects one, Enter opens it. */
export const Tiles = <Row extends { id: number }>({
  label,
  rows,
  focused,
  onFocus,
  selected,
  onSelect,
  onOpen,
  tile,
}: Props<Row>) => {
  const base = useId()
  const box = useRef<HTMLDivElement>(null)
  const at = rows.findIndex(row => row.id === focused)
  useEffect(() => {
    box.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const row = rows[at]
    if ((event.key === 'Enter' || event.key === ' ') && row) {
      event.preventDefault()
      event.stopPropagation()
      if (event.key === 'Enter') onOpen(row)
      else onSelect([row.id], !selected.has(row.id))
      return
    }
    const step = stepOf(event, inLine(event.currentTarget))
    if (step === undefined || rows.length === 0) return
    event.preventDefault()
    event.stopPropagation()
    const next = Math.max(0, Math.min(rows.length - 1, Math.max(at, 0) + (at < 0 ? 0 : step)))
    onFocus(rows[next]!.id)
  }
  return (
    <div
      ref={box}
      className="m-grid m-tiles"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={at < 0 ? undefined : `${base}-${rows[at]!.id}`}
      onKeyDown={onKeyDown}
    >
      {rows.map(row => (
        <div
          key={row.id}
          id={`${base}-${row.id}`}
          role="option"
          aria-selected={selected.has(row.id)}
          data-focused={row.id === focused || undefined}
          className="m-tile"
          onClick={() => onFocus(row.id)}
          onDoubleClick={() => onOpen(row)}
        >
          {/* For the mouse alone: an option holds no control, and keys have Space. */}
          <span
            className="m-tile-check"
            aria-hidden="true"
            onClick={event => {
              event.stopPropagation()
              onSelect([row.id], !selected.has(row.id))
            }}
          >
            {selected.has(row.id) && <Tick size={12} />}
          </span>
          {tile(row)}
        </div>
      ))}
    </div>
  )
}
