import { bindingStates, type BindingState } from '#src/areas/binding/binding.ts'
import type { Text } from '#src/domain/text.ts'
import { useSay } from '#src/kit/text.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'

/** The tabs of a list of customers by the state of their bindings, all of them first. */
export const stateTabs = {
  by: 'status',
  all: [
    { key: '', title: ['全部', 'All'] as Text },
    ...(Object.keys(bindingStates) as BindingState[]).map(key => ({
      key,
      title: bindingStates[key],
    })),
  ],
}
type Transfers = Parameters<typeof useResult<{ asked: boolean }>>[0]
/** Says of a transfer that it waits for a second person, where it does. */
export const useTransferTold = (action: Transfers): void => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(action, ({ asked }) => {
    if (!asked) return false
    toast(say(['已提交，等待另一人复核', 'Submitted; another person must approve']), 'success')
    return true
  })
}
