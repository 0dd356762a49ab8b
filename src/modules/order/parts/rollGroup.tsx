import { Confirm, Cross, Time } from '@blueprintjs/icons'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { rollBuyDetail } from '#commands/pages/order.ts'
import {
  ENDING_S,
  groupEnds,
  groupRoles,
  groupStates,
  rewardStates,
  type GroupState,
  type RewardState,
} from '#src/areas/group/rollGroup.ts'
import { unixNow } from '#src/domain/time.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import type { Column } from '#src/kit/grid.tsx'
import {
  Badge,
  duration,
  Fact,
  Facts,
  Money,
  Section,
  When,
  type ToneName,
} from '#src/kit/show.tsx'
import { Answer, Unanswered } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import { rollBuy as calls, type GroupRow } from '../contract/rollBuy.ts'
import { OrderState } from './show.tsx'
import './rollGroup.css'

type Look = NonNullable<OrderRow['group']>
const tones: Record<GroupState, readonly [ToneName, typeof Time]> = {
  forming: ['info', Time],
  success: ['good', Confirm],
  failed: ['plain', Cross],
}
export const GroupBadge = ({ of }: { of: Look }) => {
  const say = useSay()
  const [tone, icon] = tones[of.state]
  return (
    <Badge tone={tone} icon={icon} {...(of.end_by && { title: say(groupEnds[of.end_by]) })}>
      {say(groupStates[of.state])}
    </Badge>
  )
}
/** The paid seats come first, then those that staff fill, then the open ones. */
const seatKind = ({ joined_n, virtual_n }: Look, at: number) => {
  if (at < joined_n) return 'paid'
  return at < joined_n + virtual_n ? 'virtual' : 'open'
}
const DOTS = 6
/** Seats that are paid, filled by staff, and open: as dots where they are few, and in numbers. */
export const SeatDots = ({ of }: { of: Look }) => {
  const say = useSay()
  const kinds = Array.from({ length: of.need_n }, (_, at) => seatKind(of, at))
  return (
    <span
      className="rg-seats"
      title={say(['已付 {a}，虚拟 {v}，需 {n}', '{a} paid, {v} virtual, {n} needed'], {
        a: of.joined_n,
        v: of.virtual_n,
        n: of.need_n,
      })}
    >
      <span className="m-num">
        {of.joined_n}
        {of.virtual_n > 0 && `+${of.virtual_n}`}/{of.need_n}
      </span>
      {of.need_n <= DOTS && (
        <i aria-hidden="true">
          {kinds.map((kind, at) => (
            <b key={at} data-seat={kind} />
          ))}
        </i>
      )}
    </span>
  )
}
/** What is left of a forming group's time; it counts by itself. */
export const Countdown = ({ of }: { of: Look }) => {
  const say = useSay()
  const [, tick] = useState(0)
  const forming = of.state === 'forming'
  useEffect(() => {
    if (!forming) return
    const timer = setInterval(() => tick(n => n + 1), 30_000)
    return () => clearInterval(timer)
  }, [forming])
  if (!forming) return <span className="m-muted">—</span>
  const left = of.expire_at - unixNow()
  return left <= 0 ? (
    <span className="m-bad">{say(['已到时', 'Time is up'])}</span>
  ) : (
    <span className={left < ENDING_S ? 'm-bad m-num' : 'm-num'} title={say(['成团截止', 'Ends'])}>
      {duration(left, say)}
    </span>
  )
}

