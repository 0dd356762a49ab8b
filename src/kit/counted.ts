import { useDispatch } from 'react-redux'
import type { Action } from '#commands/command.ts'
import type { Read } from '#src/contract/call.ts'
import { dispatchRead } from './data.ts'
import { useAction, usePane, useWorkbench } from './workbench.ts'

/** What an action of one row touches is counted before it asks, so that its question says it. */
export const useCounted = (action: Action, effects: Read<{ id: number }>): void => {
  const { id: pane } = usePane()
  const { run } = useWorkbench()
  const dispatch = useDispatch()
  useAction(action, ([row]: readonly { id: number }[]) => {
    if (row)
      void dispatchRead(dispatch as never, effects, { id: row.id }, true).then(
        counted => run(action, [{ ...row, effects: counted }], { pane }),
        // The read has said itself why it failed.
        () => {},
      )
  })
}
