import {
  createElement,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from 'react'
import { usePaneFocused } from './workbench.ts'

/** Whether nothing has the focus. */
export const nowhere = (element: Element | null): boolean =>
  element === null || element === document.body
/**
 * A page kept behind the one in front is in the document too: what has the focus in it has it no
 * more.
 */
export const inSight = (element: Element) => element.checkVisibility?.() !== false

/**
 * A question, or a menu that opened at a button: wherever it stands in the document, the person is
 * at it.
 */
export const atQuestion = (element: Element | null): boolean =>
  (element?.closest('[role=dialog], [role=alertdialog], .bp6-popover') ?? null) !== null
/**
 * Whether a part that just came may take the focus: the person is neither at something in its pane
 * nor at a question.
 */
export const mayTakeFocus = (part: Element | null): boolean => {
  const home = part?.closest('[data-pane]')
  const active = document.activeElement
  if (nowhere(active) || active === home || !inSight(active!)) return true
  return !home?.contains(active) && !atQuestion(active)
}
/**
 * Gives rows the focus when they first came and keys go to their pane, unless the person is already
 * somewhere in that part of it. Rows that come again, where there were none (`isBare`) for a while,
 * get it where nobody has it.
 */
export const FirstFocus = ({
  ready,
  isBare = false,
  part,
  rows,
}: {
  ready: boolean
  isBare?: boolean
  part: RefObject<HTMLElement | null>
  rows: RefObject<HTMLElement | null>
}) => {
  const focused = usePaneFocused()
  const settled = useRef(false)
  useEffect(() => {
    if (!ready || !focused) return
    const mayTake = settled.current ? nowhere(document.activeElement) : mayTakeFocus(part.current)
    settled.current = true
    if (mayTake) rows.current?.focus({ preventScroll: true })
  }, [ready, isBare, focused, part, rows])
  return null
}
/**
 * Gives the first field of the form that this stands in the focus once, when keys go to its pane:
 * unless the person is somewhere in that pane or at a question. Draws nothing that is seen.
 */
export const FirstField = () => {
  const at = useRef<HTMLSpanElement>(null)
  const focused = usePaneFocused()
  const settled = useRef(false)
  useEffect(() => {
    if (settled.current || !focused) return
    settled.current = true
    if (!mayTakeFocus(at.current)) return
    const fields = at.current?.closest('form')?.querySelectorAll<HTMLElement>('[data-autofocus]')
    const first = [...(fields ?? [])].find(one => !one.matches(':disabled') && inSight(one))
    first?.focus({ preventScroll: true })
  }, [focused])
  return createElement('span', { ref: at, hidden: true })
}
/**
 * Gives the dialog or drawer that this stands in the focus in the turn it is drawn: at what is marked
 * `data-autofocus`, or else at the layer itself. Blueprint does so a frame later, and until then
 * Escape misses the layer. Where somebody is in it already, only another `stage` moves them. Draws
 * nothing that is seen.
 */
export const LayerFocus = ({ stage }: { stage?: unknown }) => {
  const at = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const layer = at.current?.closest<HTMLElement>('.bp6-dialog, .bp6-drawer')
    if (!layer) return
    const isInside = layer.contains(document.activeElement)
    if (isInside && stage === undefined) return
    const first = layer.querySelector<HTMLElement>('[data-autofocus]:not(:disabled)')
    if (first) first.focus()
    else if (!isInside) {
      layer.tabIndex = -1
      layer.focus({ preventScroll: true })
    }
  }, [stage])
  return createElement('span', { ref: at, hidden: true })
}
/** Gives the focus to where it was before a part had it, unless it went elsewhere meanwhile. */
export const giveBack = (to: Element | null, part: Element | null = null) => {
  const active = document.activeElement
  if ((nowhere(active) || part?.contains(active)) && to instanceof HTMLElement && to.isConnected)
    to.focus({ preventScroll: true })
}
/**
 * A part that gives the focus back: to where it was, or, where that is gone, to where the part
 * gives it that stood when this one came.
 */
type Came = { from: Element | null; over: Came | undefined }
const standing: Came[] = []
const origin = (came: Came | undefined): Element | null =>
  came && (nowhere(came.from) || !came.from!.isConnected) ? origin(came.over) : (came?.from ?? null)
/**
 * Gives the focus back to where it was when this part came, as soon as it is gone; a dialog that is
 * taken away whole can't do so itself, and one that a dialog leads to began there.
 */
export const useReturnFocus = () => {
  const [came] = useState((): Came => ({ from: document.activeElement, over: standing.at(-1) }))
  useEffect(() => {
    standing.push(came)
    return () => {
      standing.splice(standing.indexOf(came), 1)
      const back = () => giveBack(origin(came))
      // At once, for whoever opens the next one with the very next key; and again where something
      // else is still being taken away.
      back()
      requestAnimationFrame(back)
    }
  }, [came])
}

/**
 * The ref of a button that has the focus in the turn it is drawn, where `may` says so. Once only:
 * Blueprint's buttons tell their ref again at every drawing.
 */
export const useFocusedFirst = (may?: (button: HTMLElement) => boolean) => {
  const told = useRef(false)
  return useCallback(
    (button: HTMLButtonElement | null) => {
      if (!button || told.current) return
      told.current = true
      if (may?.(button) ?? true) button.focus()
    },
    [may],
  )
}

/**
 * A key that went down at one place and comes up at another presses nothing there. Browsers hold to
 * that; Blueprint's buttons press wherever Enter or Space comes up, so that the Enter which brings
 * a question would answer it. Answers how to end it.
 */
export const pressesEndWhereTheyBegan = (): (() => void) => {
  const began = new Map<string, EventTarget | null>()
  const down = (event: KeyboardEvent) => {
    if (!event.repeat) began.set(event.code, event.target)
  }
  const up = (event: KeyboardEvent) => {
    const elsewhere = began.get(event.code) !== event.target
    began.delete(event.code)
    if (elsewhere && (event.key === 'Enter' || event.key === ' ')) event.stopPropagation()
  }
  addEventListener('keydown', down, true)
  addEventListener('keyup', up, true)
  return () => {
    removeEventListener('keydown', down, true)
    removeEventListener('keyup', up, true)
  }
}
