import { cardRuleActions as actions } from '#commands/ecard/risk.ts'
import { riskActions, ruleStates, type RuleState } from '#src/areas/risk/risk.ts'
import { percent } from '#src/domain/money.ts'
import {
  numberColumn,
  State,
  stateColumn,
  textColumn,
  wordColumn,
  type States,
} from '#src/kit/cells.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { cardRisk as calls, type CardRuleRow } from '../contract/risk.ts'

const looks: States<RuleState> = {
  draft: { text: ruleStates.draft },
  on: { text: ruleStates.on, tone: 'good' },
  off: { text: ruleStates.off, tone: 'warn' },
}
const columns: readonly Column<CardRuleRow>[] = [
  { ...textColumn('name', ['规则', 'Rule'], 150), grow: true },
  { ...textColumn('says', ['条件', 'Condition'], 260), grow: true },
  wordColumn('action', ['动作', 'Action'], 96, riskActions),
  stateColumn('status', ['状态', 'State'], 84, looks),
  numberColumn('hits', ['30 天命中', 'Hits, 30 d'], 96),
  numberColumn('open', ['待处理', 'Waiting'], 80),
]
const Rule = ({ row }: { row: CardRuleRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={looks} />}>
      <Section title={say(['规则', 'Rule'])}>
        <Facts>
          <Fact wide label={say(['条件', 'Condition'])}>
            {row.says}
          </Fact>
          <Fact label={say(['动作', 'Action'])}>{say(riskActions[row.action])}</Fact>
          <Fact label={say(['30 天命中', 'Hits, 30 d'])}>{row.hits}</Fact>
          <Fact label={say(['误报率', 'False alarms'])}>
            {row.false_bp === null ? '—' : percent(row.false_bp)}
          </Fact>
          <Fact label={say(['确认金额', 'Amount confirmed'])}>
            <Money cents={row.avoided_cents} sign />
          </Fact>
          {row.measured_until !== null && (
            <Fact label={say(['已检测至', 'Checked until'])}>
              <When at={row.measured_until} />
            </Fact>
          )}
          {row.status_reason && (
            <Fact wide label={say(['停用原因', 'Reason disabled'])}>
              {row.status_reason}
            </Fact>
          )}
        </Facts>
      </Section>
    </Inspector>
  )
}
/** The rules that find fraud with e-cards, with their thresholds. */
export const CardRules = () => {
  const say = useSay()
  const list = useList(calls.rules)
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['电子卡风控规则', 'Rules of e-cards'])}
        columns={columns}
        actions={Object.values(actions)}
      />
      <Chosen of={list} none={say(['选择一条规则', 'Choose a rule'])}>
        {row => <Rule key={row.id} row={row} />}
      </Chosen>
    </ListDetail>
  )
}
