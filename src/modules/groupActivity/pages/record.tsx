import { BanCircle as Ban, Confirm, Time } from '@blueprintjs/icons'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { limitHitActions as actions } from '#commands/groupActivity/hits.ts'
import { limitHits as page, limitRules as rulesPage } from '#commands/pages/groupActivity.ts'
import { orderDetailOf } from '#commands/pages/order.ts'
import { buyerless, limitResults, limitRules, type LimitResult } from '#src/areas/limit/limits.ts'
import { limitDimensions, limitSentence } from '#src/areas/limit/rule.ts'
import { LOG_DAYS } from '#src/areas/log/logs.ts'
import { orderStatuses } from '#src/areas/order/order.ts'
import { switches } from '#src/areas/people/people.ts'
import {
  numberColumn,
  SmallTable,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  wordColumn,
  type States,
} from '#src/kit/cells.tsx'
import { skipToken, useRead } from '#src/kit/data.ts'
import { useDetailAction } from '#src/kit/detail.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Period } from '#src/kit/period.tsx'
import { MallFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Section, Span, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { limitHits as calls, type HitRow } from '../contract/record.ts'

const states: States<LimitResult> = {
  blocked: { text: limitResults.blocked, tone: 'bad', icon: Ban },
  released: { text: limitResults.released, tone: 'warn', icon: Time },
  used: { text: limitResults.used, tone: 'good', icon: Confirm },
}
const Buyer = ({ row }: { row: HitRow }) => {
  const say = useSay()
  return (
    <>
      {row.member_id === null ? say(buyerless(row)) : row.nickname}{' '}
      {row.black && <Badge tone="bad">{say(['黑名单', 'Blacklist'])}</Badge>}
    </>
  )
}
const RuleName = ({ row }: { row: HitRow }) => {
  const say = useSay()
  return row.rule_said?.name ?? say(limitRules[row.rule])
}
/** An order by its number, which leads there for whoever may open it. */
const OrderNo = ({ of }: { of: { id: number; order_no: string; kind: string } }) => {
  const { me } = useWorkbench()
  const detail = orderDetailOf(of.kind)
  return detail && me.can(detail.permit) ? (
    <Link href={to(detail, { id: of.id })}>{of.order_no}</Link>
  ) : (
    of.order_no
  )
}
const columns: readonly Column<HitRow>[] = [
  timeColumn('created_at', ['时间', 'Time'], 96),
  {
    key: 'member',
    title: ['会员', 'Member'],
    width: 110,
    priority: 1,
    cell: row => <Buyer row={row} />,
    words: row => row.nickname,
  },
  { ...textColumn('product_title', ['商品', 'Product'], 120), grow: true },
  {
    key: 'rule',
    title: ['规则', 'Rule'],
    width: 130,
    grow: true,
    cell: row => <RuleName row={row} />,
    words: (row, say) => row.rule_said?.name ?? say(limitRules[row.rule]),
  },
  { ...numberColumn('asked_n', ['要买', 'Wanted'], 52), priority: 1 },
  { ...numberColumn('bought_n', ['已购', 'Bought'], 52), priority: 1 },
  numberColumn('allowed_n', ['还可购', 'Left'], 60),
  numberColumn('folded', ['次数', 'Times'], 52),
  wordColumn('dimension', ['维度', 'Counted by'], 64, limitDimensions),
  stateColumn('result', ['结果', 'Result'], 92, states),
  {
    key: 'phone',
    title: ['手机号', 'Phone'],
    width: 112,
    cell: row => <span className="m-num">{row.phone ?? '—'}</span>,
    words: row => row.phone ?? '',
    optional: true,
  },
]

/** The rule that stopped the purchase as it was then, and what it says now. */
const RuleThen = ({ row }: { row: HitRow }) => {
  const say = useSay()
  const { me } = useWorkbench()
  const may = me.can(calls.viewRule.permit) && row.rule_said !== null
  const read = useRead(calls.viewRule, may ? { id: row.id } : skipToken)
  if (!may || row.rule_said === null) return null
  const said = row.rule_said
  return (
    <Section
      title={say(['命中规则（版本 {n}）', 'Matched rule (version {n})'], {
        n: row.rule_version ?? 0,
      })}
    >
      <Facts>
        <Fact wide label={say(['名称', 'Name'])}>
          {row.rule_id !== null && me.can(rulesPage.permit) ? (
            <Link href={to(rulesPage, { keyword: String(row.rule_id) })}>{said.name}</Link>
          ) : (
            said.name
          )}
        </Fact>
        <Fact wide label={say(['当时', 'Then'])}>
          {say(limitSentence(said, row.limit_n))}
        </Fact>
        <Fact wide label={say(['有效期', 'Validity'])}>
          <Span from={said.start_at} to={said.end_at} />
        </Fact>
      </Facts>
      <Answer of={read}>
        {({ now }) => (
          <p className="m-muted">
            {now
              ? say(['现在（版本 {n}，{state}）：{said}', 'Now (version {n}, {state}): {said}'], {
                  n: now.version,
                  state: say(switches[now.status]),
                  said: say(limitSentence(now, now.qty)),
                })
              : say(['规则已删除', 'The rule is gone'])}
          </p>
        )}
      </Answer>
    </Section>
  )
}
/** The orders that counted towards the limit. */
const Orders = ({ row }: { row: HitRow }) => {
  const say = useSay()
  const { me } = useWorkbench()
  const may = me.can(calls.orders.permit)
  const read = useRead(calls.orders, may ? { id: row.id } : skipToken)
  if (!may) return null
  return (
    <Section title={say(['已购订单', 'Orders counted'])}>
      <Answer of={read} none={say(['没有计入的订单', 'No orders counted'])}>
        {({ list }) => (
          <SmallTable
            head={[
              ['订单号', 'Order'],
              ['下单', 'Ordered'],
              ['状态', 'State'],
              ['件数', 'Quantity'],
              ['返还', 'Restored'],
            ]}
            rows={list}
            keyOf={one => one.id}
            cells={one => [
              <OrderNo key="no" of={one} />,
              <When key="at" at={one.at} />,
              say(orderStatuses[one.status]),
              one.qty,
              one.returned,
            ]}
          />
        )}
      </Answer>
    </Section>
  )
}
const HitDetail = ({ row }: { row: HitRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.product_title} aside={<State of={row.result} in={states} />}>
      <Section title={say(['拦截', 'Blocked'])}>
        <Facts>
          <Fact label={say(['会员', 'Member'])}>
            <Buyer row={row} />
          </Fact>
          <Fact label={say(['手机号', 'Phone'])}>{row.phone ?? '—'}</Fact>
          <Fact label={say(['维度', 'Counted by'])}>{say(limitDimensions[row.dimension])}</Fact>
          <Fact label={say(['维度值', 'Counted value'])}>{row.dim_value ?? '—'}</Fact>
          <Fact wide label={say(['计算', 'Calculation'])}>
            {say(
              [
                '要买 {asked} 件，上限 {limit}，已购 {bought}，还可购 {left}',
                '{asked} wanted; limit {limit}, {bought} bought, {left} left',
              ],
              { asked: row.asked_n, limit: row.limit_n, bought: row.bought_n, left: row.allowed_n },
            )}
          </Fact>
          <Fact label={say(['一分钟内次数', 'Times in a minute'])}>{row.folded}</Fact>
          <Fact label={say(['之后订单', 'Later order'])}>
            {row.later ? <OrderNo of={row.later} /> : '—'}
          </Fact>
          {row.exempt_until !== null && (
            <Fact label={say(['豁免至', 'Exempt until'])}>
              <When at={row.exempt_until} />
            </Fact>
          )}
        </Facts>
      </Section>
      <RuleThen row={row} />
      <Orders row={row} />
    </Inspector>
  )
}
/** Rules that stop most, and buyers who are stopped most: too tight, or scalpers. */
const Ranking = ({ list }: { list: ListState<HitRow> }) => {
  const say = useSay()
  const { from, to: until } = list.input as { from?: number; to?: number }
  const read = useRead(calls.ranking, {
    ...(from !== undefined && { from }),
    ...(until !== undefined && { to: until }),
  })
  const period = { from, to: until }
  return (
    <Inspector title={say(['限购排行', 'Most limited'])}>
      <Answer of={read} lines={10}>
        {({ rules, members }) => (
          <>
            <Section title={say(['规则', 'Rules'])}>
              <SmallTable
                head={[
                  ['规则', 'Rule'],
                  ['拦截', 'Blocked'],
                  ['人数', 'Buyers'],
                ]}
                rows={rules}
                keyOf={one => one.id}
                cells={one => [
                  <Link key="name" href={to(page, { rule_id: one.id, ...period })}>
                    {one.name}
                  </Link>,
                  one.hits,
                  one.buyers,
                ]}
              />
            </Section>
            <Section title={say(['会员', 'Members'])}>
              <SmallTable
                head={[
                  ['会员', 'Member'],
                  ['拦截', 'Blocked'],
                ]}
                rows={members}
                keyOf={one => one.id}
                cells={one => [
                  <Link key="name" href={to(page, { member_id: one.id, ...period })}>
                    {one.name}
                  </Link>,
                  one.hits,
                ]}
              />
            </Section>
          </>
        )}
      </Answer>
    </Inspector>
  )
}

