import { welcomingActions as actions } from '#commands/vip/weChatWelcomingMessage.ts'
import { welcomeColumns } from '#src/kit/welcome-columns.tsx'
import { WelcomeList } from '#src/kit/welcome-list.tsx'
import { useWelcomeTrial } from '#src/kit/welcome-trial.tsx'
import { weChatWelcomingMessage as calls } from '../contract/weChatWelcomingMessage.ts'

/** What a new friend gets first: which message, from whom and when, and whether it arrives. */
export default function WelcomingMessages() {
  const tried = useWelcomeTrial({ action: actions.testHit, call: calls.testHit })
  return (
    <WelcomeList
      calls={calls}
      label={['会员欢迎语', 'Member welcome messages']}
      columns={welcomeColumns}
      actions={Object.values(actions)}
      sort={actions.sort}
      tried={tried}
    />
  )
}
