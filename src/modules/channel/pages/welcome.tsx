import { channelWelcomeActions as actions } from '#commands/channel/welcome.ts'
import { useSay } from '#src/kit/text.ts'
import { resolvingColumns } from '#src/kit/welcome-columns.tsx'
import { WelcomeList } from '#src/kit/welcome-list.tsx'
import { useWelcomeTrial } from '#src/kit/welcome-trial.tsx'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { channelWelcome as calls } from '../contract/welcome.ts'

/** Says of what is on its way that it is: the inspector tells what came of it. */
const useTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(actions.sendTest, () => {
    toast(
      say([
        '正在发送到您的企微，右侧显示结果',
        'Sending to your WeCom; the result shows on the right',
      ]),
      'success',
    )
    return true
  })
}

/** Which message a new friend receives: the rules in the order in which they win. */
export default function FriendWelcomes() {
  const tried = useWelcomeTrial({ action: actions.resolve, call: calls.resolve })
  useTold()
  return (
    <WelcomeList
      calls={calls}
      label={['好友欢迎语', 'New-friend welcomes']}
      columns={resolvingColumns}
      actions={Object.values(actions)}
      sort={actions.sortPriority}
      tried={tried}
    />
  )
}
