import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { commissionActions as actions } from '#commands/distribution/settlementDetails.ts'
import { orderDetailOf } from '#commands/pages/order.ts'
import {
  commissionKinds,
  commissionRoles,
  commissionStates,
} from '#src/areas/commission/commission.ts'
import { sellerKinds } from '#src/areas/distribution/sellers.ts'
import { percent } from '#src/domain/money.ts'
import { colon } from '#src/domain/text.ts'
import { State, Words, stateColumn, textColumn, timeColumn, wordColumn } from '#src/kit/cells.tsx'
import { useDetailAction } from '#src/kit/detail.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Period } from '#src/kit/period.tsx'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import {
  commissionDetails as calls,
  type CommissionRow as Row,
} from '../contract/settlementDetails.ts'
import { commissionLooks } from '../parts/commissionLooks.tsx'
import { Explain } from '../parts/Explain.tsx'
import '../parts/commission.css'

const PERIOD_DAYS = 366
const Held = ({ row }: { row: Row }) => {
  const say = useSay()
  return row.held ? (
    <Badge tone="warn" title={`${row.holder}${say(colon)}${row.reason}`}>
      {say(['暂缓', 'Held'])}
    </Badge>
  ) : (
    '—'
  )
}
const columns: readonly Column<Row>[] = [
  {
    key: 'order_no',
    title: ['订单', 'Order'],
    width: 176,
    cell: row =>
      row.order ? (
        <span className="m-num">
          {row.order.order_no}-{row.unit_no}
        </span>
      ) : (
        row.name
      ),
    words: row => (row.order ? `${row.order.order_no}-${row.unit_no}` : row.name),
  },
  { ...textColumn('title', ['商品', 'Product'], 160), grow: true, priority: 2 },
  { ...textColumn('seller', ['分销员', 'Seller'], 104), priority: 1 },
  { ...wordColumn('role', ['角色', 'Role'], 84, commissionRoles), priority: 2 },
  {
    key: 'base_cents',
    title: ['计佣基数', 'Base'],
    width: 92,
    align: 'end',
    priority: 3,
    cell: row => <Money cents={row.base_cents} />,
  },
  {
    key: 'commission_bp',
    title: ['比例', 'Rate'],
    width: 68,
    align: 'end',
    priority: 3,
    cell: row => rateOf(row),
  },
  {
    key: 'amount_cents',
    title: ['佣金', 'Commission'],
    width: 88,
    align: 'end',
    priority: 1,
    cell: row => <Money cents={row.amount_cents} />,
  },
  {
    key: 'reversed_cents',
    title: ['已扣回', 'Taken back'],
    width: 88,
    align: 'end',
    priority: 3,
    cell: row => <Money cents={row.reversed_cents} />,
  },
  stateColumn('status', ['状态', 'State'], 84, commissionLooks),
  { key: 'held', title: ['暂缓', 'Held'], width: 64, priority: 3, cell: row => <Held row={row} /> },
  { ...timeColumn('settled_at', ['结算时间', 'Settled'], 96), priority: 3 },
  { ...timeColumn('paid_at', ['支付时间', 'Paid'], 96), priority: 4 },
  { ...timeColumn('frozen_until', ['冻结至', 'On hold until'], 96), optional: true },
  { ...textColumn('team', ['团队', 'Team'], 100), optional: true },
  { ...textColumn('split_no', ['分账单号', 'Split'], 150), optional: true },
  { ...textColumn('name', ['佣金号', 'Number'], 120), optional: true },
]
const rateOf = (row: Row): ReactNode => {
  if (row.fixed) return <Words of={commissionKinds.fixed} />
  return row.order === null || row.commission_bp === undefined ? '—' : percent(row.commission_bp)
}

