import { Button } from '@blueprintjs/core'
import { ChevronLeft, ChevronRight, DragHandleVertical, Undo } from '@blueprintjs/icons'
import {
  closestCenter,
  DndContext,
  PointerSensor,
  useSensor,
  useSensors,
  type DragEndEvent,
} from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react'
import type { Action } from '#commands/command.ts'
import {
  boardBottom,
  boardDiscard,
  boardDown,
  boardTop,
  boardUndo,
  boardUp,
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
import { movedTo, movesOf, rebased, sameOrder } from '#src/domain/moves.ts'
import { colon } from '#src/domain/text.ts'
import type { CallError } from './data.ts'
import { FirstFocus, giveBack } from './focus.ts'
import { useUnsaved } from './form.tsx'
import { useDraft, usePaneState } from './memory.ts'
import { Badge, Keys, type ToneName } from './show.tsx'
import { Empty, Failed, Loading } from './states.tsx'
import { stepRight } from './steps.ts'
import { useSay } from './text.ts'
import { usePane, usePaneFocused, useWorkbench } from './workbench.ts'
import './board.css'

type Identified = { id: number }
export type Flag = { tone: ToneName; text: string; title?: string }

/**
 * Columns of a board page, side by side: ← and → go from one to the next, and the column in use is
 * the one whose rows the page's actions take.
 */
const ColumnsContext = createContext<{ active: string; activate: (name: string) => void } | null>(
  null,
)
/**
 * `widths` is a `grid-template-columns`. Its children are `Column`s; the first is in use when the
 * page opens.
 */
export const Columns = ({
  widths,
  first,
  children,
}: {
  widths: string
  first: string
  children: ReactNode
}) => {
  const [active, activate] = usePaneState('column', first)
  const value = useMemo(() => ({ active, activate }), [active, activate])
  const onKeyDown = (event: KeyboardEvent) => {
    const by = stepRight(event)
    const rows = event.target as HTMLElement
    if (!by || event.altKey || event.ctrlKey || event.metaKey || !rows.matches('.m-board-rows'))
      return
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('.m-board-rows')]
    const to = all[all.indexOf(rows) + by]
    if (!to) return
    event.preventDefault()
    event.stopPropagation()
    to.focus()
  }
  return (
    <ColumnsContext.Provider value={value}>
      <div className="m-columns" style={{ gridTemplateColumns: widths }} onKeyDown={onKeyDown}>
        {children}
      </div>
    </ColumnsContext.Provider>
  )
}
/**
 * One column: its name, what stands beside the name, controls of its own, and rows (`Board` or
 * `Shelf`).
 */
export const Column = ({
  name,
  title,
  aside,
  bar,
  children,
}: {
  name: string
  title: string
  aside?: ReactNode
  bar?: ReactNode
  children: ReactNode
}) => {
  const columns = useContext(ColumnsContext)
  return (
    <section
      className="m-column"
      data-column={name}
      data-active={columns?.active === name || undefined}
      aria-label={title}
      onFocusCapture={() => columns?.activate(name)}
    >
      <header>
        <h3>{title}</h3>
        <span className="m-fill" />
        {aside}
      </header>
      {bar && <div className="m-filters">{bar}</div>}
      <NameContext.Provider value={name}>{children}</NameContext.Provider>
    </section>
  )
}
const NameContext = createContext<string>('')

