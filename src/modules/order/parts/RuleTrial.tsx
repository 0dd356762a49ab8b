import type { Action } from '#commands/command.ts'
import type { ConfigScope } from '#src/areas/order/configScope.ts'
import type { OrderRules, RuleEffect } from '#src/areas/order/orderRules.ts'
import { yuan } from '#src/domain/money.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { Keyed } from '#src/kit/keyed.tsx'
import { Section } from '#src/kit/show.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import type { RulesCalls } from '../contract/config.ts'

const Counted = ({ of: { n, cents } }: { of: RuleEffect['before'] }) => {
  const say = useSay()
  return (
    <span className="m-num">
      {say(['{n} 笔', '{n}'], { n: n.toLocaleString() })}
      {cents !== undefined && (
        <>
          <br />¥{yuan(cents)}
        </>
      )}
    </span>
  )
}
type Effect = Omit<RuleEffect, 'field'> & { field: string }
const Effects = ({ of }: { of: readonly Effect[] }) => {
  const say = useSay()
  return (
    <table className="oc-effects">
      <thead>
        <tr>
          <th scope="col">{say(['受影响的', 'What would differ'])}</th>
          <th scope="col">{say(['现规则', 'Now'])}</th>
          <th scope="col">{say(['新规则', 'New'])}</th>
        </tr>
      </thead>
      <tbody>
        {of.map(one => (
          <tr key={one.field + one.what[0]}>
            <th scope="row">{say(one.what)}</th>
            <td>
              <Counted of={one.before} />
            </td>
            <td>
              <b>
                <Counted of={one.after} />
              </b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
const NotTried = ({ simulate }: { simulate: Action }) => {
  const say = useSay()
  return (
    <Empty title={say(['还没有试算', 'Not tried yet'])}>
      <p>
        <Keyed
          text={[
            '修改规则后按 {try}，看近 30 天会影响多少订单。',
            'Change a rule and press {try}: how many of the last 30 days’ orders would differ.',
          ]}
          by={{ try: simulate }}
        />
      </p>
    </Empty>
  )
}
/** What the changed rules would have done to the orders of a month. */
export const RuleTrial = ({
  calls,
  kind,
  fields,
  now,
  simulate,
}: {
  /** Tries the rules anew. */
  simulate: Action
  calls: RulesCalls
  kind: ConfigScope
  fields: Partial<OrderRules> | undefined
  now: Partial<OrderRules>
}) => {
  const say = useSay()
  const { data, error, isFetching, refetch } = useRead(
    calls.simulate,
    fields ? { kind, fields } : skipToken,
  )
  if (!fields) return <NotTried simulate={simulate} />
  if (error && !isFetching) return <Failed error={error} retry={refetch} />
  if (!data) return <Loading lines={6} />
  const old = JSON.stringify(fields) !== JSON.stringify(now)
  return (
    <div aria-busy={isFetching} aria-live="polite">
      {old && (
        <p className="oc-note" data-tone="warn">
          <Keyed
            text={['规则又有改动，按 {try} 重新试算', 'The rules changed again: {try} tries anew']}
            by={{ try: simulate }}
          />
        </p>
      )}
      <Section
        title={say(['近 30 天 {n} 笔订单', '{n} orders within 30 days'], {
          n: data.orders.toLocaleString(),
        })}
      >
        {data.effects.length === 0 ? (
          <p className="m-muted oc-none">
            {say(['这些改动没有可从历史推算的影响', 'History tells nothing about these changes'])}
          </p>
        ) : (
          <Effects of={data.effects} />
        )}
      </Section>
      <p className="oc-note">
        {say(
          [
            '进行中的 {n} 笔订单沿用各自创建时的规则，不受影响。',
            'The {n} orders under way keep the rules they were made under.',
          ],
          { n: data.running.toLocaleString() },
        )}
      </p>
    </div>
  )
}
