import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { movedTo, movesOf, rebased, sameOrder } from '#src/domain/moves.ts'
import { usePicked, type Identified } from './board-rows.tsx'
import type { CallError } from './data.ts'
import { useUnsaved } from './form.tsx'
import { useDraft, usePaneState } from './memory.ts'
import { useSay } from './text.ts'
import { usePane, useWorkbench } from './workbench.ts'

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
type Order = readonly number[]
/** `name` is the list that it is an order of. */
type Kept = {
  name: string
  base: Order
  order: Order
  version: number
  past: readonly Order[]
}
const sameIds = (one: Order, other: Order): boolean => one.join() === other.join()

/** The order that waits to be saved, as a draft of this person's; `put` keeps another or drops it. */
const useKeptOrder = (name: string) => {
  const { memo } = usePane()
  const [kept, setKept] = usePaneState<Readonly<Record<string, Kept>>>('orders', {})
  const { keep, clear, found } = useDraft<Kept>(`order:${name}`)
  const mine = kept[name]
  const unsaved = useRef(false)
  // Once settled here, the draft that was found is none any more.
  const settled = useRef(new Set<string>())
  const put = useCallback(
    (next: Omit<Kept, 'name'> | undefined) => {
      // Other boards of the page keep theirs beside it.
      const { [name]: _, ...rest } = (memo.get('orders') ?? {}) as Readonly<Record<string, Kept>>
      const order =
        next === undefined || sameIds(next.order, next.base) ? undefined : { ...next, name }
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
  return { mine, put, unsaved }
}

type Told = { now: Order | undefined; version: number | undefined }
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
 * The order that stands on the server, and mine over it. What came or went meanwhile is taken into
 * mine; another person's order is a conflict.
 */
const useOrder = <Row extends Identified>(
  { mine, put }: ReturnType<typeof useKeptOrder>,
  {
    rows,
    version,
    own,
    saving,
  }: {
    rows: readonly Row[] | undefined
    version: number | undefined
    /** What I saved last, until the server's list has it. */
    own: Order | undefined
    saving: boolean
  },
) => {
  const now = useMemo(() => {
    const told = rows?.map(row => row.id)
    return told && own ? rebased(own, told) : told
  }, [rows, own])
  const conflicted =
    mine !== undefined &&
    now !== undefined &&
    !sameOrder(mine.base, now) &&
    !sameOrder(mine.order, now)
  // What came or went is taken in; what I saved myself is no conflict.
  useEffect(() => {
    if (!mine || !now || version === undefined || conflicted || saving) return
    if (sameIds(mine.base, now) && mine.version === version) return
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
  return { now, order, shown, moves, conflicted }
}

/** Sends an order, and tells that one is under way and which was saved last, with its version. */
const useSending = ({
  save,
  refetch,
  put,
}: {
  save: (order: number[], version: number) => Promise<unknown>
  refetch: () => void
  put: ReturnType<typeof useKeptOrder>['put']
}) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [saving, setSaving] = useState(false)
  const [saved, setSaved] = useState<{ order: Order; version: number } | undefined>(undefined)
  const send = async (list: Order, from: number) => {
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
  /** Sends it with a version that is still to be told, if one is. */
  const sendOnceTold = async (list: Order, version: Promise<number | undefined>) => {
    setSaving(true)
    const from = await version
    if (from !== undefined) return send(list, from)
    setSaving(false)
    return false
  }
  return { saving, saved, send, sendOnceTold }
}

const UNDO_STEPS = 50
type Board<Row extends Identified> = {
  /** Tells one list from another, so that an unsaved order is never put on another list. */
  name: string
  rows: readonly Row[] | undefined
  version: number | undefined
  error?: CallError | undefined
  stale?: boolean
  refetch: () => void
  save: (order: number[], version: number) => Promise<unknown>
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
}: Board<Row>): BoardState<Row> => {
  const say = useSay()
  const { toast } = useWorkbench()
  const kept = useKeptOrder(name)
  const { mine, put, unsaved } = kept
  const picked = usePicked(`board:${name}`)
  const { saving, saved, send, sendOnceTold } = useSending({ save, refetch, put })
  // What was saved is the order that further moves begin from, until the server's list has it.
  const outgrown = saved !== undefined && saved.version === version
  const own = outgrown ? saved.order : undefined
  const { now, order, shown, moves, conflicted } = useOrder(kept, { rows, version, own, saving })
  const newerList = useNewerList({ now, version }, outgrown, error !== undefined)

  const dirty = moves.length > 0
  useEffect(() => {
    unsaved.current = dirty
  }, [unsaved, dirty, moves])
  useUnsaved({ dirty, unsaved: () => unsaved.current, reset: () => put(undefined), stays: true })

  /** The version of what I saved last comes with the list; another person's order is not undone. */
  const newerVersion = async () => {
    const newer = await newerList()
    const isNewer = newer.version !== undefined && newer.version !== version
    return isNewer && sameOrder(now!, newer.now!) ? newer.version : undefined
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
    conflict: conflicted ? { mine: order!, theirs: now! } : undefined,
    move: (id, place) => {
      if (!now || !order || version === undefined || order.indexOf(id) === place - 1) return
      put({
        base: mine?.base ?? now,
        version: mine?.version ?? version,
        order: movedTo(order, id, place),
        past: [...(mine?.past ?? []), order].slice(-UNDO_STEPS),
      })
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
      return outgrown ? sendOnceTold(order, newerVersion()) : send(order, mine?.version ?? version)
    },
    keepMine: () => {
      if (order && version !== undefined) void send(order, version)
    },
    takeTheirs: () => put(undefined),
  }
}