type RowsProps<Row extends Identified> = {
  label: string
  rows: readonly Row[]
  labelOf: (row: Row) => string
  row: (row: Row) => ReactNode
  flags?: (row: Row) => readonly Flag[]
  /** Shown dimmed: not in the app now. */
  dim?: (row: Row) => boolean
  onOpen?: (row: Row) => void
  focused: number | undefined
  onFocus: (id: number | undefined) => void
  selected: ReadonlySet<number>
  onSelect: (ids: readonly number[], on: boolean) => void
  refresh: () => void
  /** Keys of an ordered list, before the common ones; true when it took the press. */
  onKey?: (event: KeyboardEvent, row: Row | undefined) => boolean
  /** Place and marks of an ordered list. */
  lead?: (row: Row, at: number) => ReactNode
  line?: (row: Row, at: number, props: LineProps) => ReactNode
  total?: number
  /** Which page of a shelf of several this is, and how many rows come before it. */
  paged?: { page: number; before: number; turn: (by: 1 | -1) => void }
  ref?: Ref<HTMLDivElement>
}
type LineProps = {
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

/** The actions that this column performs while it is the one in use. */
const usePerformed = (
  active: boolean,
  performed: readonly (readonly [Action | string, (rows: readonly any[]) => void])[],
) => {
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
const useActive = (): boolean => {
  const columns = useContext(ColumnsContext)
  const name = useContext(NameContext)
  return columns === null || columns.active === name
}

const Rows = <Row extends Identified>({
  label,
  rows,
  labelOf,
  row: content,
  flags,
  dim,
  onOpen,
  focused,
  onFocus,
  selected,
  onSelect,
  refresh,
  onKey,
  lead,
  line,
  total,
  paged,
  ref,
}: RowsProps<Row>) => {
  const say = useSay()
  const pane = usePane()
  const active = useActive()
  const name = useId()
  const box = useRef<HTMLDivElement | null>(null)
  const at = rows.findIndex(row => row.id === focused)
  const taken = useMemo(() => rows.filter(row => selected.has(row.id)), [rows, selected])
  const subject = useMemo(
    () => ({
      rows: taken.length > 0 ? taken : rows.slice(at, at + 1),
      total: total ?? rows.length,
    }),
    [taken, rows, at, total],
  )
  useEffect(() => {
    if (active) pane.stage.subject = subject
  }, [pane.stage, active, subject])
  // The row that had the focus is gone: the one in its place gets it; of another page the first.
  const last = useRef(0)
  const page = paged?.page
  useEffect(() => {
    last.current = 0
    box.current?.scrollTo?.(0, 0)
  }, [page])
  useEffect(() => {
    if (at >= 0) last.current = at
    else if (rows.length > 0) onFocus(rows[Math.min(last.current, rows.length - 1)]!.id)
  }, [at, rows, onFocus])
  useEffect(() => {
    if (at >= 0) box.current?.querySelector('[data-focused]')?.scrollIntoView({ block: 'nearest' })
  }, [at])

  const go = (to: number, extend = false) => {
    const index = Math.max(0, Math.min(rows.length - 1, to))
    if (extend && at >= 0)
      onSelect(
        rows.slice(Math.min(at, index), Math.max(at, index) + 1).map(row => row.id),
        true,
      )
    if (rows[index]) onFocus(rows[index].id)
  }
  const toggle = () => {
    if (rows[at]) onSelect([rows[at].id], !selected.has(rows[at].id))
  }
  const open = () => {
    if (rows[at]) onOpen?.(rows[at])
  }
  usePerformed(active, [
    [listNext, () => go(at + 1)],
    [listPrevious, () => go(at - 1)],
    [listExtendDown, () => go(at + 1, true)],
    [listExtendUp, () => go(at - 1, true)],
    [listSelect, toggle],
    [listOpen, open],
    [
      listSelectAll,
      () =>
        onSelect(
          rows.map(row => row.id),
          true,
        ),
    ],
    [
      listClear,
      () =>
        onSelect(
          rows.map(row => row.id),
          false,
        ),
    ],
    [listRefresh, refresh],
    [
      'list.settled',
      done =>
        onSelect(
          done.map(row => row.id),
          false,
        ),
    ],
    ...(paged
      ? ([
          [listNextPage, () => paged.turn(1)],
          [listPreviousPage, () => paged.turn(-1)],
        ] as const)
      : []),
  ])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current) return
    const plain = !event.altKey && !event.ctrlKey && !event.metaKey
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(at + 1, event.shiftKey),
      ArrowUp: () => go(at - 1, event.shiftKey),
      Home: () => go(0, event.shiftKey),
      End: () => go(rows.length - 1, event.shiftKey),
      PageDown: () => go(at + 10, event.shiftKey),
      PageUp: () => go(at - 10, event.shiftKey),
      ' ': toggle,
      ...(onOpen ? { Enter: open } : {}),
    }
    const took =
      onKey?.(event, rows[at]) || (plain && event.key in moves && (moves[event.key]!(), true))
    if (!took) return
    event.preventDefault()
    event.stopPropagation()
  }
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
      aria-label={label}
      aria-multiselectable="true"
      aria-rowcount={total ?? rows.length}
      aria-colcount={1}
      aria-activedescendant={at >= 0 ? `${name}-${focused}` : undefined}
      data-active={active || undefined}
      data-autofocus={active || undefined}
      onKeyDown={onKeyDown}
    >
      <FirstFocus ready={active && rows.length > 0} part={box} rows={box} />
      {rows.map((row, index) => {
        const marks = flags?.(row) ?? []
        const props: LineProps = {
          id: `${name}-${row.id}`,
          role: 'row',
          'aria-rowindex': (paged?.before ?? 0) + index + 1,
          'aria-selected': selected.has(row.id),
          'data-focused': row.id === focused || undefined,
          'data-dim': dim?.(row) || undefined,
          className: 'm-board-row',
          onMouseDown: event => {
            if (event.shiftKey) go(index, true)
            else onFocus(row.id)
          },
          onDoubleClick: () => onOpen?.(row),
          children: (
            <div role="gridcell" className="m-board-cell">
              <input
                type="checkbox"
                tabIndex={-1}
                aria-label={say(['选择 {name}', 'Select {name}'], { name: labelOf(row) })}
                checked={selected.has(row.id)}
                onChange={event => onSelect([row.id], event.target.checked)}
                onMouseDown={event => event.stopPropagation()}
              />
              {lead?.(row, index)}
              <div className="m-board-content">{content(row)}</div>
              {marks.length > 0 && (
                <div className="m-board-flags">
                  {marks.map(mark => (
                    <Badge
                      key={mark.text}
                      tone={mark.tone}
                      {...(mark.title ? { title: mark.title } : {})}
                    >
                      {mark.text}
                    </Badge>
                  ))}
                </div>
              )}
            </div>
          ),
        }
        return line ? line(row, index, props) : <div key={row.id} {...props} />
      })}
    </div>
  )
}

