import { useEffect, useState } from 'react'

/** So long the eye stays on something before more of it is asked for (ms). */
export const REST_MS = 70
/**
 * The value on which the eye has come to rest: what is only run over, row by row, is never asked
 * for. The second of the two goes to a value at once.
 */
export const useRested = <T>(wanted: T): readonly [T, (now: T) => void] => {
  const [shown, setShown] = useState(wanted)
  useEffect(() => {
    if (wanted === shown) return
    const timer = setTimeout(() => setShown(wanted), REST_MS)
    return () => clearTimeout(timer)
  }, [wanted, shown])
  return [shown, setShown]
}