/** The group of an order: number, role, seats, time left and how it ended. */
export const groupColumns = {
  group_no: {
    key: 'group_no',
    title: ['团号', 'Group'],
    width: 156,
    cell: row => <span className="m-num">{row.group?.group_no ?? '—'}</span>,
    words: row => row.group?.group_no ?? '',
  },
  role: { key: 'role', title: ['角色', 'Role'], width: 52, cell: row => <Role of={row} /> },
  seats: {
    key: 'seats',
    title: ['已参团/成团', 'Joined'],
    width: 96,
    cell: row => row.group && <SeatDots of={row.group} />,
  },
  left: {
    key: 'time_left',
    title: ['剩余', 'Left'],
    width: 84,
    align: 'end',
    cell: row => row.group && <Countdown of={row.group} />,
  },
  group: {
    key: 'group',
    title: ['团状态', 'Group'],
    width: 84,
    cell: row => row.group && <GroupBadge of={row.group} />,
  },
} satisfies Record<string, Column<OrderRow>>
const Role = ({ of }: { of: OrderRow }) => {
  const say = useSay()
  return of.group_role ? <>{say(groupRoles[of.group_role])}</> : <span className="m-muted">—</span>
}

/**
 * Everybody in a group: who leads, when each paid, how far each order is. With `own`, that order is
 * marked and a mate can be chosen.
 */
