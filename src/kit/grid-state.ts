import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { ChangedBy } from '#src/contract/envelope.ts'
import { useUnsaved } from './form.tsx'
import type { GridColumn, Typed } from './grid-cells.ts'
import {
  apply,
  caughtUp,
  changesOf,
  faultOf,
  isCrossed,
  onPresent,
  revert,
  sumsOf,
  typing,
  withTheirs,
  type GridChange,
  type GridDraft,
  type GridRow,
  type Patch,
} from './grid-draft.ts'
import { useDraft } from './memory.ts'
import { lang } from './text.ts'

/** What became of a row that was sent. */
type GridSaved = {
  id: number
  result: 'saved' | 'conflict' | 'error'
  /** What else is to be told of it. */
  text?: string | undefined
  /** What is wrong, by the key of its column. */
  fields?: Readonly<Record<string, string>> | undefined
  /** The person who changed it meanwhile. */
  by?: ChangedBy | undefined
}
type SavesGrid = (of: {
  rows: readonly GridChange[]
  reason: string
}) => Promise<readonly GridSaved[]>
export type GridSheetProps<Row extends GridRow> = {
  /** Its draft's name. */
  name: string
  label: string
  rows: readonly Row[]
  /** The first one names the row, and is read-only. */
  columns: readonly GridColumn<Row>[]
  nameOf: (row: Row) => string
  /** Sends the rows that can be; answers when the rows are read anew. */
  save: SavesGrid
  /** A reason is asked for before anything is saved. */
  reasoned?: boolean
  /** What else stands in its bar. */
  aside?: ReactNode
}
/** A cell that keeps its row from being saved. */
export type GridProblem = {
  row: number
  column: number
  text: string
  kind: 'fault' | 'crossed' | 'refused'
}
type Kept = { draft: GridDraft; reason: string }
const HISTORY = 100
type History = { draft: GridDraft; done: readonly Patch[]; undone: readonly Patch[] }
const nothing: History = { draft: {}, done: [], undone: [] }

/** What was typed, forth and back, kept on this machine until it is saved. */
const useHistory = (name: string) => {
  const { ready, found, keep, clear } = useDraft<Kept>(`grid:${name}`)
  const [history, setHistory] = useState<History>(nothing)
  const [reason, setReason] = useState('')
  const [recovered, setRecovered] = useState(false)
  const begun = useRef(false)
  useEffect(() => {
    if (!ready || begun.current) return
    begun.current = true
    if (!found) return
    setHistory({ ...nothing, draft: found.draft })
    setReason(found.reason)
    setRecovered(Object.keys(found.draft).length > 0)
  }, [ready, found])
  useEffect(() => {
    if (!begun.current) return
    if (Object.keys(history.draft).length > 0) keep({ draft: history.draft, reason })
    else clear()
  }, [history.draft, reason, keep, clear])
  return { history, setHistory, reason, setReason, recovered }
}

const without = <T>(of: ReadonlyMap<number, T>, ids: readonly number[]) =>
  new Map([...of].filter(([id]) => !ids.includes(id)))
type Of<Row> = {
  name: string
  rows: readonly Row[]
  columns: readonly GridColumn<Row>[]
  save: SavesGrid
}
type Told = ReadonlyMap<number, GridSaved>
/** The cells that keep their rows from being saved, in the order of the grid. */
const problemsOf = <Row extends GridRow>(
  { rows, columns }: Pick<Of<Row>, 'rows' | 'columns'>,
  draft: GridDraft,
  told: Told,
): GridProblem[] =>
  rows.flatMap((row, at) =>
    draft[row.id] === undefined
      ? []
      : columns.flatMap((column, aside): GridProblem[] => {
          const place = { row: at, column: aside }
          const fault = faultOf(draft, { row, column, columns }, lang())
          if (fault) return [{ ...place, kind: 'fault', text: fault }]
          if (isCrossed(draft, row, column)) return [{ ...place, kind: 'crossed', text: '' }]
          const refused = told.get(row.id)?.fields?.[column.key]
          return refused ? [{ ...place, kind: 'refused', text: refused }] : []
        }),
  )