const Source = ({ row }: { row: Row }) => {
  const say = useSay()
  const { me } = useWorkbench()
  const detail = row.order && orderDetailOf(row.order.kind)
  return (
    <Section title={say(['来源', 'Source'])}>
      <Facts>
        {row.order && (
          <Fact wide label={say(['订单', 'Order'])}>
            {detail && me.can(detail.permit) ? (
              <Link href={to(detail, { id: row.order.id })}>{row.order.order_no}</Link>
            ) : (
              row.order.order_no
            )}{' '}
            {say([`第 ${row.unit_no} 件`, `unit ${row.unit_no}`])}
          </Fact>
        )}
        {row.title && (
          <Fact wide label={say(['商品', 'Product'])}>
            {row.title}
          </Fact>
        )}
        <Fact label={say(['分销员', 'Seller'])}>
          {row.seller} <span className="m-muted">{say(sellerKinds[row.seller_kind])}</span>
        </Fact>
        <Fact label={say(['团队', 'Team'])}>{row.team || '—'}</Fact>
        <Fact label={say(['支付时间', 'Paid'])}>
          <When at={row.paid_at} />
        </Fact>
        <Fact label={say(['冻结至', 'On hold until'])}>
          <When at={row.frozen_until} />
        </Fact>
        <Fact label={say(['结算时间', 'Settled'])}>
          <When at={row.settled_at} />
        </Fact>
        <Fact label={say(['分账单号', 'Split'])}>{row.split_no || '—'}</Fact>
      </Facts>
    </Section>
  )
}
const Detail = ({ row, explaining }: { row: Row; explaining: boolean }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={commissionLooks} />}>
      <Section title={say(['金额', 'Amount'])}>
        <Facts>
          <Fact label={say(['佣金', 'Commission'])}>
            <Money cents={row.amount_cents} sign />
          </Fact>
          <Fact label={say(['已扣回', 'Taken back'])}>
            <Money cents={row.reversed_cents} sign />
          </Fact>
          <Fact label={say(['净额', 'Left'])}>
            <Money cents={row.left_cents} sign />
          </Fact>
          <Fact label={say(['角色', 'Role'])}>{say(commissionRoles[row.role])}</Fact>
          {row.held && (
            <Fact wide label={say(['暂缓结算', 'Held'])}>
              {row.holder}
              {say(colon)}
              {row.reason}
            </Fact>
          )}
          {!row.held && row.reason && (
            <Fact wide label={say(['原因', 'Reason'])}>
              {row.reason}
            </Fact>
          )}
        </Facts>
      </Section>
      {explaining && <Explain row={row} />}
      <Source row={row} />
    </Inspector>
  )
}
/** What the rows that match come to, by state: the same rows as the list's. */
const Sums = ({ sums }: { sums: Readonly<Record<string, number>> }) => {
  const say = useSay()
  const shown = (['estimated', 'frozen', 'settleable', 'settled'] as const).filter(key => sums[key])
  return (
    <div className="di-sums m-muted" role="status">
      {shown.map(key => (
        <span key={key}>
          {say(commissionStates[key])} <Money cents={sums[key]} sign />
        </span>
      ))}
    </div>
  )
}

/** Commission, line by line: which order gave whom how much, and how far it is. */
export default function SettlementDetails() {
  const say = useSay()
  const list = useList(calls.lst)
  const { tabs, told } = useStateTabs(list, calls.lst, commissionStates)
  const [explaining, setExplaining] = usePaneState('explaining', false)
  const { status } = list.input as { status?: keyof typeof commissionStates }
  const sums = told?.sums ?? {}
  useExport(actions.export, calls.export, { list })
  useDetailAction(actions.explain, () => setExplaining(!explaining))
  return (
    <div className="di-summed">
      <Sums sums={status ? { [status]: sums[status] ?? 0 } : sums} />
      <ListDetail>
        <List
          of={list}
          label={say(['佣金结算明细', 'Commission line by line'])}
          columns={columns}
          actions={Object.values(actions)}
          tabs={tabs}
          filters={
            <>
              <Keyword of={list} by="seller" placeholder={say(['分销员姓名', 'Seller name'])} />
              <Keyword of={list} by="order_no" placeholder={say(['完整订单号', 'Order number'])} />
              <Keyword of={list} by="product_id" placeholder={say(['商品编号', 'Product ID'])} />
              <Choice of={list} by="role" label={say(['角色', 'Role'])} words={commissionRoles} />
              <CityFilter of={list} />
              <MallFilter of={list} />
              <Period
                of={list}
                from="paid_from"
                to="paid_to"
                most={PERIOD_DAYS}
                usual={['支付日不限', 'Paid any day']}
              />
              <Period
                of={list}
                from="settled_from"
                to="settled_to"
                most={PERIOD_DAYS}
                usual={['结算日不限', 'Settled any day']}
              />
              <Toggle of={list} by="held" label={say(['暂缓', 'Held'])} />
              <Toggle of={list} by="cut" label={say(['有扣回', 'Taken back'])} />
            </>
          }
        />
        <Chosen
          of={list}
          none={
            <Keyed
              text={[
                '选择一笔佣金，按 {explain} 查看计算过程',
                'Choose a line; {explain} shows how it was calculated',
              ]}
              by={{ explain: actions.explain }}
            />
          }
        >
          {row => <Detail key={row.id} row={row} explaining={explaining} />}
        </Chosen>
      </ListDetail>
    </div>
  )
}
