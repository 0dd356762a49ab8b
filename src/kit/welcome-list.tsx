import type { Action } from '#commands/command.ts'
import { welcomeScopes, welcomeStates } from '#src/areas/welcome/welcome.ts'
import type { Read } from '#src/contract/call.ts'
import type { WelcomeRow } from '#src/contract/welcome.ts'
import type { WelcomeTried } from '#src/contract/welcomeTried.ts'
import type { Text } from '#src/domain/text.ts'
import { Choice, Keyword } from './filters.tsx'
import type { Column } from './grid.tsx'
import { Chosen } from './inspector.tsx'
import { List } from './list.tsx'
import { ListDetail } from './listdetail.tsx'
import { MallFilter } from './places.tsx'
import { useStateTabs } from './statetabs.ts'
import { useSay } from './text.ts'
import { useList } from './uselist.ts'
import { WelcomeDetail } from './welcome-looks.tsx'
import { useWelcomeOrder, WelcomeTrial } from './welcome-trial.tsx'

type Calls = Pick<Parameters<typeof WelcomeDetail>[0], 'sends' | 'trials'> & {
  lst: Read<any, any, { list: WelcomeRow[]; total: number; stat: Readonly<Record<string, number>> }>
  order: Parameters<typeof useWelcomeOrder>[1]
}
/** The list of rules of welcome messages, with what is known of the one in focus beside it. */
export const WelcomeList = ({
  calls,
  label,
  columns,
  actions,
  sort,
  tried,
}: {
  calls: Calls
  label: Text
  columns: readonly Column<WelcomeRow>[]
  actions: readonly Action[]
  /** The action that arranges the rules of a scope. */
  sort: Action
  /** What a trial of the rules told last. */
  tried: WelcomeTried | undefined
}) => {
  const say = useSay()
  const list = useList(calls.lst)
  const { tabs } = useStateTabs(list, calls.lst, welcomeStates)
  useWelcomeOrder(sort, calls.order, list.focusedRow)
  return (
    <ListDetail>
      <List
        of={list}
        label={say(label)}
        columns={columns}
        actions={actions}
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
              {...(calls.trials && { trials: calls.trials })}
              tried={tried}
            />
          )}
        </Chosen>
      )}
    </ListDetail>
  )
}