const Seats = ({
  seats,
  own,
  mate,
  onMate,
}: {
  seats: readonly OrderRow[]
  own?: number
  mate?: number | undefined
  onMate?: (id: number) => void
}) => {
  const say = useSay()
  if (seats.length === 0)
    return <p className="m-muted">{say(['还没有人参团', 'Nobody has joined yet'])}</p>
  return (
    <table className="o-table">
      <thead>
        <tr>
          {onMate && <th aria-label={say(['选择', 'Choose'])} />}
          <th>{say(['席位', 'Seat'])}</th>
          <th>{say(['订单号', 'Order no.'])}</th>
          <th>{say(['支付时间', 'Paid at'])}</th>
          <th className="o-right">{say(['实付', 'Paid'])}</th>
          <th>{say(['状态', 'Status'])}</th>
        </tr>
      </thead>
      <tbody>
        {seats.map(row => (
          <tr key={row.id} data-own={row.id === own || undefined}>
            {onMate && (
              <td>
                {row.id !== own && (
                  <input
                    type="radio"
                    name={`mate-${own}`}
                    aria-label={say(['选择 {name} 的席位', 'Choose the seat of {name}'], {
                      name: row.member_name,
                    })}
                    checked={row.id === mate}
                    onChange={() => onMate(row.id)}
                  />
                )}
              </td>
            )}
            <td>
              {row.group_role && row.paid_at ? (
                say(groupRoles[row.group_role])
              ) : (
                <span className="m-muted">{say(['未付款', 'Unpaid'])}</span>
              )}{' '}
              · {row.member_name}
            </td>
            <td className="m-num">
              {row.id === own ? (
                row.order_no
              ) : (
                <Link href={to(rollBuyDetail, { id: row.id })}>{row.order_no}</Link>
              )}
            </td>
            <td>
              <When at={row.paid_at} />
            </td>
            <td className="o-right">
              <Money cents={row.paid_cents} />
            </td>
            <td>
              <OrderState row={row} />
              {row.payout_failed && (
                <Badge tone="bad">{say(['退款打款失败', 'Refund not paid'])}</Badge>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
const rewardTones: Record<RewardState, ToneName> = {
  none: 'plain',
  due: 'info',
  paid: 'good',
  clawed: 'bad',
  returned: 'plain',
  waived: 'plain',
}
/** Whether whoever leads it goes free, and how that stands. */
const Reward = ({ of }: { of: GroupRow }) => {
  const say = useSay()
  return of.group.state === 'forming' ? (
    <>
      {say(['成团且全团完成后返还一份团价', 'One at the group’s price, once all of it is through'])}
    </>
  ) : (
    <>
      <Badge tone={rewardTones[of.reward_state]}>{say(rewardStates[of.reward_state])}</Badge>
      {of.reward_cents !== null && (
        <>
          {' '}
          <Money cents={of.reward_cents} sign />
        </>
      )}
    </>
  )
}
/** What a group is and how it ended. */
const GroupFacts = ({ of, sale_end_at }: { of: GroupRow; sale_end_at: number }) => {
  const say = useSay()
  const { group } = of
  return (
    <Facts>
      <Fact label={say(['团号', 'Group'])}>
        <span className="m-num">{group.group_no}</span> <GroupBadge of={group} />
      </Fact>
      <Fact label={say(['已参团/成团', 'Joined'])}>
        <SeatDots of={group} />
      </Fact>
      <Fact label={say(['团价 / 单买价', 'Group / single price'])}>
        <Money cents={of.group_price_cents} sign /> / <Money cents={of.single_price_cents} sign />
      </Fact>
      <Fact label={say(['商场', 'Mall'])}>
        {of.mall_name || say(['商场外', 'Outside malls'])} · {of.city_name}
      </Fact>
      <Fact label={say(['开团', 'Opened'])}>
        <When at={of.created_at} />
      </Fact>
      <Fact label={say(['截止', 'Ends'])}>
        <When at={group.expire_at} /> {of.extended && <Badge>{say(['已延长', 'Extended'])}</Badge>}{' '}
        {group.state === 'forming' && (
          <>
            {say(['剩', 'left'])} <Countdown of={group} />
          </>
        )}
      </Fact>
      <Fact label={say(['已收 / 已退', 'Paid / refunded'])}>
        <Money cents={of.paid_cents} sign /> / <Money cents={of.refunded_cents} sign />
      </Fact>
      <Fact label={say(['售卖截止', 'Sale ends'])}>
        <When at={sale_end_at} />
      </Fact>
      {of.leader_free && (
        <Fact wide label={say(['团长免单', 'Leader goes free'])}>
          <Reward of={of} />
        </Fact>
      )}
      {group.end_by && (
        <Fact wide label={say(['如何结束', 'Outcome'])}>
          {say(groupEnds[group.end_by])}
          {of.ended_by && ` · ${of.ended_by}`} <When at={of.ended_at} />
          {of.end_reason && <div className="m-muted">{of.end_reason}</div>}
        </Fact>
      )}
      {of.owing_n > 0 && (
        <Fact wide label={say(['退款', 'Refunds'])}>
          <span className="m-bad">
            {say(['{n} 人未退完', '{n} not refunded yet'], { n: of.owing_n })}
            {of.payout_failed_n > 0 &&
              say(['，其中 {n} 人打款失败', ', {n} refused by the channel'], {
                n: of.payout_failed_n,
              })}
          </span>
        </Fact>
      )}
    </Facts>
  )
}
/** A group with its seats, beside the list of groups. */
export const GroupPeek = ({ id }: { id: number }) => {
  const say = useSay()
  const read = useRead(calls.seats, { group_id: id })
  const of = read.currentData
  if (!of) return <Unanswered of={read} lines={8} />
  return (
    <>
      <Section title={say(['团', 'Group'])}>
        <GroupFacts of={of.group} sale_end_at={of.sale_end_at} />
      </Section>
      <Section title={say(['席位', 'Seats'])}>
        <Seats seats={of.seats} />
      </Section>
    </>
  )
}
/** The whole group of an order, on its page. */
export const GroupOf = ({
  order,
  mate,
  onMate,
}: {
  order: OrderRow
  mate: number | undefined
  onMate: (id: number) => void
}) => {
  const say = useSay()
  const read = useRead(
    calls.seats,
    order.group_id === null ? skipToken : { group_id: order.group_id },
  )
  const of = read.currentData
  // The first of the others is chosen, so that one key leads round the group.
  const first =
    of?.seats.find(row => row.id > order.id)?.id ?? of?.seats.find(row => row.id !== order.id)?.id
  useEffect(() => {
    if (first !== undefined) onMate(first)
  }, [first, onMate])
  if (order.group_id === null) return null
  return (
    <Section title={say(['同团席位', 'The group'])}>
      <Answer of={{ ...read, data: of }} lines={6}>
        {({ group, sale_end_at, seats }) => (
          <>
            <GroupFacts of={group} sale_end_at={sale_end_at} />
            <Seats seats={seats} own={order.id} mate={mate} onMate={onMate} />
          </>
        )}
      </Answer>
    </Section>
  )
}
