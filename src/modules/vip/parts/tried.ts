import { useState } from 'react'
import { useDispatch } from 'react-redux'
import type { Action } from '#commands/command.ts'
import type { Read } from '#src/contract/call.ts'
import { dispatchRead } from '#src/kit/data.ts'
import { useAnswered } from '#src/kit/workbench.ts'

/** What the last trial of a rule came to; undefined before the first, and where one failed. */
export const useTried = <S, P, R>(action: Action, call: Read<S, P, R>): R | undefined => {
  const dispatch = useDispatch()
  const [told, setTold] = useState<R | undefined>(undefined)
  useAnswered(action, asked => {
    dispatchRead(dispatch as never, call, asked as S, true).then(
      answer => setTold(() => answer),
      () => setTold(undefined),
    )
  })
  return told
}