/** What is typed, taken back and settled; `forget` hears of which rows what was told is old. */
const useTyping = <Row extends GridRow>(
  { name, rows, columns }: Of<Row>,
  forget: (ids: readonly number[]) => void,
) => {
  const { history, setHistory, ...kept } = useHistory(name)
  const of = useMemo(() => ({ rows, columns }), [rows, columns])
  const draft = useMemo(
    () => caughtUp(history.draft, rows, columns),
    [history.draft, rows, columns],
  )
  const type = (typed: readonly Typed[]): { kept: number } => {
    const { patch, kept: left } = typing(draft, of, typed)
    if (patch.length > 0) {
      setHistory(now => ({
        draft: apply(draft, patch),
        done: [...now.done, patch].slice(-HISTORY),
        undone: [],
      }))
      forget(patch.map(({ id }) => id))
    }
    return { kept: left }
  }
  const step = (from: 'done' | 'undone') => {
    const patch = history[from].at(-1)
    if (!patch) return
    const to = from === 'done' ? 'undone' : 'done'
    setHistory(now => ({
      ...now,
      draft: from === 'done' ? revert(draft, patch) : apply(draft, patch),
      [from]: now[from].slice(0, -1),
      [to]: [...now[to], patch],
    }))
    forget(patch.map(({ id }) => id))
  }
  /** What the edits come to when a conflict is settled: there is nothing to undo then. */
  const become = (next: GridDraft, id: number) => {
    setHistory({ ...nothing, draft: next })
    forget([id])
  }
  return {
    ...kept,
    of,
    draft,
    canUndo: history.done.length > 0,
    canRedo: history.undone.length > 0,
    type,
    undo: () => step('done'),
    redo: () => step('undone'),
    keepMine: (row: Row) => become(onPresent(draft, row, columns), row.id),
    takeTheirs: (row: Row) => become(withTheirs(draft, row, columns), row.id),
    /** The rows that are saved have no edits any more. */
    drop: (ids: ReadonlySet<number>) =>
      setHistory(now => ({
        ...nothing,
        draft: Object.fromEntries(Object.entries(now.draft).filter(([id]) => !ids.has(Number(id)))),
      })),
    empty: () => setHistory(nothing),
  }
}

/** A grid's edits: typed and undone, kept, checked, and saved in one call that answers row by row. */
export const useGridEdits = <Row extends GridRow>(grid: Of<Row>) => {
  const [told, setTold] = useState<Told>(new Map())
  const [saving, setSaving] = useState(false)
  const { of, drop, empty, ...typed } = useTyping(grid, ids => setTold(now => without(now, ids)))
  const { draft, reason, setReason } = typed
  const problems = useMemo(() => problemsOf(of, draft, told), [of, draft, told])
  const sums = useMemo(() => sumsOf(draft, of), [draft, of])
  const changes = useMemo(() => changesOf(draft, of), [draft, of])
  const discard = () => {
    empty()
    setTold(new Map())
  }
  const dirty = Object.keys(draft).length > 0
  useUnsaved({ dirty, unsaved: () => dirty, reset: discard })
  const send = async () => {
    if (saving || changes.length === 0) return
    setSaving(true)
    try {
      const answers = await grid.save({ rows: changes, reason: reason.trim() })
      const saved = new Set(answers.filter(one => one.result === 'saved').map(({ id }) => id))
      setTold(now => new Map([...now, ...answers.map(one => [one.id, one] as const)]))
      drop(saved)
      if (saved.size === answers.length) setReason('')
    } finally {
      setSaving(false)
    }
  }
  return { ...grid, ...typed, told, problems, sums, changes, saving, discard, send }
}
export type GridEdits<Row extends GridRow> = ReturnType<typeof useGridEdits<Row>>
