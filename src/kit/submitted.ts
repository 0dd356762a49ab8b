import type { Action } from '#commands/command.ts'
import { useSay } from './text.ts'
import { useResult, useWorkbench } from './workbench.ts'

/** Says of an action that it is on its way to WeCom: done it is only once WeCom has answered. */
export const useSubmitted = (action: Parameters<typeof useResult>[0]): void => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(action, () => {
    toast(say(['已提交企微，完成后自动更新', 'On its way to WeCom']), 'success')
    return true
  })
}

type Started = Action<any, any, { joined: boolean }>
/** Says of a sync that it has begun, or that one is under way and goes on. */
export const useSyncTold = (action: Started): void => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(action, ({ joined }) => {
    toast(
      say(
        joined
          ? ['同步正在进行', 'A sync is under way already']
          : ['已开始同步，完成后自动更新', 'The sync has begun; what it finds appears here'],
      ),
      'success',
    )
    return true
  })
}
