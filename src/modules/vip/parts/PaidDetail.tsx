import { textStates } from '#src/areas/member/texting.ts'
import { chargeStates, contractStates, extensionStates } from '#src/areas/vipCard/renewal.ts'
import {
  openedBy,
  subscriptionStates,
  type SubscriptionState,
} from '#src/areas/vipCard/subscription.ts'
import { vipOrderStates } from '#src/areas/vipCard/vipOrder.ts'
import { SmallTable, State, type States } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Inspector } from '#src/kit/inspector.tsx'
import { Badge, Fact, Facts, Money, Section, Span, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { paidMembers as calls, type PaidPast, type PaidRow as Row } from '../contract/payment.ts'

const Charges = ({ of }: { of: PaidPast }) => {
  const say = useSay()
  if (of.charges.length === 0) return null
  return (
    <Section title={say(['扣款', 'Charges'])}>
      <SmallTable
        head={[
          ['结果', 'Result'],
          ['金额', 'Amount'],
          ['发起', 'By'],
          ['时间', 'Time'],
        ]}
        rows={of.charges}
        keyOf={one => one.id}
        cells={one => [
          <span key="state" title={one.out_no}>
            {say(chargeStates[one.state])}
            {one.error && ` · ${one.error}`}
          </span>,
          <Money key="cents" cents={one.amount_cents} />,
          one.by || say(['系统', 'System']),
          <When key="at" at={one.at} />,
        ]}
      />
    </Section>
  )
}
const Periods = ({ of }: { of: PaidPast }) => {
  const say = useSay()
  return (
    <Section title={say(['会员期', 'Periods'])}>
      <SmallTable
        head={[
          ['来由', 'Origin'],
          ['期限', 'Period'],
          ['实付', 'Paid'],
          ['状态', 'State'],
        ]}
        rows={of.periods}
        keyOf={one => one.id}
        cells={one => [
          <span key="kind" title={`${one.order_no} ${one.source}`}>
            {say(openedBy[one.kind])}
          </span>,
          one.start_at === null || one.end_at === null ? (
            '—'
          ) : (
            <Span key="period" from={one.start_at} to={one.end_at} />
          ),
          <Money key="cents" cents={one.pay_cents} />,
          say(vipOrderStates[one.state]),
        ]}
      />
    </Section>
  )
}
const Extensions = ({ of }: { of: PaidPast }) => {
  const say = useSay()
  if (of.extensions.length === 0) return null
  return (
    <Section title={say(['延期申请', 'Extensions'])}>
      <SmallTable
        head={[
          ['天数', 'Days'],
          ['结果', 'Result'],
          ['申请人', 'By'],
          ['复核人', 'Reviewed by'],
        ]}
        rows={of.extensions}
        keyOf={one => one.id}
        cells={one => [
          one.days,
          <span key="state" title={`${one.reason} ${one.decide_reason}`}>
            {say(extensionStates[one.state])}
          </span>,
          one.asker,
          one.decider || '—',
        ]}
      />
    </Section>
  )
}
const Reminders = ({ of }: { of: PaidPast }) => {
  const say = useSay()
  if (of.reminders.length === 0) return null
  return (
    <Section title={say(['续费提醒', 'Reminders'])}>
      <SmallTable
        head={[
          ['结果', 'Result'],
          ['内容', 'Text'],
          ['时间', 'Time'],
        ]}
        rows={of.reminders}
        keyOf={one => one.id}
        cells={one => [say(textStates[one.state]), one.text, <When key="at" at={one.at} />]}
      />
    </Section>
  )
}
const History = ({ row }: { row: Row }) => {
  const read = useRead(calls.history, { id: row.id })
  return (
    <Answer of={read}>
      {of => (
        <>
          <Charges of={of} />
          <Periods of={of} />
          <Extensions of={of} />
          <Reminders of={of} />
        </>
      )}
    </Answer>
  )
}
const MembershipFacts = ({ row }: { row: Row }) => {
  const say = useSay()
  const { refundable } = row
  return (
    <Section title={say(['会员', 'Membership'])}>
      <Facts>
        <Fact label={say(['卡种', 'Plan'])}>{row.card_name}</Fact>
        <Fact label={say(['会员号', 'Member no.'])}>{row.uid}</Fact>
        <Fact label={say(['手机号', 'Phone'])}>{row.phone}</Fact>
        <Fact label={say(['城市', 'City'])}>{row.city_name}</Fact>
        <Fact label={say(['开始', 'From'])}>
          <When at={row.start_at} />
        </Fact>
        <Fact label={say(['到期', 'Until'])}>
          <When at={row.end_at} />
        </Fact>
        <Fact label={say(['累计实付', 'Paid'])}>
          <Money cents={row.paid_cents} sign />
        </Fact>
        <Fact label={say(['累计节省', 'Saved'])}>
          <Money cents={row.saved_cents} sign />
        </Fact>
        <Fact wide label={say(['现在可退', 'Refundable now'])}>
          {refundable.cents > 0 ? (
            <Money cents={refundable.cents} sign />
          ) : (
            <span className="m-muted">{say(refundable.why ?? ['—', '—'])}</span>
          )}
          {row.refunding && ' '}
          {row.refunding && <Badge tone="info">{say(['退款中', 'Refunding'])}</Badge>}
        </Fact>
      </Facts>
    </Section>
  )
}
const RenewalFacts = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Section title={say(['自动续费', 'Renewal'])}>
      <Facts>
        <Fact label={say(['签约', 'Contract'])}>
          {row.contract === null ? say(['未签约', 'None']) : say(contractStates[row.contract])}
        </Fact>
        <Fact label={say(['下次扣款', 'Next charge'])}>
          {row.auto_renew ? <When at={row.next_charge_at} /> : say(['未开启', 'Off'])}
        </Fact>
        <Fact label={say(['连续失败', 'Failed in a row'])}>
          {say(['{n} 次', '{n} times'], { n: row.charge_fail_count })}
        </Fact>
        <Fact label={say(['近 7 天人工', 'By hand, 7 days'])}>
          {say(['{n} 次', '{n} times'], { n: row.retries })}
        </Fact>
        {row.charge_error && (
          <Fact wide label={say(['最近扣款失败', 'Last failed charge'])}>
            {row.charge_error}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
export const paidLooks: States<SubscriptionState> = {
  active: { text: subscriptionStates.active, tone: 'good' },
  grace: { text: subscriptionStates.grace, tone: 'warn' },
  expired: { text: subscriptionStates.expired },
  refunded: { text: subscriptionStates.refunded },
}
/** One paid member: until when, whether the next charge will come, and what may go back. */
export const PaidDetail = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Inspector title={row.member_name} aside={<State of={row.status} in={paidLooks} />}>
      <MembershipFacts row={row} />
      <RenewalFacts row={row} />
      {row.asked && (
        <Section title={say(['待复核的延期', 'Extension pending review'])}>
          <p>
            {say(['{who} 申请延期 {days} 天：{why}', '{who} asks for {days} days: {why}'], {
              who: row.asked.asker,
              days: row.asked.days,
              why: row.asked.reason,
            })}
          </p>
        </Section>
      )}
      <History row={row} />
    </Inspector>
  )
}
