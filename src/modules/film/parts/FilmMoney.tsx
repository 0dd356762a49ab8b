import type { ReactNode } from 'react'
import { Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { FilmDetail } from '../contract/detail.ts'
import type { FilmRow as Row } from '../contract/index.ts'
import './film.css'

const Line = ({ label, sum, children }: { label: string; sum?: true; children: ReactNode }) => (
  <div data-sum={sum}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
const less = (cents: number | undefined) => (cents === undefined ? undefined : -cents)
/** What the buyer paid, part by part: pay = sale + service fee - coupon - points. */
export const PriceLines = ({ row, price }: { row: Row; price?: FilmDetail['price'] }) => {
  const say = useSay()
  return (
    <dl className="fi-sum">
      {price && (
        <Line label={say(['影院原价', 'Cinema price'])}>
          <span className="m-muted">
            <Money cents={price.origin_cents} />
          </span>
        </Line>
      )}
      <Line label={say(['票价', 'Tickets'])}>
        <Money cents={row.sale_cents} />
      </Line>
      <Line label={say(['服务费', 'Service fee'])}>
        <Money cents={row.service_fee_cents} />
      </Line>
      <Line label={say(['优惠券', 'Coupon'])}>
        <Money cents={less(row.coupon_cents)} />
      </Line>
      <Line label={say(['积分抵扣', 'Points'])}>
        <Money cents={less(row.points_cents)} />
      </Line>
      <Line sum label={say(['实付', 'Paid'])}>
        <Money cents={row.pay_cents} sign />
      </Line>
    </dl>
  )
}
/** What is left of it: profit = pay - cost - WeChat's fee - refunded + cost given back. */
export const ProfitLines = ({ row, price }: { row: Row; price: FilmDetail['price'] }) => {
  const say = useSay()
  return (
    <dl className="fi-sum">
      <Line label={say(['实付', 'Paid'])}>
        <Money cents={row.pay_cents} />
      </Line>
      <Line label={say(['渠道成本', 'Cost'])}>
        <Money cents={less(row.cost_cents)} />
      </Line>
      <Line label={say(['微信手续费', 'WeChat’s fee'])}>
        <Money cents={less(price.wechat_fee_cents)} />
      </Line>
      {row.refunded_cents > 0 && (
        <Line label={say(['已退款', 'Refunded'])}>
          <Money cents={less(row.refunded_cents)} />
        </Line>
      )}
      {(price.given_back_cents ?? 0) > 0 && (
        <Line label={say(['渠道退回成本', 'Cost given back'])}>
          <Money cents={price.given_back_cents} />
        </Line>
      )}
      <Line sum label={say(['利润', 'Profit'])}>
        <Money cents={row.profit_cents} sign />
      </Line>
      {price.subsidy_cents > 0 && (
        <Line label={say(['其中平台补贴', 'Of it subsidised'])}>
          <Money cents={price.subsidy_cents} />
        </Line>
      )}
    </dl>
  )
}
