import { useMemo, type ReactNode } from 'react'
import { Link, useSearch } from 'wouter'
import { to } from '#commands/command.ts'
import { filmActions, filmDetailActions } from '#commands/film/index.ts'
import { filmDetailPage as at, filmPage } from '#commands/pages/film.ts'
import { ticketProviders, ticketRequestStates } from '#src/areas/film/film.ts'
import { orderEvents } from '#src/areas/order/order.ts'
import { refundStates } from '#src/areas/refund/refund.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { skipToken, useRead } from '#src/kit/data.ts'
import { Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Empty, Unanswered } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useSubject } from '#src/kit/workbench.ts'
import { filmOrderDetail as calls, type FilmDetail } from '../../contract/detail.ts'
import { ShowTime, Stage, useSeats, Waited } from '../../parts/filmLooks.tsx'
import { PriceLines, ProfitLines } from '../../parts/FilmMoney.tsx'
import { HallMap } from '../../parts/HallMap.tsx'
import { useFilmTold } from '../../parts/useFilmTold.tsx'

const actions = [
  ...Object.values(filmActions).filter(action => action.also?.includes(at)),
  ...Object.values(filmDetailActions),
]
type Of = { of: FilmDetail }
const Show = ({ of: { row } }: Of) => {
  const say = useSay()
  const seats = useSeats()(row)
  return (
    <Section title={say(['场次', 'Show'])}>
      <Facts>
        <Fact wide label={say(['影片', 'Film'])}>
          {row.film_name}
        </Fact>
        <Fact wide label={say(['影院', 'Cinema'])}>
          {row.cinema_name} {row.hall}
        </Fact>
        <Fact label={say(['开场', 'Begins'])}>
          <ShowTime row={row} /> <span className="m-muted">{say(['北京时间', 'Shanghai'])}</span>
        </Fact>
        <Fact label={say(['散场', 'Ends'])}>
          <When at={row.show_end_at} />
        </Fact>
        <Fact wide label={say(['座位', 'Seats'])}>
          {seats}
        </Fact>
      </Facts>
    </Section>
  )
}
const Tickets = ({ of }: Of) => {
  const say = useSay()
  const { row } = of
  return (
    <Section title={say(['出票与结算', 'Tickets and settlement'])}>
      <Facts>
        <Fact label={say(['取票码', 'Ticket code'])}>
          <span className="m-num">{of.ticket_code ?? '—'}</span>
        </Fact>
        <Fact label={say(['已发送', 'Sent'])}>
          {say(['{n} 次', '{n} times'], { n: of.code_sent_n })} <When at={of.code_sent_at} />
        </Fact>
        <Fact label={say(['已等待', 'Waiting'])}>
          <Waited row={row} />
        </Fact>
        <Fact label={say(['出票时间', 'Issued at'])}>
          <When at={row.ticketed_at} />
        </Fact>
        <Fact label={say(['冻结至', 'On hold until'])}>
          <When at={of.freeze_until_at} />
        </Fact>
        <Fact label={say(['结算时间', 'Settled at'])}>
          <When at={of.settled_at} />
        </Fact>
        {row.frozen && (
          <Fact wide label={say(['冻结原因', 'Why frozen'])}>
            {row.freeze_reason || '—'}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
const Requests = ({ of }: Of) => {
  const say = useSay()
  return (
    <Section title={say(['渠道请求与应答', 'Provider requests'])}>
      {of.requests.length === 0 ? (
        <p className="m-muted">
          {say(['付款后才向渠道出票', 'Nobody was asked before it is paid'])}
        </p>
      ) : (
        <SmallTable
          head={[
            ['时间', 'When'],
            ['请求号', 'Our number'],
            ['渠道', 'Provider'],
            ['结果', 'Result'],
            ['应答', 'Answer'],
            ['经手', 'By'],
          ]}
          rows={of.requests}
          keyOf={one => one.id}
          cells={one => [
            <When key="at" at={one.at} />,
            one.out_no,
            say(ticketProviders[one.provider]),
            say(ticketRequestStates[one.state]),
            [one.answer || '—', one.provider_no].filter(Boolean).join(' · '),
            one.by ? `${one.by} · ${one.reason}` : say(['自动', 'Automatic']),
          ]}
        />
      )}
    </Section>
  )
}
const Refunds = ({ of }: Of) => {
  const say = useSay()
  if (of.refunds.length === 0) return null
  return (
    <Section title={say(['退款', 'Refunds'])}>
      <SmallTable
        head={[
          ['时间', 'When'],
          ['退款单号', 'Number'],
          ['金额', 'Amount'],
          ['进度', 'State'],
          ['原因', 'Reason'],
        ]}
        rows={of.refunds}
        keyOf={one => one.id}
        cells={one => [
          <When key="at" at={one.at} />,
          one.refund_no,
          <Money key="amount" cents={one.amount_cents} />,
          say(refundStates[one.state]),
          one.reason,
        ]}
      />
    </Section>
  )
}
const Others = ({ of }: Of) => {
  const say = useSay()
  return (
    <Section title={say(['该会员的其他影票订单', 'The member’s other film orders'])}>
      {of.others.length === 0 ? (
        <p className="m-muted">{say(['没有其他影票订单', 'There is no other'])}</p>
      ) : (
        <SmallTable
          head={[
            ['订单号', 'Order no.'],
            ['影片', 'Film'],
            ['场次', 'Show'],
            ['状态', 'State'],
            ['实付', 'Paid'],
          ]}
          rows={of.others}
          keyOf={row => row.id}
          cells={row => [
            <Link key="no" href={to(at, { id: row.id })}>
              {row.order_no}
            </Link>,
            row.film_name,
            <ShowTime key="show" row={row} />,
            <Stage key="stage" row={row} />,
            <Money key="pay" cents={row.pay_cents} />,
          ]}
        />
      )}
    </Section>
  )
}
const Log = ({ of }: Of) => {
  const say = useSay()
  return (
    <Section title={say(['订单动态', 'Order activity'])}>
      <ol className="fi-log">
        {of.log.map(one => (
          <li key={one.id}>
            <When at={one.at} />
            <span>
              <b>{say(orderEvents[one.event])}</b> <span className="m-muted">{one.by}</span>
              {one.memo && <div>{one.memo}</div>}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}
const Order = ({ of }: Of): ReactNode => {
  const say = useSay()
  const { row } = of
  const told = useFilmTold()
  const rows = useMemo(() => [row], [row])
  useSubject(useMemo(() => ({ rows, total: 1 }), [rows]))
  return (
    <div className="fi-order">
      <Toolbar actions={actions} rows={rows} />
      <article className="fi-body" tabIndex={0} aria-label={row.order_no}>
        <header>
          <h3>
            <span className="m-num">{row.order_no}</span>
          </h3>
          <Stage row={row} />
          <span className="m-muted">
            {row.member_name} <span className="m-num">{row.phone ?? ''}</span>
          </span>
        </header>
        <div className="fi-columns">
          <div>
            <Section title={say(['座位图', 'Seats'])}>
              <HallMap hall={of.hall} seats={row.seats} />
            </Section>
            <Requests of={of} />
            <Refunds of={of} />
            <Others of={of} />
          </div>
          <div>
            <Show of={of} />
            <Tickets of={of} />
            <Section title={say(['价格构成', 'Price'])}>
              <PriceLines row={row} price={of.price} />
            </Section>
            <Section title={say(['利润', 'Profit'])}>
              <ProfitLines row={row} price={of.price} />
            </Section>
            <Log of={of} />
          </div>
        </div>
      </article>
      {told}
    </div>
  )
}
/** The page of a film order: its seats, its money, and what happened to it. */
export default function FilmOrder() {
  const say = useSay()
  const id = Number(new URLSearchParams(useSearch()).get('id'))
  const sound = Number.isInteger(id) && id > 0
  const read = useRead(calls.detail, sound ? { id } : skipToken)
  if (!sound)
    return (
      <Empty title={say(['没有指定影票订单', 'No order is named'])}>
        <Link href={to(filmPage, {})}>{say(['回到影票订单', 'Back to the orders'])}</Link>
      </Empty>
    )
  // Another order keeps nothing of this one.
  if (read.currentData) return <Order key={id} of={read.currentData} />
  return <Unanswered of={read} lines={16} />
}
