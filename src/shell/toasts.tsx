import {
  useEffect,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
  type SyntheticEvent,
} from 'react'
import { giveBack } from '#src/kit/focus.ts'
import { useSay } from '#src/kit/text.ts'
import type { Tone } from '#src/kit/workbench.ts'
import { putAside } from './toast-place.ts'

type Toast = {
  id: number
  message: string
  tone: Tone
  times: number
  button?: { text: string; does: () => void }
}
/** Specification, section 9. */
const ERROR_MS = 5000
const UNDO_MS = 10_000
const AT_ONCE = 4

let toasts: readonly Toast[] = []
let next = 1
const timers = new Map<number, ReturnType<typeof setTimeout>>()
const listeners = new Set<() => void>()
const change = (to: readonly Toast[]) => {
  toasts = to
  for (const tell of listeners) tell()
}
const subscribe = (tell: () => void) => (listeners.add(tell), () => void listeners.delete(tell))

export const dismiss = (id: number) => {
  clearTimeout(timers.get(id))
  timers.delete(id)
  change(toasts.filter(toast => toast.id !== id))
}
const startTimer = (id: number, ms: number) => {
  clearTimeout(timers.get(id))
  timers.set(
    id,
    setTimeout(() => dismiss(id), ms),
  )
}
/** Whether a message still stands. */
export const isShown = (id: number) => toasts.some(toast => toast.id === id)
/**
 * Shows a message for five seconds (ten when it has a button). The same message again is counted,
 * not repeated. One success at a time: the newest takes the place of the one before. Answers the
 * message's number.
 */
export const toast = (message: string, tone: Tone = 'none', button?: Toast['button']): number => {
  const same = button
    ? undefined
    : toasts.find(shown => shown.message === message && shown.tone === tone && !shown.button)
  const id = same?.id ?? next++
  if (same)
    change(toasts.map(shown => (shown === same ? { ...same, times: same.times + 1 } : shown)))
  else {
    // Only the last action can be taken back: an older button would lie.
    for (const old of toasts)
      if ((button && old.button) || (tone === 'success' && old.tone === 'success')) dismiss(old.id)
    for (const old of toasts.slice(0, Math.max(0, toasts.length - AT_ONCE + 1))) dismiss(old.id)
    change([...toasts, { id, message, tone, times: 1, ...(button ? { button } : {}) }])
  }
  startTimer(id, button ? UNDO_MS : ERROR_MS)
  return id
}

const Message = ({ of: { id, message, tone, times, button } }: { of: Toast }) => {
  const say = useSay()
  const from = useRef<EventTarget | null>(null)
  // It goes with the focus in it where it is closed: that is then where it came from.
  useEffect(() => () => giveBack(from.current as Element | null), [])
  const stays = () => clearTimeout(timers.get(id))
  const goes = (event: SyntheticEvent) => {
    if (isShown(id) && !event.currentTarget.contains(document.activeElement))
      startTimer(id, ERROR_MS)
  }
  return (
    <div
      className="s-toast"
      data-tone={tone}
      role={tone === 'danger' ? 'alert' : 'status'}
      onMouseEnter={stays}
      onMouseLeave={goes}
      onFocus={event => {
        stays()
        if (!event.currentTarget.contains(event.relatedTarget)) from.current = event.relatedTarget
      }}
      onBlur={goes}
    >
      <span>{message}</span>
      {times > 1 && <small>×{times}</small>}
      {button && (
        <button
          type="button"
          onClick={() => {
            dismiss(id)
            button.does()
          }}
        >
          {button.text}
        </button>
      )}
      <button
        type="button"
        className="s-close"
        aria-label={say(['关闭', 'Close'])}
        onClick={() => dismiss(id)}
      >
        ×
      </button>
    </div>
  )
}
/** So long after a key or a change of the window messages look for their place again. */
const SETTLED_MS = 150
/** All messages that stand now, where they cover nothing that is worked with. */
export const Toasts = () => {
  const box = useRef<HTMLDivElement>(null)
  const shown = useSyncExternalStore(subscribe, () => toasts)
  const isEmpty = shown.length === 0
  useLayoutEffect(() => putAside(box.current!), [shown])
  useEffect(() => {
    if (isEmpty) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const again = () => {
      clearTimeout(timer)
      timer = setTimeout(() => box.current && putAside(box.current), SETTLED_MS)
    }
    again()
    // What comes after the message, such as the next item, is looked at too.
    const events = ['keyup', 'resize', 'pointerup'] as const
    for (const name of events) window.addEventListener(name, again)
    return () => {
      clearTimeout(timer)
      for (const name of events) window.removeEventListener(name, again)
    }
  }, [isEmpty])
  return (
    <div className="s-toasts" ref={box}>
      {shown.map(one => (
        <Message key={one.id} of={one} />
      ))}
    </div>
  )
}
