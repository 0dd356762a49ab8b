import { ArrowDown, ArrowUp } from '@blueprintjs/icons'
import { growthRecordActions as actions } from '#commands/vip/record.ts'
import { growthKinds, holdKinds } from '#src/areas/level/level.ts'
import { textStates } from '#src/areas/member/texting.ts'
import { dateOf } from '#src/domain/time.ts'
import { None, State, textColumn, timeColumn, wordColumn, type States } from '#src/kit/cells.tsx'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Period } from '#src/kit/period.tsx'
import { Badge, Delta, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { record as calls, type GrowthRow as Row } from '../contract/record.ts'

const notices: States<NonNullable<Row['notice']>['state']> = {
  queued: { text: textStates.queued, tone: 'info' },
  sent: { text: textStates.sent, tone: 'good' },
  failed: { text: textStates.failed, tone: 'bad' },
}
const Level = ({ row }: { row: Row }) => {
  const { level_before, level_after, level_before_name, level_after_name } = row
  if (level_before === level_after) return <>{level_after_name}</>
  const isUp = level_after > level_before
  return (
    <Badge tone={isUp ? 'good' : 'warn'} icon={isUp ? ArrowUp : ArrowDown}>
      {level_before_name} → {level_after_name}
    </Badge>
  )
}
const columns: readonly Column<Row>[] = [
  timeColumn('at', ['时间', 'Time'], 116),
  {
    key: 'member',
    title: ['会员', 'Member'],
    width: 130,
    grow: true,
    cell: row => row.nickname,
    words: row => `${row.nickname} ${row.uid}`,
  },
  wordColumn('kind', ['来源', 'Source'], 88, growthKinds),
  {
    key: 'delta',
    title: ['变动', 'Change'],
    width: 76,
    align: 'end',
    cell: row => (row.delta === 0 ? <None /> : <Delta of={row.delta} />),
  },
  {
    key: 'balance_after',
    title: ['变动后', 'After'],
    width: 80,
    align: 'end',
    cell: row => row.balance_after,
  },
  {
    key: 'level',
    title: ['等级', 'Level'],
    width: 176,
    cell: row => <Level row={row} />,
    words: row => `${row.level_before_name} ${row.level_after_name}`,
  },
  {
    key: 'notice',
    title: ['通知', 'Notice'],
    width: 92,
    priority: 2,
    cell: row => (row.notice ? <State of={row.notice.state} in={notices} /> : '—'),
  },
  { ...textColumn('biz_no', ['业务号', 'Reference no.'], 168), priority: 3 },
  { ...textColumn('operator', ['操作人', 'By'], 84), priority: 3 },
]

/** One member's growth against the thresholds in force, and what holds the level. */
const Standing = ({ row }: { row: Row }) => {
  const say = useSay()
  const read = useRead(calls.standing, { id: row.id })
  return (
    <Answer of={read}>
      {of => {
        const most = Math.max(of.growth, ...of.points.map(point => point.growth))
        // Thresholds far above would press the line flat.
        const near = of.thresholds.filter(one => one.growth_min > 0)
        const above = near.findIndex(one => one.growth_min > most)
        const reached = above < 0 ? near : near.slice(0, above + 1)
        // Those that would lie on each other at the foot are left out.
        const top = Math.max(most, reached.at(-1)?.growth_min ?? 0)
        const shown = reached.filter(one => one.growth_min * 10 >= top)
        return (
          <>
            <Section title={say(['会员现状', 'The member now'])}>
              <Facts>
                <Fact label={say(['会员号', 'Member no.'])}>{of.uid}</Fact>
                <Fact label={say(['等级', 'Level'])}>{of.level_name}</Fact>
                <Fact label={say(['成长值', 'Growth'])}>{of.growth}</Fact>
                <Fact label={say(['保级日', 'Keep date'])}>
                  <When at={of.keep_until} />
                </Fact>
                <Fact wide label={say(['下一等级', 'Next level'])}>
                  {of.next
                    ? say(['「{name}」还差 {n}', '{name}: {n} more'], {
                        name: of.next.name,
                        n: of.next.lacking.toLocaleString('en-US'),
                      })
                    : say(['已是最高等级', 'Already the highest'])}
                </Fact>
                {of.holds.map(hold => (
                  <Fact key={hold.kind} wide label={say(holdKinds[hold.kind])}>
                    {hold.kind === 'manual' && `${hold.level_name} · `}
                    {say(['至 {day}，{who}：{why}', 'until {day}, {who}: {why}'], {
                      day: dateOf(hold.until_at),
                      who: hold.operator,
                      why: hold.reason,
                    })}
                  </Fact>
                ))}
              </Facts>
            </Section>
            <Section title={say(['成长曲线', 'Growth over time'])}>
              <Chart
                label={say(['成长值', 'Growth'])}
                categories={of.points.map(point => dateOf(point.at).slice(5))}
                height={200}
                series={[
                  {
                    name: say(['成长值', 'Growth']),
                    kind: 'line',
                    values: of.points.map(point => point.growth),
                  },
                ]}
                limits={shown.map(one => ({
                  value: one.growth_min,
                  label: one.name,
                  tone: 'muted',
                }))}
              />
            </Section>
          </>
        )
      }}
    </Answer>
  )
}
const Detail = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Inspector title={row.nickname} aside={<Badge>{say(growthKinds[row.kind])}</Badge>}>
      <Section title={say(['本条记录', 'This record'])}>
        <Facts>
          <Fact label={say(['时间', 'Time'])}>
            <When at={row.at} />
          </Fact>
          <Fact label={say(['变动', 'Change'])}>
            <Delta of={row.delta} />
            {row.wanted !== row.delta && (
              <span className="m-muted">
                {say(['（应变动 {n}，成长值不低于 0）', ' ({n} due; never below 0)'], {
                  n: row.wanted.toLocaleString('en-US'),
                })}
              </span>
            )}
          </Fact>
          <Fact label={say(['变动后', 'After'])}>{row.balance_after}</Fact>
          <Fact label={say(['等级', 'Level'])}>
            <Level row={row} />
          </Fact>
          <Fact label={say(['保级日', 'Keep date'])}>
            <When at={row.keep_until} />
          </Fact>
          <Fact label={say(['操作人', 'By'])}>{row.operator || say(['系统', 'System'])}</Fact>
          <Fact wide label={say(['业务号', 'Reference no.'])}>
            {row.biz_no}
          </Fact>
          <Fact wide label={say(['说明', 'Note'])}>
            {row.note || '—'}
          </Fact>
          {row.reversed_by !== null && (
            <Fact wide label={say(['冲正', 'Reversed'])}>
              {say(['已由记录 #{n} 冲正', 'By record #{n}'], { n: row.reversed_by })}
            </Fact>
          )}
          {row.notice && (
            <Fact wide label={say(['等级通知', 'Notice'])}>
              <State of={row.notice.state} in={notices} /> {row.notice.text}
            </Fact>
          )}
        </Facts>
      </Section>
      <Standing row={row} />
    </Inspector>
  )
}
const directions = { up: ['增加', 'Up'], down: ['减少', 'Down'] } as const
const levelOnly = { 1: ['仅等级变动', 'Level changes'] } as const

/** Why members went up or down: each move of growth, and what the level became. */
export default function GrowthRecords() {
  const say = useSay()
  const list = useList(calls.lst)
  useExport(actions.export, calls.export, { list })
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['成长记录', 'Growth records'])}
        columns={columns}
        actions={Object.values(actions)}
        filters={
          <>
            <Keyword of={list} placeholder={say(['昵称或会员号', 'Nickname or member no.'])} />
            <Choice of={list} by="kind" label={say(['来源', 'Source'])} words={growthKinds} />
            <Choice
              of={list}
              by="direction"
              label={say(['方向', 'Direction'])}
              words={directions}
            />
            <Choice of={list} by="level_only" label={say(['等级', 'Level'])} words={levelOnly} />
            <Period of={list} from="from" to="to" most={366} usual={['全部时间', 'All time']} />
          </>
        }
      />
      <Chosen
        of={list}
        none={say([
          '选择一条记录，查看会员的成长曲线',
          'Choose a record to see the member’s growth',
        ])}
      >
        {row => <Detail row={row} />}
      </Chosen>
    </ListDetail>
  )
}
