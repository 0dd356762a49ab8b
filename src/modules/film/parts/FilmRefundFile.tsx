import {
  filmRefundKinds,
  returnStates,
  ticketProviders,
  ticketStates,
} from '#src/areas/film/film.ts'
import { couponFates } from '#src/areas/filmRefund/filmRefund.ts'
import { knownFault } from '#src/areas/payment/channelWords.ts'
import { payFaults } from '#src/areas/payment/payFault.ts'
import { refundSources } from '#src/areas/refund/refund.ts'
import { Inspector } from '#src/kit/inspector.tsx'
import { Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { FilmRefundRow as Row } from '../contract/refund.ts'
import { FilmRefundMark, Loss, ReturnMark, ShowTime } from './filmRefundLooks.tsx'

const Amounts = ({ row }: { row: Row }) => {
  const say = useSay()
  const over = row.state === 'done' || row.provider_state === 'returned'
  return (
    <Section title={say(['金额', 'Amount'])}>
      <Facts>
        <Fact label={say(['退款金额', 'Refund'])}>
          <Money cents={row.amount_cents} sign />
        </Fact>
        <Fact label={say(['手续费', 'Fee'])}>
          <Money cents={row.charge_cents} />
        </Fact>
        <Fact
          label={
            over ? say(['渠道退回', 'Provider refund']) : say(['预计渠道退回', 'Provider refund'])
          }
        >
          <Money cents={row.give_back_cents} sign />
        </Fact>
        <Fact label={over ? say(['亏损', 'Loss']) : say(['预计亏损', 'Expected loss'])}>
          <Loss row={row} />
        </Fact>
        <Fact label={say(['订单实付', 'Paid'])}>
          <Money cents={row.pay_cents} sign />
        </Fact>
        <Fact label={say(['已退', 'Refunded before'])}>
          <Money cents={row.refunded_cents} />
        </Fact>
      </Facts>
      {row.after_settled && (
        <p className="m-muted">
          {say([
            '订单已结算：须另一人复审，退款后从经营主体余额冲回。',
            'It was settled: a second person agrees, and its owner’s balance pays it back.',
          ])}
        </p>
      )}
    </Section>
  )
}
const Provider = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Section title={say(['渠道退票', 'At the provider'])}>
      <Facts>
        <Fact label={say(['出票渠道', 'Provider'])}>{say(ticketProviders[row.provider])}</Fact>
        <Fact label={say(['结果', 'Result'])}>
          {row.has_tickets ? <ReturnMark row={row} /> : say(returnStates.none)}
        </Fact>
        {row.provider_answer && (
          <Fact label={say(['渠道答复', 'Provider reply'])} wide>
            <span className={row.provider_state === 'refused' ? 'm-bad' : undefined}>
              {row.provider_answer}
            </span>
          </Fact>
        )}
        {row.tries > 0 && <Fact label={say(['询问次数', 'Asked'])}>{row.tries}</Fact>}
      </Facts>
    </Section>
  )
}
const Tickets = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Section title={say(['影票', 'Tickets'])}>
      <Facts>
        <Fact label={say(['开场时间', 'Show'])}>
          <ShowTime row={row} />
        </Fact>
        <Fact label={say(['票状态', 'Tickets'])}>{say(ticketStates[row.ticket_state])}</Fact>
        <Fact label={say(['影院', 'Cinema'])} wide>
          {row.cinema_name} {row.hall}
        </Fact>
        <Fact label={say(['座位', 'Seats'])} wide>
          {row.seats}
        </Fact>
        <Fact label={say(['订单号', 'Order no.'])} wide>
          <span className="m-num">{row.order_no}</span>
        </Fact>
        <Fact label={say(['购票人', 'Buyer'])}>{row.member_name || '—'}</Fact>
      </Facts>
    </Section>
  )
}
const Handling = ({ row }: { row: Row }) => {
  const say = useSay()
  const known = knownFault(payFaults, row.fail_code)
  return (
    <Section title={say(['处理', 'Handling'])}>
      <Facts>
        <Fact label={say(['退款单号', 'Refund no.'])} wide>
          <span className="m-num">{row.refund_no}</span>
        </Fact>
        <Fact label={say(['申请时间', 'Requested'])}>
          <When at={row.created_at} />
        </Fact>
        <Fact label={say(['来源', 'Requested by'])}>{say(refundSources[row.source])}</Fact>
        <Fact label={say(['原因', 'Cause'])} wide>
          {say(filmRefundKinds[row.kind])} · {row.reason}
        </Fact>
        <Fact label={say(['处理人', 'Assigned to'])}>{row.assignee_name || '—'}</Fact>
        {row.first_name && (
          <Fact label={say(['初审人', 'First'])}>
            {row.first_name} <When at={row.decided_at} />
          </Fact>
        )}
        {row.second_name && <Fact label={say(['复审人', 'Second'])}>{row.second_name}</Fact>}
        {row.done_at && (
          <Fact label={say(['完成时间', 'Done at'])}>
            <When at={row.done_at} />
          </Fact>
        )}
        {row.points_back > 0 && (
          <Fact label={say(['退回积分', 'Points back'])}>{row.points_back}</Fact>
        )}
        {row.coupon !== 'none' && (
          <Fact label={say(['优惠券', 'Coupon'])}>{say(couponFates[row.coupon])}</Fact>
        )}
        {row.fails > 0 && (
          <Fact label={say(['打款失败', 'Payment failed'])} wide>
            <span className="m-bad">
              {say(['{n} 次', '×{n}'], { n: row.fails })} {known ? say(known) : row.fail_text}
            </span>
          </Fact>
        )}
        {row.reject_reason && (
          <Fact label={say(['驳回原因', 'Why refused'])} wide>
            {row.reject_reason}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
/** What a person looks at before tickets go back: the loss, the provider's word, the show. */
export const FilmRefundFile = ({ row }: { row: Row }) => (
  <Inspector title={row.film_name} aside={<FilmRefundMark row={row} />}>
    <Amounts row={row} />
    <Provider row={row} />
    <Tickets row={row} />
    <Handling row={row} />
  </Inspector>
)
