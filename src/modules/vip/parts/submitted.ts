import { useSay } from '#src/kit/text.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'

/** Says of an action that it is on its way to WeCom: done it is only once WeCom has answered. */
export const useSubmitted = (action: Parameters<typeof useResult>[0]): void => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(action, () => {
    toast(say(['已提交企微，完成后自动更新', 'On its way to WeCom']), 'success')
    return true
  })
}
