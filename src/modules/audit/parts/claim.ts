import type { Text } from '#src/domain/text.ts'
import { dispatchRead, dispatchWrite } from '#src/kit/data.ts'
import type { AuditItem, queues } from '../contract.ts'

type Calls = Pick<(typeof queues)['bulks'], 'claimNext' | 'lst'>
/** Said where one goes back to the last decision and there is none. */
export const nothingDecided: Text = [
  '还没有作出过决定，没有可以返回的',
  'Nothing decided yet to go back to',
]
/** Said where no task was free: that there is none, or which of mine is shown instead. */
export const noneFree = (own: AuditItem | undefined): Text =>
  own
    ? [
        `没有可领取的任务了，已转到你领取的「${own.title}」`,
        `Nothing left to claim: here is your own “${own.title}”`,
      ]
    : ['没有可领取的任务了', 'Nothing left to claim']
/**
 * Claims the next free task within the filters; where none is free, the first that I hold already
 * (`own`). Undefined where there is neither.
 */
export const claimOrMine = async (
  dispatch: unknown,
  calls: Calls,
  filters: object,
): Promise<{ task: AuditItem; own: boolean } | undefined> => {
  const { tasks } = await dispatchWrite(dispatch as never, calls.claimNext, { n: 1, ...filters })
  if (tasks[0]) return { task: tasks[0], own: false }
  const { list } = await dispatchRead(
    dispatch as never,
    calls.lst,
    { ...filters, state: 'mine', page: 1, pageSize: 1 },
    true,
  )
  return list[0] && { task: list[0], own: true }
}