/** Focus and selection of a column, kept with the pane. */
const usePicked = (key: string) => {
  const [focused, setFocused] = usePaneState<number | undefined>(`${key}:focus`, undefined)
  const [kept, setKept] = usePaneState<readonly number[]>(`${key}:selected`, [])
  const selected = useMemo(() => new Set(kept), [kept])
  const select = useCallback(
    (ids: readonly number[], on: boolean) =>
      setKept(on ? [...new Set([...kept, ...ids])] : kept.filter(id => !ids.includes(id))),
    [kept, setKept],
  )
  return { focused, focus: setFocused, selected, select }
}

type Source<Row> = {
  rows: readonly Row[] | undefined
  error?: CallError | undefined
  stale?: boolean
  refetch: () => void
}
export type Paging = {
  page: number
  pageSize: number
  total: number | undefined
  turn: (page: number) => void
}
/**
 * The pages of a shelf that the server has more of than is shown at once. Another `key` (a mall, a
 * word searched for) begins at the first.
 */
export const usePaging = (
  key: string,
  pageSize: number,
): { page: number; pageSize: number; turn: (page: number) => void } => {
  const [at, setAt] = usePaneState('page', { key, page: 1 })
  return { page: at.key === key ? at.page : 1, pageSize, turn: page => setAt({ key, page }) }
}
/** How many pages there are; unknown until it is told how many rows. */
const pagesOf = (paging: Paging | undefined): number | undefined =>
  paging?.total === undefined ? undefined : Math.max(1, Math.ceil(paging.total / paging.pageSize))
