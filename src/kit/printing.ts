import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * True while the browser prints. Rows that scroll into sight are drawn only as they do, and paper
 * does not scroll: whoever draws so draws all of them then.
 */
export const usePrinting = (): boolean => {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    // What is not drawn when the listener returns is not on the paper.
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return printing
}
