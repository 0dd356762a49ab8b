import { atQuestion, inSight } from '#src/kit/focus.ts'
import { modalLayer } from '#src/kit/layers.ts'
import type { PaneId } from './tree.ts'

/**
 * Where the focus last was in each pane, so that coming back to a pane comes back to the very
 * control.
 */
const last = new Map<PaneId, HTMLElement>()
export const noteFocus = (pane: PaneId, element: EventTarget) => {
  if (element instanceof HTMLElement) last.set(pane, element)
}
export const forgetFocus = (pane: PaneId) => void last.delete(pane)
export const bodyOf = (pane: PaneId): HTMLElement | null =>
  document.querySelector(`[data-pane="${pane}"]`)

/** Whether something stands over the panes and has the keys. */
const isModal = (): boolean => modalLayer() !== undefined

/** Puts the focus into a pane: to the control it was on, else to the pane itself. */
export const restoreFocus = (pane: PaneId) => {
  const body = bodyOf(pane)
  const now = document.activeElement
  if (!body || (body.contains(now) && inSight(now!))) return
  const element = last.get(pane)
  const target =
    element && body.contains(element) && inSight(element)
      ? element
      : ([...body.querySelectorAll<HTMLElement>('[data-autofocus]')].find(inSight) ?? body)
  target.focus({ preventScroll: true })
}
/**
 * The same with the next picture, when the pane is drawn; what was opened over it meanwhile keeps
 * the focus.
 */
export const restoreFocusSoon = (pane: () => PaneId | null): void =>
  void requestAnimationFrame(() => {
    const now = pane()
    if (now && !isModal() && !atQuestion(document.activeElement)) restoreFocus(now)
  })
