import { useState } from 'react'
import { to, type Action } from '#commands/command.ts'
import { comboRefundActions as actions } from '#commands/order/combo.ts'
import { comboDetail, comboRefund } from '#commands/pages/order.ts'
import { refundReasons, refundStates, type RefundVerb } from '#src/areas/refund/refund.ts'
import { Among } from '#src/kit/among.tsx'
import { isStale, skipToken, useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { WorkEnd } from '#src/kit/queue-end.tsx'
import { useRested } from '#src/kit/rested.ts'
import { Badge, Money, When } from '#src/kit/show.tsx'
import { useTakeNext } from '#src/kit/takenext.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { activeFilters, useList } from '#src/kit/uselist.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { combo as orderCalls } from '../../contract/combo.ts'
import { comboRefund as calls, comboStages, type ComboCaseRow } from '../../contract/comboRefund.ts'
import { CaseState, TimeLeft, useWord } from '../../parts/cases.tsx'
import { Policy } from '../../parts/combo.tsx'
import { ComboFile } from '../../parts/ComboFile.tsx'
import { useDecide } from '../../parts/decide.ts'
import { FileBeside } from '../../parts/FileBeside.tsx'
import { ReasonFilter } from '../../parts/ReasonFilter.tsx'

type Row = ComboCaseRow
const Reason = ({ row }: { row: Row }) => {
  const word = useWord()
  return <>{word(refundReasons, row.reason_code, row.reason)}</>
}
const Asks = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <>
      <span className="m-num">
        {row.parts}/{row.parts_all}
      </span>
      {row.parts_used > 0 && (
        <>
          {' '}
          <Badge tone="warn">{say(['已用 {n}', '{n} used'], { n: row.parts_used })}</Badge>
        </>
      )}
    </>
  )
}
const Rule = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <>
      <Policy policy={row.policy} />
      {row.override ? (
        <>
          {' '}
          <Badge tone="bad">{say(['例外', 'Exception'])}</Badge>
        </>
      ) : (
        row.refused && (
          <>
            {' '}
            <Badge tone="bad" title={say(row.refused)}>
              {say(['不符', 'Against it'])}
            </Badge>
          </>
        )
      )}
    </>
  )
}
const columns: readonly Column<Row>[] = [
  {
    key: 'state',
    title: ['阶段', 'Stage'],
    width: 92,
    cell: row => <CaseState state={row.state} />,
  },
  {
    key: 'left',
    title: ['剩余时间', 'Time left'],
    width: 120,
    align: 'end',
    sort: 'deadline',
    upwards: true,
    cell: row => <TimeLeft row={row} />,
  },
  {
    key: 'amount',
    title: ['按分摊', 'Pro rata'],
    width: 84,
    align: 'end',
    sort: 'amount',
    cell: row => <Money cents={row.amount_cents} />,
  },
  {
    key: 'single',
    title: ['按单价', 'At singles'],
    width: 84,
    align: 'end',
    cell: row => <Money cents={row.figures.single_cents} />,
  },
  {
    key: 'parts',
    title: ['退款项/全部', 'Asked/all'],
    width: 100,
    cell: row => <Asks row={row} />,
  },
  { key: 'policy', title: ['政策', 'Policy'], width: 128, cell: row => <Rule row={row} /> },
  {
    key: 'combo',
    title: ['组合', 'Bundle'],
    width: 180,
    grow: true,
    cell: row => row.combo_name,
    words: row => row.combo_name,
  },
  {
    key: 'reason',
    title: ['原因', 'Reason'],
    width: 104,
    cell: row => <Reason row={row} />,
    words: row => row.reason,
  },
  {
    key: 'opinion',
    title: ['门店意见', 'The stores say'],
    width: 140,
    cell: row => row.opinion ?? <span className="m-muted">—</span>,
    words: row => row.opinion ?? '',
  },
  {
    key: 'claimer',
    title: ['处理人', 'Held by'],
    width: 72,
    cell: row => row.claimer_name ?? <span className="m-muted">—</span>,
  },
  {
    key: 'refund_no',
    title: ['退款单号', 'Case'],
    width: 168,
    optional: true,
    cell: row => row.refund_no,
    words: row => row.refund_no,
  },
  {
    key: 'order_no',
    title: ['订单号', 'Order'],
    width: 176,
    optional: true,
    cell: row => row.order_no,
    words: row => row.order_no,
  },
  {
    key: 'member',
    title: ['会员', 'Member'],
    width: 88,
    optional: true,
    cell: row => row.member_name ?? '—',
  },
  {
    key: 'merchant',
    title: ['商户', 'Merchant'],
    width: 128,
    optional: true,
    cell: row => row.merchant_name,
    words: row => row.merchant_name,
  },
  { key: 'city', title: ['城市', 'City'], width: 64, optional: true, cell: row => row.city_name },
  {
    key: 'created_at',
    title: ['申请时间', 'Applied'],
    width: 104,
    optional: true,
    sort: 'newest',
    cell: row => <When at={row.created_at} />,
  },
]
const titles = { open: ['未结束', 'Open'], mine: ['我领取的', 'Mine'], ...refundStates } as const
const tabs = ['open', 'mine', ...comboStages] as const
const decisions: readonly (readonly [Action, RefundVerb])[] = [
  [actions.approve, 'approve'],
  [actions.approvePartial, 'approvePartial'],
  [actions.reject, 'reject'],
  [actions.secondApprove, 'secondApprove'],
  [actions.secondReject, 'secondReject'],
  [actions.retryPay, 'retryPay'],
]
const none: ReadonlySet<number> = new Set()

