import { useState } from 'react'
import type { Arranged } from '#commands/record.ts'
import { planActions as actions } from '#commands/vip/card.ts'
import {
  benefits,
  leftOf,
  planKinds,
  planSentence,
  planStates,
  type PlanState,
} from '#src/areas/vipCard/vipCard.ts'
import { percent } from '#src/domain/money.ts'
import {
  idColumn,
  moneyColumn,
  numberColumn,
  SmallTable,
  State,
  stateColumn,
  type States,
  wordColumn,
} from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Portrait, Thumb } from '#src/kit/image.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { plans as calls, type PlanRow } from '../contract/card.ts'
import { PlanCompare } from '../parts/PlanCompare.tsx'
import { PlanPhone } from '../parts/PlanPhone.tsx'

const looks: States<PlanState> = {
  draft: { text: planStates.draft },
  on: { text: planStates.on, tone: 'good' },
  off: { text: planStates.off, tone: 'warn' },
}
/** What may still be sold of a plan. */
const Stock = ({ row }: { row: PlanRow }) => {
  const say = useSay()
  const left = leftOf(row)
  if (left === null) return <span className="m-muted">{say(['不限', 'Any'])}</span>
  return left === 0 ? (
    <Badge tone="warn">{say(['已售罄', 'Sold out'])}</Badge>
  ) : (
    left.toLocaleString()
  )
}
const columns: readonly Column<PlanRow>[] = [
  {
    key: 'name',
    title: ['卡种', 'Plan'],
    width: 180,
    grow: true,
    cell: row => (
      <>
        {row.cover && <Thumb of={row.cover} />} {row.name}
      </>
    ),
    words: row => row.name,
  },
  wordColumn('kind', ['类型', 'Kind'], 92, planKinds),
  stateColumn('status', ['状态', 'State'], 84, looks),
  { ...numberColumn('days', ['天数', 'Days'], 64), priority: 2 },
  moneyColumn('price_cents', ['售价', 'Price'], 92),
  {
    key: 'first',
    title: ['首购价', 'Intro price'],
    width: 92,
    align: 'end',
    priority: 2,
    cell: row =>
      row.first_price_cents === null ? (
        <span className="m-muted">—</span>
      ) : (
        <Money cents={row.first_price_cents} />
      ),
  },
  { ...moneyColumn('original_cents', ['原价', 'Original'], 92), priority: 3 },
  {
    key: 'stock',
    title: ['可售', 'Left'],
    width: 84,
    align: 'end',
    priority: 1,
    cell: row => <Stock row={row} />,
  },
  numberColumn('sold_count', ['已售', 'Sold'], 72),
  idColumn,
]

/** How a plan sells, and whether its gifts last. */
const Figures = ({ row }: { row: PlanRow }) => {
  const say = useSay()
  const read = useRead(calls.figures, { ids: [row.id] })
  return (
    <Section title={say(['销售', 'Sales'])}>
      <Answer of={read} lines={4}>
        {({ list: [sold] }) =>
          sold && (
            <>
              <Facts>
                <Fact label={say(['生效会员', 'Active members'])}>{sold.active_n}</Fact>
                <Fact label={say(['自动续费', 'Auto-renewing'])}>{sold.renews_n}</Fact>
                <Fact label={say(['近 30 天开通', 'Opened, 30 days'])}>{sold.opened_30d}</Fact>
                <Fact label={say(['累计开通', 'Total opened'])}>{sold.opened_n}</Fact>
                <Fact label={say(['累计实付', 'Total paid'])}>
                  <Money cents={sold.paid_cents} sign />
                </Fact>
                <Fact label={say(['续费占比', 'Renewal share'])}>{percent(sold.renewed_bp)}</Fact>
                <Fact label={say(['退会占比', 'Refund share'])}>{percent(sold.ended_bp)}</Fact>
              </Facts>
              {sold.gifts.length > 0 && (
                <SmallTable
                  head={[
                    ['开卡礼券', 'Welcome coupon'],
                    ['剩余', 'Left'],
                    ['发放', 'Issued'],
                  ]}
                  rows={sold.gifts}
                  keyOf={one => one.id}
                  cells={one => [
                    one.name,
                    one.left.toLocaleString(),
                    one.given ? say(['发放中', 'Issuing']) : say(['未发放', 'Not issued']),
                  ]}
                />
              )}
            </>
          )
        }
      </Answer>
    </Section>
  )
}
const PlanDetail = ({ row }: { row: PlanRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={looks} />}>
      <Section title={say(['一句话', 'Tagline'])}>
        <Portrait of={row.cover} label={row.name} />
        <p>{say(planSentence(row))}</p>
        <Facts>
          {row.off_reason && row.status === 'off' && (
            <Fact wide label={say(['下架原因', 'Reason off sale'])}>
              {row.off_reason}
            </Fact>
          )}
          <Fact wide label={say(['权益', 'Benefits'])}>
            {row.benefits.map(one => say(benefits[one])).join(' · ') || say(['未配置', 'None yet'])}
          </Fact>
          {row.contract_template && (
            <Fact label={say(['扣款模板号', 'Contract template'])}>{row.contract_template}</Fact>
          )}
          <Fact label={say(['创建', 'Created'])}>
            <When at={row.created_at} />
          </Fact>
        </Facts>
      </Section>
      <Figures row={row} />
    </Inspector>
  )
}

/** The question in which order plans are shown begins with the order that they have. */
const useArranging = () => {
  const pane = usePane()
  const { run } = useWorkbench()
  const { data } = useRead(calls.arranged, {})
  useAction(actions.sort, () => {
    if (!data) return
    const entries = data.list.map(({ id, name }, at) => ({ id, text: `${at + 1}. ${name}` }))
    const on: Arranged = { list_version: data.list_version, entries }
    void run(actions.sort, [], { pane: pane.id, on })
  })
}
/** Plans of paid membership: what is on sale, what each gives, and how it sells. */
export default function VipCards() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const { tabs } = useStateTabs(list, calls.lst, planStates)
  const [pair, setPair] = useState<readonly [PlanRow, PlanRow] | undefined>(undefined)
  const [phone, setPhone] = useState(false)
  useArranging()
  useAction(actions.preview, () => setPhone(true))
  useAction(actions.compare, ([a, b, more]) => {
    if (a && b && !more) setPair([a, b])
    else toast(say(['请先选中两个卡种再对比', 'Select two plans first']), 'warning')
  })
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['会员卡种', 'VIP card plans'])}
          columns={columns}
          tabs={tabs}
          actions={Object.values(actions)}
          filters={
            <>
              <Keyword of={list} placeholder={say(['名称、编号', 'Name or number'])} />
              <Choice of={list} by="kind" label={say(['类型', 'Kind'])} words={planKinds} />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一个卡种', 'Choose a plan'])}>
          {row => <PlanDetail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {pair && <PlanCompare rows={pair} close={() => setPair(undefined)} />}
      {phone && <PlanPhone close={() => setPhone(false)} />}
    </>
  )
}
