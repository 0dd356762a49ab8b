import { HTMLSelect } from '@blueprintjs/core'
import { to, type Action } from '#commands/command.ts'
import { eRefundActions as actions } from '#commands/order/refund.ts'
import { eRefund, eRefundDetail } from '#commands/pages/order.ts'
import { orderKinds } from '#src/areas/order/order.ts'
import {
  postedKinds,
  refundReasons,
  refundStates,
  refundTypes,
  type RefundVerb,
} from '#src/areas/refund/refund.ts'
import { returnNews } from '#src/areas/shipping/track.ts'
import type { Result } from '#src/contract/call.ts'
import { Among } from '#src/kit/among.tsx'
import { isStale, skipToken, useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { WorkEnd } from '#src/kit/queue-end.tsx'
import { useRested } from '#src/kit/rested.ts'
import { Badge, Money, When } from '#src/kit/show.tsx'
import { useTakeNext } from '#src/kit/takenext.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { activeFilters, useList, type ListState } from '#src/kit/uselist.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { eRefund as calls } from '../contract/eRefund.ts'
import type { ERefundRow } from '../contract/eRefundRow.ts'
import { CaseFile } from '../parts/CaseFile.tsx'
import { CaseState, TimeLeft, useWord } from '../parts/cases.tsx'
import { useDecide } from '../parts/decide.ts'
import { FileBeside } from '../parts/FileBeside.tsx'
import { ReasonFilter } from '../parts/ReasonFilter.tsx'

type Row = ERefundRow
const Type = ({ row }: { row: Row }) => {
  const say = useSay()
  return <>{say(refundTypes[row.type])}</>
}
const Reason = ({ row }: { row: Row }) => {
  const word = useWord()
  return <>{word(refundReasons, row.reason_code, row.reason)}</>
}
const Sent = ({ row }: { row: Row }) => {
  const say = useSay()
  if (row.parcel)
    return (
      <Badge tone={row.parcel === 'arrived' ? 'good' : 'bad'}>{say(returnNews[row.parcel])}</Badge>
    )
  if (row.received) return <>{say(['已收货', 'Arrived'])}</>
  if (row.shipped) return <>{say(['已发货', 'Sent'])}</>
  return <span className="m-muted">{say(['未发货', 'Unsent'])}</span>
}
const Fails = ({ row }: { row: Row }) => {
  const say = useSay()
  return row.fails > 0 ? (
    <Badge tone="bad">{say(['失败 {n} 次', 'Failed ×{n}'], { n: row.fails })}</Badge>
  ) : (
    <span className="m-muted">—</span>
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
    title: ['金额', 'Amount'],
    width: 88,
    align: 'end',
    sort: 'amount',
    cell: row => <Money cents={row.amount_cents} />,
  },
  {
    key: 'title',
    title: ['商品', 'Item'],
    width: 180,
    grow: true,
    cell: row => (
      <>
        {row.title}
        {row.lines > 1 && <span className="m-muted"> +{row.lines - 1}</span>}
      </>
    ),
    words: row => row.title,
  },
  {
    key: 'type',
    title: ['类型', 'Type'],
    width: 76,
    priority: 1,
    cell: row => <Type row={row} />,
  },
  {
    key: 'reason',
    title: ['原因', 'Reason'],
    width: 108,
    cell: row => <Reason row={row} />,
    words: row => row.reason,
  },
  {
    key: 'sent',
    title: ['物流', 'Parcel'],
    width: 96,
    priority: 1,
    cell: row => <Sent row={row} />,
  },
  {
    key: 'evidence',
    title: ['凭证', 'Evidence'],
    width: 48,
    align: 'end',
    cell: row => (
      <span className="m-num">{row.evidence || <span className="m-muted">—</span>}</span>
    ),
  },
  {
    key: 'merchant',
    title: ['商户', 'Merchant'],
    width: 128,
    cell: row => row.merchant_name,
    words: row => row.merchant_name,
  },
  {
    key: 'opinion',
    title: ['商户意见', 'Merchant says'],
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
    title: ['售后单号', 'Case'],
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
    key: 'fails',
    title: ['渠道', 'Channel'],
    width: 92,
    optional: true,
    cell: row => <Fails row={row} />,
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
const tabs = { open: ['未结束', 'Open'], mine: ['我领取的', 'Mine'], ...refundStates } as const
/**
 * A file is shown when the eye rests on its row this long, so that running over rows asks the
 * server nothing.
 */
const bands = [
  [0, 50_00],
  [50_00, 200_00],
  [200_00, 1000_00],
  [1000_00, undefined],
] as const
/** Amounts in four bands, both ends in the address. */
const Amounts = ({ of }: { of: ListState<Row> }) => {
  const say = useSay()
  const { amount_from, amount_to } = of.input as { amount_from?: number; amount_to?: number }
  const at = bands.findIndex(
    ([from, until]) =>
      from === amount_from &&
      (until === undefined ? amount_to === undefined : until - 1 === amount_to),
  )
  return (
    <HTMLSelect
      aria-label={say(['金额', 'Amount'])}
      value={at < 0 ? '' : at}
      onChange={event => {
        const band = bands[Number(event.target.value)]
        of.filter(
          event.target.value === '' || !band
            ? { amount_from: undefined, amount_to: undefined }
            : { amount_from: band[0], amount_to: band[1] === undefined ? undefined : band[1] - 1 },
        )
      }}
      options={[
        { value: '', label: say(['金额', 'Amount']) },
        ...bands.map(([from, until], value) => ({
          value,
          label:
            until === undefined
              ? say(['¥{n} 以上', '¥{n} and more'], { n: from / 100 })
              : `¥${from / 100} – ${until / 100}`,
        })),
      ]}
    />
  )
}
const Filters = ({
  list,
  kinds,
}: {
  list: ListState<Row>
  kinds: Result<typeof calls.kinds> | undefined
}) => {
  const say = useSay()
  return (
    <>
      <Keyword of={list} placeholder={say(['售后、订单、退货单号', 'Case, order, return no.'])} />
      <Choice
        of={list}
        by="kind"
        always
        label={say(['订单类型', 'Kind of order'])}
        options={postedKinds.map(value => ({
          value,
          label: `${say(orderKinds[value])}${value === 'elist' ? '' : say(['退货', ' returns'])}${kinds ? ` ${kinds[value]}` : ''}`,
        }))}
      />
      <Choice
        of={list}
        by="type"
        label={say(['类型', 'Type'])}
        options={Object.entries(refundTypes).map(([value, text]) => ({
          value,
          label: say(text),
        }))}
      />
      <ReasonFilter of={list} />
      <Amounts of={list} />
      <CityFilter of={list} />
      <MallFilter of={list} />
      <Among
        of={list}
        by="merchant_id"
        label={say(['商户', 'Merchant'])}
        find={calls.merchants}
        labelOf={row => row.name}
      />
      <Choice
        of={list}
        by="parcel"
        label={say(['退货包裹', 'Return parcel'])}
        options={Object.entries(returnNews).map(([value, text]) => ({
          value,
          label: say(text),
        }))}
      />
      <Toggle of={list} by="overdue" label={say(['已超时', 'Overdue'])} />
      <Toggle of={list} by="channel_failed" label={say(['渠道失败', 'Channel failed'])} />
    </>
  )
}
const decisions: readonly (readonly [Action, RefundVerb])[] = [
  [actions.approve, 'approve'],
  [actions.approveReturn, 'approveReturn'],
  [actions.reject, 'reject'],
  [actions.confirmReceive, 'confirmReceive'],
  [actions.refuseReceive, 'refuseReceive'],
  [actions.secondApprove, 'secondApprove'],
  [actions.secondReject, 'secondReject'],
  [actions.retryPay, 'retryPay'],
]

/**
 * After-sale cases by deadline: rows left, the negotiation file right; a decision takes the eye to
 * the next case that can be decided.
 */
export default function ERefunds() {
  const say = useSay()
  const now = useLang()
  const workbench = useWorkbench()
  const list = useList(calls.lst)
  const { state: _, sort: __, page: ___, pageSize: ____, ...filters } = list.input
  const counts = useRead(calls.counts, filters)
  const kinds = useRead(calls.kinds, {})
  const [shown] = useRested(list.focused)
  const file = useRead(calls.detail, shown === undefined ? skipToken : { id: shown })
  useExport(actions.export, calls.export, { list })
  useTakeNext(actions.takeNext, actions.claim, list)

  // The row as its file knows it, when that is the one on screen: it is newer.
  const decide = useDecide<Row>(list, decisions, rows =>
    file.currentData &&
    rows.length === 1 &&
    rows[0]!.id === file.currentData.row.id &&
    file.currentData.row.version > rows[0]!.version
      ? [file.currentData.row]
      : rows,
  )
  useAction(actions.approve, decide(actions.approve))
  useAction(actions.approveReturn, decide(actions.approveReturn))
  useAction(actions.reject, decide(actions.reject))
  useAction(actions.confirmReceive, decide(actions.confirmReceive))
  useAction(actions.refuseReceive, decide(actions.refuseReceive))
  useAction(actions.secondApprove, decide(actions.secondApprove))
  useAction(actions.secondReject, decide(actions.secondReject))
  useAction(actions.retryPay, decide(actions.retryPay))

  const isQueue = list.input.state === 'open' || list.input.state === 'mine'
  const filtered = activeFilters(list, 'state') > 0
  const walk = Object.fromEntries(
    Object.entries({ ...filters, state: list.input.state, sort: list.input.sort })
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, value === true ? 1 : value]),
  ) as Record<string, string | number>
  return (
    <ListDetail label={say(['列表与售后档案的分隔', 'Between list and file'])} work>
      <List
        of={list}
        label={titleIn(eRefund, now)}
        columns={columns}
        actions={Object.values(actions)}
        onOpen={row => workbench.open(to(eRefundDetail, { ...walk, id: row.id }))}
        tabs={{
          by: 'state',
          all: (Object.keys(tabs) as (keyof typeof tabs)[]).map(key => ({
            key,
            title: tabs[key],
            ...(counts.data && { count: counts.data[key] ?? 0 }),
          })),
        }}
        empty={
          isQueue ? (
            <WorkEnd
              queue="eRefund"
              next={actions.takeNext}
              filtered={filtered}
              clear={() =>
                list.filter(Object.fromEntries(Object.keys(filters).map(key => [key, undefined])))
              }
            >
              <p>{say(['新的申请会自动出现在这里。', 'A new one appears here by itself.'])}</p>
            </WorkEnd>
          ) : undefined
        }
        filters={<Filters list={list} kinds={kinds.data} />}
      />
      <FileBeside of={file} shown={shown}>
        {of => <CaseFile of={of} stale={isStale(file)} />}
      </FileBeside>
    </ListDetail>
  )
}
