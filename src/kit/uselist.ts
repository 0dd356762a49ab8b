import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useDispatch } from 'react-redux'
import { useLocation, useSearch } from 'wouter'
import { z } from 'zod'
import { relativeTime } from '#src/areas/workbench/view.ts'
import type { Read } from '#src/contract/call.ts'
import { fitting, fromQuery, isNumber } from '#src/contract/query.ts'
import { ownMs } from '#src/domain/clock.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dayStart, unixNow } from '#src/domain/time.ts'
import { dispatchRead, hasMade, isStale, useRead, type CallError } from './data.ts'
import { useHeld } from './held.ts'
import { usePaneState } from './memory.ts'

type Listed<Row> = { list: Row[]; total: number; capped?: boolean }
type Asked = { page?: number; pageSize?: number; sort?: string }
/** The most rows that "all that match" takes; more is an export's work. */
export const SELECT_MAX = 2000
/** How many are selected; where that is all that can be of more, it says so. */
export const selectedWords = (selected: number, total: number): [Text, Record<string, number>] => [
  selected >= SELECT_MAX && total > selected
    ? ['已选前 {n} 项，共 {all} 项符合', 'The first {n} selected, {all} match']
    : ['已选 {n} 项', '{n} selected'],
  { n: selected, all: total },
]
/** A decision older than this hides nothing: every answer since then knows of it. */
const FORGET_MS = 60_000

export type ListState<Row, S = any> = {
  rows: readonly Row[]
  total: number
  capped: boolean
  loaded: boolean
  stale: boolean
  error: CallError | undefined
  retry: () => void
  call: Read<S, any, { total: number; capped?: boolean }>
  /** What the call would be asked at another address of this list. */
  inputOf: (search: string) => S & Asked
  /** The call's input as it stands: filters, sort and page, all of them in the pane's address. */
  input: S & Asked
  /** Changes filters or sort, and goes to the first page. */
  filter: (patch: Record<string, unknown>) => void
  goPage: (page: number, then?: 'first' | 'last') => void
  pages: number
  /** The page that was asked for and is behind the last, where the last is shown instead. */
  behind: number | undefined
  focused: number | undefined
  focus: (id: number | undefined) => void
  focusedRow: Row | undefined
  /** Goes so many rows on, over the page's edge too. */
  step: (by: number, extend?: boolean) => void
  selected: ReadonlyMap<number, Row>
  select: (ids: readonly number[], on: boolean) => void
  clear: () => void
  /** Fetches every row that matches into the selection, at most SELECT_MAX. */
  selectAll: () => Promise<void>
  /**
   * Rows decided a moment ago: gone at once, out of the selection too. Say `refused` to bring them
   * back, `done` to believe the server's next answer.
   */
  hide: (ids: readonly number[]) => (how: 'refused' | 'done') => void
  /** Puts the focus on a row as soon as the list shows it again: after an undo. */
  reveal: (id: number) => void
  scroll: { top: number; keep: (top: number) => void }
  /** Rows that came while a hand was in the list, and wait until they are asked for by `retry`. */
  waiting: number
  /** Says whether the pointer or the focus is among the rows. */
  hand: (isIn: boolean) => void
}
/** What a filter needs of its list, whatever the rows are. */
export type Filtered = Pick<ListState<unknown>, 'input' | 'inputOf' | 'filter'>
/** The filters of a list as they stand: what an export of all that match is asked by. */
export const filtersOf = <S extends object>({
  input: { page: _, pageSize: __, sort: ___, ...filters },
}: Pick<ListState<unknown, S>, 'input'>) => filters
/**
 * How many rows the filters of a list find, in words (`2000+` where no more were counted); undefined
 * while the number on show is that of other filters, or none.
 */
export const countedOf = (
  of: Pick<ListState<unknown>, 'total' | 'capped' | 'loaded' | 'stale'>,
): string | undefined =>
  of.loaded && !of.stale ? `${of.total.toLocaleString()}${of.capped ? '+' : ''}` : undefined
/** What a list is asked that leaves no row out. */
const NO_FILTER = new Set(['page', 'pageSize', 'sort'])
/** How many filters of a list are set; `tab` is the one that its tabs set, and counts by itself. */
export const activeFilters = (
  { input, inputOf }: Pick<Filtered, 'input' | 'inputOf'>,
  tab?: string,
): number => {
  const usual: Record<string, unknown> = inputOf('')
  const set = Object.entries(input as Record<string, unknown>).flatMap(([key, value]) =>
    NO_FILTER.has(key) || key === tab || JSON.stringify(value) === JSON.stringify(usual[key])
      ? []
      : [key],
  )
  // The two ends of a period are one filter.
  return set.filter(key => !/(^|_)to$/.test(key) || !set.includes(key.replace(/to$/, 'from')))
    .length
}

