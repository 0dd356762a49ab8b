import { ProgressBar } from '@blueprintjs/core'
import { BanCircle as Ban, Edit, Flag, Pause, Play, Time, WarningSign } from '@blueprintjs/icons'
import { useState } from 'react'
import { subsidyPlanActions as actions } from '#commands/settle/subsidy.ts'
import { limitKinds } from '#src/areas/limit/rule.ts'
import { memberLevels } from '#src/areas/member/levels.ts'
import {
  formulas,
  lastsText,
  planSentence,
  scopeKinds,
  shownStates,
  type ShownState,
} from '#src/areas/subsidy/subsidy.ts'
import { percent } from '#src/domain/money.ts'
import { comma, type Text } from '#src/domain/text.ts'
import {
  numberColumn,
  SmallTable,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  Words,
  wordColumn,
  type States,
} from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { MallFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Money, Section, Span } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAnswered } from '#src/kit/workbench.ts'
import { subsidyPlans as calls, type PlanRow } from '../contract/subsidy.ts'

const states: States<ShownState> = {
  draft: { text: shownStates.draft, icon: Edit },
  auditing: { text: shownStates.auditing, tone: 'warn', icon: Time },
  rejected: { text: shownStates.rejected, tone: 'bad', icon: Ban },
  scheduled: { text: shownStates.scheduled, tone: 'info', icon: Time },
  enabled: { text: shownStates.enabled, tone: 'good', icon: Play },
  paused: { text: shownStates.paused, tone: 'warn', icon: Pause },
  exhausted: { text: shownStates.exhausted, tone: 'bad', icon: WarningSign },
  ended: { text: shownStates.ended, icon: Flag },
}
/** Why a plan that reaches the goods gives nothing. */
const shorts: Readonly<Record<string, Text>> = {
  budget: ['预算不足', 'Budget too small'],
  day: ['今日预算已用完', 'Nothing left today'],
  member_day: ['会员今日已达上限', 'The member’s day is full'],
  member_count: ['会员次数已用完', 'The member has had all'],
}
const usedBp = (row: PlanRow): number =>
  Math.round(((row.used_cents + row.locked_cents) * 10_000) / row.budget_cents)

const columns: readonly Column<PlanRow>[] = [
  { ...textColumn('name', ['计划', 'Plan'], 160), grow: true },
  {
    key: 'said',
    title: ['规则', 'Rule'],
    width: 260,
    grow: true,
    priority: 3,
    cell: row => <Words of={planSentence(row)} />,
    words: (row, say) => say(planSentence(row)),
  },
  {
    key: 'budget_cents',
    title: ['预算', 'Budget'],
    width: 104,
    align: 'end',
    cell: row => <Money cents={row.budget_cents} />,
  },
  {
    key: 'used_cents',
    title: ['已用', 'Used'],
    width: 104,
    align: 'end',
    cell: row => <Money cents={row.used_cents} />,
  },
  {
    key: 'left_cents',
    title: ['剩余', 'Left'],
    width: 104,
    align: 'end',
    cell: row => <Money cents={row.left_cents} />,
  },
  {
    key: 'used_bp',
    title: ['用量', 'Spent'],
    width: 72,
    align: 'end',
    priority: 1,
    cell: row => (
      <span className={row.warns ? 'm-num m-bad' : 'm-num'}>{percent(usedBp(row))}</span>
    ),
  },
  stateColumn('state', ['状态', 'State'], 96, states),
  { ...wordColumn('formula', ['方式', 'How'], 92, formulas), optional: true },
  { ...numberColumn('orders', ['订单数', 'Orders'], 76), priority: 2 },
  timeColumn('end_at', ['结束', 'Until'], 96),
]

