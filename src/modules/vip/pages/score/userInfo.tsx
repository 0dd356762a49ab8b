import { useState } from 'react'
import { scoreProfileActions as actions } from '#commands/vip/scoreProfile.ts'
import { profileFields, profileKeys, type ProfileField } from '#src/areas/pointsRule/earning.ts'
import type { Result, Sent } from '#src/contract/call.ts'
import { percent } from '#src/domain/money.ts'
import { numberColumn, onOff, SmallTable, State, stateColumn, textColumn } from '#src/kit/cells.tsx'
import { skipToken, useRead } from '#src/kit/data.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Phone } from '#src/kit/phone.tsx'
import { Fact, Facts, Money, Section } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAnswered } from '#src/kit/workbench.ts'
import { scoreProfile as calls, type ProfileRow as Row } from '../../contract/scoreProfile.ts'
import { RuleSpan } from '../../parts/RuleFacts.tsx'
import '../../parts/vip.css'

const columns: readonly Column<Row>[] = [
  { ...textColumn('name', ['规则', 'Rule'], 130), grow: true },
  stateColumn('status', ['状态', 'State'], 84, onOff),
  numberColumn('total', ['合计积分', 'Total points'], 92),
  numberColumn('issued', ['近 30 天发放', 'Issued, 30 d'], 108),
]
type Tasks = readonly { field: ProfileField; points: number }[]
/** The task as the member sees it on the phone. */
const TaskPhone = ({ tasks, total, tried }: { tasks: Tasks; total: number; tried: boolean }) => {
  const say = useSay()
  return (
    <Section
      title={
        tried
          ? say(['任务卡预览（未保存）', 'Task preview (not saved)'])
          : say(['会员看到的任务', 'Task as members see it'])
      }
    >
      <Phone
        label={say(['手机预览', 'Phone preview'])}
        title={say(['完善资料，最高得 {n} 积分', 'Complete your profile: up to {n} points'], {
          n: total,
        })}
      >
        {tasks.map(({ field, points }) => (
          <div className="vp-plan" key={field}>
            <p className="vp-task">
              {say(profileFields[field])} <b className="m-num">+{points}</b>
            </p>
          </div>
        ))}
      </Phone>
    </Section>
  )
}
const shareOf = (n: number, of: number): string =>
  of === 0 ? '—' : percent(Math.round((n * 10_000) / of))
const Funnel = () => {
  const say = useSay()
  const read = useRead(calls.funnel, {})
  return (
    <Section title={say(['近 30 天完成漏斗', 'The last 30 days'])}>
      <Answer of={read} lines={6}>
        {({ fields }) => (
          <SmallTable
            head={[
              ['资料项', 'Field'],
              ['到访未填', 'Unfilled'],
              ['完成', 'Filled'],
              ['完成率', 'Rate'],
              ['已发分', 'Points'],
              ['累计', 'Total'],
            ]}
            rows={fields}
            keyOf={one => one.field}
            cells={one => [
              say(profileFields[one.field]),
              one.came,
              one.completed,
              shareOf(one.completed, one.came),
              one.paid,
              one.all,
            ]}
          />
        )}
      </Answer>
    </Section>
  )
}
type Impact = Result<typeof calls.previewImpact>
const Costs = ({ of }: { of: Impact }) => {
  const say = useSay()
  return (
    <>
      <SmallTable
        head={[
          ['资料项', 'Field'],
          ['积分', 'Points'],
          ['补发人数', 'Members to top up'],
          ['补发积分', 'Points to top up'],
          ['未来 30 天', 'Next 30 days'],
        ]}
        rows={of.fields}
        keyOf={one => one.field}
        cells={one => [
          say(profileFields[one.field]),
          one.points,
          one.behind,
          one.missing,
          one.expected,
        ]}
      />
      <Facts>
        <Fact label={say(['补发成本', 'Top-up cost'])}>
          {of.missing.toLocaleString('en-US')} / <Money cents={of.missing_cents} sign />
        </Fact>
        <Fact label={say(['未来 30 天', 'Next 30 days'])}>
          {of.expected.toLocaleString('en-US')} / <Money cents={of.expected_cents} sign />
        </Fact>
      </Facts>
      <p className="m-muted">
        {say([
          '未来 30 天按近 30 天的完成人数估算，成本按现行抵现比例；补发仅在保存时勾选后执行。',
          'Assumes as many completions as in the last 30 days, at the current offset rate; members are topped up only if ticked when saving.',
        ])}
      </p>
    </>
  )
}
const Cost = ({ input }: { input: Sent<typeof calls.previewImpact> }) => {
  const say = useSay()
  const read = useRead(calls.previewImpact, input)
  return (
    <Section title={say(['积分成本测算', 'Points cost estimate'])}>
      <Answer of={read} lines={6}>
        {of => <Costs of={of} />}
      </Answer>
    </Section>
  )
}
const inputOf = (asked: Record<string, unknown>) =>
  ({ fields: Object.fromEntries(profileKeys.map(key => [key, asked[key]])) }) as Sent<
    typeof calls.preview
  >
/** What the last trials of this pane say. */
const useTrials = () => {
  const [tried, setTried] = useState<Sent<typeof calls.preview> | undefined>(undefined)
  const [costed, setCosted] = useState<Sent<typeof calls.previewImpact> | undefined>(undefined)
  useAnswered(actions.preview, asked => setTried(inputOf(asked)))
  useAnswered(actions.previewImpact, asked => setCosted(inputOf(asked)))
  const { data: card } = useRead(calls.preview, tried ?? skipToken)
  return { card, costed }
}
const Detail = ({ row, trials }: { row: Row; trials: ReturnType<typeof useTrials> }) => {
  const say = useSay()
  const tasks = profileKeys.flatMap(field =>
    row.fields[field] > 0 ? [{ field, points: row.fields[field] }] : [],
  )
  const { card, costed } = trials
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={onOff} />}>
      {costed && <Cost input={costed} />}
      <TaskPhone
        tasks={card?.tasks ?? tasks}
        total={card?.total ?? row.total}
        tried={card !== undefined}
      />
      <Funnel />
      <Section title={say(['设置', 'Settings'])}>
        <Facts>
          {profileKeys.map(field => (
            <Fact key={field} label={say(profileFields[field])}>
              {row.fields[field]}
            </Fact>
          ))}
          <RuleSpan of={row} />
        </Facts>
        <p className="m-muted">
          {say([
            '每项每人终身只发一次，清空后重填不再发；生日一年只能改一次。',
            'Each field pays once per member, ever; birthdays can change once a year.',
          ])}
        </p>
      </Section>
    </Inspector>
  )
}

/** What completing a profile earns, and how far members get. */
export default function ScoreProfile() {
  const say = useSay()
  const list = useList(calls.lst)
  const trials = useTrials()
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['完善资料送积分', 'Points for completing profile'])}
        columns={columns}
        actions={Object.values(actions)}
      />
      <Chosen of={list} none={say(['选择规则查看设置', 'Choose the rule'])}>
        {row => <Detail row={row} trials={trials} />}
      </Chosen>
    </ListDetail>
  )
}
