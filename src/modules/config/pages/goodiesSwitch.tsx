import { BanCircle as Ban, People, Percentage, Tick } from '@blueprintjs/icons'
import { useState } from 'react'
import { useDispatch } from 'react-redux'
import { goodiesActions } from '#commands/config/goodies.ts'
import {
  featureLevels,
  features,
  featureTitles,
  verdicts,
} from '#src/areas/release/featureSwitch.ts'
import type { Result, Sent } from '#src/contract/call.ts'
import { comma } from '#src/domain/text.ts'
import { SmallTable, State, textColumn, timeColumn, Words, type States } from '#src/kit/cells.tsx'
import { dispatchRead } from '#src/kit/data.ts'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAnswered, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { goodiesSwitch as calls, type SwitchRow } from '../contract/goodiesSwitch.ts'

const states: States<'on' | 'part' | 'testers' | 'off' | 'held'> = {
  on: { text: ['全量', 'For all'], tone: 'good', icon: Tick },
  part: { text: ['放量中', 'Partial'], tone: 'info', icon: Percentage },
  testers: { text: ['仅体验成员', 'Testers only'], tone: 'info', icon: People },
  off: { text: ['已关闭', 'Off'], icon: Ban },
  held: { text: ['上级已关闭', 'Held off'], icon: Ban },
}
const onOff = { on: ['已开启', 'On'], off: ['已关闭', 'Off'] } as const
const stateOf = ({ status, held_off, percent }: SwitchRow): keyof typeof states => {
  if (status === 'off') return 'off'
  if (held_off) return 'held'
  if (percent === 0) return 'testers'
  return percent === 100 ? 'on' : 'part'
}
const isPart = ({ feature }: SwitchRow) => features[feature].parent !== null
const Place = ({ row }: { row: SwitchRow }) => (
  <>{row.mall_name || row.city_name || <Words of={featureLevels.national} />}</>
)

const columns: readonly Column<SwitchRow>[] = [
  {
    key: 'feature',
    title: ['功能', 'Feature'],
    width: 130,
    cell: row => (
      <span style={{ paddingInlineStart: isPart(row) ? 14 : 0 }}>
        <Words of={featureTitles[row.feature]} />
      </span>
    ),
  },
  {
    key: 'place',
    title: ['范围', 'Where'],
    width: 120,
    grow: true,
    cell: row => <Place row={row} />,
  },
  {
    key: 'state',
    title: ['状态', 'State'],
    width: 110,
    cell: row => <State of={stateOf(row)} in={states} />,
  },
  {
    key: 'percent',
    title: ['放量', 'Rollout'],
    width: 76,
    align: 'end',
    cell: row => `${row.percent}%`,
  },
  textColumn('min_version', ['最低版本', 'Min. version'], 96, of => of || '—'),
  { ...textColumn('reason', ['原因', 'Reason'], 160), grow: true },
  textColumn('by', ['操作人', 'By'], 90),
  timeColumn('changed_at', ['调整时间', 'Changed'], 110),
]

type Previewed = Result<typeof calls.preview>
const gets: States<'on' | 'off'> = {
  on: { text: ['命中', 'Gets it'], tone: 'good', icon: Tick },
  off: { text: ['未命中', 'Does not'], icon: Ban },
}
/** What each part is for the member that was asked after, and which switch says so. */
const Preview = ({ of }: { of: Previewed }) => {
  const say = useSay()
  return (
    <Section title={say(['{name} 的命中结果', 'What {name} gets'], { name: of.member })}>
      <SmallTable
        head={[
          ['功能', 'Feature'],
          ['结果', 'Result'],
          ['依据', 'Because'],
        ]}
        rows={of.parts}
        keyOf={part => part.feature}
        cells={part => [
          say(featureTitles[part.feature]),
          <State key="on" of={part.on ? 'on' : 'off'} in={gets} />,
          <>
            {say(verdicts[part.verdict])}
            {part.level && (
              <span className="m-muted">
                {say(['（{level}开关）', ' ({level})'], { level: say(featureLevels[part.level]) })}
              </span>
            )}
          </>,
        ]}
      />
    </Section>
  )
}

