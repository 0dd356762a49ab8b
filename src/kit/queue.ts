import { useEffect, useState } from 'react'
import { useDispatch } from 'react-redux'
import type { Action } from '#commands/command.ts'
import { CLAIM_SECONDS, IDLE_SECONDS, VIEWER_SECONDS } from '#src/areas/audit/audit.ts'
import type { Read, Write } from '#src/contract/call.ts'
import { ownMs } from '#src/domain/clock.ts'
import type { Text } from '#src/domain/text.ts'
import { learnReasons, learnTop, tellsFirst } from './asks.ts'
import { dispatchRead, dispatchWrite, skipToken, useAhead, useRead } from './data.ts'
import { useDetailAction } from './detail.ts'
import { usePaneState, useSetting } from './memory.ts'
import { useRested } from './rested.ts'
import { useSay } from './text.ts'
import type { ListState } from './uselist.ts'
import { useAction, useAnswered, usePane, useWorkbench } from './workbench.ts'

/** Where a decision leads: to the next one, nowhere, or back to the list. */
export type After = 'next' | 'stay' | 'list'
const isAfter = (value: unknown): value is After =>
  value === 'next' || value === 'stay' || value === 'list'
/**
 * The person's choice, the same in every queue and on every machine; `asking` is the action by
 * which it is changed.
 */
export const useAfter = (asking: Action): After => {
  const [after, choose] = useSetting(useWorkbench().setting<After>('audit.after', isAfter, 'next'))
  useAnswered(asking, ({ where }) => {
    if (isAfter(where)) choose(where)
  })
  return after
}

/** The digits of a queue's reject reasons are known before the question is asked. */
export const useTopReasons = (call: Read<{}, unknown, { codes: readonly string[] }>) => {
  const { me } = useWorkbench()
  const { data } = useRead(call, me.can(call.permit) ? {} : skipToken)
  useEffect(() => {
    if (data) learnTop(call, data.codes)
  }, [data, call])
}

/** The reasons that a question offers are known before it is asked. */
export const useReasons = (
  call: Read<{}, unknown, { list: readonly { code: string; text: string }[] }>,
) => {
  const { data } = useRead(call, {})
  useEffect(() => {
    if (data) learnReasons(call, data.list)
  }, [data, call])
}

let acted = ownMs()
for (const event of ['keydown', 'pointerdown', 'pointermove', 'wheel'])
  globalThis.addEventListener?.(
    event,
    () => {
      acted = ownMs()
    },
    { capture: true, passive: true },
  )
type Viewer = { id: number; name: string }
type Beat = Write<{ id: number }, unknown, { viewers: Viewer[] }>
/**
 * Colleagues see who looks at what, and a claim holds while its holder looks and is there: whoever
 * did nothing for `IDLE_SECONDS`, closed the page or signed out has it no more. Answers who else
 * looks.
 */
export const useLease = (call: Beat | undefined, id: number | undefined) => {
  const dispatch = useDispatch()
  const pane = usePane()
  const [viewers, setViewers] = useState<{ of: number; list: Viewer[] } | undefined>(undefined)
  useEffect(() => {
    if (!call || id === undefined || !pane.visible) return
    const beat = () => {
      if (document.hidden || ownMs() - acted > (IDLE_SECONDS - CLAIM_SECONDS) * 1000) return
      dispatchWrite(dispatch as never, call, { id }, { quiet: 'wholly' }).then(
        result => setViewers({ of: id, list: result.viewers }),
        () => setViewers(undefined),
      )
    }
    const first = setTimeout(beat, 800)
    const timer = setInterval(beat, VIEWER_SECONDS * 1000 * 0.75)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }, [id, pane.visible, dispatch, call])
  return viewers?.of === id ? viewers?.list : undefined
}

/** Said where one goes back to the last decision and there is none. */
export const nothingDecided: Text = [
  '还没有作出过决定，没有可以返回的',
  'Nothing decided yet to go back to',
]
type Titled = { id: number; title: string }
/** Said where no task was free: that there is none, or which of mine is shown instead. */
export const noneFree = (own: Titled | undefined): Text =>
  own
    ? [
        `没有可领取的任务了，已转到你领取的「${own.title}」`,
        `Nothing left to claim: here is your own “${own.title}”`,
      ]
    : ['没有可领取的任务了', 'Nothing left to claim']
type Claims<Row> = {
  claimNext: Write<object, unknown, { tasks: Row[] }>
  lst: Read<object, unknown, { list: Row[] }>
}
/**
 * Claims the next free task within the filters; where none is free, the first that I hold already
 * (`own`). Undefined where there is neither.
 */
export const claimOrMine = async <Row>(
  dispatch: unknown,
  calls: Claims<Row>,
  filters: object,
): Promise<{ task: Row; own: boolean } | undefined> => {
  const { tasks } = await dispatchWrite(dispatch as never, calls.claimNext, filters)
  if (tasks[0]) return { task: tasks[0], own: false }
  const mine = { ...filters, state: 'mine', page: 1, pageSize: 1 }
  const { list } = await dispatchRead(dispatch as never, calls.lst, mine, true)
  return list[0] && { task: list[0], own: true }
}

