import { useState } from 'react'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { risk as page } from '#commands/pages/system.ts'
import { riskRuleActions as actions } from '#commands/system/risk.ts'
import {
  isBlocking,
  riskActions,
  riskScenes,
  ruleScenes,
  ruleStates,
  type RuleState,
} from '#src/areas/risk/risk.ts'
import type { Result } from '#src/contract/call.ts'
import { percent } from '#src/domain/money.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Badge, Fact, Facts, Money, Section, When, type ToneName } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useResult } from '#src/kit/workbench.ts'
import { risk as calls, type RiskRuleRow } from '../contract/risk.ts'
import { RuleDays } from './RuleDays.tsx'

type Row = RiskRuleRow
const tones: Record<RuleState, ToneName> = { draft: 'plain', on: 'good', off: 'warn' }
const Status = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Badge
      tone={tones[row.status]}
      {...(row.status === 'off' && row.status_reason ? { title: row.status_reason } : {})}
    >
      {say(ruleStates[row.status])}
    </Badge>
  )
}
const Scene = ({ row }: { row: Row }) => <>{useSay()(riskScenes[row.scene])}</>
const Does = ({ row }: { row: Row }) => <>{useSay()(riskActions[row.action])}</>
const columns: readonly Column<Row>[] = [
  {
    key: 'name',
    title: ['规则', 'Rule'],
    width: 130,
    grow: true,
    cell: row => row.name,
    words: row => row.name,
  },
  {
    key: 'says',
    title: ['条件', 'Condition'],
    width: 200,
    grow: true,
    cell: row => row.says,
    words: row => row.says,
  },
  { key: 'scene', title: ['场景', 'Scene'], width: 64, cell: row => <Scene row={row} /> },
  { key: 'action', title: ['动作', 'Does'], width: 88, cell: row => <Does row={row} /> },
  { key: 'status', title: ['状态', 'State'], width: 70, cell: row => <Status row={row} /> },
  {
    key: 'hits',
    title: ['30 天命中', '30 d hits'],
    width: 72,
    align: 'end',
    cell: row => row.hits,
  },
  {
    key: 'false',
    title: ['误报率', 'False'],
    width: 66,
    align: 'end',
    cell: row => (row.false_bp === null ? '—' : percent(row.false_bp)),
  },
  {
    key: 'avoided',
    title: ['避免损失', 'Avoided'],
    width: 104,
    align: 'end',
    cell: row => <Money cents={row.avoided_cents} />,
  },
]

