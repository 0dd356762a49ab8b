import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ERefundDetail } from '../contract/eRefundRow.ts'
import { MoneyLine } from './MoneyLine.tsx'

/** Whether the freight is paid back, and why it is kept where it is not. */
const freightWords = (isBack: boolean, isSent: boolean): Text => {
  if (isBack) return ['运费', 'Freight']
  return isSent
    ? ['运费 ¥{n} 不退（已发货）', 'Freight of ¥{n} is kept: it was sent']
    : ['运费 ¥{n} 不退（非整单退款）', 'Freight of ¥{n} is kept: not the whole order']
}
/**
 * The amount, line by line: what the units are worth, what was agreed less, the freight; what comes
 * back beside the money, and what does not.
 */
export const CaseMoney = ({ of: { money, order, row, outbound } }: { of: ERefundDetail }) => {
  const say = useSay()
  const less = money.given_cents - money.share_cents
  const freight = freightWords(money.freight_cents > 0, outbound.length > 0)
  return (
    <dl className="r-money">
      <MoneyLine label={say(['商品实付分摊', 'Paid for these items'])} cents={money.share_cents} />
      {less !== 0 && <MoneyLine label={say(['协商减少', 'Agreed less'])} cents={less} />}
      {(money.freight_cents > 0 || order.freight_cents > 0) && (
        <MoneyLine
          label={say(freight, { n: yuan(order.freight_cents) })}
          cents={money.freight_cents}
        />
      )}
      <div data-sum="">
        <dt>{say(['退款金额', 'Refund'])}</dt>
        <dd>
          <Money cents={money.amount_cents} sign />
        </dd>
      </div>
      <MoneyLine label={say(['可退上限', 'Max. refund'])} cents={money.cap_cents} />
      <MoneyLine label={say(['订单实付', 'Paid for the order'])} cents={order.paid_cents} />
      {money.before_cents > 0 && (
        <MoneyLine
          label={say(['本单其他退款', 'Other refunds of the order'])}
          cents={-money.before_cents}
        />
      )}
      {money.coupon !== 'none' && (
        <MoneyLine
          label={
            money.coupon === 'back'
              ? say(['优惠券随整单退回', 'The coupon goes back with the whole order'])
              : say(['平台优惠不退（非整单退款）', 'The discount is kept: not the whole order'])
          }
          cents={money.coupon_cents}
        />
      )}
      {money.points_used > 0 && (
        <div>
          <dt>
            {row.state === 'done'
              ? say(['已退积分', 'Points given back'])
              : say(['按比例退积分', 'Points go back in proportion'])}
          </dt>
          <dd className="m-num">
            {money.points_back} / {money.points_used}
          </dd>
        </div>
      )}
    </dl>
  )
}