/** Group-buys that a limit stopped or cut, why, and what the buyers have bought. */
export default function LimitHits() {
  const say = useSay()
  const list = useList(calls.lst)
  const [ranking, setRanking] = usePaneState('ranking', false)
  useExport(actions.export, calls.export, { list })
  const show = ([row]: readonly HitRow[]) => {
    setRanking(false)
    if (row) list.focus(row.id)
  }
  useDetailAction(actions.viewRule, show)
  useDetailAction(actions.openOrders, show)
  useDetailAction(actions.ranking, () => setRanking(!ranking))
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['团购限购记录', 'Group-buy limit records'])}
        columns={columns}
        actions={Object.values(actions)}
        onOpen={() => setRanking(false)}
        filters={
          <>
            <Keyword of={list} by="phone" placeholder={say(['手机号', 'Phone'])} />
            <Keyword of={list} by="member_id" placeholder={say(['会员编号', 'Member ID'])} />
            <Keyword of={list} by="product_id" placeholder={say(['商品编号', 'Product ID'])} />
            <Keyword of={list} by="rule_id" placeholder={say(['规则编号', 'Limit ID'])} />
            <Choice
              of={list}
              by="dimension"
              label={say(['维度', 'Counted by'])}
              words={limitDimensions}
            />
            <MallFilter of={list} />
            <Period
              of={list}
              from="from"
              to="to"
              most={LOG_DAYS}
              usual={['近 92 天', 'Last 92 days']}
            />
          </>
        }
      />
      {ranking ? (
        <Ranking list={list} />
      ) : (
        <Chosen
          of={list}
          none={say(['选择一行查看限购计算', 'Choose a row to see the calculation'])}
        >
          {row => <HitDetail row={row} />}
        </Chosen>
      )}
    </ListDetail>
  )
}
