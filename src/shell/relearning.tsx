import { useEffect, useRef } from 'react'
import { relearn } from '#src/kit/data.ts'
import { useLang } from '#src/kit/text.ts'
import { useAppDispatch } from './store.ts'

/** Asks the server anew once another language is spoken, wherever it was chosen. */
export const Relearning = () => {
  const dispatch = useAppDispatch()
  const now = useLang()
  const learned = useRef(now)
  useEffect(() => {
    if (learned.current === now) return
    learned.current = now
    relearn(dispatch)
  }, [dispatch, now])
  return null
}