type Trial = { product_id: number; price_cents: number; member_id?: number }
/** What each running plan would give for one unit, and who pays for it. */
const Tried = ({ of }: { of: Trial }) => {
  const say = useSay()
  const read = useRead(calls.simulate, of)
  return (
    <Section title={say(['试算', 'Tried'])}>
      <Answer of={read}>
        {({ product, price_cents, pays_cents, plans }) => (
          <>
            <p>
              {product}
              {say(['：单价 ', ': price '])}
              <Money cents={price_cents} sign />
              {say(['，到手价 ', ', the buyer pays '])}
              <b>
                <Money cents={pays_cents} sign />
              </b>
            </p>
            {plans.length === 0 ? (
              <p className="m-muted">
                {say(['没有进行中的计划补贴它', 'No running plan reaches it'])}
              </p>
            ) : (
              <SmallTable
                head={[
                  ['计划', 'Plan'],
                  ['补贴', 'Subsidy'],
                  ['平台', 'Platform'],
                  ['商场', 'Mall'],
                  ['商户', 'Merchant'],
                ]}
                rows={plans}
                keyOf={plan => plan.id}
                cells={plan =>
                  plan.short
                    ? [plan.name, <Words key="why" of={shorts[plan.short]!} />, '—', '—', '—']
                    : [
                        plan.name,
                        <Money key="unit" cents={plan.unit_cents} />,
                        <Money key="platform" cents={plan.platform_cents} />,
                        <Money key="mall" cents={plan.mall_cents} />,
                        <Money key="merchant" cents={plan.merchant_cents} />,
                      ]
                }
              />
            )}
          </>
        )}
      </Answer>
    </Section>
  )
}
const Spent = ({ row }: { row: PlanRow }) => {
  const say = useSay()
  const near = row.warns ? 'warning' : 'none'
  return (
    <Section title={say(['预算', 'Budget'])}>
      <ProgressBar
        animate={false}
        stripes={false}
        intent={row.state === 'exhausted' ? 'danger' : near}
        value={usedBp(row) / 10_000}
        aria-label={say(['已用 {n}', '{n} spent'], { n: percent(usedBp(row)) })}
      />
      <Facts>
        <Fact label={say(['总预算', 'Budget'])}>
          <Money cents={row.budget_cents} sign />
        </Fact>
        <Fact label={say(['剩余', 'Left'])}>
          <Money cents={row.left_cents} sign />
        </Fact>
        <Fact label={say(['已用', 'Used'])}>
          <Money cents={row.used_cents} sign />
        </Fact>
        <Fact label={say(['锁定（未付款）', 'Promised, unpaid'])}>
          <Money cents={row.locked_cents} sign />
        </Fact>
        <Fact label={say(['近 24 小时', 'Last 24 hours'])}>
          <Money cents={row.spent_cents} sign />
        </Fact>
        <Fact wide label={say(['预计', 'Forecast'])}>
          {row.left_cents > 0 ? (
            <Words of={lastsText(row.lasts_s)} />
          ) : (
            say(['已用尽，超出的订单按原价', 'Used up: later orders pay the full price'])
          )}
        </Fact>
        <Fact label={say(['补贴订单', 'Orders'])}>{row.orders}</Fact>
        <Fact label={say(['每元补贴带动实付', 'Paid per ¥1'])}>
          {row.used_cents > 0 && row.gmv_cents !== undefined
            ? (row.gmv_cents / row.used_cents).toFixed(1)
            : '—'}
        </Fact>
      </Facts>
    </Section>
  )
}
const Limits = ({ row }: { row: PlanRow }) => {
  const say = useSay()
  const money = (cents: number | null) =>
    cents === null ? say(['不限', 'No limit']) : <Money cents={cents} sign />
  return (
    <Section title={say(['限制', 'Limits'])}>
      <Facts>
        <Fact label={say(['每日预算', 'Daily budget'])}>{money(row.day_budget_cents)}</Fact>
        <Fact label={say(['每人每日', 'Daily limit per member'])}>
          {money(row.per_member_day_cents)}
        </Fact>
        <Fact label={say(['每人次数', 'Uses per member'])}>
          {row.per_member_count ?? say(['不限', 'No limit'])}
        </Fact>
        <Fact label={say(['优先级', 'Priority'])}>{row.priority}</Fact>
        <Fact label={say(['叠加', 'Stacks'])}>
          {row.stackable ? say(['可叠加', 'Yes']) : say(['不叠加', 'No'])}
        </Fact>
        <Fact label={say(['用量预警', 'Warns at'])}>{percent(row.warn_bp)}</Fact>
      </Facts>
    </Section>
  )
}
const PlanDetail = ({ row, trial }: { row: PlanRow; trial: Trial | undefined }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<State of={row.state} in={states} />}>
      {trial && <Tried of={trial} />}
      <Section title={say(['规则', 'Rule'])}>
        <p>
          <Words of={planSentence(row)} />{' '}
          {row.warns && <Badge tone="warn">{say(['预警', 'Warns'])}</Badge>}
        </p>
      </Section>
      <Spent row={row} />
      <Section title={say(['计划', 'Plan'])}>
        <Facts>
          <Fact label={say(['范围', 'Scope'])}>{say(scopeKinds[row.scope_kind])}</Fact>
          <Fact label={say(['商品类型', 'Kind'])}>{say(limitKinds[row.product_kind])}</Fact>
          {row.scope.length > 0 && (
            <Fact wide label={say(['范围内容', 'Included'])}>
              {row.scope.map(one => one.name).join(say(comma))}
            </Fact>
          )}
          {row.levels.length > 0 && (
            <Fact wide label={say(['会员等级', 'Levels'])}>
              {row.levels.map(level => say(memberLevels[String(level)]!)).join(say(comma))}
            </Fact>
          )}
          {row.mall_name && (
            <Fact wide label={say(['出资商场', 'Funding mall'])}>
              {row.mall_name}
            </Fact>
          )}
          <Fact wide label={say(['时间', 'Valid'])}>
            <Span from={row.start_at} to={row.end_at} />
          </Fact>
          <Fact label={say(['申请人', 'Requested by'])}>{row.maker}</Fact>
          <Fact label={say(['审批人', 'Approved by'])}>{row.approver || '—'}</Fact>
          {row.reason && (
            <Fact wide label={say(['原因', 'Reason'])}>
              {row.reason}
            </Fact>
          )}
        </Facts>
      </Section>
      <Limits row={row} />
    </Inspector>
  )
}