const SwitchDetail = ({ row }: { row: SwitchRow }) => {
  const say = useSay()
  const { parent } = features[row.feature]
  return (
    <Inspector
      title={`${say(featureTitles[row.feature])} · ${row.mall_name || row.city_name || say(featureLevels.national)}`}
      aside={<State of={stateOf(row)} in={states} />}
    >
      <Section title={say(['放量', 'Release'])}>
        <Facts>
          <Fact label={say(['开关', 'Switch'])}>{say(onOff[row.status])}</Fact>
          <Fact label={say(['比例', 'Rollout'])}>{row.percent}%</Fact>
          <Fact label={say(['最低版本', 'Min. version'])}>
            {row.min_version || say(['不限', 'Any'])}
          </Fact>
          {parent && <Fact label={say(['上级功能', 'Part of'])}>{say(featureTitles[parent])}</Fact>}
          <Fact wide label={say(['原因', 'Reason'])}>
            {row.reason || '—'}
          </Fact>
          <Fact label={say(['操作人', 'By'])}>{row.by || '—'}</Fact>
          <Fact label={say(['调整时间', 'Changed'])}>
            <When at={row.changed_at} />
          </Fact>
        </Facts>
        {row.held_off && (
          <p className="m-muted">
            {say([
              '上级功能在该范围已关闭：打开上级后按这里的比例放量。',
              'The feature above is off there: once it is on, this percentage holds.',
            ])}
          </p>
        )}
      </Section>
      {row.level === 'national' && (
        <Section title={say(['体验成员（{n}）', 'Testers ({n})'], { n: row.testers.length })}>
          {row.testers.length > 0 ? (
            <SmallTable
              head={[
                ['会员', 'Member'],
                ['编号', 'Number'],
              ]}
              rows={row.testers}
              keyOf={member => String(member.id)}
              cells={member => [member.name, `#${member.id}`]}
            />
          ) : (
            <p className="m-muted">
              {say(['没有体验成员，按比例放量。', 'No testers. The rollout percentage applies.'])}
            </p>
          )}
        </Section>
      )}
    </Inspector>
  )
}

/** What the preview was last asked, as it was answered. */
const usePreview = () => {
  const dispatch = useDispatch()
  const [told, setTold] = useState<Previewed | undefined>(undefined)
  useAnswered(goodiesActions.preview, asked => {
    dispatchRead(dispatch as never, calls.preview, asked as Sent<typeof calls.preview>, true).then(
      setTold,
      () => setTold(undefined),
    )
  })
  return told
}

/** How far the goodies channel and its parts are released: the nearest place decides. */
export default function GoodiesSwitches() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const previewed = usePreview()
  useResult(goodiesActions.killAll, ({ off, told }) =>
    toast(
      say(['已关闭 {n} 个好物频道开关', '{n} switches of the channel are off'], { n: off }) +
        (told.length > 0
          ? say(['，已通知：{groups}', '; told: {groups}'], { groups: told.join(say(comma)) })
          : ''),
      'warning',
    ),
  )
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['好物开关', 'Goodies switches'])}
        columns={columns}
        actions={Object.values(goodiesActions)}
        filters={
          <>
            <Choice of={list} by="feature" label={say(['功能', 'Feature'])} words={featureTitles} />
            <Choice of={list} by="level" label={say(['范围', 'Level'])} words={featureLevels} />
            <CityFilter of={list} />
            <Choice of={list} by="status" label={say(['状态', 'State'])} words={onOff} />
          </>
        }
      />
      {previewed && list.loaded && !list.focusedRow ? (
        <Inspector title={say(['命中结果', 'What a member gets'])}>
          <Preview of={previewed} />
        </Inspector>
      ) : (
        <Chosen of={list} none={say(['选择一个开关', 'Choose a switch'])}>
          {row => (
            <>
              {previewed && <Preview of={previewed} />}
              <SwitchDetail row={row} />
            </>
          )}
        </Chosen>
      )}
    </ListDetail>
  )
}
