import { SegmentedControl } from '@blueprintjs/core'
import { joinScenes, type JoinScene } from '#src/areas/wecom/wecom.ts'
import type { Result } from '#src/contract/call.ts'
import { SmallTable, Words } from '#src/kit/cells.tsx'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { Section } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
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
        ['入群方式', 'Joined by'],
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
/** Joins and leaves of a code day by day, of all its chats or of one of them. */
export const JoinMoves = ({ id, group }: { id: number; group?: { id: number } | undefined }) => {
  const say = useSay()
  const [days, setDays] = usePaneState<(typeof joinSpans)[number]>('days', '30')
  const read = useRead(calls.moves, { id, days, ...(group && { group_id: group.id }) })
  return (
    <Section
      title={say(['每日进退群', 'Joins and leaves'])}
      aside={
        <SegmentedControl
          size="small"
          aria-label={say(['时间范围', 'Range'])}
          value={days}
          onValueChange={value => setDays(value as typeof days)}
          options={joinSpans.map(value => ({
            value,
            label: say(['{n} 天', '{n} days'], { n: value }),
          }))}
        />
      }
    >
      <Answer of={read}>
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
            <p className="m-muted">
              {of.clipped
                ? say(
                    [
                      '进退群统计仅保留 180 天，以上自 {from} 起；更早的数据没有',
                      'Kept for 180 days: these begin on {from}, and there is none before',
                    ],
                    { from: of.from },
                  )
                : say([
                    '入群减退群即当日成员变化；同一人当天多次进出只按结果计一次',
                    'Joined less left is the change of the day; whoever goes and comes counts once',
                  ])}
            </p>
          </>
        )}
      </Answer>
    </Section>
  )
}
