import { ecardOrderActions as actions } from '#commands/ecard/orders.ts'
import * as pages from '#commands/pages/ecard.ts'
import { issueStep, issueSteps } from '#src/areas/ecard/cardOrder.ts'
import { giftStates } from '#src/areas/ecard/ecard.ts'
import { Among } from '#src/kit/among.tsx'
import { Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Badge, Money, type ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ListState } from '#src/kit/uselist.ts'
import { ecardOrder as calls } from '../contract/ecard.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import { columnsOf, OrderList } from '../parts/OrderList.tsx'

const issueTones: Readonly<Record<keyof typeof issueSteps, ToneName>> = {
  waiting: 'plain',
  issuing: 'info',
  issued: 'good',
  part_failed: 'bad',
  failed: 'bad',
  closed: 'plain',
}
const Nothing = () => <span className="m-muted">—</span>
/** How far the issue is; of a failure how many cards, and in the supplier's words why. */
const Issue = ({ row }: { row: OrderRow }) => {
  const say = useSay()
  const step = issueStep(row)
  const failed = row.cards?.failed ?? 0
  return step === 'closed' ? (
    <Nothing />
  ) : (
    <Badge tone={issueTones[step]} title={row.issue_note || undefined}>
      {say(issueSteps[step])}
      {failed > 0 && ` ${failed}/${row.qty}`}
    </Badge>
  )
}
/** Where gifts are: those on their way first. */
const Gift = ({ row: { cards } }: { row: OrderRow }) => {
  const say = useSay()
  if (!cards || cards.issued === 0) return <Nothing />
  const counts = {
    sent: cards.gifts_sent,
    received: cards.gifts_received,
    returned: cards.gifts_returned,
  } as const
  const given = (['sent', 'received', 'returned'] as const).filter(key => counts[key] > 0)
  if (given.length === 0) return <span className="m-muted">{say(giftStates.none)}</span>
  return (
    <>
      {given.map(key => (
        <Badge key={key} tone={key === 'sent' ? 'warn' : 'plain'}>
          {say(giftStates[key])}
          {cards.issued > 1 && ` ${counts[key]}`}
        </Badge>
      ))}
    </>
  )
}
const Buyer = ({ row }: { row: OrderRow }) => {
  const say = useSay()
  const channel = row.cards?.channel_name
  if (!channel) return <>{row.member_name || '—'}</>
  return (
    <>
      <Badge>{say(['渠道', 'Channel'])}</Badge> {channel}
    </>
  )
}
const Filters = ({ list }: { list: ListState<OrderRow> }) => {
  const say = useSay()
  return (
    <>
      <Among
        of={list}
        by="card_id"
        label={say(['电子卡', 'E-card'])}
        find={calls.names}
        labelOf={row => row.name}
      />
      <Keyword
        of={list}
        by="card_code"
        placeholder={say(['完整卡号或卡密', 'Whole number or secret'])}
      />
    </>
  )
}
const { order_no, phone, title, paid, status, created_at, paid_at, merchant, mall, tags } =
  columnsOf
const buyer: Column<OrderRow> = {
  key: 'buyer',
  title: ['购卡人或渠道', 'Buyer or channel'],
  width: 108,
  priority: 2,
  cell: row => <Buyer row={row} />,
  words: row => row.cards?.channel_name ?? row.member_name,
}
const face: Column<OrderRow> = {
  key: 'face',
  title: ['面值×张数', 'Face × cards'],
  width: 108,
  align: 'end',
  cell: row =>
    row.cards ? (
      <span className="m-num">
        <Money cents={row.cards.face_cents} /> × {row.qty}
      </span>
    ) : (
      <Nothing />
    ),
}
const issue: Column<OrderRow> = {
  key: 'issue',
  title: ['发放', 'Issue'],
  width: 92,
  cell: row => <Issue row={row} />,
}
const gift: Column<OrderRow> = {
  key: 'gift',
  title: ['赠送', 'Gift'],
  width: 92,
  cell: row => <Gift row={row} />,
}
const spent: Column<OrderRow> = {
  key: 'spent',
  title: ['已用金额', 'Spent'],
  width: 88,
  align: 'end',
  cell: row => (row.cards?.issued ? <Money cents={row.cards.spent_cents} /> : <Nothing />),
}
const columns: readonly Column<OrderRow>[] = [
  order_no,
  status,
  buyer,
  phone,
  { ...title, title: ['卡', 'Card'], width: 148 },
  face,
  paid,
  issue,
  gift,
  spent,
  { ...created_at, optional: false },
  { ...paid_at, optional: true },
  merchant,
  mall,
  tags,
]

export default function EcardOrders() {
  return (
    <OrderList
      calls={calls}
      at={pages.ecardOrders}
      detail={pages.ecardOrderDetail}
      actions={Object.values(actions)}
      columns={columns}
      revealPhone={actions.revealPhone}
      filters={list => <Filters list={list} />}
      tabs={[
        'pending_payment',
        'issuing',
        'finished',
        'refunding',
        'refunded',
        'cancelled',
        'freezing',
      ]}
      quick={[
        'issue_failed',
        'gift_unclaimed',
        'big_buyers',
        'to_decide',
        'refunding',
        'frozen',
        'late_pay',
      ]}
    />
  )
}
