import { Callout } from '@blueprintjs/core'
import { WarningSign } from '@blueprintjs/icons'
import { useState } from 'react'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import * as pages from '#commands/pages/system.ts'
import * as commands from '#commands/system/duty.ts'
import { notifyChannels } from '#src/areas/notice/warning.ts'
import { switches } from '#src/areas/people/people.ts'
import { clause, comma } from '#src/domain/text.ts'
import { onOff, State, stateColumn, textColumn, wordColumn, type States } from '#src/kit/cells.tsx'
import { skipToken, useRead } from '#src/kit/data.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Alarming, Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Answer, Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { group as calls, type NotifyGroupRow } from '../contract/group.ts'
import { Roster, weekdays } from '../parts/Roster.tsx'
import '../parts/duty.css'

type Row = NotifyGroupRow
const states: States<'on' | 'off'> = { ...onOff, off: { text: ['已停用', 'Off'] } }
const Tested = ({ row }: { row: Row }) => {
  const say = useSay()
  if (!row.last_test) return <span className="m-muted">{say(['未测试', 'Never'])}</span>
  return (
    <span
      className={row.last_test.ok ? undefined : 'm-alarming m-bad'}
      title={row.last_test.answer}
    >
      {!row.last_test.ok && <WarningSign size={12} tagName={null} aria-hidden />}
      {row.last_test.ok ? say(['成功', 'Passed']) : say(['失败', 'Failed'])}{' '}
      <When at={row.last_test.at} />
    </span>
  )
}
const columns: readonly Column<Row>[] = [
  { ...textColumn('name', ['群组', 'Group'], 170), grow: true },
  wordColumn('channel', ['渠道', 'Channel'], 132, notifyChannels),
  {
    key: 'duty',
    title: ['当前值班', 'On duty'],
    width: 88,
    cell: row => row.on_duty ?? <span className="m-muted">—</span>,
  },
  {
    key: 'members',
    title: ['成员', 'Members'],
    width: 56,
    align: 'end',
    cell: row => row.members.length,
  },
  {
    key: 'used',
    title: ['预警 / 报表', 'Rules / reports'],
    width: 88,
    align: 'end',
    cell: row => `${row.rules} / ${row.reports}`,
  },
  {
    key: 'sent',
    title: ['24 小时发送', 'Sent 24 h'],
    width: 84,
    align: 'end',
    cell: row => (
      <span className="m-num">
        {row.sent_24h}
        {row.failed_24h > 0 && (
          <>
            {' '}
            <Alarming>{row.failed_24h}</Alarming>
          </>
        )}
      </span>
    ),
  },
  { key: 'test', title: ['最近测试', 'Last test'], width: 132, cell: row => <Tested row={row} /> },
  stateColumn('status', ['状态', 'State'], 76, states),
]

/** Everything that uses the group, and would miss it. */
const UsedBy = ({ row }: { row: Row }) => {
  const say = useSay()
  const any = row.rules + row.reports > 0
  const used = useRead(calls.whereUsed, any ? { id: row.id } : skipToken)
  return (
    <Section title={say(['引用', 'Used by'])}>
      {any ? (
        <Answer of={used}>
          {({ rules, reports }) => (
            <ul className="d-used">
              {rules.map(rule => (
                <li key={`w${rule.id}`}>
                  <Link href={to(pages.warning, { keyword: rule.name })}>{rule.name}</Link>
                  {rule.status === 'off' && <State of="off" in={onOff} />}
                  {rule.status === 'on' && rule.only && (
                    <Badge tone="warn">{say(['唯一接收', 'Only receiver'])}</Badge>
                  )}
                </li>
              ))}
              {reports.map(report => (
                <li key={`r${report.id}`}>
                  {report.name} <span className="m-muted">{say(['报表订阅', 'Report'])}</span>
                </li>
              ))}
            </ul>
          )}
        </Answer>
      ) : (
        <span className="m-muted">
          {say(['没有预警或报表使用它', 'No rule and no report uses it'])}
        </span>
      )}
    </Section>
  )
}