type Trial = Result<typeof calls.dryRun>
const Rule = ({ row, trial }: { row: Row; trial: Trial | undefined }) => {
  const say = useSay()
  const tried = row.dry_run_result
  return (
    <Inspector title={row.name} aside={<Status row={row} />}>
      {tried && (
        <div className="rk-trial" role="status">
          <div>
            {say(['近 {d} 天会拦住的真实订单', 'Real orders it would have stopped in {d} days'], {
              d: tried.days,
            })}
          </div>
          <strong>{tried.orders.toLocaleString()}</strong>{' '}
          <span className="m-muted">
            / {tried.orders_in_all.toLocaleString()}
            {tried.orders_in_all > 0 &&
              ` · ${percent(Math.round((tried.orders * 10_000) / tried.orders_in_all))}`}
          </span>
          <Facts>
            <Fact label={say(['涉及会员', 'Members'])}>
              <span className="m-num">{tried.members}</span>
            </Fact>
            <Fact label={say(['命中次数', 'Hits'])}>
              <span className="m-num">{tried.hits}</span>
            </Fact>
            <Fact label={say(['金额', 'Amount'])}>
              <Money cents={tried.amount_cents} />
            </Fact>
            <Fact label={say(['试跑时间', 'Tried'])}>
              <When at={row.dry_run_at} />
            </Fact>
          </Facts>
        </div>
      )}
      <Section title={say(['条件', 'Condition'])}>
        <Facts>
          <Fact wide label={say(['触发', 'Hits when'])}>
            {row.says}
          </Fact>
          <Fact label={say(['场景', 'Scene'])}>
            <Scene row={row} />
          </Fact>
          <Fact label={say(['动作', 'Does'])}>
            <Does row={row} />
          </Fact>
          {row.status === 'off' && row.status_reason && (
            <Fact wide label={say(['停用原因', 'Why off'])}>
              {row.status_reason}
            </Fact>
          )}
          {isBlocking(row.action) && !tried && (
            <Fact wide label={say(['启用前', 'Before enabling'])}>
              <span className="m-warn">
                {say(['须历史试跑至少 7 天', 'It needs a dry run of 7 days'])}
              </span>
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title={say(['近 30 天', 'Last 30 days'])}>
        <Facts>
          <Fact label={say(['命中', 'Hits'])}>
            <span className="m-num">{row.hits}</span>
          </Fact>
          <Fact label={say(['待处理', 'Waiting'])}>
            {row.open > 0 ? (
              <Link href={to(page, { rule_id: row.id })}>
                {say(['{n} 条', '{n} waiting'], { n: row.open })}
              </Link>
            ) : (
              '0'
            )}
          </Fact>
          <Fact label={say(['误报率', 'False alarms'])}>
            <span className="m-num">
              {row.false_bp === null
                ? say(['还没有处理过的命中', 'None decided yet'])
                : percent(row.false_bp)}
            </span>
          </Fact>
          <Fact label={say(['避免损失', 'Loss avoided'])}>
            <Money cents={row.avoided_cents} />
          </Fact>
          <Fact label={say(['最近检测', 'Measured'])}>
            <When at={row.measured_until} />
          </Fact>
        </Facts>
        <RuleDays rule_id={row.id} />
      </Section>
      {trial && trial.id === row.id && trial.sample.length > 0 && (
        <Section
          title={say(
            ['会被拦住的订单（最近 {n} 单）', 'Orders it would have stopped (the last {n})'],
            { n: trial.sample.length },
          )}
        >
          <table className="rk-orders">
            <tbody>
              {trial.sample.map(one => (
                <tr key={one.id}>
                  <td className="m-num">{one.order_no}</td>
                  <td>{one.status}</td>
                  <td data-end>
                    <Money cents={one.pay_cents} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      )}
    </Inspector>
  )
}

/** Rules with what each did: how often it hit, how often it was wrong, what it saved. */
export const RiskRules = () => {
  const say = useSay()
  const now = useLang()
  const list = useList(calls.rules)
  const [trial, setTrial] = useState<Trial | undefined>(undefined)
  useResult(actions.dryRun, setTrial)
  return (
    <ListDetail>
      <List
        of={list}
        label={`${titleIn(page, now)} · ${say(['规则', 'Rules'])}`}
        columns={columns}
        actions={Object.values(actions)}
        onOpen={row => list.focus(row.id)}
        empty={
          <Empty title={say(['没有符合条件的规则', 'No rule matches'])}>
            <p>
              <Keyed
                text={[
                  '按 {add} 新增一条：选场景、条件和动作。',
                  '{add} makes one: a scene, a condition, and what it does.',
                ]}
                by={{ add: actions.createRule }}
              />
            </p>
          </Empty>
        }
        filters={
          <>
            <Keyword of={list} placeholder={say(['规则名称', 'Name'])} />
            <Choice
              of={list}
              by="scene"
              label={say(['场景', 'Scene'])}
              options={Object.entries(ruleScenes).map(([value, text]) => ({
                value,
                label: say(text),
              }))}
            />
            <Choice
              of={list}
              by="action"
              label={say(['动作', 'Does'])}
              options={Object.entries(riskActions).map(([value, text]) => ({
                value,
                label: say(text),
              }))}
            />
            <Choice
              of={list}
              by="status"
              label={say(['状态', 'State'])}
              options={Object.entries(ruleStates).map(([value, text]) => ({
                value,
                label: say(text),
              }))}
            />
          </>
        }
      />
      {list.focusedRow ? (
        <Rule row={list.focusedRow} trial={trial} />
      ) : (
        <Inspector title={undefined} />
      )}
    </ListDetail>
  )
}
