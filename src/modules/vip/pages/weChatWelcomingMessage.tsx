import { welcomingActions as actions } from '#commands/vip/weChatWelcomingMessage.ts'
import { welcomeScopes, welcomeStates } from '#src/areas/welcome/welcome.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import { Chosen } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { MallFilter } from '#src/kit/places.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { welcomeColumns } from '#src/kit/welcome-columns.tsx'
import { WelcomeDetail } from '#src/kit/welcome-looks.tsx'
import { useWelcomeOrder, useWelcomeTrial, WelcomeTrial } from '#src/kit/welcome-trial.tsx'
import { weChatWelcomingMessage as calls } from '../contract/weChatWelcomingMessage.ts'

/** What a new friend gets first: which message, from whom and when, and whether it arrives. */
export default function WelcomingMessages() {
  const say = useSay()
  const list = useList(calls.lst)
  const tried = useWelcomeTrial({ action: actions.testHit, call: calls.testHit })
  const { tabs } = useStateTabs(list, calls.lst, welcomeStates)
  useWelcomeOrder(actions.sort, calls.order, list.focusedRow)
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['会员欢迎语', 'Member welcome messages'])}
        columns={welcomeColumns}
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
          {row => <WelcomeDetail key={row.id} row={row} sends={calls.sends} tried={tried} />}
        </Chosen>
      )}
    </ListDetail>
  )
}