/**
 * Refunds of bundles by deadline: rows left, how much and of which parts right; a decision takes
 * the eye to the next case that can be decided.
 */
export default function ComboRefunds() {
  const say = useSay()
  const now = useLang()
  const workbench = useWorkbench()
  const list = useList(calls.lst)
  const { state: _, sort: __, page: ___, pageSize: ____, ...filters } = list.input
  const counts = useRead(calls.counts, filters)
  const [shown] = useRested(list.focused)
  const file = useRead(calls.detail, shown === undefined ? skipToken : { id: shown })
  // Ticks are of one case: another case begins with none.
  const [ticks, setTicks] = useState<{ id: number | undefined; items: ReadonlySet<number> }>({
    id: undefined,
    items: none,
  })
  const picked = ticks.id === shown ? ticks.items : none
  useExport(actions.export, calls.export, { list })
  useTakeNext(actions.takeNext, actions.claim, list)

  // The case as its file shows it, when that is the one on screen: its sums are what is decided on.
  const decide = useDecide<Row>(list, decisions, (rows, action) => {
    if (action === actions.approvePartial && picked.size === 0) {
      workbench.toast(
        say(['请先在右侧勾选同意退的子项', 'Tick the parts on the right first']),
        'warning',
      )
      return undefined
    }
    return file.currentData && rows.length === 1 && rows[0]!.id === file.currentData.row.id
      ? [{ ...file.currentData.row, item_ids: [...picked] }]
      : rows
  })
  useAction(actions.approve, decide(actions.approve))
  useAction(actions.approvePartial, decide(actions.approvePartial))
  useAction(actions.reject, decide(actions.reject))
  useAction(actions.secondApprove, decide(actions.secondApprove))
  useAction(actions.secondReject, decide(actions.secondReject))
  useAction(actions.retryPay, decide(actions.retryPay))

  return (
    <ListDetail label={say(['列表与退款档案的分隔', 'Between list and file'])} work>
      <List
        of={list}
        label={titleIn(comboRefund, now)}
        columns={columns}
        actions={Object.values(actions)}
        onOpen={row => workbench.open(to(comboDetail, { id: row.order_id }))}
        tabs={{
          by: 'state',
          all: tabs.map(key => ({
            key,
            title: titles[key],
            ...(counts.data && { count: counts.data[key] ?? 0 }),
          })),
        }}
        empty={
          list.input.state === 'open' || list.input.state === 'mine' ? (
            <WorkEnd
              queue="comboRefund"
              next={actions.takeNext}
              filtered={activeFilters(list, 'state') > 0}
              clear={() =>
                list.filter(Object.fromEntries(Object.keys(filters).map(key => [key, undefined])))
              }
            >
              <p>{say(['新的申请会自动出现在这里。', 'A new one appears here by itself.'])}</p>
            </WorkEnd>
          ) : undefined
        }
        filters={
          <>
            <Keyword of={list} placeholder={say(['退款单号、订单号', 'Case or order number'])} />
            <Among
              of={list}
              by="combo_id"
              label={say(['组合', 'Bundle'])}
              find={orderCalls.bundles}
              labelOf={row => row.name}
            />
            <ReasonFilter of={list} />
            <CityFilter of={list} />
            <Toggle of={list} by="unused" label={say(['全部未使用', 'Nothing used'])} />
            <Toggle of={list} by="overdue" label={say(['已超时', 'Overdue'])} />
            <Toggle of={list} by="channel_failed" label={say(['渠道失败', 'Channel failed'])} />
          </>
        }
      />
      <FileBeside of={file} shown={shown}>
        {of => (
          <ComboFile
            of={of}
            stale={isStale(file)}
            picked={picked}
            onPicked={items => setTicks({ id: shown, items })}
          />
        )}
      </FileBeside>
    </ListDetail>
  )
}
