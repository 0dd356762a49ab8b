import { joinScenes, type JoinScene } from '#src/areas/wecom/wecom.ts'
import type { Result } from '#src/contract/call.ts'
import { SmallTable, Words } from '#src/kit/cells.tsx'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { useSay } from '#src/kit/text.ts'
import { DailyMoves } from '#src/kit/wecomchats.tsx'
import { joinDetail as calls, joinSpans } from '../contract/customerGroupDetail.ts'

const scenes = Object.keys(joinScenes) as JoinScene[]
type Moves = Result<(typeof calls)['moves']>
/** What the days come to by the scene that people came by. */
const Sums = ({ of }: { of: Moves }) => {
  const sum = (scene: JoinScene, key: 'joins' | 'leaves') =>
    of.days.reduce((all, day) => all + day.scenes[scene][key], 0)
  return (
    <SmallTable
      head={[
        ['入群方式', 'Joined via'],
        ['入群', 'Joined'],
        ['退群', 'Left'],
        ['净增', 'Change'],
      ]}
      rows={scenes}
      keyOf={scene => scene}
      cells={scene => {
        const [joins, leaves] = [sum(scene, 'joins'), sum(scene, 'leaves')]
        return [<Words key="scene" of={joinScenes[scene]} />, joins, leaves, joins - leaves]
      }}
    />
  )
}
/** Joins and leaves of a code day by day, over all its chats. */
export const JoinMoves = ({ id }: { id: number }) => {
  const say = useSay()
  const [days, setDays] = usePaneState<(typeof joinSpans)[number]>('days', '30')
  return (
    <DailyMoves spans={joinSpans} at={days} go={setDays} of={useRead(calls.moves, { id, days })}>
      {of => (
        <>
          <Chart
            height={160}
            label={say(['每日入群方式与退群人数', 'Who joined by what, and who left, each day'])}
            categories={of.days.map(one => one.day.slice(5))}
            unit={say(['人', 'people'])}
            series={[
              ...scenes.map(scene => ({
                name: say(joinScenes[scene]),
                kind: 'bar' as const,
                stacked: true,
                values: of.days.map(one => one.scenes[scene].joins),
              })),
              {
                name: say(['退群', 'Left']),
                kind: 'line',
                tone: 'bad',
                values: of.days.map(one => one.leaves),
              },
            ]}
          />
          <Sums of={of} />
        </>
      )}
    </DailyMoves>
  )
}
