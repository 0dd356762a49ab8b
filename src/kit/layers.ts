import { useOverlayStack, type OverlayInstance } from '@blueprintjs/core'
import { createElement, useEffect, useId, useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Layers stand over the panes: the palette, dialogs, drawers and popovers. The rule is one for all:
 * the top one has the focus and Escape. What comes by itself, such as a late answer's question,
 * stacks; the palette stacks over a popover and is refused over what is modal. Whatever goes gives
 * the focus back to what it stood on.
 */
const MODAL = ['bp6-dialog', 'bp6-drawer', 's-palette-back', 's-dialog', 's-lock'] as const
const POPOVER = 'bp6-popover'

const isLeaving = (layer: Element) => layer.closest('.bp6-overlay-exit, .bp6-popover-exit') !== null
const standing = (names: readonly string[]): Element[] =>
  // Asked at every key: browsers keep what stands under a class, and look for anything else in the
  // whole document.
  names
    .flatMap(name => [...document.getElementsByClassName(name)])
    .filter(layer => (layer instanceof HTMLDialogElement ? layer.open : !isLeaving(layer)))
/** The browser draws an open <dialog> over all else; the others stand in the document as they came. */
const isOver = (one: Element, other: Element) =>
  one instanceof HTMLDialogElement ||
  (!(other instanceof HTMLDialogElement) &&
    (other.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0)
const topOf = (names: readonly string[]) =>
  standing(names).reduce<Element | undefined>(
    (top, layer) => (top === undefined || isOver(layer, top) ? layer : top),
    undefined,
  )

/** The layer that has the focus and Escape, or undefined where the panes have them. */
export const topLayer = (): Element | undefined => topOf([...MODAL, POPOVER])
/** The same among those that leave the panes no key; a popover may be there without the focus. */
export const modalLayer = (): Element | undefined => topOf(MODAL)
/** Whether an element stands in a popover. */
export const inPopover = (element: EventTarget | null): boolean =>
  element instanceof Element && element.closest(`.${POPOVER}`) !== null

const letGo = (below: OverlayInstance | undefined) => {
  if (below?.handleDocumentFocus)
    document.removeEventListener('focus', below.handleDocumentFocus, true)
}
/**
 * Lifts the overlay that this first stands in over all that is open. Blueprint keeps the place in
 * the document that a popover had when its page was drawn, below any dialog, and lets the overlay
 * below pull the focus back until the next picture. Draws nothing that is seen.
 */
export const Raised = () => {
  const { getLastOpened } = useOverlayStack()
  const at = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    letGo(getLastOpened())
    const portal = at.current?.closest('.bp6-portal')
    if (portal && modalLayer()) portal.parentNode?.append(portal)
  }, [getLastOpened])
  return createElement('span', { ref: at, hidden: true })
}

/**
 * Takes the top of Blueprint's stack of overlays for a layer that is not one of its own. Draws
 * nothing: it stands before the part that takes the focus as it is drawn, so that the overlay below
 * has let go of the focus by then. `home` answers where the focus goes when what came over the
 * layer is gone.
 */
export const TopLayer = ({
  box,
  home,
}: {
  box: RefObject<HTMLDivElement | null>
  home: () => HTMLElement | null | undefined
}) => {
  const { openOverlay, closeOverlay, getLastOpened } = useOverlayStack()
  const id = useId()
  const now = useRef(home)
  useEffect(() => {
    now.current = home
  })
  useLayoutEffect(() => {
    letGo(getLastOpened())
    openOverlay({
      id,
      containerElement: box as RefObject<HTMLDivElement>,
      bringFocusInsideOverlay: () => now.current()?.focus({ preventScroll: true }),
      props: { autoFocus: true, enforceFocus: true, usePortal: true, hasBackdrop: false },
    })
    return () => {
      closeOverlay(id)
      const next = getLastOpened()
      if (next?.props.enforceFocus && next.handleDocumentFocus)
        document.addEventListener('focus', next.handleDocumentFocus, true)
    }
  }, [box, id, openOverlay, closeOverlay, getLastOpened])
  return null
}
