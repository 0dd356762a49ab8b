import { BanCircle as Ban, Time, Tick } from '@blueprintjs/icons'
import { useState } from 'react'
import { limitRuleActions as actions } from '#commands/groupActivity/rules.ts'
import type { Arranged } from '#commands/record.ts'
import {
  limitDimensions,
  limitedKinds,
  limitScopes,
  limitSentence,
  limitWays,
} from '#src/areas/limit/rule.ts'
import { switches } from '#src/areas/people/people.ts'
import { comma } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  numberColumn,
  SmallTable,
  State,
  textColumn,
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
import { Badge, Fact, Facts, Section, Span, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useAnswered, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { groupActivity as calls, type RuleRow } from '../contract/index.ts'

const states: States<'on' | 'off' | 'waits' | 'over'> = {
  on: { text: switches.on, tone: 'good', icon: Tick },
  off: { text: switches.off, icon: Ban },
  waits: { text: ['未开始', 'Not started'], tone: 'info', icon: Time },
  over: { text: ['已过期', 'Expired'], tone: 'warn', icon: Time },
}
const stateOf = ({ status, start_at, end_at }: RuleRow) => {
  const now = unixNow()
  if (status === 'off') return 'off'
  if (end_at <= now) return 'over'
  return start_at > now ? 'waits' : 'on'
}
const useScope = () => {
  const say = useSay()
  return (row: RuleRow): string => {
    if (row.scope_kind === 'activity')
      return row.ways.map(way => say(limitWays[way])).join(say(comma))
    return row.scope.map(one => one.name).join(say(comma)) || '—'
  }
}
const Scope = ({ row }: { row: RuleRow }) => useScope()(row)
const Said = ({ row }: { row: RuleRow }) => useSay()(limitSentence(row, row.qty))

const columns: readonly Column<RuleRow>[] = [
  {
    key: 'priority',
    title: ['序', 'No.'],
    width: 44,
    align: 'end',
    cell: row => row.priority + 1,
    words: row => String(row.priority + 1),
  },
  { ...textColumn('name', ['规则', 'Rule'], 170), grow: true },
  {
    key: 'said',
    title: ['限购', 'Allowance'],
    width: 236,
    priority: 1,
    cell: row => <Said row={row} />,
  },
  { ...wordColumn('scope_kind', ['范围', 'Scope'], 84, limitScopes), priority: 4 },
  {
    key: 'scope',
    title: ['范围内容', 'Scope details'],
    width: 150,
    grow: true,
    priority: 3,
    cell: row => <Scope row={row} />,
    words: (row, say) => row.scope.map(one => one.name).join(say(comma)),
  },
  wordColumn('product_kind', ['商品类型', 'Kind'], 84, limitedKinds),
  { ...numberColumn('hits_today', ['今日拦截', 'Today'], 76), priority: 1 },
  { ...numberColumn('hits', ['累计拦截', 'Blocked'], 76), optional: true },
  {
    key: 'state',
    title: ['状态', 'State'],
    width: 90,
    cell: row => <State of={stateOf(row)} in={states} />,
  },
  wordColumn('dimension', ['维度', 'Counted by'], 76, limitDimensions),
]

type Trial = { member_id: number; product_id: number }
/** The number that each rule allows a member of a product now, and which of them decides. */
const Tried = ({ of: { member_id, product_id } }: { of: Trial }) => {
  const say = useSay()
  const read = useRead(calls.test, { member_id, product_id })
  return (
    <Section title={say(['试算', 'Trial'])}>
      <Answer of={read}>
        {({ member, product, may_buy, black, rules }) => (
          <>
            <p>
              {member} · {product}
            </p>
            <p>
              <b>
                {may_buy === null
                  ? say(['没有限购，可购数不限', 'No limit applies'])
                  : say(['现在还可购 {n} 件', 'Can buy {n} more now'], { n: may_buy })}
              </b>{' '}
              {black && <Badge tone="bad">{say(['黑名单', 'Blacklist'])}</Badge>}
            </p>
            <SmallTable
              head={[
                ['规则', 'Rule'],
                ['限购', 'Allowance'],
                ['已购', 'Bought'],
                ['还可购', 'Left'],
              ]}
              rows={rows(rules)}
              keyOf={one => one.id}
              cells={one => [
                one.decides ? <b key="name">{one.name}</b> : one.name,
                one.said,
                one.left === null ? '—' : one.had,
                one.left ?? one.why,
              ]}
            />
          </>
        )}
      </Answer>
    </Section>
  )
}
/** Rules that tell a number come before those that only say why they do not. */
const rows = <R extends { left: number | null }>(of: readonly R[]): R[] =>
  of.toSorted((a, b) => (a.left ?? Infinity) - (b.left ?? Infinity))

const RuleDetail = ({ row, trial }: { row: RuleRow; trial: Trial | undefined }) => {
  const say = useSay()
  const levels = Object.entries(row.level_qty)
  return (
    <Inspector title={row.name} aside={<State of={stateOf(row)} in={states} />}>
      {trial && <Tried of={trial} />}
      <Section title={say(['限购', 'Limit'])}>
        <Facts>
          <Fact wide label={say(['规则', 'Rule'])}>
            <Said row={row} />
          </Fact>
          {levels.length > 0 && (
            <Fact wide label={say(['会员等级', 'By level'])}>
              {levels.map(([level, n]) => `V${level} ${n}`).join(say(comma))}
            </Fact>
          )}
          <Fact label={say(['商品类型', 'Kind'])}>{say(limitedKinds[row.product_kind])}</Fact>
          <Fact label={say(['范围', 'Scope'])}>{say(limitScopes[row.scope_kind])}</Fact>
          {row.scope_kind !== 'all' && (
            <Fact wide label={say(['范围内容', 'Scope details'])}>
              <Scope row={row} />
            </Fact>
          )}
          <Fact label={say(['退款', 'Refunds'])}>
            {row.return_on_refund
              ? say(['返还额度', 'Restored'])
              : say(['不返还额度', 'Not restored'])}
          </Fact>
          <Fact wide label={say(['有效期', 'Validity'])}>
            <Span from={row.start_at} to={row.end_at} />
          </Fact>
          {row.status_reason && (
            <Fact wide label={say(['停用原因', 'Reason disabled'])}>
              {row.status_reason}
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title={say(['拦截', 'Blocked'])}>
        <Facts>
          <Fact label={say(['今日', 'Today'])}>{row.hits_today}</Fact>
          <Fact label={say(['累计', 'Total'])}>{row.hits}</Fact>
        </Facts>
      </Section>
      <Section title={say(['豁免会员', 'Exempt members'])}>
        {row.exempt.length === 0 ? (
          <p className="m-muted">{say(['没有豁免会员', 'Nobody is exempt'])}</p>
        ) : (
          <SmallTable
            head={[
              ['会员', 'Member'],
              ['至', 'Until'],
              ['原因', 'Reason'],
            ]}
            rows={row.exempt}
            keyOf={one => one.member_id}
            cells={one => [one.name, <When key="until" at={one.until} />, one.reason]}
          />
        )}
      </Section>
    </Inspector>
  )
}

/** The question in which order rules stand begins with the order that they have. */
const useArranging = () => {
  const pane = usePane()
  const { run } = useWorkbench()
  const { data } = useRead(calls.lst, { pageSize: 1 })
  useAction(actions.sort, () => {
    if (!data) return
    const entries = data.arranged.map(({ id, name }, at) => ({ id, text: `${at + 1}. ${name}` }))
    const on: Arranged = { list_version: data.list_version, entries }
    void run(actions.sort, [], { pane: pane.id, on })
  })
}

/** Rules of how many one may buy: the tightest that is about a purchase decides. */
export default function LimitRules() {
  const say = useSay()
  const list = useList(calls.lst)
  const [trial, setTrial] = useState<(Trial & { id: number }) | undefined>(undefined)
  useArranging()
  useExport(actions.export, calls.export, { list })
  useAnswered(actions.test, ({ member_id, product_id }) => {
    if (list.focused !== undefined) setTrial({ id: list.focused, member_id, product_id })
  })
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['限购规则', 'Purchase limits'])}
        columns={columns}
        actions={Object.values(actions)}
        filters={
          <>
            <Keyword of={list} placeholder={say(['规则名称或编号', 'Name or number'])} />
            <Choice of={list} by="scope_kind" label={say(['范围', 'Scope'])} words={limitScopes} />
            <Choice
              of={list}
              by="dimension"
              label={say(['维度', 'Counted by'])}
              words={limitDimensions}
            />
            <MallFilter of={list} />
            <Choice of={list} by="status" label={say(['状态', 'State'])} words={switches} />
            <Toggle of={list} by="hit" label={say(['有拦截', 'Has blocked'])} />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一条限购规则', 'Choose a limit'])}>
        {row => <RuleDetail row={row} trial={trial?.id === row.id ? trial : undefined} />}
      </Chosen>
    </ListDetail>
  )
}
