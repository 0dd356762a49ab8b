import { CrossCircle, History, Tick, Time } from '@blueprintjs/icons'
import { scoreRateActions as actions } from '#commands/vip/scoreRate.ts'
import { rateStates, type Multiplier, type Validity } from '#src/areas/pointsRule/rule.ts'
import type { Result } from '#src/contract/call.ts'
import { percent, yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import {
  SmallTable,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  type States,
} from '#src/kit/cells.tsx'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction } from '#src/kit/workbench.ts'
import { scoreRate as calls, type RateRow as Row } from '../../contract/scoreRate.ts'
import { useTried } from '../../parts/tried.ts'

const states: States<Row['state']> = {
  live: { text: rateStates.live, tone: 'good', icon: Tick },
  waiting: { text: rateStates.waiting, tone: 'warn', icon: Time },
  scheduled: { text: rateStates.scheduled, tone: 'info', icon: Time },
  past: { text: rateStates.past, icon: History },
  rejected: { text: rateStates.rejected, tone: 'bad', icon: CrossCircle },
}
const validWords = (of: Validity): Text => {
  if (of.by === 'rolling') return [`${of.months} 个月`, `${of.months} months`]
  if (of.years === 0) return ['当年年底', 'End of this year']
  return of.years === 1
    ? ['次年年底', 'End of next year']
    : [`${of.years} 年后年底`, `To a year’s end, ${of.years} on`]
}
const whose = (of: Multiplier): Text => {
  if (of.by === 'level') return [`等级 ${of.level}`, `Level ${of.level}`]
  return of.by === 'vip' ? ['付费会员', 'Paid members'] : [`每月 ${of.day} 日`, `Day ${of.day}`]
}
const Valid = ({ of }: { of: Validity }) => <>{useSay()(validWords(of))}</>
const columns: readonly Column<Row>[] = [
  { ...textColumn('name', ['版本', 'Version'], 150), grow: true },
  stateColumn('state', ['状态', 'State'], 96, states),
  {
    key: 'earn',
    title: ['每元得分', 'Per yuan'],
    width: 84,
    align: 'end',
    cell: row => yuan(row.config.earn_hundredths),
  },
  {
    key: 'offset',
    title: ['抵 1 元', 'For ¥1'],
    width: 76,
    align: 'end',
    cell: row => row.config.offset_points,
  },
  {
    key: 'share',
    title: ['抵扣上限', 'Cap'],
    width: 84,
    align: 'end',
    cell: row => percent(row.config.offset_share_bp),
  },
  {
    key: 'valid',
    title: ['有效期', 'Validity'],
    width: 120,
    priority: 2,
    cell: row => <Valid of={row.config.validity} />,
  },
  timeColumn('effective_at', ['生效时间', 'Effective from'], 116),
  { ...textColumn('maker', ['申请人', 'Requested by'], 84), priority: 3 },
  { ...textColumn('checker', ['复核人', 'Approved by'], 84), priority: 3 },
]
const Detail = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<State of={row.state} in={states} />}>
      <Section title={say(['比例', 'Rate'])}>
        <Facts>
          <Fact label={say(['每消费 1 元得', 'Points per yuan'])}>
            {say(['{n} 积分', '{n} points'], { n: yuan(row.config.earn_hundredths) })}
          </Fact>
          <Fact label={say(['抵 1 元需要', 'Points for ¥1'])}>
            {say(['{n} 积分', '{n} points'], { n: row.config.offset_points })}
          </Fact>
          <Fact label={say(['每单最多抵扣', 'Offset cap per order'])}>
            {percent(row.config.offset_share_bp)}
          </Fact>
          <Fact label={say(['有效期', 'Validity'])}>
            <Valid of={row.config.validity} />
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['倍率（只取最高）', 'Multipliers (the highest applies)'])}>
        {row.config.multipliers.length === 0 ? (
          <p className="m-muted">{say(['没有倍率。', 'No multipliers.'])}</p>
        ) : (
          <SmallTable
            head={[
              ['适用', 'Applies to'],
              ['倍率', 'Multiplier'],
            ]}
            rows={row.config.multipliers}
            keyOf={one => JSON.stringify(one)}
            cells={one => [say(whose(one)), `×${one.times_bp / 10_000}`]}
          />
        )}
      </Section>
      <Section title={say(['变更', 'Change'])}>
        <Facts>
          <Fact label={say(['生效', 'Effective from'])}>
            <When at={row.effective_at} />
          </Fact>
          {row.until !== null && (
            <Fact label={say(['止于', 'Until'])}>
              <When at={row.until} />
            </Fact>
          )}
          <Fact label={say(['申请人', 'Requested by'])}>{row.maker || '—'}</Fact>
          <Fact label={say(['复核人', 'Approved by'])}>{row.checker || '—'}</Fact>
          <Fact wide label={say(['申请原因', 'Reason'])}>
            {row.reason || '—'}
          </Fact>
          {row.reject_reason && (
            <Fact wide label={say(['驳回原因', 'Reject reason'])}>
              {row.reject_reason}
            </Fact>
          )}
        </Facts>
        <p className="m-muted">
          {say([
            '新比例只影响生效后支付的订单；已发的积分按原有效期到期。抵现比例与上限尚未接入下单。',
            'A new rate applies only to orders paid after it takes effect; issued points keep their expiry. The offset rate and cap are not connected to orders yet.',
          ])}
        </p>
      </Section>
    </Inspector>
  )
}
type Tried = Result<typeof calls.simulate>
const Trial = ({ of }: { of: Tried }) => {
  const say = useSay()
  const rows = [
    { key: 'now', title: ['现行比例', 'Current'] as Text, ...of.now },
    { key: 'trial', title: ['测算比例', 'Simulated'] as Text, ...of.trial },
  ]
  return (
    <Section
      title={say(['测算：{from} 至 {to} 的 {n} 单', 'Trial: {n} orders, {from} to {to}'], {
        from: dateOf(of.from),
        to: dateOf(of.to - 1),
        n: of.orders.toLocaleString('en-US'),
      })}
    >
      <SmallTable
        head={[
          ['比例', 'Rate'],
          ['发放积分', 'Points'],
          ['抵现成本', 'Offset cost'],
        ]}
        rows={rows}
        keyOf={one => one.key}
        cells={one => [
          say(one.title),
          one.points,
          <Money key="cost" cents={one.cost_cents} sign />,
        ]}
      />
      <Facts>
        <Fact label={say(['实付金额', 'Paid'])}>
          <Money cents={of.paid_cents} sign />
        </Fact>
        <Fact label={say(['成本变化', 'Difference'])}>
          <Money cents={of.trial.cost_cents - of.now.cost_cents} sign />
        </Fact>
      </Facts>
    </Section>
  )
}

/** What a point is worth: the versions of the rate, and who asked for and approved each. */
export default function ScoreRate() {
  const say = useSay()
  const list = useList(calls.lst)
  const tried = useTried(actions.simulate, calls.simulate)
  const past = (list.input as { state?: string }).state === 'past'
  useAction(actions.viewHistory, () => list.filter({ state: past ? undefined : 'past' }))
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['积分比例', 'Points rates'])}
        columns={columns}
        actions={Object.values(actions)}
        filters={<Choice of={list} by="state" label={say(['状态', 'State'])} words={rateStates} />}
      />
      <Chosen of={list} none={say(['选择一个版本', 'Choose a version'])}>
        {row => (
          <>
            {tried && <Trial of={tried} />}
            <Detail row={row} />
          </>
        )}
      </Chosen>
    </ListDetail>
  )
}