/** Rows to choose from: the column beside a board. With `paging` a page of them at a time. */
export const Shelf = <Row extends Identified>({
  name,
  label,
  of,
  labelOf,
  row,
  flags,
  dim,
  onOpen,
  onFocused,
  empty,
  paging,
}: {
  name: string
  label: string
  of: Source<Row>
  labelOf: (row: Row) => string
  row: (row: Row) => ReactNode
  flags?: (row: Row) => readonly Flag[]
  dim?: (row: Row) => boolean
  onOpen?: (row: Row) => void
  onFocused?: (id: number) => void
  empty?: ReactNode
  paging?: Paging
}) => {
  const say = useSay()
  const pages = pagesOf(paging)
  const turn = (by: 1 | -1) => {
    const to = (paging?.page ?? 1) + by
    if (pages !== undefined && to >= 1 && to <= pages) paging?.turn(to)
  }
  // The last row of the last page was taken: the page before it is the last one now.
  const isBehind = pages !== undefined && paging !== undefined && paging.page > pages
  useEffect(() => {
    if (isBehind) paging.turn(pages)
  }, [isBehind, pages, paging])
  const picked = usePicked(name)
  const { focused } = picked
  const here = focused !== undefined && (of.rows?.some(one => one.id === focused) ?? false)
  useEffect(() => {
    if (here) onFocused?.(focused)
  }, [here, focused, onFocused])
  if (of.rows === undefined)
    return of.error ? <Failed error={of.error} retry={of.refetch} /> : <Loading lines={8} />
  return (
    <div className="m-board" data-stale={of.stale || undefined}>
      {of.rows.length === 0 &&
        !isBehind &&
        (empty ?? <Empty title={say(['没有可选的内容', 'Nothing to choose from'])} />)}
      <Rows
        label={label}
        rows={of.rows}
        labelOf={labelOf}
        row={row}
        focused={picked.focused}
        onFocus={picked.focus}
        selected={picked.selected}
        onSelect={picked.select}
        refresh={of.refetch}
        {...(flags ? { flags } : {})}
        {...(dim ? { dim } : {})}
        {...(onOpen ? { onOpen } : {})}
        {...(paging
          ? {
              paged: { page: paging.page, before: (paging.page - 1) * paging.pageSize, turn },
              total: paging.total ?? of.rows.length,
            }
          : {})}
      />
      {paging && pages !== undefined && pages > 1 && (
        <div className="m-foot">
          <span className="m-num">
            {say(['第 {from}–{to} 个，共 {n} 个', '{from}–{to} of {n}'], {
              from: (paging.page - 1) * paging.pageSize + 1,
              to: (paging.page - 1) * paging.pageSize + of.rows.length,
              n: paging.total!,
            })}
          </span>
          <span className="m-fill" />
          <Button
            size="small"
            variant="minimal"
            icon={<ChevronLeft />}
            disabled={paging.page <= 1}
            aria-label={say(['上一页', 'Previous page'])}
            data-command={listPreviousPage.id}
            onClick={() => turn(-1)}
          />
          <span className="m-num">
            {paging.page} / {pages}
          </span>
          <Button
            size="small"
            variant="minimal"
            icon={<ChevronRight />}
            disabled={paging.page >= pages}
            aria-label={say(['下一页', 'Next page'])}
            data-command={listNextPage.id}
            onClick={() => turn(1)}
          />
        </div>
      )}
    </div>
  )
}

export type BoardState<Row extends Identified> = {
  name: string
  rows: readonly Row[] | undefined
  error: CallError | undefined
  stale: boolean
  refetch: () => void
  /** Rows moved and not yet saved, with the place (1 is the first) each had. */
  moves: readonly { id: number; from: number; to: number }[]
  dirty: boolean
  saving: boolean
  /** Somebody saved another order meanwhile: theirs and mine, to choose from. */
  conflict: { mine: readonly number[]; theirs: readonly number[] } | undefined
  focused: number | undefined
  focus: (id: number | undefined) => void
  selected: ReadonlySet<number>
  select: (ids: readonly number[], on: boolean) => void
  move: (id: number, place: number) => void
  undo: () => void
  discard: () => void
  /** Sends the order shown; false when it was refused, or there was nothing to save. */
  save: () => Promise<boolean>
  keepMine: () => void
  takeTheirs: () => void
}
/** `name` is the list that it is an order of. */
type Kept = {
  name: string
  base: readonly number[]
  order: readonly number[]
  version: number
  past: readonly (readonly number[])[]
}

