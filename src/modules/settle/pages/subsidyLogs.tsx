import { HTMLSelect } from '@blueprintjs/core'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { orderDetailOf } from '#commands/pages/order.ts'
import {
  moneyJournal,
  subsidyLogs as page,
  subsidyPlans as plansPage,
} from '#commands/pages/settle.ts'
import { subsidyLogActions as actions } from '#commands/settle/subsidyLogs.ts'
import { LOG_DAYS } from '#src/areas/log/logs.ts'
import { logKinds } from '#src/areas/subsidy/subsidy.ts'
import { numberColumn, SmallTable, textColumn, timeColumn, wordColumn } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
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
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import {
  groupings,
  subsidyLogs as calls,
  type Grouping,
  type LogRow,
} from '../contract/subsidyLogs.ts'

/** An order by its number, which leads there for whoever may open it. */
const OrderNo = ({ of }: { of: LogRow['order'] }) => {
  const { me } = useWorkbench()
  if (!of) return '—'
  const detail = orderDetailOf(of.kind)
  return detail && me.can(detail.permit) ? (
    <Link href={to(detail, { id: of.id })}>{of.order_no}</Link>
  ) : (
    of.order_no
  )
}
/** The transaction of a row in the journal, for whoever may open that. */
const TxnNo = ({ of }: { of: LogRow['txn'] }) => {
  const say = useSay()
  const { me } = useWorkbench()
  if (!of) return say(['不涉及资金流转', 'No money flows'])
  return me.can(moneyJournal.permit) ? (
    <Link href={to(moneyJournal, { no: of.no })}>{of.no}</Link>
  ) : (
    of.no
  )
}
const columns: readonly Column<LogRow>[] = [
  timeColumn('created_at', ['时间', 'Time'], 96),
  { ...textColumn('plan_name', ['计划', 'Plan'], 130), grow: true },
  wordColumn('kind', ['类型', 'Kind'], 84, logKinds),
  {
    key: 'order_no',
    title: ['订单', 'Order'],
    width: 150,
    priority: 2,
    cell: row => row.order?.order_no ?? '—',
    words: row => row.order?.order_no ?? '',
  },
  {
    key: 'member',
    title: ['会员', 'Member'],
    width: 110,
    priority: 1,
    cell: row => (
      <>
        {row.nickname || '—'} {row.flagged && <Flagged />}
      </>
    ),
    words: row => row.nickname,
  },
  { ...textColumn('merchant_name', ['商户', 'Merchant'], 120), grow: true, priority: 3 },
  {
    key: 'amount_cents',
    title: ['金额', 'Amount'],
    width: 92,
    align: 'end',
    cell: row => <Money cents={row.amount_cents} />,
  },
  {
    key: 'used_after_cents',
    title: ['计划已用', 'Plan used'],
    width: 104,
    align: 'end',
    priority: 2,
    cell: row => <Money cents={row.used_after_cents} />,
  },
  { ...numberColumn('qty', ['件数', 'Units'], 52), optional: true },
]
const Flagged = () => {
  const say = useSay()
  return <Badge tone="bad">{say(['可疑', 'Flagged'])}</Badge>
}
const claimStates = {
  asked: ['待复核', 'Waits'],
  done: ['已追回', 'Claimed back'],
  rejected: ['已驳回', 'Refused'],
} as const

