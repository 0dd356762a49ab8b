import type { KeyboardEvent } from 'react'

/** In a list of rows with a button each, J, K and the arrows go from button to button. */
export const stepByButton = (event: KeyboardEvent<HTMLElement>) => {
  const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key]
  if (!by) return
  event.preventDefault()
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const at = buttons.indexOf(document.activeElement as HTMLElement) + by
  buttons[Math.max(0, Math.min(buttons.length - 1, at))]?.focus()
}