type Told = { now: readonly number[] | undefined; version: number | undefined }
/**
 * A call that waits while `outgrown`, and answers the list as it then is. A list that could not be
 * read (`failed`) is answered as it was.
 */
const useNewerList = (told: Told, outgrown: boolean, failed: boolean): (() => Promise<Told>) => {
  const waiting = useRef<((told: Told) => void)[]>([])
  const { now, version } = told
  useEffect(() => {
    if (outgrown && !failed) return
    for (const go of waiting.current.splice(0)) go({ now, version })
  }, [now, version, outgrown, failed])
  return () => new Promise(resolve => waiting.current.push(resolve))
}

/**
 * An ordered list being rearranged. `version` is the list's own, as the server told it with `rows`;
 * `save` sends the whole order with the version it began from, and throws the call's error. Moves
 * wait until they are saved, as a draft of this person's; rows that come or go meanwhile are taken
 * in. When the order itself was changed by somebody else, nothing is merged: both orders are shown,
 * and one is chosen.
 */
export const useBoard = <Row extends Identified>({
  name,
  rows,
  version,
  error,
  stale = false,
  refetch,
  save,
}: {
  /** Tells one list from another, so that an unsaved order is never put on another list. */
  name: string
  rows: readonly Row[] | undefined
  version: number | undefined
  error?: CallError | undefined
  stale?: boolean
  refetch: () => void
  save: (order: number[], version: number) => Promise<unknown>
}): BoardState<Row> => {
  const say = useSay()
  const { toast } = useWorkbench()
  const { memo } = usePane()
  const [kept, setKept] = usePaneState<Readonly<Record<string, Kept>>>('orders', {})
  const { keep, clear, found } = useDraft<Kept>(`order:${name}`)
  const picked = usePicked(`board:${name}`)
  const [saving, setSaving] = useState(false)
  // What was saved is the order that further moves begin from, until the server's list has it.
  const [saved, setSaved] = useState<{ order: readonly number[]; version: number } | undefined>(
    undefined,
  )
  const mine = kept[name]
  const unsaved = useRef(false)
  // Once settled here, the draft that was found is none any more.
  const settled = useRef(new Set<string>())
  const put = useCallback(
    (next: Omit<Kept, 'name'> | undefined) => {
      // Other boards of the page keep theirs beside it.
      const { [name]: _, ...rest } = (memo.get('orders') ?? {}) as Readonly<Record<string, Kept>>
      const order =
        next === undefined || next.order.join() === next.base.join() ? undefined : { ...next, name }
      setKept(order ? { ...rest, [name]: order } : rest)
      settled.current.add(name)
      if (order) keep(order)
      else {
        unsaved.current = false
        clear()
      }
    },
    [name, memo, setKept, keep, clear],
  )
  useEffect(() => {
    if (found?.name === name && !mine && !settled.current.has(name)) put(found)
  }, [found, name, mine, put])

  const outgrown = saved !== undefined && saved.version === version
  const own = outgrown ? saved.order : undefined
  const now = useMemo(() => {
    const told = rows?.map(row => row.id)
    return told && own ? rebased(own, told) : told
  }, [rows, own])
  const newerList = useNewerList({ now, version }, outgrown, error !== undefined)
  const conflicted =
    mine !== undefined &&
    now !== undefined &&
    !sameOrder(mine.base, now) &&
    !sameOrder(mine.order, now)
  // What came or went is taken in; what I saved myself is no conflict.
  useEffect(() => {
    if (!mine || !now || version === undefined || conflicted || saving) return
    if (mine.base.join() === now.join() && mine.version === version) return
    put({
      base: now,
      order: rebased(mine.order, now),
      version,
      past: mine.past.map(one => rebased(one, now)),
    })
  }, [mine, now, version, conflicted, saving, put])

  const order = useMemo(() => (now && mine ? rebased(mine.order, now) : now), [now, mine])
  const shown = useMemo(() => {
    const known = new Map(rows?.map(row => [row.id, row]))
    return order?.flatMap(id => known.get(id) ?? [])
  }, [order, rows])
  const moves = useMemo(() => (mine && now && order ? movesOf(now, order) : []), [mine, now, order])

  const dirty = moves.length > 0
  useEffect(() => {
    unsaved.current = dirty
  }, [dirty, moves])
  useUnsaved({ dirty, unsaved: () => unsaved.current, reset: () => put(undefined), stays: true })

  const change = (next: readonly number[]) => {
    if (!now || !order || version === undefined) return
    put({
      base: mine?.base ?? now,
      version: mine?.version ?? version,
      order: next,
      past: [...(mine?.past ?? []), order].slice(-50),
    })
  }
  const send = async (list: readonly number[], from: number) => {
    setSaving(true)
    try {
      await save([...list], from)
      setSaved({ order: list, version: from })
      put(undefined)
      toast(say(['顺序已保存', 'The order is saved']), 'success')
      return true
    } catch (fault) {
      // Stale: the newer list is on its way, and with it either the merge or the choice.
      if ((fault as CallError).status === 409) refetch()
      return false
    } finally {
      setSaving(false)
    }
  }
  return {
    name,
    rows: shown,
    error,
    stale,
    refetch,
    moves,
    dirty,
    saving,
    ...picked,
    conflict: conflicted ? { mine: order!, theirs: now } : undefined,
    move: (id, place) => {
      if (order && order.indexOf(id) !== place - 1) change(movedTo(order, id, place))
    },
    undo: () => {
      const before = mine?.past.at(-1)
      if (mine && before) put({ ...mine, order: before, past: mine.past.slice(0, -1) })
    },
    discard: () => put(undefined),
    save: async () => {
      if (!order || version === undefined || saving) return false
      if (conflicted) {
        toast(say(['请先选择保留哪个顺序', 'Choose which order to keep first']), 'warning')
        return false
      }
      if (moves.length === 0) {
        toast(say(['顺序没有变化', 'The order has not changed']))
        return false
      }
      if (!outgrown) return send(order, mine?.version ?? version)
      // The version of what I saved last comes with the list; another person's order is not undone.
      setSaving(true)
      const newer = await newerList()
      if (newer.version !== undefined && newer.version !== version && sameOrder(now!, newer.now!))
        return send(order, newer.version)
      setSaving(false)
      return false
    },
    keepMine: () => {
      if (order && version !== undefined) void send(order, version)
    },
    takeTheirs: () => put(undefined),
  }
}

