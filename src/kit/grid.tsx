import { observeElementRect, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  memo,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type HTMLAttributes,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type Ref,
} from 'react'
import { useLocation } from 'wouter'
import type { Text } from '#src/domain/text.ts'
import { ACTS, CHECK, type Column } from './column.ts'
import { usePrinting } from './printing.ts'
import { quantity } from './show.tsx'
import { useSay, type Say } from './text.ts'
import { useFit } from './usefit.ts'

export type { Column } from './column.ts'
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
  /** Narrow rows. */
  dense?: boolean
  /** The person drew a column's edge. */
  onWidth?: (key: string, width: number) => void
  /** Hears which columns have no room. */
  onFold?: (keys: readonly string[]) => void
  scrollTop?: number
  onScroll?: (top: number) => void
  /** Stands over the rows, and scrolls with them. */
  over?: ReactNode
  ref?: Ref<HTMLDivElement>
}
const ROWS = { usual: 32, low: 28, dense: 26 } as const
/** A list lower than so many pixels, as of four panes, has lower rows to show as many as it can. */
const LOW = 360
/** A list scrolled aside draws other columns after so many pixels. */
const ASIDE = 120
const stepOf = (pixels: number) => pixels - (pixels % ASIDE)

/** A column where a row draws it; `at` is its number when some of the others are not drawn. */
type Placed<Row> = { column: Column<Row>; at: number | undefined; style: CSSProperties | undefined }
/**
 * The columns that rows of this width draw when scrolled aside so far: those in sight and those
 * that stay, as a long row's cells cost more than all else. Of an unknown width, all.
 */
export const placed = <Row,>(
  columns: readonly Column<Row>[],
  width: number,
  aside: number,
): Placed<Row>[] => {
  const [from, to] = [aside - ASIDE, aside + width + ASIDE]
  let [left, before] = [CHECK, -1]
  return columns.flatMap((column, at) => {
    const start = left
    left += column.width
    if (width > 0 && column.left === undefined && (start + column.width < from || start > to))
      return []
    const gap = at !== before + 1
    before = at
    const style = {
      ...(column.left !== undefined && { ['--m-left']: `${column.left}px` }),
      ...(gap && { gridColumn: at + 2 }),
    }
    return [
      {
        column,
        at: width > 0 ? at + 2 : undefined,
        style: Object.keys(style).length > 0 ? style : undefined,
      },
    ]
  })
}

type RowProps<Row> = {
  row: Row
  rowId: number
  id: string
  top: number
  index: number
  place: number
  columns: readonly Placed<Row>[]
  focused: boolean
  selected: boolean
  onPick: (index: number, event: { shiftKey: boolean }) => void
  onCheck: (index: number, on: boolean) => void
  onOpen: (index: number) => void
  checkLabel: string
  say: Say
}
const Line = <Row,>({
  row,
  rowId,
  id,
  top,
  index,
  place,
  columns,
  focused,
  selected,
  onPick,
  onCheck,
  onOpen,
  checkLabel,
  say,
}: RowProps<Row>) => (
  <div
    id={id}
    role="row"
    aria-rowindex={place + 2}
    aria-selected={selected}
    data-focused={focused || undefined}
    className="m-grid-row"
    data-row={rowId}
    style={{ transform: `translateY(${top}px)` }}
    onMouseDown={event => onPick(index, event)}
    onDoubleClick={() => onOpen(index)}
  >
    <div role="gridcell" className="m-grid-cell m-grid-check">
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={checkLabel}
        checked={selected}
        onChange={event => onCheck(index, event.target.checked)}
        onMouseDown={event => event.stopPropagation()}
      />
    </div>
    {columns.map(({ column, at, style }) => (
      <div
        role="gridcell"
        key={column.key}
        aria-colindex={at}
        className="m-grid-cell"
        data-column={column.key}
        data-align={column.align}
        data-pinned={column.left === undefined ? undefined : true}
        style={style}
        title={column.words?.(row, say)}
      >
        {quantity(column.cell(row))}
      </div>
    ))}
  </div>
)
const MemoLine = memo(Line) as typeof Line

