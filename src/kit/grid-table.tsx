import { HotkeysContext } from '@blueprintjs/core'
import {
  Column,
  FocusMode,
  RegionCardinality,
  Regions,
  Table,
  type Region,
  type TableProps,
} from '@blueprintjs/table'
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import type { Place, Range } from './grid-cells.ts'
import '@blueprintjs/table/lib/css/table.css'
import './grid-table.css'

/** A cell as it is drawn. */
export type DrawnCell = {
  text: string
  align?: 'end' | undefined
  tone?: 'changed' | 'bad' | 'good' | 'muted' | undefined
  /** Nobody can edit it. */
  fixed?: boolean
  invalid?: boolean
  /** What a screen reader hears besides, and a pointer is shown. */
  note?: string | undefined
}
type Props = {
  label: string
  id: string
  columns: readonly { key: string; title: string; width: number; end?: boolean }[]
  rows: number
  cell: (at: Place) => DrawnCell
  /** Changes whenever `cell` may answer something else. */
  drawn: readonly unknown[]
  active: Place
  range: Range
  onPick: (active: Place, range: Range) => void
  onEdit: () => void
  /** What has the keys; it lies over the active cell. */
  field: (box: { left: number; top: number; width: number; height: number }) => ReactNode
}
export const cellId = (id: string, at: Place): string => `${id}-${at.row}-${at.column}`
const ROW = 30
/** So many rows are taken to be in sight before the table has said it. */
const FIRST = 40
/** Blueprint's table has hotkeys of its own, and asks for a dialog of them: the grid's keys are ours. */
const noHotkeys = [
  { hasProvider: true, hotkeys: [], isDialogOpen: false },
  () => undefined,
] as unknown as React.ContextType<typeof HotkeysContext>

type CellProps = DrawnCell & {
  id: string
  column: number
  /** The table places it. */
  className?: string
  style?: React.CSSProperties
}
const Cell = ({
  id,
  column,
  text,
  align,
  tone,
  fixed,
  invalid,
  note,
  className,
  style,
}: CellProps) => (
  <div
    role="gridcell"
    id={id}
    aria-colindex={column + 1}
    aria-readonly={fixed === true}
    aria-invalid={invalid === true}
    aria-describedby={note ? `${id}-note` : undefined}
    className={`bp6-table-cell m-sheet-cell ${className ?? ''}`}
    style={style}
    data-align={align}
    data-tone={tone}
    data-fixed={fixed || undefined}
    title={note}
  >
    {text}
    {note && (
      <span hidden id={`${id}-note`}>
        {note}
      </span>
    )}
  </div>
)
type HeadProps = {
  title: string
  column: number
  end: boolean
  className?: string
  style?: React.CSSProperties
  targetRef?: React.Ref<HTMLDivElement>
  resizeHandle?: ReactNode
}
const Head = ({ title, column, end, className, style, targetRef, resizeHandle }: HeadProps) => (
  <div
    ref={targetRef}
    role="columnheader"
    aria-colindex={column + 1}
    className={`bp6-table-header bp6-table-column-header-cell m-sheet-head ${className ?? ''}`}
    style={style}
    data-align={end ? 'end' : undefined}
  >
    {title}
    {resizeHandle}
  </div>
)

/** Where the headers stand that are seen: those that scroll, and that of the first column. */
const HEADS = ['bp6-table-quadrant-top', 'bp6-table-quadrant-top-left'] as const
const headId = (id: string, at: number): string => `${id}-head-${at}`
/**
 * The roles that the table itself has none of. It draws each header twice, one copy beneath the
 * other, and would take the focus: the grid's field has it.
 */
const dress = (root: HTMLElement, id: string) => {
  root.querySelector('.bp6-table-container')?.removeAttribute('tabindex')
  for (const below of root.querySelectorAll(
    ':is(.bp6-table-quadrant-main, .bp6-table-quadrant-left) > * > .bp6-table-top-container',
  ))
    below.setAttribute('aria-hidden', 'true')
  for (const [at, quadrant] of HEADS.entries()) {
    const row = root.querySelector(`.${quadrant} .bp6-table-column-header-tr`)
    row?.setAttribute('role', 'row')
    row?.setAttribute('aria-rowindex', '1')
    row?.setAttribute('id', headId(id, at))
  }
}
const placeOf = ([top, bottom]: readonly number[], [left, right]: readonly number[]): Range => ({
  top: top!,
  left: left!,
  bottom: bottom!,
  right: right!,
})

/**
 * The grid as it is told: rows that own the cells in sight, where the table draws cells alone. It
 * stands beside the table, whose boxes may not stand between a grid and its rows.
 */