const JUMP_MS = 3000
type BoardProps<Row extends Identified> = {
  of: BoardState<Row>
  label: string
  labelOf: (row: Row) => string
  row: (row: Row) => ReactNode
  flags?: (row: Row) => readonly Flag[]
  dim?: (row: Row) => boolean
  onOpen?: (row: Row) => void
  /** Why the order can't be changed now, if so. */
  fixed?: string | undefined
  /** The page's action that saves the order: its key is shown on the button. */
  saves: Action
  /** The person who saved the newer order, and when, in words. */
  theirs?: string | undefined
  empty?: ReactNode
}
/**
 * An ordered list: drag it, or Alt+↑ and Alt+↓ (Alt+Home, Alt+End), or a number and Enter. What was
 * moved is marked with the place it had, each move is told to screen readers, and nothing is sent
 * until the page's `saves` action.
 */
export const Board = <Row extends Identified>({
  of,
  label,
  labelOf,
  row,
  flags,
  dim,
  onOpen,
  fixed,
  saves,
  theirs,
  empty,
}: BoardProps<Row>) => {
  const say = useSay()
  const { keysOf, ariaKeysOf, me } = useWorkbench()
  const active = useActive()
  const [told, tell] = useState('')
  const [typed, setTyped] = useState('')
  useEffect(() => {
    if (!typed) return
    const timer = setTimeout(() => setTyped(''), JUMP_MS)
    return () => clearTimeout(timer)
  }, [typed])
  // The bar goes with the button that had the focus: the rows get it back.
  const inFront = usePaneFocused()
  const list = useRef<HTMLDivElement>(null)
  const unsettled = of.dirty || of.conflict !== undefined
  const before = useRef(unsettled)
  useEffect(() => {
    if (before.current && !unsettled && active && inFront) giveBack(list.current)
    before.current = unsettled
  }, [unsettled, active, inFront])
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
  const rows = of.rows ?? []
  const fixedNow =
    fixed ??
    (me.can(saves.permit) ? undefined : say(['没有调整顺序的权限', 'You may not change the order']))
  const place = (id: number) => rows.findIndex(one => one.id === id) + 1
  const moveTo = (id: number | undefined, to: number) => {
    const from = id === undefined ? 0 : place(id)
    if (id === undefined || from === 0) return
    if (fixedNow) {
      tell(fixedNow)
      return
    }
    const next = Math.max(1, Math.min(rows.length, to))
    of.move(id, next)
    tell(
      say(
        [
          '{name} 移到第 {to} 位，共 {n} 位，未保存',
          '{name} moved to place {to} of {n}, not saved',
        ],
        { name: labelOf(rows[from - 1]!), to: next, n: rows.length },
      ),
    )
  }
  const focusedPlace = of.focused === undefined ? 0 : place(of.focused)
  usePerformed(active, [
    [boardUp, () => moveTo(of.focused, focusedPlace - 1)],
    [boardDown, () => moveTo(of.focused, focusedPlace + 1)],
    [boardTop, () => moveTo(of.focused, 1)],
    [boardBottom, () => moveTo(of.focused, rows.length)],
    [
      boardUndo,
      () => {
        of.undo()
        tell(say(['已撤销一步移动', 'One move undone']))
      },
    ],
    [
      boardDiscard,
      () => {
        of.discard()
        tell(say(['已恢复为保存的顺序', 'Back to the saved order']))
      },
    ],
  ])
  const onKey = (event: KeyboardEvent, here: Row | undefined): boolean => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey
    if (event.altKey && !event.ctrlKey && !event.metaKey) {
      const to: Record<string, number> = {
        ArrowUp: focusedPlace - 1,
        ArrowDown: focusedPlace + 1,
        Home: 1,
        End: rows.length,
      }
      if (!(event.key in to)) return false
      moveTo(here?.id, to[event.key]!)
      return true
    }
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1]
    if (plain && digit && !event.shiftKey && (typed || digit !== '0')) {
      const next = `${typed}${digit}`.slice(0, 4)
      setTyped(next)
      tell(say(['移到第 {n} 位：按 Enter', 'To place {n}: press Enter'], { n: next }))
      return true
    }
    if (!typed) return false
    if (event.key === 'Enter') moveTo(here?.id, Number(typed))
    setTyped('')
    return event.key === 'Enter' || event.key === 'Escape'
  }
  const onDragEnd = ({ active: taken, over }: DragEndEvent) => {
    if (over && taken.id !== over.id) moveTo(Number(taken.id), place(Number(over.id)))
  }
  const moved = useMemo(() => new Map(of.moves.map(one => [one.id, one.from])), [of.moves])
  const nameOf = (id: number) => {
    const found = rows.find(one => one.id === id)
    return found ? labelOf(found) : `#${id}`
  }

  if (of.rows === undefined)
    return of.error ? <Failed error={of.error} retry={of.refetch} /> : <Loading lines={8} />
  return (
    <div className="m-board" data-stale={of.stale || undefined}>
      {of.conflict ? (
        <div className="m-board-conflict" role="alert">
          <p>
            {say(['顺序已被他人改动', 'Somebody saved another order'])}
            {theirs && `${say(colon)}${theirs}`}
          </p>
          <div>
            <Order
              title={say(['我的顺序', 'Mine'])}
              order={of.conflict.mine}
              nameOf={nameOf}
              other={of.conflict.theirs}
            />
            <Order
              title={say(['现在的顺序', 'Theirs'])}
              order={of.conflict.theirs}
              nameOf={nameOf}
              other={of.conflict.mine}
            />
          </div>
          <Button size="small" intent="primary" loading={of.saving} onClick={of.keepMine}>
            {say(['保留我的并保存', 'Keep mine and save'])}
          </Button>
          <Button size="small" onClick={of.takeTheirs}>
            {say(['采用现在的', 'Take theirs'])}
          </Button>
        </div>
      ) : (
        of.dirty && (
          <div className="m-board-bar">
            <span>
              {say(['未保存：移动了 {n} 项', 'Not saved: {n} moved'], { n: of.moves.length })}
            </span>
            <span className="m-fill" />
            <Button size="small" variant="minimal" icon={<Undo />} onClick={of.undo}>
              {say(['撤销一步', 'Undo'])}
              <Keys keys={keysOf(boardUndo.id)} />
            </Button>
            <Button size="small" variant="minimal" onClick={of.discard}>
              {say(['放弃', 'Discard'])}
            </Button>
            <Button
              size="small"
              intent="primary"
              loading={of.saving}
              aria-keyshortcuts={ariaKeysOf(saves.id)}
              onClick={() => void of.save()}
            >
              {say(['保存顺序', 'Save the order'])}
              <Keys keys={keysOf(saves.id)} />
            </Button>
          </div>
        )
      )}
      {typed && (
        <div className="m-board-jump" aria-hidden="true">
          {say(['移到第 {n} 位 ↵', 'To place {n} ↵'], { n: typed })}
        </div>
      )}
      <div className="m-sr" role="status" aria-live="assertive">
        {told}
      </div>
      {rows.length === 0 && (empty ?? <Empty title={say(['还没有内容', 'Nothing here yet'])} />)}
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={onDragEnd}
        accessibility={{
          screenReaderInstructions: {
            draggable: say(['按 Alt 加上下方向键移动', 'Alt and an arrow moves it']),
          },
          announcements: quiet,
        }}
      >
        <SortableContext
          items={rows.map(one => one.id)}
          strategy={verticalListSortingStrategy}
          disabled={Boolean(fixedNow)}
        >
          <Rows
            ref={list}
            label={label}
            rows={rows}
            labelOf={labelOf}
            row={row}
            focused={of.focused}
            onFocus={of.focus}
            selected={of.selected}
            onSelect={of.select}
            refresh={of.refetch}
            onKey={onKey}
            {...(flags ? { flags } : {})}
            {...(dim ? { dim } : {})}
            {...(onOpen ? { onOpen } : {})}
            lead={(one, at) => (
              <>
                <span className="m-board-place m-num">{at + 1}</span>
                {moved.has(one.id) && (
                  <Badge tone="info" title={say(['未保存', 'Not saved'])}>
                    {say(['原第 {n}', 'was {n}'], { n: moved.get(one.id)! })}
                  </Badge>
                )}
              </>
            )}
            line={(one, _, props) => (
              <Draggable key={one.id} of={one.id} fixed={fixedNow} props={props} />
            )}
          />
        </SortableContext>
      </DndContext>
    </div>
  )
}
/** Our own live region tells of moves, by mouse and by key alike. */
const quiet = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
}

const Draggable = ({
  of,
  fixed,
  props: { children, ...props },
}: {
  of: number
  fixed: string | undefined
  props: LineProps
}) => {
  const { listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id: of })
  return (
    <div
      ref={setNodeRef}
      {...props}
      data-dragging={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <span
        ref={setActivatorNodeRef}
        className="m-board-handle"
        aria-hidden="true"
        title={fixed}
        data-fixed={fixed ? true : undefined}
        {...listeners}
      >
        <DragHandleVertical />
      </span>
      {children}
    </div>
  )
}
const Order = ({
  title,
  order,
  nameOf,
  other,
}: {
  title: string
  order: readonly number[]
  nameOf: (id: number) => string
  other: readonly number[]
}) => {
  const changed = new Set(movesOf(other, order).map(one => one.id))
  return (
    <section>
      <h4>{title}</h4>
      <ol>
        {order.map(id => (
          <li key={id} data-moved={changed.has(id) || undefined}>
            {nameOf(id)}
          </li>
        ))}
      </ol>
    </section>
  )
}