/** How the rows are sorted by a column, for a screen reader; undefined where they can't be. */
const sortOf = <Row,>(column: Column<Row>, sort: string | undefined, may: boolean) => {
  if (column.sort === undefined || !may) return undefined
  if (column.sort !== sort) return 'none'
  return column.upwards ? 'ascending' : 'descending'
}
/** A column's title that sorts by it, with the sign of it: faint until it does. */
const SortButton = <Row,>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>
  sort: string | undefined
  onSort: (sort: string) => void
}) => {
  const say = useSay()
  const isOn = column.sort === sort
  const sign = column.upwards ? '↑' : '↓'
  const title = say(column.title)
  return (
    <button
      type="button"
      className="m-sort"
      tabIndex={-1}
      title={
        isOn
          ? say(['已按“{title}”排序', 'Sorted by “{title}”'], { title })
          : say(['按“{title}”排序', 'Sort by “{title}”'], { title })
      }
      onClick={() => onSort(column.sort!)}
    >
      {title}
      <i aria-hidden="true">{isOn ? sign : '↕'}</i>
    </button>
  )
}

/** Explains a column's word on hover, where the glossary has it; that is fetched by the first hover. */
const HeadCell = ({
  word,
  path,
  ...rest
}: { word: Text; path: string } & HTMLAttributes<HTMLDivElement>) => {
  const say = useSay()
  const [means, setMeans] = useState<Text>()
  const explain = () =>
    void import('#src/areas/workbench/glossary.ts').then(
      ({ termOf }) => setMeans(termOf(word[0], path)?.means),
      () => {},
    )
  return (
    <div
      role="columnheader"
      className="m-grid-cell"
      title={means && say(means)}
      onMouseEnter={explain}
      {...rest}
    />
  )
}
/**
 * Rows for work: virtual, one tab stop, arrows move, Space selects, Shift extends, Enter opens. j,
 * k, x and o come from the registry (`useListKeys`).
 */
