import { useEffect, useState } from 'react'

/** A row is shown in full when the eye rests on it this long, so that running over rows asks the server nothing. */
const REST_MS = 120
/** What is focused, once it has been for a moment. */
export const useResting = <T>(wanted: T): T => {
  const [rested, setRested] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => setRested(wanted), REST_MS)
    return () => clearTimeout(timer)
  }, [wanted])
  return rested
}