/** Subsidy plans: what is asked for, granted, spent, and how long it lasts. */
export default function SubsidyPlans() {
  const say = useSay()
  const list = useList(calls.lst)
  const { tabs, told } = useStateTabs(list, calls.lst, shownStates)
  const [trial, setTrial] = useState<(Trial & { id: number }) | undefined>(undefined)
  useExport(actions.export, calls.export, { list })
  useAnswered(actions.simulate, ({ product_id, price_cents, member_id }) => {
    if (list.focused === undefined) return
    const of = { product_id, price_cents, ...(member_id !== undefined && { member_id }) }
    setTrial({ id: list.focused, ...of })
  })
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['补贴计划', 'Subsidy plans'])}
        columns={columns}
        tabs={tabs}
        actions={Object.values(actions)}
        aside={
          told && (
            <span className="m-muted">
              {say(['已用 ', 'Used '])}
              <Money cents={told.sums.used_cents} sign />
              {' / '}
              <Money cents={told.sums.budget_cents} sign />
            </span>
          )
        }
        filters={
          <>
            <Keyword of={list} placeholder={say(['计划名称或编号', 'Name or number'])} />
            <Choice of={list} by="formula" label={say(['方式', 'How'])} words={formulas} />
            <MallFilter of={list} />
            <Toggle of={list} by="warns" label={say(['用量预警', 'Above the warning'])} />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一个补贴计划', 'Choose a plan'])}>
        {row => <PlanDetail row={row} trial={trial?.id === row.id ? trial : undefined} />}
      </Chosen>
    </ListDetail>
  )
}
