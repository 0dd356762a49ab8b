import type { PaneId } from './tree.ts'

/** Where the focus last was in each pane, so that coming back to a pane comes back to the very control. */
const last = new Map<PaneId, HTMLElement>()
export const noteFocus = (pane: PaneId, element: EventTarget) => { if (element instanceof HTMLElement) last.set(pane, element) }
export const forgetFocus = (pane: PaneId) => void last.delete(pane)
export const bodyOf = (pane: PaneId): HTMLElement | null => document.querySelector(`[data-pane="${pane}"]`)

/** Puts the focus into a pane: to the control it was on, else to the pane itself. */
export const restoreFocus = (pane: PaneId) => {
  const body = bodyOf(pane)
  if (!body || body.contains(document.activeElement)) return
  // A page kept behind the one in front is in the document too, hidden: to focus it would do nothing.
  const inSight = (element: HTMLElement) => element.checkVisibility?.() !== false
  const element = last.get(pane)
  const target = element && body.contains(element) && inSight(element) ? element : [...body.querySelectorAll<HTMLElement>('[data-autofocus]')].find(inSight) ?? body
  target.focus({ preventScroll: true })
}
