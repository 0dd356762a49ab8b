import { useMemo } from 'react'
import type { Action } from '#commands/command.ts'
import { groupActions as actions, remedies } from '#commands/vip/weChatGroupManage.ts'
import type { GroupTab } from '#src/areas/wecom/groups.ts'
import { useSubmitted } from '#src/kit/submitted.ts'
import { useSay } from '#src/kit/text.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'

/**
 * The actions of a page, that which mends what is worst with the chat first; of a chat that is well
 * that which is done every day. `all` is stable.
 */
export const useRemedyFirst = (
  worst: GroupTab | undefined,
  all: readonly Action[],
  daily: Action,
): readonly Action[] =>
  useMemo(() => {
    const first: Action = worst === undefined ? daily : remedies[worst]
    return [...all.filter(one => one === first), ...all.filter(one => one !== first)]
  }, [worst, all, daily])
/** Says what was asked of WeCom for a chat: done it is only once WeCom has answered. */
export const useGroupTold = (): void => {
  const say = useSay()
  const { toast } = useWorkbench()
  useSubmitted(actions.inherit)
  useSubmitted(actions.changeOwner)
  useSubmitted(actions.setJoinCode)
  useResult(actions.sendMass, ({ count, most }) => {
    toast(
      say(
        [
          '已提交，等待群主在企微确认；本月第 {count} 次，最多 {most} 次',
          'It waits for the owner in WeCom; {count} of {most} this month',
        ],
        { count, most },
      ),
      'success',
    )
    return true
  })
}
