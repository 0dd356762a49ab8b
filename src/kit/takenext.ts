import { useDispatch } from 'react-redux'
import type { Action } from '#commands/command.ts'
import type { Read } from '#src/contract/call.ts'
import { dispatchRead } from './data.ts'
import { useDetailAction } from './detail.ts'
import { useSay } from './text.ts'
import type { ListState } from './uselist.ts'
import { usePane, useWorkbench } from './workbench.ts'

/** So many rows of a queue are looked at for one that can be taken. */
const LOOKED = 50
/**
 * Takes the next item of a queue by `take`: the first within the filters that can be had, else the
 * first without them, and puts the eye on it. Two who take the same one are told apart by the
 * server.
 */
export const useTakeNext = <Row extends { id: number }>(
  action: Action,
  take: Action,
  list: ListState<Row>,
): void => {
  const say = useSay()
  const dispatch = useDispatch() as never
  const { me, run, toast } = useWorkbench()
  const pane = usePane()
  const usual = list.inputOf('') as { state?: string }
  const find = async (input: object): Promise<Row | undefined> => {
    const call = list.call as unknown as Read<object, unknown, { list: Row[] }>
    const asked = { ...input, state: usual.state, page: 1, pageSize: LOOKED }
    const { list: rows } = await dispatchRead(dispatch, call, asked, true)
    return rows.find(row => (take.when?.(row, me) ?? true) === true)
  }
  const takeNext = async () => {
    const row = (await find(list.input)) ?? (await find(usual))
    if (!row) {
      toast(say(['没有可领取的任务了', 'Nothing left to claim']), 'none')
      return
    }
    if (!(await run(take, [row], { pane: pane.id }))) return
    if (!list.rows.some(one => one.id === row.id))
      list.filter(Object.fromEntries(Object.keys(list.input).map(key => [key, undefined])))
    list.reveal(row.id)
  }
  useDetailAction(action, () => void takeNext().catch(() => {}))
}