/** The day it is, also past midnight in a list that stays open. */
const useToday = (): number => {
  const [today, setToday] = useState(() => dayStart(unixNow()))
  useEffect(() => {
    const timer = setTimeout(
      () => setToday(dayStart(unixNow())),
      (today + DAY - unixNow()) * 1000 + 1000,
    )
    return () => clearTimeout(timer)
  }, [today])
  return today
}
/** All that a page listed is decided, and the rows after it are on their way. */
const isDecidedAway = (data: Listed<unknown> | undefined, rows: readonly unknown[]): boolean =>
  data !== undefined && data.list.length > 0 && rows.length === 0 && data.total > data.list.length
/**
 * The rows that are shown of an answer: none that was decided since it was asked for, and none that
 * came while a hand was in the list.
 */
const useShown = <Row extends { id: number }>(
  read: { data?: Listed<Row>; currentData?: unknown; startedTimeStamp?: number },
  input: unknown,
  hidden: ReadonlyMap<number, number>,
  isOwn: (fresh: readonly Row[]) => boolean,
) => {
  const list = read.data?.list
  // Rows that answer another question are none to hold anything back from.
  const { shown, waiting, hand, take } = useHeld(read.currentData && input, list, isOwn)
  const asked = read.startedTimeStamp ?? 0
  return useMemo(() => {
    const left = (of: readonly Row[] = []) => of.filter(row => !((hidden.get(row.id) ?? 0) > asked))
    const still = left(shown)
    // All that was shown is decided: what waits takes its place.
    const isEmpty = still.length === 0
    return { rows: isEmpty ? left(list) : still, waiting: isEmpty ? 0 : waiting, hand, take }
  }, [shown, waiting, list, hidden, asked, hand, take])
}
/**
 * A list whose filters, page and sort live in the pane's address, and whose focus, selection and
 * scroll stay with the pane.
 */