export const Grid = <Row,>({
  label,
  rows,
  idOf,
  columns: asked,
  before = 0,
  total,
  focused,
  onFocus,
  selected,
  onSelect,
  onOpen,
  sort,
  onSort,
  stale,
  dense = false,
  onWidth,
  onFold,
  scrollTop = 0,
  onScroll,
  over,
  ref,
}: GridProps<Row>) => {
  const say = useSay()
  const name = useId()
  const [here] = useLocation()
  const box = useRef<HTMLDivElement | null>(null)
  const [low, setLow] = useState(false)
  const usual = low ? ROWS.low : ROWS.usual
  const ROW = dense ? ROWS.dense : usual
  const [aside, setAside] = useState(0)
  const [shown, setShown] = useState(true)
  const [width, setWidth] = useState(0)
  const seen = useRef(() => {})
  // The virtual list alone tells of rows that come into sight, not of columns that do.
  const observe = useCallback(
    (
      of: Virtualizer<HTMLDivElement, Element>,
      tell: (rect: { width: number; height: number }) => void,
    ) =>
      observeElementRect(of, rect => {
        if (rect.height > 0) setLow(rect.height < LOW)
        setWidth(rect.width === 0 ? 0 : stepOf(rect.width) + ASIDE)
        seen.current()
        tell(rect)
      }),
    [],
  )
  const [drawn, setDrawn] = useState<{ key: string; width: number } | undefined>(undefined)
  const call = useRef({ idOf, onFocus, onSelect, onOpen })
  call.current = { idOf, onFocus, onSelect, onOpen }
  // Another function would have every row's place worked out anew, at each key.
  const getItemKey = useCallback((index: number) => call.current.idOf(rows[index]!), [rows])
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 8,
    observeElementRect: observe,
    initialOffset: scrollTop,
    scrollMargin: ROW,
    scrollPaddingStart: ROW,
    getItemKey,
  })
  const printing = usePrinting()
  const wanted = useMemo(
    () => (printing ? asked.filter(column => column.key !== ACTS) : asked),
    [asked, printing],
  )
  const { fitted: columns, folded, measuring, look } = useFit(box, wanted, rows, !printing)
  seen.current = look
  useEffect(() => onFold?.(folded), [folded, onFold])
  const at = useMemo(
    () => rows.findIndex(row => call.current.idOf(row) === focused),
    [rows, focused],
  )
  // A hidden pane loses its scroll in some browsers: put it back when it is shown again.
  useLayoutEffect(() => {
    if (!box.current) return
    if (scrollTop && box.current.scrollTop === 0) box.current.scrollTop = scrollTop
    setAside(stepOf(box.current.scrollLeft))
    // What nobody sees holds no cells: they are drawn again with the first picture.
    setShown(true)
    return () => setShown(false)
  }, [])
  // Only when the focus moved: a pane shown again runs its effects again, and must not lose its
  // place. Nor a list that comes back as it was left: its scroll is what the person chose.
  const scrolledTo = useRef(scrollTop > 0 ? at : -1)
  useEffect(() => {
    // Asking for a place that is in sight already would lay the page out twice for nothing. The
    // head stands above the first row, and stays.
    const [top, height] = [virtual.scrollOffset ?? 0, virtual.scrollRect?.height ?? 0]
    const inSight = at * ROW >= top && (at + 2) * ROW <= top + height
    if (at >= 0 && at !== scrolledTo.current && !inSight)
      virtual.scrollToIndex(at, { align: 'auto' })
    scrolledTo.current = at
  }, [at, virtual, ROW])

  const latest = useRef({ rows, at })
  latest.current = { rows, at }
  const handlers = useRef({
    pick: (index: number, event: { shiftKey: boolean }) => {
      const { rows: now, at: from } = latest.current
      if (event.shiftKey && from >= 0)
        call.current.onSelect(
          now.slice(Math.min(from, index), Math.max(from, index) + 1).map(call.current.idOf),
          true,
        )
      call.current.onFocus(call.current.idOf(now[index]!))
    },
    check: (index: number, on: boolean) =>
      call.current.onSelect([call.current.idOf(latest.current.rows[index]!)], on),
    open: (index: number) => call.current.onOpen(latest.current.rows[index]!),
  })
  const go = (index: number, extend: boolean) => {
    const to = Math.max(0, Math.min(rows.length - 1, index))
    if (extend && at >= 0)
      onSelect(rows.slice(Math.min(at, to), Math.max(at, to) + 1).map(idOf), true)
    if (rows[to]) onFocus(idOf(rows[to]))
  }
  const pageRows = () => Math.max(1, Math.floor((box.current?.clientHeight ?? 320) / ROW) - 2)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current || event.altKey) return
    const mod = event.ctrlKey || event.metaKey
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(at + 1, event.shiftKey),
      ArrowUp: () => go(at < 0 ? 0 : at - 1, event.shiftKey),
      PageDown: () => go(at + pageRows(), event.shiftKey),
      PageUp: () => go(at - pageRows(), event.shiftKey),
      Home: () => go(0, event.shiftKey),
      End: () => go(rows.length - 1, event.shiftKey),
      ' ': () => {
        if (rows[at]) onSelect([idOf(rows[at])], !selected.has(idOf(rows[at])))
      },
      Enter: () => {
        if (rows[at]) onOpen(rows[at])
      },
    }
    const withMod = {
      a: () => onSelect(rows.map(idOf), true),
      Home: moves['Home'],
      End: moves['End'],
    } as typeof moves
    const move = (mod ? withMod : moves)[event.key]
    if (!move) return
    event.preventDefault()
    event.stopPropagation()
    move()
  }
  const template = [
    `${CHECK}px`,
    ...columns.map(column => {
      if (column.key === drawn?.key) return `${drawn.width}px`
      return column.grow ? `minmax(${column.width}px, 1fr)` : `${column.width}px`
    }),
  ].join(' ')
  const least = CHECK + columns.reduce((sum, column) => sum + column.width, 0)
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
      if (ended.type === 'pointerup' && (ended as MouseEvent).clientX !== from)
        onWidth?.(key, widthAt((ended as MouseEvent).clientX))
    }
    event.preventDefault()
    edge.setPointerCapture(event.pointerId)
    edge.addEventListener('pointermove', move)
    edge.addEventListener('pointerup', end, { once: true })
    edge.addEventListener('pointercancel', end, { once: true })
  }
  const drawnColumns = useMemo(
    () => placed(columns, !printing && !measuring && width < least ? width : 0, aside),
    [columns, width, least, aside, printing, measuring],
  )
  const share = ({ width: own }: Column<Row>) => `${(100 * own) / (least - CHECK)}%`
  const lines = printing
    ? rows.map((_, index) => ({ index, start: ROW * (index + 1) }))
    : virtual.getVirtualItems()
  useLayoutEffect(look, [look, lines[0]?.index, lines.at(-1)?.index, shown])
  const allOn = rows.length > 0 && rows.every(row => selected.has(idOf(row)))
  const checkLabel = say(['选择此行', 'Select this row'])
  return (
    <div
      ref={node => {
        box.current = node
        if (typeof ref === 'function') ref(node)
        else if (ref) ref.current = node
      }}
      className="m-grid"
      data-pins={columns.some(column => column.left !== undefined) || undefined}
      data-stale={stale || undefined}
      data-dense={dense || undefined}
      role="grid"
      aria-label={label}
      aria-multiselectable="true"
      aria-rowcount={(total ?? rows.length) + 1}
      aria-colcount={columns.length + 1}
      aria-busy={stale}
      tabIndex={0}
      data-autofocus
      aria-activedescendant={at >= 0 ? `${name}-${focused}` : undefined}
      onKeyDown={onKeyDown}
      onScroll={event => {
        const { scrollLeft } = event.currentTarget
        event.currentTarget.toggleAttribute('data-aside', scrollLeft > 0)
        setAside(stepOf(scrollLeft))
        onScroll?.(event.currentTarget.scrollTop)
      }}
      onFocus={event => {
        if (event.target === box.current && at < 0 && rows[0]) onFocus(idOf(rows[0]))
      }}
      style={{
        ['--m-columns' as string]: template,
        ['--m-least' as string]: `${least}px`,
        ...(ROW !== ROWS.usual && { ['--m-row' as string]: `${ROW}px` }),
      }}
    >
      <div role="rowgroup" className="m-grid-top">
        <div role="row" aria-rowindex={1} className="m-grid-head">
          <div role="columnheader" className="m-grid-cell m-grid-check">
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={say(['选择本页', 'Select this page'])}
              checked={allOn}
              onChange={event => onSelect(rows.map(idOf), event.target.checked)}
            />
          </div>
          {shown &&
            columns.map(column => (
              <HeadCell
                key={column.key}
                word={column.title}
                path={here}
                data-column={column.key}
                data-align={column.align}
                data-pinned={column.left === undefined ? undefined : true}
                style={{
                  ...(column.left !== undefined && {
                    ['--m-left' as string]: `${column.left}px`,
                  }),
                  ...(printing && { width: share(column) }),
                }}
                aria-sort={sortOf(column, sort, onSort !== undefined)}
              >
                {column.sort && onSort ? (
                  <SortButton column={column} sort={sort} onSort={onSort} />
                ) : (
                  say(column.title)
                )}
                {onWidth && (
                  <i
                    className="m-grid-edge"
                    aria-hidden="true"
                    onPointerDown={event => draw(event, column.key)}
                  />
                )}
              </HeadCell>
            ))}
        </div>
      </div>
      <div
        role="rowgroup"
        className="m-grid-rows"
        style={{ height: virtual.getTotalSize(), position: 'relative' }}
      >
        {shown &&
          lines.map(item => {
            const row = rows[item.index]
            if (!row) return null
            const rowId = idOf(row)
            return (
              <MemoLine
                key={rowId}
                row={row}
                rowId={rowId}
                id={`${name}-${rowId}`}
                top={item.start - ROW}
                index={item.index}
                place={before + item.index}
                columns={drawnColumns}
                focused={rowId === focused}
                selected={selected.has(rowId)}
                onPick={handlers.current.pick}
                onCheck={handlers.current.check}
                onOpen={handlers.current.open}
                checkLabel={checkLabel}
                say={say}
              />
            )
          })}
        {over}
      </div>
    </div>
  )
}
