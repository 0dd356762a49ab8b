import { groupActions as actions } from '#commands/vip/weChatGroupManage.ts'
import { useSubmitted } from '#src/kit/submitted.ts'
import { useSay } from '#src/kit/text.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'

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
          'Waiting for the owner in WeCom; {count} of {most} this month',
        ],
        { count, most },
      ),
      'success',
    )
    return true
  })
}
