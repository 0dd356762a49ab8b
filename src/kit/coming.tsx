import { useEffect } from 'react'

const swallow = (event: KeyboardEvent) => {
  event.preventDefault()
  event.stopImmediatePropagation()
}
/**
 * Stands in for a dialog whose code is on its way: a key pressed meanwhile was meant for it, and
 * must not fall on the list behind it.
 */
export const Coming = () => {
  useEffect(() => {
    addEventListener('keydown', swallow, true)
    return () => removeEventListener('keydown', swallow, true)
  }, [])
  return null
}