const AHEAD = 2
type Flow<Row, D> = {
  list: ListState<Row>
  call: Read<{ id: number }, unknown, D>
  beat: Beat | undefined
  after: After
  /** Whether a row is mine to decide: what a colleague holds is passed over. */
  mine: (row: Row) => boolean
}
/** What the eye is on: the list's row, or one that is held beside the list. */
const useEye = <Row extends Titled, D>({ list, call, beat, mine }: Flow<Row, D>) => {
  const [zen, setZen] = usePaneState('zen', false)
  const [held, setHeld] = usePaneState<number | undefined>('held', undefined)
  const [lastDecided, setLastDecided] = usePaneState<number | undefined>('decided', undefined)
  const [shown, setShown] = useRested(held ?? list.focused)
  const detail = useRead(call, shown === undefined ? skipToken : { id: shown })
  const later = list.rows.slice(list.rows.findIndex(row => row.id === shown) + 1)
  const ahead = [...new Set([later.find(mine), ...later.slice(0, AHEAD)])].flatMap(row =>
    row ? [{ id: row.id }] : [],
  )
  useAhead(call, ahead, detail.currentData !== undefined)
  const viewers = useLease(beat, shown)
  const show = (id: number) => {
    setHeld(list.rows.some(row => row.id === id) ? undefined : id)
    list.focus(id)
    setShown(id)
  }
  /** Goes back to what was decided last; false where there is nothing. */
  const back = (): boolean => {
    if (!lastDecided) return false
    setHeld(lastDecided)
    setShown(lastDecided)
    return true
  }
  // From what is looked at beside the list a step leads to the list's own row, which nobody has
  // seen yet.
  const step = (by: number, extend?: boolean) => {
    const beside = held !== undefined && held !== list.focused
    setHeld(undefined)
    if (!beside || extend) list.step(by, extend)
  }
  const focus = (id: number | undefined) => {
    setHeld(undefined)
    list.focus(id)
  }
  const read = { detail, shown, viewers, zen, setZen, show, back, step, focus }
  return { ...read, held, setHeld, setShown, setLastDecided }
}
/**
 * A queue to be cleared by keyboard: the list, the item on which the eye rests, and a decision that
 * takes it to the next one at once.
 */
export const useQueueFlow = <Row extends Titled, D extends { task: Row }>(of: Flow<Row, D>) => {
  const { list, after, mine } = of
  const workbench = useWorkbench()
  const pane = usePane()
  const { held, setHeld, setShown, setLastDecided, ...eye } = useEye(of)
  const advance = (ids: readonly number[], where = after) => {
    setLastDecided(ids.at(-1))
    setHeld(undefined)
    const from = list.rows.findIndex(row => row.id === ids[0])
    const others = list.rows.slice(from + 1).filter(row => !ids.includes(row.id))
    const next =
      others.find(mine) ??
      others[0] ??
      list.rows.slice(0, Math.max(0, from)).findLast(row => !ids.includes(row.id))
    const back = list.hide(ids)
    list.focus(next?.id)
    // A reader who stays sees the decided item as it is now; the list goes on beside it.
    if (where === 'stay') setHeld(ids[0])
    if (where === 'list') eye.setZen(false)
    setShown(where === 'stay' ? ids[0] : next?.id)
    return (done: boolean) => {
      back(done ? 'done' : 'refused')
      if (!done) {
        list.focus(ids[0])
        setShown(ids[0])
      }
    }
  }
  // Without questions the next one is there before the server has answered; a refusal brings the
  // decided one back.
  const decide = (action: Action) => (rows: readonly Row[]) => {
    const [row] = rows
    if (!row) return
    if (action.asks || tellsFirst(action, rows)) {
      void workbench.run(action, rows, { pane: pane.id }).then(done => {
        if (done) advance([row.id])(true)
      })
      return
    }
    const settle = advance([row.id])
    void workbench.run(action, rows, { pane: pane.id }).then(settle)
  }
  /** The task as its detail knows it, which is newer than its row, where that is the one on screen. */
  const onScreen = (rows: readonly Row[]): D | undefined => {
    const seen = eye.detail.currentData
    return seen && (held === seen.task.id || (rows.length === 1 && rows[0]!.id === seen.task.id))
      ? seen
      : undefined
  }
  return { ...eye, advance, decide, onScreen }
}
type Reads = Pick<ReturnType<typeof useQueueFlow>, 'show' | 'back' | 'zen' | 'setZen'>
type Keys = Record<'claimNext' | 'zen' | 'back' | 'zoom', Action>
/** The keys by which any queue is read: the next one, back, alone, and its pictures. */
export const useQueueKeys = <Row extends Titled>(
  keys: Keys,
  flow: Reads,
  { calls, filters, zoom }: { calls: Claims<Row>; filters: object; zoom: () => void },
) => {
  const say = useSay()
  const dispatch = useDispatch()
  const { toast } = useWorkbench()
  useDetailAction(keys.claimNext, () => {
    void claimOrMine(dispatch, calls, filters).then(
      found => {
        if (found) flow.show(found.task.id)
        if (!found || found.own) toast(say(noneFree(found?.task)), 'none')
      },
      () => {},
    )
  })
  useAction(keys.zen, () => flow.setZen(!flow.zen))
  useDetailAction(keys.zoom, zoom)
  useDetailAction(keys.back, () => {
    if (!flow.back()) toast(say(nothingDecided), 'none')
  })
}
