import { useEffect, useState, useSyncExternalStore } from 'react'
import { useDispatch } from 'react-redux'
import { reading } from '#commands/audit.ts'
import type { Write } from '#src/contract/call.ts'
import { CLAIM_SECONDS, IDLE_SECONDS, VIEWER_SECONDS, type AuditQueue } from '#src/domain/audit.ts'
import { learnTop } from '#src/kit/asks.ts'
import { dispatchWrite, useRead } from '#src/kit/data.ts'
import { useAnswered, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { queues } from '../contract.ts'

/** Where a decision leads: to the next one, nowhere, or back to the list. */
export type After = 'next' | 'stay' | 'list'
const nameOf = (account: string) => `mallet.after:${account}`
const listeners = new Set<() => void>()
const chosen = (account: string): After => { try { const kept = localStorage.getItem(nameOf(account)); return kept === 'stay' || kept === 'list' ? kept : 'next' } catch { return 'next' } }
/** The person's choice, kept on this machine and the same in every pane; the page that uses it offers to change it. */
export const useAfter = (): After => {
  const { me } = useWorkbench()
  const after = useSyncExternalStore(tell => (listeners.add(tell), () => void listeners.delete(tell)), () => chosen(me.account))
  useAnswered(reading.after, ({ where }) => {
    try { localStorage.setItem(nameOf(me.account), String(where)) } catch { /* storage is denied: the usual way stays */ }
    for (const tell of listeners) tell()
  })
  return after
}

/** The digits of a queue's reject reasons are known before the question is asked. */
export const useTopReasons = (queue: AuditQueue) => {
  const { data } = useRead(queues[queue].reasons, {})
  useEffect(() => { if (data) learnTop(queues[queue].reasons, data.codes) }, [data, queue])
}

let acted = Date.now()
for (const event of ['keydown', 'pointerdown', 'pointermove', 'wheel']) globalThis.addEventListener?.(event, () => { acted = Date.now() }, { capture: true, passive: true })
type Beat = Write<{ id: number }, unknown, { viewers: { id: number; name: string }[] }>
/**
 * Colleagues see who looks at what, and a claim holds while its holder looks and is there: whoever did nothing for `IDLE_SECONDS`, closed the page or
 * signed out has it no more. Answers who else looks.
 */
export const useLease = (call: Beat, id: number | undefined) => {
  const dispatch = useDispatch()
  const pane = usePane()
  const [viewers, setViewers] = useState<{ of: number; list: { id: number; name: string }[] } | undefined>(undefined)
  useEffect(() => {
    if (id === undefined || !pane.visible) return
    const beat = () => {
      if (document.hidden || Date.now() - acted > (IDLE_SECONDS - CLAIM_SECONDS) * 1000) return
      dispatchWrite(dispatch as never, call, { id }, { quiet: true }).then(result => setViewers({ of: id, list: result.viewers }), () => setViewers(undefined))
    }
    const first = setTimeout(beat, 800)
    const timer = setInterval(beat, VIEWER_SECONDS * 1000 * 0.75)
    return () => { clearTimeout(first); clearInterval(timer) }
  }, [id, pane.visible, dispatch, call])
  return viewers?.of === id ? viewers?.list : undefined
}
