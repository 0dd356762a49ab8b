import { Cross, Tick } from '@blueprintjs/icons'
import { useRef, useState, type KeyboardEvent } from 'react'
import { seatKey, seatName, type Seat } from '#src/areas/film/film.ts'
import type { Text } from '#src/domain/text.ts'
import { useSay } from '#src/kit/text.ts'
import type { FilmDetail } from '../contract/detail.ts'
import './film.css'

type Kind = 'own' | 'taken' | 'free' | 'gap'
const kinds: Readonly<Record<Kind, Text>> = {
  own: ['本单', 'This order'],
  taken: ['已售', 'Sold'],
  free: ['可售', 'Free'],
  gap: ['过道', 'Aisle'],
}
const steps: Readonly<Record<string, readonly [row: number, col: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}
const range = (n: number): number[] => Array.from({ length: n }, (_, at) => at + 1)
/** Where a key leads from a seat, within the hall. */
const moved = (at: Seat, key: string, hall: { rows: number; cols: number }): Seat | undefined => {
  if (key === 'Home') return { ...at, col: 1 }
  if (key === 'End') return { ...at, col: hall.cols }
  const step = steps[key]
  if (!step) return undefined
  const within = (n: number, most: number) => Math.min(most, Math.max(1, n))
  return { row: within(at.row + step[0], hall.rows), col: within(at.col + step[1], hall.cols) }
}
/** No colour says alone whose a seat is. */
const Sign = ({ of }: { of: Kind }) => {
  if (of === 'own') return <Tick size={12} tagName={null} aria-hidden />
  return of === 'taken' ? <Cross size={12} tagName={null} aria-hidden /> : null
}
/**
 * The plan of a hall, with the seats of an order and those that others hold. Arrows walk from seat
 * to seat, and each says where it is and whose.
 */
export const HallMap = ({ hall, seats }: { hall: FilmDetail['hall']; seats: readonly Seat[] }) => {
  const say = useSay()
  const grid = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<Seat>(seats[0] ?? { row: 1, col: 1 })
  const [own, taken, gaps] = [seats, hall.taken, hall.gaps].map(some => new Set(some.map(seatKey)))
  const kindOf = (seat: Seat): Kind => {
    const key = seatKey(seat)
    if (own!.has(key)) return 'own'
    if (taken!.has(key)) return 'taken'
    return gaps!.has(key) ? 'gap' : 'free'
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const next = moved(at, event.key, hall)
    if (!next) return
    event.preventDefault()
    event.stopPropagation()
    setAt(next)
    grid.current?.querySelector<HTMLElement>(`[data-at="${seatKey(next)}"]`)?.focus()
  }
  const nameOf = (seat: Seat): string => {
    const kind = kindOf(seat)
    return kind === 'gap' ? say(kinds.gap) : `${say(seatName(seat))} ${say(kinds[kind])}`
  }
  return (
    <div className="fi-hall">
      <div className="fi-screen">{say(['银幕', 'Screen'])}</div>
      <div
        role="grid"
        ref={grid}
        aria-label={say(['{hall}座位图', 'Seats of {hall}'], { hall: hall.name })}
        aria-rowcount={hall.rows}
        aria-colcount={hall.cols}
        style={{ gridTemplateColumns: `auto repeat(${hall.cols}, 22px)` }}
        onKeyDown={onKeyDown}
      >
        {range(hall.rows).map(row => (
          <div role="row" key={row} aria-rowindex={row}>
            <span role="rowheader">{row}</span>
            {range(hall.cols).map(col => {
              const seat = { row, col }
              const kind = kindOf(seat)
              return (
                <span
                  key={col}
                  role="gridcell"
                  aria-colindex={col}
                  aria-label={nameOf(seat)}
                  title={nameOf(seat)}
                  data-seat={kind}
                  data-at={seatKey(seat)}
                  tabIndex={at.row === row && at.col === col ? 0 : -1}
                  onFocus={() => setAt(seat)}
                >
                  <Sign of={kind} />
                </span>
              )
            })}
          </div>
        ))}
      </div>
      <p className="fi-legend" role="status">
        <span>
          <Sign of="own" /> {say(kinds.own)}
        </span>
        <span>
          <Sign of="taken" /> {say(kinds.taken)} {hall.taken.length}
        </span>
        <b>{nameOf(at)}</b>
      </p>
    </div>
  )
}
