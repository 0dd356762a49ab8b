import { cardActions, cardDetailActions } from '#commands/order/card.ts'
import { timeShares, type TimeShare } from '#src/areas/order/orderMoney.ts'
import type { Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { Badge, Money, Section, type ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { card as calls } from '../../contract/card.ts'
import type { OrderDetail } from '../../contract/shared.ts'
import { TimesNotice, useTimesWait } from '../../parts/card.tsx'
import { OrderPage } from '../../parts/OrderPage.tsx'

const became: Record<TimeShare['as'], readonly [ToneName, Text]> = {
  used: ['good', ['已用', 'Used']],
  refund: ['warn', ['已退或退款中', 'Refunded or in refund']],
  left: ['info', ['未用', 'Left']],
  bonus: ['plain', ['补偿未用', 'Given, left']],
}
const gifts: Readonly<Record<'sent' | 'received', Text>> = {
  sent: ['转赠中，尚未领取', 'Being given away, not received'],
  received: ['已被领取', 'Received'],
}
/** Each use of a card, what it is worth and what became of it. */
const Times = ({ of }: { of: OrderDetail }) => {
  const say = useSay()
  return (
    <>
      {of.codes
        .filter(code => code.state !== 'void')
        .map(code => (
          <Section
            key={code.id}
            title={say(['逐次分摊 ····{tail}', 'Use by use ····{tail}'], { tail: code.tail })}
          >
            {code.gift_state !== 'none' && (
              <p>
                <Badge tone={code.gift_state === 'sent' ? 'warn' : 'plain'}>
                  {say(gifts[code.gift_state])}
                </Badge>{' '}
                {code.holder}
              </p>
            )}
            {code.first_use_days !== null && (
              <p className="m-muted">
                {say(['首次使用后 {n} 天内有效', 'Valid for {n} days from its first use'], {
                  n: code.first_use_days,
                })}
              </p>
            )}
            <table className="o-table">
              <thead>
                <tr>
                  <th>{say(['次', 'Use'])}</th>
                  <th className="o-right">{say(['分摊', 'Share'])}</th>
                  <th>{say(['状态', 'State'])}</th>
                  <th>{say(['使用', 'Used'])}</th>
                </tr>
              </thead>
              <tbody>
                {timeShares(
                  code,
                  of.uses.filter(use => use.code_id === code.id),
                ).map(one => {
                  const use = of.uses.find(each => each.id === one.use_id)
                  const [tone, words] = became[one.as]
                  return (
                    <tr key={one.n}>
                      <td className="m-num">{one.n}</td>
                      <td className="o-right">
                        <Money cents={one.cents} />
                      </td>
                      <td>
                        <Badge tone={tone}>{say(words)}</Badge>
                      </td>
                      <td>
                        {use ? (
                          <>
                            {timeFull(use.verified_at).slice(0, 16)} · {use.store_name}
                          </>
                        ) : (
                          <span className="m-muted">—</span>
                        )}
                      </td>
                    </tr>
                  )
                })}
              </tbody>
              <tfoot>
                <tr>
                  <td />
                  <td className="o-right">
                    <b>
                      <Money cents={code.pay_cents} />
                    </b>
                  </td>
                  <td colSpan={2} className="m-muted">
                    {say(['剩余', 'Left'])} <Money cents={code.left_pay_cents} sign />
                  </td>
                </tr>
              </tfoot>
            </table>
          </Section>
        ))}
    </>
  )
}

const { refund: _, batchRefund: __, batchExtend: ___, export: ____, ...shared } = cardActions
export default function CardOrder() {
  useTimesWait()
  return (
    <OrderPage
      calls={calls}
      actions={[...Object.values(cardDetailActions), ...Object.values(shared)]}
      revealPhone={cardActions.revealPhone}
      revealCode={cardDetailActions.revealCode}
      queryPay={cardDetailActions.queryPay}
    >
      {of => (
        <>
          <TimesNotice row={of.order} />
          <Times of={of} />
        </>
      )}
    </OrderPage>
  )
}