const LogDetail = ({ row }: { row: LogRow }) => {
  const say = useSay()
  const { me } = useWorkbench()
  return (
    <Inspector title={row.plan_name} aside={<Badge>{say(logKinds[row.kind])}</Badge>}>
      <Section title={say(['金额', 'Amount'])}>
        <Facts>
          <Fact label={say(['金额', 'Amount'])}>
            <Money cents={row.amount_cents} sign />
          </Fact>
          <Fact label={say(['计划已用', 'Plan used'])}>
            <Money cents={row.used_after_cents} sign />
          </Fact>
          <Fact label={say(['平台承担', 'Platform'])}>
            <Money cents={row.platform_cents} sign />
          </Fact>
          <Fact label={say(['商场承担', 'Mall'])}>
            <Money cents={row.mall_cents} sign />
          </Fact>
          <Fact label={say(['商户承担', 'Merchant'])}>
            <Money cents={row.merchant_cents} sign />
          </Fact>
          <Fact label={say(['件数', 'Units'])}>{row.qty}</Fact>
          {row.kind === 'grant' && (
            <Fact label={say(['可追回', 'Can be claimed back'])}>
              <Money cents={row.left_cents} sign />
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title={say(['来源', 'Where it comes from'])}>
        <Facts>
          <Fact wide label={say(['计划', 'Plan'])}>
            {me.can(plansPage.permit) ? (
              <Link href={to(plansPage, { keyword: String(row.plan_id) })}>{row.plan_name}</Link>
            ) : (
              row.plan_name
            )}
          </Fact>
          <Fact wide label={say(['订单', 'Order'])}>
            <OrderNo of={row.order} />
          </Fact>
          <Fact wide label={say(['记账凭证', 'Journal entry'])}>
            <TxnNo of={row.txn} />
          </Fact>
          <Fact label={say(['会员', 'Member'])}>
            {row.nickname || '—'} {row.flagged && <Flagged />}
          </Fact>
          <Fact label={say(['商户', 'Merchant'])}>{row.merchant_name || '—'}</Fact>
          <Fact wide label={say(['设备', 'Device'])}>
            {row.device_id || '—'}
          </Fact>
          <Fact label={say(['时间', 'Time'])}>
            <When at={row.created_at} />
          </Fact>
          {row.memo && (
            <Fact wide label={say(['备注', 'Note'])}>
              {row.memo}
            </Fact>
          )}
        </Facts>
      </Section>
      {row.claim && (
        <Section title={say(['追回', 'Claim'])}>
          <Facts>
            <Fact label={say(['状态', 'State'])}>{say(claimStates[row.claim.state])}</Fact>
            <Fact label={say(['申请金额', 'Asked'])}>
              <Money cents={row.claim.amount_cents} sign />
            </Fact>
            <Fact label={say(['申请人', 'By'])}>{row.claim.maker}</Fact>
            <Fact label={say(['复核人', 'Decided by'])}>{row.claim.checker || '—'}</Fact>
            <Fact wide label={say(['原因', 'Reason'])}>
              {row.claim.reason}
            </Fact>
          </Facts>
        </Section>
      )}
    </Inspector>
  )
}
/** What narrows the list to one row of a summary; a day is a period of the list's own. */
const narrowed = (by: Grouping, key: string): object | undefined =>
  ({
    plan: { plan_id: Number(key) },
    merchant: { merchant_id: Number(key) },
    member: { member_id: Number(key) },
    day: undefined,
    device: undefined,
  })[by]
/** Subtotals of what the list shows; several members on one device, or one payee, may be a ring. */
const Groups = ({ list }: { list: ListState<LogRow> }) => {
  const say = useSay()
  const [by, setBy] = usePaneState<Grouping>('by', 'plan')
  const { page: _, pageSize: __, sort: ___, ...filters } = list.input as Record<string, unknown>
  const read = useRead(calls.groups, { ...filters, by })
  return (
    <Inspector title={say(['汇总', 'Subtotals'])}>
      <HTMLSelect
        aria-label={say(['汇总方式', 'Subtotals by'])}
        value={by}
        onChange={event => setBy(event.currentTarget.value as Grouping)}
        options={Object.entries(groupings).map(([value, text]) => ({ value, label: say(text) }))}
      />
      <Answer of={read} lines={10}>
        {({ rows }) => (
          <SmallTable
            head={[
              groupings[by],
              ['发放', 'Granted'],
              ['退回', 'Back'],
              ['订单', 'Orders'],
              ['会员', 'Members'],
            ]}
            rows={rows}
            keyOf={row => row.key}
            cells={row => {
              const more = narrowed(by, row.key)
              return [
                more ? (
                  <Link key="name" href={to(page, { ...filters, ...more })}>
                    {row.name}
                  </Link>
                ) : (
                  row.name
                ),
                <Money key="granted" cents={row.granted_cents} />,
                <Money key="back" cents={row.back_cents} />,
                row.orders,
                row.members,
              ]
            }}
          />
        )}
      </Answer>
    </Inspector>
  )
}

/** The log of subsidies: who got what of which plan, who bore it, and what came back. */
export default function SubsidyLogs() {
  const say = useSay()
  const list = useList(calls.lst)
  const [summing, setSumming] = usePaneState('summing', false)
  const { data: told } = useRead(calls.lst, { ...list.input, page: 1, pageSize: 1 })
  useExport(actions.export, calls.export, { list })
  useDetailAction(actions.groupBy, () => setSumming(!summing))
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['补贴记录', 'Subsidy log'])}
        columns={columns}
        actions={Object.values(actions)}
        onOpen={() => setSumming(false)}
        aside={
          told && (
            <span className="m-muted">
              {say(['净发放 ', 'Granted, net '])}
              <Money cents={told.sums.granted_cents - told.sums.back_cents} sign />
            </span>
          )
        }
        filters={
          <>
            <Keyword of={list} by="order_no" placeholder={say(['订单号', 'Order number'])} />
            <Keyword of={list} by="plan_id" placeholder={say(['计划编号', 'Plan ID'])} />
            <Keyword of={list} by="member_id" placeholder={say(['会员编号', 'Member ID'])} />
            <Choice of={list} by="kind" label={say(['类型', 'Kind'])} words={logKinds} />
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
      {summing ? (
        <Groups list={list} />
      ) : (
        <Chosen of={list} none={say(['选择一行查看承担方与来源', 'Choose a row'])}>
          {row => <LogDetail row={row} />}
        </Chosen>
      )}
    </ListDetail>
  )
}