export const useList = <S extends object, P, Row extends { id: number }>(
  call: Read<S, P, Listed<Row>>,
  fixed?: Partial<S>,
): ListState<Row, S> => {
  const search = useSearch()
  const [, navigate] = useLocation()
  const dispatch = useDispatch()
  const shape = (call.input as z.ZodObject).shape
  const today = useToday()
  const inputOf = useCallback(
    (asked: string): S & Asked => {
      const given = Object.fromEntries(
        [...new URLSearchParams(asked)].filter(([key]) => Object.hasOwn(shape, key)),
      )
      // An address typed by hand or of an older version: what does not parse is left out rather
      // than refused.
      const typed = fromQuery(call.input, given)
      // “7d” stays the last seven days, whatever day it is when it is read.
      const meant = Object.entries(typed).map(
        ([key, value]) =>
          [
            key,
            typeof value === 'string' && isNumber(shape[key] as z.ZodType)
              ? (relativeTime(value, today) ?? value)
              : value,
          ] as const,
      )
      const sound = Object.fromEntries(
        meant.filter(([key, value]) => (shape[key] as z.ZodType).safeParse(value).success),
      )
      return { ...(call.input.parse(fitting(call.input, { ...sound, ...fixed })) as object) } as S &
        Asked
    },
    [call, fixed, shape, today],
  )
  const input = useMemo(() => inputOf(search), [inputOf, search])
  const read = useRead(call, input as S)
  const data = read.data

  // Row → when the server had done it (ms), Infinity while it is under way. An answer asked for
  // later than that is believed.
  const [hidden, setHidden] = useState<ReadonlyMap<number, number>>(new Map())
  const revealing = useRef<number | undefined>(undefined)
  const { rows, waiting, hand, take } = useShown(
    read,
    input,
    hidden,
    fresh => fresh.some(row => row.id === revealing.current) || hasMade(call.touches),
  )
  const { refetch } = read
  const retry = useCallback(() => {
    take()
    refetch()
  }, [take, refetch])
  const [focused, setFocused] = usePaneState<number | undefined>('focus', undefined)
  const [kept, setKept] = usePaneState<readonly Row[]>('selected', [])
  const selected = useMemo(() => new Map(kept.map(row => [row.id, row])), [kept])
  const latest = useRef(kept)
  latest.current = kept
  const top = usePaneState('scroll', 0)
  const pageSize = input.pageSize ?? 50
  const page = input.page ?? 1
  const lastPage = Math.max(1, Math.ceil((data?.total ?? 0) / pageSize))
  // How many pages there are is not known where one could not be read: the way back stays open.
  const pages = data === undefined ? Math.max(page, lastPage) : lastPage

  const isBehind = data?.list.length === 0 && page > pages
  const isDecided = isDecidedAway(data, rows)

  const change = useCallback(
    (patch: Record<string, unknown>) => {
      const next = new URLSearchParams(search)
      for (const [key, value] of Object.entries(patch)) {
        if (value === undefined || value === '' || value === null) next.delete(key)
        else next.set(key, typeof value === 'boolean' ? String(Number(value)) : String(value))
      }
      navigate(next.size ? `?${next}` : '?', { replace: true })
    },
    [search, navigate],
  )

  // The focused row left the list: the one that took its place gets the focus, so that the eye
  // stays where it is.
  const lastIndex = useRef(0)
  const edge = useRef<'first' | 'last' | undefined>(undefined)
  useEffect(() => {
    if (revealing.current !== undefined && rows.some(row => row.id === revealing.current)) {
      setFocused(revealing.current)
      revealing.current = undefined
      return
    }
    if (edge.current && !read.isFetching) {
      const to = edge.current === 'first' ? rows[0] : rows.at(-1)
      edge.current = undefined
      if (to) setFocused(to.id)
      return
    }
    const at = rows.findIndex(row => row.id === focused)
    if (at >= 0) lastIndex.current = at
    else if (rows.length > 0 && data)
      setFocused(rows[Math.min(lastIndex.current, rows.length - 1)]!.id)
  }, [rows, focused, data, read.isFetching, setFocused])
  // What is selected shows its newest values, and keeps them when it scrolls out of the page.
  useLayoutEffect(() => {
    if (kept.length === 0 || !data) return
    const fresh = new Map(data.list.map(row => [row.id, row]))
    if (kept.some(row => fresh.has(row.id) && fresh.get(row.id) !== row))
      setKept(kept.map(row => fresh.get(row.id) ?? row))
  }, [data, kept, setKept])

  const goPage = useCallback(
    (to: number, then: 'first' | 'last' = 'first') => {
      edge.current = then
      top[1](0)
      change({ page: to === 1 ? undefined : to })
    },
    [change, top],
  )
  const [behind, setBehind] = useState<number | undefined>(undefined)
  const isAnswered = read.currentData !== undefined && !read.isFetching
  useEffect(() => {
    if (!isBehind || !isAnswered) return
    setBehind(page)
    goPage(pages)
  }, [isBehind, isAnswered, page, pages, goPage])
  const select = useCallback(
    (ids: readonly number[], on: boolean) => {
      const next = new Map(selected)
      for (const id of ids) {
        const row = rows.find(one => one.id === id)
        if (on && row) next.set(id, row)
        else if (!on) next.delete(id)
      }
      setKept([...next.values()])
    },
    [rows, selected, setKept],
  )

  return {
    rows,
    total: data?.total ?? 0,
    capped: data?.capped ?? false,
    loaded: data !== undefined,
    stale: isBehind || isDecided || isStale(read),
    error: read.error,
    retry,
    call: call as ListState<Row, S>['call'],
    inputOf,
    input,
    pages,
    behind: page === pages ? behind : undefined,
    filter: patch => {
      setBehind(undefined)
      change({ page: undefined, ...patch })
      top[1](0)
    },
    goPage: (to, then) => {
      setBehind(undefined)
      goPage(to, then)
    },
    // What was looked at in the rows before is none of a list that is empty.
    focused: data && rows.length === 0 ? undefined : focused,
    focus: setFocused,
    focusedRow: rows.find(row => row.id === focused),
    step: (by, extend = false) => {
      const at = rows.findIndex(row => row.id === focused)
      const to = at + by
      if (extend && rows[at]) select([rows[at].id, ...(rows[to] ? [rows[to].id] : [])], true)
      if (to < 0 && page > 1) goPage(page - 1, 'last')
      else if (to >= rows.length && page < pages) goPage(page + 1)
      else if (rows[Math.max(0, Math.min(rows.length - 1, to))])
        setFocused(rows[Math.max(0, Math.min(rows.length - 1, to))]!.id)
    },
    selected,
    select,
    clear: () => setKept([]),
    selectAll: async () => {
      const all: Row[] = []
      for (let at = 1; all.length < Math.min(SELECT_MAX, data?.total ?? 0); at++) {
        const part = await dispatchRead(
          dispatch as never,
          call,
          { ...input, page: at, pageSize: 200 } as S,
          true,
        )
        all.push(...part.list)
        if (part.list.length < 200) break
      }
      setKept(all.slice(0, SELECT_MAX))
    },
    hide: ids => {
      const taken = ids.flatMap(id => selected.get(id) ?? [])
      const mark = (at: number | undefined) =>
        setHidden(now => {
          const next = new Map([...now].filter(([, since]) => since > ownMs() - FORGET_MS))
          for (const id of ids) {
            if (at === undefined) next.delete(id)
            else next.set(id, at)
          }
          return next
        })
      mark(Number.POSITIVE_INFINITY)
      if (taken.length > 0) setKept(kept.filter(row => !ids.includes(row.id)))
      return how => {
        mark(how === 'done' ? ownMs() : undefined)
        if (how === 'refused' && taken.length > 0)
          setKept([...latest.current.filter(row => !ids.includes(row.id)), ...taken])
      }
    },
    reveal: id => {
      setHidden(now => new Map([...now].filter(([one]) => one !== id)))
      revealing.current = id
    },
    scroll: { top: top[0], keep: top[1] },
    waiting,
    hand,
  }
}
