import { useCallback, useEffect, useRef } from 'react'

const nowhere = (element: Element | null) => element === null || element === document.body
/** A page kept behind the one in front is in the document too: what has the focus in it has it no more. */
export const inSight = (element: Element) => element.checkVisibility?.() !== false

/** Whether a part that just came may take the focus: the person is neither at something in its pane nor at a question. */
export const mayTakeFocus = (part: Element | null): boolean => {
  const home = part?.closest('[data-pane]')
  const active = document.activeElement
  if (nowhere(active) || active === home || !inSight(active!)) return true
  return !home?.contains(active) && active!.closest('[role=dialog], [role=alertdialog]') === null
}
/** Gives the focus back to where it was when this part came, as soon as it is gone; a dialog that is taken away whole can't do so itself. */
export const useReturnFocus = () => {
  const before = useRef(document.activeElement)
  useEffect(() => () => {
    const element = before.current
    const back = () => { if (nowhere(document.activeElement) && element instanceof HTMLElement && element.isConnected) element.focus({ preventScroll: true }) }
    // At once, for whoever opens the next one with the very next key; and again where something else is still being taken away.
    back()
    requestAnimationFrame(back)
  }, [])
}

/** The ref of a button that has the focus in the turn it is drawn, where `may` says so. Once only: Blueprint's buttons tell their ref again at every drawing. */
export const useFocusedFirst = (may?: (button: HTMLElement) => boolean) => {
  const told = useRef(false)
  return useCallback((button: HTMLButtonElement | null) => {
    if (!button || told.current) return
    told.current = true
    if (may?.(button) ?? true) button.focus()
  }, [may])
}

/**
 * A key that went down at one place and comes up at another presses nothing there. Browsers hold to that;
 * Blueprint's buttons press wherever Enter or Space comes up, so that the Enter which brings a question would answer it. Answers how to end it.
 */
export const pressesEndWhereTheyBegan = (): (() => void) => {
  const began = new Map<string, EventTarget | null>()
  const down = (event: KeyboardEvent) => { if (!event.repeat) began.set(event.code, event.target) }
  const up = (event: KeyboardEvent) => {
    const elsewhere = began.get(event.code) !== event.target
    began.delete(event.code)
    if (elsewhere && (event.key === 'Enter' || event.key === ' ')) event.stopPropagation()
  }
  addEventListener('keydown', down, true)
  addEventListener('keyup', up, true)
  return () => { removeEventListener('keydown', down, true); removeEventListener('keyup', up, true) }
}