type Test = { id: number; ok: boolean; answer: string }
const Group = ({ row, tested }: { row: Row; tested: Test | undefined }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={states} />}>
      {tested?.id === row.id && (
        <Callout
          compact
          role="status"
          intent={tested.ok ? 'success' : 'danger'}
          style={{ margin: 12, width: 'auto' }}
        >
          {tested.ok
            ? say(['测试消息已送达。', 'The test arrived. '])
            : say(['测试消息没有送达。', 'The test did not arrive. '])}
          {say(['渠道返回：', 'Reply of the channel: '])}
          <code className="d-answer">{tested.answer}</code>
        </Callout>
      )}
      <Section title={say(['渠道', 'Channel'])}>
        <Facts>
          <Fact label={say(['方式', 'Type'])}>{say(notifyChannels[row.channel])}</Fact>
          <Fact label={say(['最近测试', 'Last test'])}>
            <Tested row={row} />
          </Fact>
          <Fact wide label={say(['目标', 'Target'])}>
            <code className="d-answer">{row.target}</code>
          </Fact>
          <Fact label={say(['免打扰', 'Quiet hours'])}>
            {row.quiet ? `${row.quiet.from}–${row.quiet.to}` : say(['不设', 'None'])}
          </Fact>
          <Fact label={say(['24 小时发送', 'Sent 24 h'])}>
            <span className="m-num">{row.sent_24h}</span>
            {row.failed_24h > 0 && (
              <span className="m-bad">
                {' '}
                {say(['失败 {n}', '{n} failed'], { n: row.failed_24h })}
              </span>
            )}
          </Fact>
          <Fact wide label={say(['成员', 'Members'])}>
            {row.members.map(one => one.name).join(say(comma)) || '—'}
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['值班表', 'Roster'])}>
        {row.roster.length === 0 ? (
          <span className="m-muted">
            {say([
              '没有值班表：严重预警升级时不会指派到人',
              'No roster: a serious alarm goes to nobody when it escalates',
            ])}
          </span>
        ) : (
          <Facts>
            {row.roster.map((shift, i) => (
              <Fact key={i} wide label={`${shift.from}–${shift.to}`}>
                {shift.name}{' '}
                <span className="m-muted">
                  {shift.weekdays.length === 7
                    ? say(['每天', 'Every day'])
                    : shift.weekdays.map(day => say(weekdays[day - 1]!)).join(' ')}
                </span>
              </Fact>
            ))}
            {row.gaps.length > 0 && (
              <Fact wide label={say(['空档', 'Gaps'])}>
                <span className="m-bad">
                  {row.gaps
                    .slice(0, 6)
                    .map(gap => `${say(weekdays[gap.weekday - 1]!)} ${gap.from}–${gap.to}`)
                    .join(say(clause))}
                  {row.gaps.length > 6 ? '…' : ''}
                </span>
              </Fact>
            )}
          </Facts>
        )}
      </Section>
      <UsedBy row={row} />
    </Inspector>
  )
}

export default function Groups() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const [tested, setTested] = useState<Test | undefined>(undefined)
  const [roster, setRoster] = useState<Row | undefined>(undefined)
  useResult(commands.groupActions.testSend, setTested)
  useAction(commands.groupActions.setRoster, ([row]: readonly Row[]) => setRoster(row))
  useAction(commands.groupActions.whereUsed, ([row]: readonly Row[]) => {
    if (!row) return
    list.focus(row.id)
    if (row.rules + row.reports === 0)
      toast(say(['没有预警或报表使用它', 'No rule and no report uses it']))
    else requestAnimationFrame(() => document.querySelector<HTMLElement>('.d-used a')?.focus())
  })
  return (
    <ListDetail>
      <List
        of={list}
        label={say([pages.group.title, pages.group.en])}
        columns={columns}
        actions={Object.values(commands.groupActions)}
        empty={
          <Empty title={say(['还没有符合条件的通知群组', 'No group matches'])}>
            <p>
              <Keyed
                text={[
                  '按 {add} 新增：企业微信群机器人、邮件或短信列表。',
                  '{add} makes one: a WeCom robot, a list of mail or of phones.',
                ]}
                by={{ add: commands.groupActions.create }}
              />
            </p>
          </Empty>
        }
        filters={
          <>
            <Keyword of={list} placeholder={say(['群组名称', 'Name'])} />
            <Choice
              of={list}
              by="channel"
              label={say(['渠道', 'Channel'])}
              words={notifyChannels}
            />
            <Choice of={list} by="status" label={say(['状态', 'State'])} words={switches} />
          </>
        }
      />
      <>
        {list.focusedRow ? (
          <Group row={list.focusedRow} tested={tested} />
        ) : (
          <Inspector title={undefined} />
        )}
        {roster && <Roster of={roster} close={() => setRoster(undefined)} />}
      </>
    </ListDetail>
  )
}
