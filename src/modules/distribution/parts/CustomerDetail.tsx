import type { ReactNode } from 'react'
import type { Action } from '#commands/command.ts'
import { bindingRoles, bindingSources } from '#src/areas/binding/binding.ts'
import { aside } from '#src/domain/text.ts'
import { SmallTable, State } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useDetailAction } from '#src/kit/detail.ts'
import { Inspector } from '#src/kit/inspector.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Badge, Fact, Facts, Money, Section, Span, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import type { BindingRow, customerCalls } from '../contract/bindingRow.ts'
import { bindingLooks, Signs, Sleeping } from './customerLooks.tsx'

/** All bindings of the customer, the first of them first: how it began, who ended it, and why. */
const History = ({ row, of }: { row: BindingRow; of: ReturnType<typeof customerCalls> }) => {
  const say = useSay()
  const read = useRead(of.viewHistory, { id: row.id })
  return (
    <Section title={say(['绑定历史', 'History'])}>
      <Answer of={read}>
        {({ list }) => (
          <SmallTable
            head={[
              ['分销员', 'Seller'],
              ['期间', 'Period'],
              ['开始', 'Started by'],
              ['结束', 'Ended by'],
            ]}
            rows={list}
            keyOf={one => one.id}
            cells={one => [
              <span key="seller">
                {one.seller} <span className="m-muted">{say(bindingRoles[one.role])}</span>
              </span>,
              <Span key="span" from={one.bind_at} to={one.end_at ?? one.expire_at} />,
              one.bound_by || say(bindingSources[one.source]),
              one.status === 'active' ? (
                <State key="state" of={one.status} in={bindingLooks} />
              ) : (
                <span key="end">
                  {[one.ended_by_name, say(bindingLooks[one.status].text), one.end_reason]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              ),
            ]}
          />
        )}
      </Answer>
    </Section>
  )
}
/** What there is to be said of a binding beside its times: disputes, what waits, how it ended. */
const Remarks = ({ row }: { row: BindingRow }) => {
  const say = useSay()
  return (
    <>
      {row.rival && (
        <Fact wide label={say(['争议', 'Dispute'])}>
          {say(['一小时内也绑定了 {who}', 'Also bound to {who} within an hour'], {
            who: row.rival.seller,
          })}{' '}
          {!row.rival.open && <Badge>{say(['已了结', 'Over'])}</Badge>}
        </Fact>
      )}
      {row.waits && (
        <Fact wide label={say(['待复核', 'Awaiting approval'])}>
          {say(['{by} 申请转给 {to}', '{by} asks to transfer to {to}'], row.waits)}
        </Fact>
      )}
      {row.friend_lost_at !== null && (
        <Fact wide label={say(['企微好友', 'WeCom friend'])}>
          {say(['已流失，满 7 天自动解绑：', 'Lost; the binding ends after 7 days: '])}
          <When at={row.friend_lost_at} />
        </Fact>
      )}
      {row.end_at !== null && (
        <Fact wide label={say(['结束', 'Ended'])}>
          <When at={row.end_at} /> {[row.ended_by_name, row.end_reason].filter(Boolean).join(' · ')}
        </Fact>
      )}
      {row.pool && (
        <Fact wide label={say(['门店客户池', 'Pool of'])}>
          {row.pool}
        </Fact>
      )}
    </>
  )
}
type Props = {
  row: BindingRow
  calls: ReturnType<typeof customerCalls>
  /** Shows the history, or puts it away. */ history: Action
  children?: ReactNode
}
/** A customer and whose they are: the binding, what they bought, who disputes it. */
export const CustomerDetail = ({ row, calls, history, children }: Props) => {
  const say = useSay()
  const [shown, setShown] = usePaneState('history', false)
  useDetailAction(history, () => setShown(!shown))
  return (
    <Inspector
      title={row.name}
      aside={
        <>
          <State of={row.status} in={bindingLooks} /> <Signs row={row} />
        </>
      }
    >
      {children}
      <Section title={say(['绑定', 'Binding'])}>
        <Facts>
          <Fact label={say(['分销员', 'Seller'])}>{row.seller}</Fact>
          <Fact label={say(['身份', 'Role'])}>{say(bindingRoles[row.role])}</Fact>
          {row.store && (
            <Fact wide label={say(['门店', 'Store'])}>
              {row.store}
            </Fact>
          )}
          <Fact label={say(['来源', 'Source'])}>
            {say(bindingSources[row.source])}
            {row.bound_by && say(aside, { it: row.bound_by })}
          </Fact>
          <Fact label={say(['绑定时间', 'Bound'])}>
            <When at={row.bind_at} />
          </Fact>
          <Fact label={say(['保护期至', 'Protected until'])}>
            <When at={row.protect_until} />
          </Fact>
          <Fact label={say(['到期', 'Until'])}>
            <When at={row.expire_at} />
          </Fact>
          <Remarks row={row} />
        </Facts>
      </Section>
      <Section title={say(['消费', 'Purchases'])}>
        <Facts>
          <Fact label={say(['手机号', 'Phone'])}>
            <span className="m-num">{row.phone ?? '—'}</span>
          </Fact>
          <Fact label={say(['订单', 'Orders'])}>{row.order_count}</Fact>
          <Fact label={say(['累计支付', 'Paid'])}>
            <Money cents={row.paid_cents} sign />
          </Fact>
          <Fact label={say(['最近下单', 'Last order'])}>
            <When at={row.last_order_at} />
          </Fact>
          <Fact label={say(['沉睡', 'Inactive'])}>
            <Sleeping row={row} />
          </Fact>
        </Facts>
      </Section>
      {shown && <History row={row} of={calls} />}
    </Inspector>
  )
}
