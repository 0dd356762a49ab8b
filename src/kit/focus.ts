import { useEffect, useRef } from 'react'

/** Gives a dialog the focus at once, so that Esc is heard, and its button a frame later: the Enter that brought one here would press it. `inside` is anything in the dialog. */
export const focusSoon = (inside: HTMLElement, button: () => HTMLElement | null) => {
  inside.closest<HTMLElement>('.bp6-dialog-container')?.focus()
  requestAnimationFrame(() => button()?.focus())
}
/** Gives the focus back to where it was when this part came, as soon as it is gone; a dialog that is taken away whole can't do so itself. */
export const useReturnFocus = () => {
  const before = useRef(document.activeElement)
  useEffect(() => () => {
    const element = before.current
    requestAnimationFrame(() => {
      const free = document.activeElement === null || document.activeElement === document.body
      if (free && element instanceof HTMLElement && element.isConnected) element.focus({ preventScroll: true })
    })
  }, [])
}
