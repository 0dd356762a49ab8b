import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { scoreClockedPage as page } from '#commands/pages/vip.ts'
import { clockedRuleActions as actions } from '#commands/vip/scoreClocked.ts'
import { signActions } from '#commands/vip/scoreClocked.ts'
import type { Result } from '#src/contract/call.ts'
import type { Text } from '#src/domain/text.ts'
import { numberColumn, onOff, SmallTable, State, stateColumn, textColumn } from '#src/kit/cells.tsx'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { clockedRules as calls, type ClockedRow as Row } from '../contract/scoreClocked.ts'
import { RuleSpan, Malls } from './RuleFacts.tsx'

const columns: readonly Column<Row>[] = [
  { ...textColumn('name', ['规则', 'Rule'], 130), grow: true },
  stateColumn('status', ['状态', 'State'], 84, onOff),
  {
    key: 'ladder',
    title: ['连签阶梯', 'Streak rewards'],
    width: 170,
    cell: row => <span className="m-num">{row.ladder.join(' · ')}</span>,
    words: row => row.ladder.join(' '),
  },
  {
    key: 'malls',
    title: ['适用商场', 'Malls'],
    width: 130,
    priority: 2,
    cell: row => <Malls of={row.malls} />,
    words: row => row.malls.map(one => one.name).join(' '),
  },
  numberColumn('issued', ['近 30 天发放', 'Issued, 30 d'], 108),
]
const bandWords = ({ from, to: end }: { from: number; to: number | null }): Text => {
  if (end === null) return [`${from} 天以上`, `${from} or more`]
  return from === end ? [`${from} 天`, String(from)] : [`${from}–${end} 天`, `${from}–${end}`]
}
/** Devices by which several members signed in. */
const Devices = ({ of }: { of: Result<typeof calls.today>['devices'] }) => {
  const say = useSay()
  return (
    <Section title={say(['多人同设备（近 30 天）', 'Shared devices (30 days)'])}>
      {of.length === 0 ? (
        <p className="m-muted">{say(['没有异常设备。', 'No suspicious devices.'])}</p>
      ) : (
        <SmallTable
          head={[
            ['设备', 'Device'],
            ['会员', 'Members'],
            ['记录', 'Records'],
          ]}
          rows={of}
          keyOf={one => one.device}
          cells={one => [
            <Link key="to" href={to(page, { view: 'records', device: one.device })}>
              …{one.device.slice(-8)}
            </Link>,
            one.members,
            one.records,
          ]}
        />
      )}
    </Section>
  )
}
/** How many sign in and come by, how long their streaks are, and which devices stand out. */
const Today = () => {
  const say = useSay()
  const read = useRead(calls.today, {})
  return (
    <Answer of={read} lines={6}>
      {({ days, streaks, devices, made_up, rushed }) => {
        const today = days.at(-1)!
        const before = days.at(-2)!
        return (
          <>
            <Section title={say(['今日', 'Today'])}>
              <Facts>
                <Fact label={say(['签到', 'Signed in'])}>
                  {say(['{n} 人（昨日 {m}）', '{n} members ({m} yesterday)'], {
                    n: today.signed,
                    m: before.signed,
                  })}
                </Fact>
                <Fact label={say(['到店打卡', 'Check-ins'])}>
                  {say(['{n} 次（昨日 {m}）', '{n} ({m} yesterday)'], {
                    n: today.visits,
                    m: before.visits,
                  })}
                </Fact>
                <Fact label={say(['发放积分', 'Points issued'])}>{today.points}</Fact>
                <Fact label={say(['补签 / 短时跨店', 'Make-ups / too fast'])}>
                  {made_up} / {rushed}
                </Fact>
              </Facts>
              <Chart
                label={say(['近 14 天参与', 'The last 14 days'])}
                categories={days.map(one => one.day.slice(5))}
                height={150}
                series={[
                  {
                    name: say(['签到人数', 'Signed in']),
                    kind: 'bar',
                    values: days.map(one => one.signed),
                  },
                  {
                    name: say(['到店打卡', 'Check-ins']),
                    kind: 'line',
                    values: days.map(one => one.visits),
                  },
                ]}
              />
            </Section>
            <Section title={say(['连续签到天数', 'Sign-in streaks'])}>
              <SmallTable
                head={[
                  ['天数', 'Days'],
                  ['会员数', 'Members'],
                ]}
                rows={streaks}
                keyOf={one => one.from}
                cells={one => [say(bandWords(one)), one.members]}
              />
            </Section>
            <Devices of={devices} />
          </>
        )
      }}
    </Answer>
  )
}
const Detail = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={onOff} />}>
      <Today />
      <Section title={say(['设置', 'Settings'])}>
        <Facts>
          <Fact wide label={say(['连签阶梯', 'Streak rewards'])}>
            <span className="m-num">{row.ladder.join(' · ')}</span>{' '}
            <span className="m-muted">
              {say(['第 {n} 天起保持', 'from day {n}'], { n: row.ladder.length })}
            </span>
          </Fact>
          <Fact label={say(['签满整月', 'Full month'])}>
            {say(['{n} 积分', '{n} points'], { n: row.month_bonus })}
          </Fact>
          <Fact label={say(['适用商场', 'Malls'])}>
            <Malls of={row.malls} />
          </Fact>
          <RuleSpan of={row} />
          <Fact label={say(['更新时间', 'Updated'])}>
            <When at={row.updated_at} />
          </Fact>
        </Facts>
      </Section>
    </Inspector>
  )
}
/** The rules of sign-ins, and how they are taken up today. */
export const ClockedRules = () => {
  const say = useSay()
  const list = useList(calls.lst)
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['签到打卡规则', 'Sign-in rules'])}
        columns={columns}
        actions={[...Object.values(actions), signActions.makeUp]}
      />
      <Chosen of={list} none={say(['选择一条规则', 'Choose a rule'])}>
        {row => <Detail row={row} />}
      </Chosen>
    </ListDetail>
  )
}
