import {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react'
import type { Action } from '#commands/command.ts'
import {
  listClear,
  listExtendDown,
  listExtendUp,
  listNext,
  listNextPage,
  listOpen,
  listPrevious,
  listPreviousPage,
  listRefresh,
  listSelect,
  listSelectAll,
} from '#commands/list.ts'
import { useActiveColumn } from './board-columns.tsx'
import { FirstFocus } from './focus.ts'
import { usePaneState } from './memory.ts'
import { Badge, type ToneName } from './show.tsx'
import { useSay } from './text.ts'
import { usePane } from './workbench.ts'

export type Identified = { id: number }
export type Flag = { tone: ToneName; text: string; title?: string }
/** How the rows of a board or a shelf look, and what opens one. */
export type RowLooks<Row extends Identified> = {
  label: string
  labelOf: (row: Row) => string
  row: (row: Row) => ReactNode
  flags?: (row: Row) => readonly Flag[]
  /** Shown dimmed: not in the app now. */
  dim?: (row: Row) => boolean
  onOpen?: (row: Row) => void
}
/** What a line that can be dragged is drawn with. */
export type LineProps = {
  id: string
  role: 'row'
  'aria-rowindex': number
  'aria-selected': boolean
  'data-focused': true | undefined
  'data-dim': true | undefined
  className: string
  onMouseDown: (event: { shiftKey: boolean }) => void
  onDoubleClick: () => void
  children: ReactNode
}
type RowsProps<Row extends Identified> = {
  rows: readonly Row[]
  looks: RowLooks<Row>
  picked: Picked
  refresh: () => void
  /** Keys of an ordered list, before the common ones; true when it took the press. */
  onKey?: (event: KeyboardEvent, row: Row | undefined) => boolean
  /** Place and marks of an ordered list. */
  lead?: (row: Row, at: number) => ReactNode
  line?: (row: Row, props: LineProps) => ReactNode
  /** Which page of a shelf of several this is, and how many rows come before it and are in all. */
  paged?: { page: number; before: number; total: number; turn: (by: 1 | -1) => void } | undefined
  ref?: Ref<HTMLDivElement>
}

/** Focus and selection of a column. */
type Picked = {
  focused: number | undefined
  focus: (id: number | undefined) => void
  selected: ReadonlySet<number>
  select: (ids: readonly number[], on: boolean) => void
}
/** Focus and selection of a column, kept with the pane. */
export const usePicked = (key: string): Picked => {
  const [focused, focus] = usePaneState<number | undefined>(`${key}:focus`, undefined)
  const [kept, setKept] = usePaneState<readonly number[]>(`${key}:selected`, [])
  const selected = useMemo(() => new Set(kept), [kept])
  const select = useCallback(
    (ids: readonly number[], on: boolean) =>
      setKept(on ? [...new Set([...kept, ...ids])] : kept.filter(id => !ids.includes(id))),
    [kept, setKept],
  )
  return { focused, focus, selected, select }
}

type Performed = readonly [Action | string, (rows: readonly any[]) => void]
/** The actions that this column performs while it is the one in use. */
export const usePerformed = (active: boolean, performed: readonly Performed[]) => {
  const { stage } = usePane()
  const latest = useRef(performed)
  useLayoutEffect(() => {
    latest.current = performed
  })
  useEffect(() => {
    if (!active) return
    const ends = latest.current.map(([action], at) =>
      stage.perform(action, rows => latest.current[at]?.[1](rows)),
    )
    return () => ends.forEach(end => end())
  }, [stage, active])
}

const idsOf = (rows: readonly Identified[]): number[] => rows.map(row => row.id)
/** The rows that the page's actions take: those selected, or else the focused one. */
const useSubject = (
  active: boolean,
  {
    rows,
    selected,
    at,
    total,
  }: {
    rows: readonly Identified[]
    selected: ReadonlySet<number>
    at: number
    total: number
  },
) => {
  const { stage } = usePane()
  const taken = useMemo(() => rows.filter(row => selected.has(row.id)), [rows, selected])
  const subject = useMemo(
    () => ({ rows: taken.length > 0 ? taken : rows.slice(at, at + 1), total }),
    [taken, rows, at, total],
  )
  useEffect(() => {
    if (active) stage.subject = subject
  }, [stage, active, subject])
}
/** Keeps a row in focus and in sight: where it is gone, the one in its place; of another page the first. */
const useFocusKept = (
  box: { current: HTMLDivElement | null },
  {
    rows,
    at,
    focus,
    page,
  }: {
    rows: readonly Identified[]
    at: number
    focus: Picked['focus']
    page: number | undefined
  },
) => {
  const last = useRef(0)
  useEffect(() => {
    last.current = 0
    box.current?.scrollTo?.(0, 0)
  }, [box, page])
  useEffect(() => {
    if (at >= 0) last.current = at
    else if (rows.length > 0) focus(rows[Math.min(last.current, rows.length - 1)]!.id)
  }, [at, rows, focus])
  useEffect(() => {
    if (at >= 0) box.current?.querySelector('[data-focused]')?.scrollIntoView({ block: 'nearest' })
  }, [box, at])
}
/** What moves the focus among rows, selects and opens them; `press` does so by a key, if it is one. */
const movesAmong = <Row extends Identified>(
  rows: readonly Row[],
  at: number,
  { focus, selected, select }: Picked,
  onOpen: ((row: Row) => void) | undefined,
) => {
  const go = (to: number, extend = false) => {
    const index = Math.max(0, Math.min(rows.length - 1, to))
    if (extend && at >= 0)
      select(idsOf(rows.slice(Math.min(at, index), Math.max(at, index) + 1)), true)
    if (rows[index]) focus(rows[index].id)
  }
  const toggle = () => {
    if (rows[at]) select([rows[at].id], !selected.has(rows[at].id))
  }
  const open = () => {
    if (rows[at]) onOpen?.(rows[at])
  }
  const press = ({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean => {
    const keys: Record<string, () => void> = {
      ArrowDown: () => go(at + 1, shiftKey),
      ArrowUp: () => go(at - 1, shiftKey),
      Home: () => go(0, shiftKey),
      End: () => go(rows.length - 1, shiftKey),
      PageDown: () => go(at + 10, shiftKey),
      PageUp: () => go(at - 10, shiftKey),
      ' ': toggle,
      ...(onOpen ? { Enter: open } : {}),
    }
    if (altKey || ctrlKey || metaKey || !(key in keys)) return false
    keys[key]!()
    return true
  }
  return { go, toggle, open, press }
}
/** The actions of every list, as this column performs them. */
const useListActions = <Row extends Identified>(
  active: boolean,
  {
    rows,
    at,
    moves: { go, toggle, open },
    select,
    refresh,
    paged,
  }: Pick<RowsProps<Row>, 'rows' | 'refresh' | 'paged'> & {
    at: number
    moves: ReturnType<typeof movesAmong<Row>>
    select: Picked['select']
  },
) => {
  const pages: Performed[] = paged
    ? [
        [listNextPage, () => paged.turn(1)],
        [listPreviousPage, () => paged.turn(-1)],
      ]
    : []
  usePerformed(active, [
    [listNext, () => go(at + 1)],
    [listPrevious, () => go(at - 1)],
    [listExtendDown, () => go(at + 1, true)],
    [listExtendUp, () => go(at - 1, true)],
    [listSelect, toggle],
    [listOpen, open],
    [listSelectAll, () => select(idsOf(rows), true)],
    [listClear, () => select(idsOf(rows), false)],
    [listRefresh, refresh],
    ['list.settled', done => select(idsOf(done), false)],
    ...pages,
  ])
}

/** A row: its box, place and marks of an ordered list, content and flags. */
const Cell = <Row extends Identified>({
  row,
  looks,
  picked,
  children,
}: {
  row: Row
  looks: RowLooks<Row>
  picked: Picked
  children: ReactNode
}) => {
  const say = useSay()
  const flags = looks.flags?.(row) ?? []
  return (
    <div role="gridcell" className="m-board-cell">
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={say(['选择 {name}', 'Select {name}'], { name: looks.labelOf(row) })}
        checked={picked.selected.has(row.id)}
        onChange={event => picked.select([row.id], event.target.checked)}
        onMouseDown={event => event.stopPropagation()}
      />
      {children}
      <div className="m-board-content">{looks.row(row)}</div>
      {flags.length > 0 && (
        <div className="m-board-flags">
          {flags.map(({ tone, text, title }) => (
            <Badge key={text} tone={tone} {...(title ? { title } : {})}>
              {text}
            </Badge>
          ))}
        </div>
      )}
    </div>
  )
}

/** The rows of a column by keys and mouse: focus, selection, and what its page does with them. */
export const Rows = <Row extends Identified>({
  rows,
  looks,
  picked,
  refresh,
  onKey,
  lead,
  line,
  paged,
  ref,
}: RowsProps<Row>) => {
  const active = useActiveColumn()
  const name = useId()
  const box = useRef<HTMLDivElement | null>(null)
  const { focused, focus, selected, select } = picked
  const at = rows.findIndex(row => row.id === focused)
  const total = paged?.total ?? rows.length
  useSubject(active, { rows, selected, at, total })
  useFocusKept(box, { rows, at, focus, page: paged?.page })
  const moves = movesAmong(rows, at, picked, looks.onOpen)
  useListActions(active, { rows, at, moves, select, refresh, paged })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current) return
    if (!onKey?.(event, rows[at]) && !moves.press(event)) return
    event.preventDefault()
    event.stopPropagation()
  }
  const propsOf = (row: Row, index: number): LineProps => ({
    id: `${name}-${row.id}`,
    role: 'row',
    'aria-rowindex': (paged?.before ?? 0) + index + 1,
    'aria-selected': selected.has(row.id),
    'data-focused': row.id === focused || undefined,
    'data-dim': looks.dim?.(row) || undefined,
    className: 'm-board-row',
    onMouseDown: event => {
      if (event.shiftKey) moves.go(index, true)
      else focus(row.id)
    },
    onDoubleClick: () => looks.onOpen?.(row),
    children: (
      <Cell row={row} looks={looks} picked={picked}>
        {lead?.(row, index)}
      </Cell>
    ),
  })
  return (
    <div
      ref={node => {
        box.current = node
        if (typeof ref === 'function') ref(node)
        else if (ref) ref.current = node
      }}
      className="m-board-rows"
      role="grid"
      tabIndex={0}
      aria-label={looks.label}
      aria-multiselectable="true"
      aria-rowcount={total}
      aria-colcount={1}
      aria-activedescendant={at >= 0 ? `${name}-${focused}` : undefined}
      data-active={active || undefined}
      data-autofocus={active || undefined}
      onKeyDown={onKeyDown}
    >
      <FirstFocus ready={active && rows.length > 0} part={box} rows={box} />
      {rows.map((row, index) =>
        line ? line(row, propsOf(row, index)) : <div key={row.id} {...propsOf(row, index)} />,
      )}
    </div>
  )
}
