import { channelWelcomeActions as actions } from '#commands/channel/welcome.ts'
import { welcomeScopes, welcomeStates } from '#src/areas/welcome/welcome.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import { Chosen } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { MallFilter } from '#src/kit/places.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { resolvingColumns } from '#src/kit/welcome-columns.tsx'
import { WelcomeDetail } from '#src/kit/welcome-looks.tsx'
import { useWelcomeOrder, useWelcomeTrial, WelcomeTrial } from '#src/kit/welcome-trial.tsx'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { channelWelcome as calls } from '../contract/welcome.ts'

/** Says of what is on its way that it is: the inspector tells what came of it. */
const useTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(actions.sendTest, () => {
    toast(say(['正在发送到您的企微，右侧显示结果', 'On its way to your WeCom account']), 'success')
    return true
  })
}

/** Which message a new friend receives: the rules in the order in which they win. */
export default function FriendWelcomes() {
  const say = useSay()
  const list = useList(calls.lst)
  const tried = useWelcomeTrial({ action: actions.resolve, call: calls.resolve })
  const { tabs } = useStateTabs(list, calls.lst, welcomeStates)
  useWelcomeOrder(actions.sortPriority, calls.order, list.focusedRow)
  useTold()
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['好友欢迎语', 'New-friend welcomes'])}
        columns={resolvingColumns}
        actions={Object.values(actions)}
        tabs={tabs}
        filters={
          <>
            <Keyword of={list} placeholder={say(['名称或文字', 'Name or text'])} />
            <Choice of={list} by="scope" label={say(['适用范围', 'For'])} words={welcomeScopes} />
            <MallFilter of={list} />
          </>
        }
      />
      {tried && list.loaded && !list.focusedRow ? (
        <div className="m-inspector">
          <WelcomeTrial of={tried} />
        </div>
      ) : (
        <Chosen of={list} none={say(['选择一条欢迎语', 'Choose a message'])}>
          {row => (
            <WelcomeDetail
              key={row.id}
              row={row}
              sends={calls.sends}
              trials={calls.trials}
              tried={tried}
            />
          )}
        </Chosen>
      )}
    </ListDetail>
  )
}
