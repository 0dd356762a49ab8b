import { useEffect, useState } from 'react'
import { useDispatch } from 'react-redux'
import { reading } from '#commands/audit/audit.ts'
import {
  CLAIM_SECONDS,
  IDLE_SECONDS,
  VIEWER_SECONDS,
  type AuditQueue,
} from '#src/areas/audit/audit.ts'
import type { Write } from '#src/contract/call.ts'
import { ownMs } from '#src/domain/clock.ts'
import { learnTop } from '#src/kit/asks.ts'
import { dispatchWrite, skipToken, useRead } from '#src/kit/data.ts'
import { useSetting } from '#src/kit/memory.ts'
import { useAnswered, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { queues } from '../contract.ts'

/** Where a decision leads: to the next one, nowhere, or back to the list. */
export type After = 'next' | 'stay' | 'list'
const isAfter = (value: unknown): value is After =>
  value === 'next' || value === 'stay' || value === 'list'
/**
 * The person's choice, the same in every pane and on every machine; the page that uses it offers to
 * change it.
 */
export const useAfter = (): After => {
  const [after, choose] = useSetting(useWorkbench().setting<After>('audit.after', isAfter, 'next'))
  useAnswered(reading.after, ({ where }) => {
    if (isAfter(where)) choose(where)
  })
  return after
}

/** The digits of a queue's reject reasons are known before the question is asked. */
export const useTopReasons = (queue: AuditQueue) => {
  const { me } = useWorkbench()
  const { data } = useRead(
    queues[queue].reasons,
    me.can(queues[queue].reasons.permit) ? {} : skipToken,
  )
  useEffect(() => {
    if (data) learnTop(queues[queue].reasons, data.codes)
  }, [data, queue])
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
type Beat = Write<{ id: number }, unknown, { viewers: { id: number; name: string }[] }>
/**
 * Colleagues see who looks at what, and a claim holds while its holder looks and is there: whoever
 * did nothing for `IDLE_SECONDS`, closed the page or signed out has it no more. Answers who else
 * looks.
 */
export const useLease = (call: Beat | undefined, id: number | undefined) => {
  const dispatch = useDispatch()
  const pane = usePane()
  const [viewers, setViewers] = useState<
    { of: number; list: { id: number; name: string }[] } | undefined
  >(undefined)
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