const Told = ({
  of: { id, label, rows, columns },
  from,
  to,
}: {
  of: Props
  from: number
  to: number
}) => (
  <div
    role="grid"
    className="bp6-visually-hidden"
    aria-label={label}
    aria-rowcount={rows + 1}
    aria-colcount={columns.length}
    aria-multiselectable
    aria-owns={HEADS.map((_, at) => headId(id, at)).join(' ')}
  >
    <Rows id={id} columns={columns.length} from={from} to={to} />
  </div>
)
const Rows = ({
  id,
  columns,
  from,
  to,
}: {
  id: string
  columns: number
  from: number
  to: number
}) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => (
    <div
      key={from + at}
      role="row"
      aria-rowindex={from + at + 2}
      aria-owns={Array.from({ length: columns }, (__, column) =>
        cellId(id, { row: from + at, column }),
      ).join(' ')}
    />
  ))
/** Where the table draws its cells: the grid's field stands among them, and scrolls with them. */
const useDressed = (id: string) => {
  const root = useRef<HTMLDivElement>(null)
  const [body, setBody] = useState<Element | null>(null)
  useLayoutEffect(() => {
    if (root.current) dress(root.current, id)
  })
  useEffect(() => {
    const cells = '.bp6-table-quadrant-main .bp6-table-quadrant-body-container'
    setBody(root.current?.querySelector(cells) ?? null)
  }, [])
  return { root, body }
}
type Seen = { from: number; to: number }
/** The rows in sight. The table tells them while it draws: they are noted when it has. */
const useSeen = (rows: number) => {
  const [shown, setShown] = useState<Seen>({ from: 0, to: Math.min(rows, FIRST) - 1 })
  const told = useRef(shown)
  const isThere = useRef(false)
  const note = () =>
    setShown(now =>
      now.from === told.current.from && now.to === told.current.to ? now : told.current,
    )
  useEffect(() => {
    isThere.current = true
    note()
    return () => {
      isThere.current = false
    }
  }, [])
  const see = (seen: Seen) => {
    told.current = seen
    // It tells them before the grid itself is there, too.
    if (isThere.current) queueMicrotask(note)
  }
  return [shown, see] as const
}
/** What a pointer chooses, as the table tells it. */
const usePointer = ({ active, onPick }: Props) => ({
  onSelection: ([region]: readonly Region[]) => {
    if (!region?.rows || !region.cols) return
    const next = placeOf(region.rows, region.cols)
    const isIn =
      active.row >= next.top &&
      active.row <= next.bottom &&
      active.column >= next.left &&
      active.column <= next.right
    onPick(isIn ? active : { row: next.top, column: next.left }, next)
  },
  onFocusedRegion: (region: FocusedRegion) => {
    if (region.type === FocusMode.CELL)
      onPick(
        { row: region.row, column: region.col },
        placeOf([region.row, region.row], [region.col, region.col]),
      )
  },
})
type FocusedRegion = Parameters<NonNullable<TableProps['onFocusedRegion']>>[0]

/** Cells in rows and columns by Blueprint's table, with the roles of a grid; its first column stays. */
export const SheetTable = (of: Props) => {
  const { id, columns, rows, active, range, cell } = of
  const { root, body } = useDressed(id)
  const [shown, see] = useSeen(rows)
  const [widths, setWidths] = useState<readonly number[]>(() => columns.map(({ width }) => width))
  const left = widths.slice(0, active.column).reduce((sum, width) => sum + width, 0)
  const box = { left, top: active.row * ROW, width: widths[active.column]!, height: ROW }
  return (
    <div ref={root} className="m-sheet" onDoubleClick={of.onEdit}>
      <Told of={of} {...shown} />
      <HotkeysContext.Provider value={noHotkeys}>
        <Table
          numRows={rows}
          numFrozenColumns={1}
          enableRowHeader={false}
          enableRowResizing={false}
          enableMultipleSelection={false}
          defaultRowHeight={ROW}
          columnWidths={[...widths]}
          onColumnWidthChanged={(at, width) =>
            setWidths(now => now.map((one, column) => (column === at ? width : one)))
          }
          selectionModes={[RegionCardinality.CELLS]}
          selectedRegions={[Regions.cell(range.top, range.left, range.bottom, range.right)]}
          focusMode={FocusMode.CELL}
          focusedRegion={{
            type: FocusMode.CELL,
            row: active.row,
            col: active.column,
            focusSelectionIndex: 0,
          }}
          {...usePointer(of)}
          onVisibleCellsChange={({ rowIndexStart: from, rowIndexEnd: to }) => see({ from, to })}
          cellRendererDependencies={[...of.drawn]}
        >
          {columns.map(({ key, title, end }, column) => (
            <Column
              key={key}
              id={key}
              cellRenderer={row => (
                <Cell id={cellId(id, { row, column })} column={column} {...cell({ row, column })} />
              )}
              columnHeaderCellRenderer={() => (
                <Head title={title} column={column} end={end === true} />
              )}
            />
          ))}
        </Table>
      </HotkeysContext.Provider>
      {body && createPortal(of.field(box), body)}
    </div>
  )
}
