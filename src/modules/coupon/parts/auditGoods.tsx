import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { couponGoodsChanges } from '#src/areas/coupon/couponAuditRules.ts'
import { couponStates } from '#src/areas/mall/recommend.ts'
import type { Read } from '#src/contract/call.ts'
import { yuan } from '#src/domain/money.ts'
import { comma, type Text } from '#src/domain/text.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Badge, Money, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import type { CouponAuditDetail, CouponSample } from '../contract/audit.ts'

type Of = { of: CouponAuditDetail }
const none = <span className="m-muted">—</span>

const money = (cents: number | undefined) => <Money cents={cents} />
const nothing: Text = ['没有可试算的在售商品', 'No products on sale to try']
const sampleHead: readonly Text[] = [
  ['商品', 'Product'],
  ['件', 'Qty'],
  ['售价', 'Price'],
  ['结算', 'Settled'],
  ['实付', 'Paid'],
  ['毛利', 'Margin'],
]
/** Goods with what the coupon makes of the smallest purchase of each, the worst first. */
const Samples = ({ of }: { of: readonly CouponSample[] }) => {
  const say = useSay()
  return (
    <SmallTable
      head={sampleHead}
      rows={of}
      keyOf={row => row.id}
      cells={row => [
        <>
          {row.title} <span className="m-muted">{row.merchant_name}</span>{' '}
          {row.changed && <Badge tone="warn">{say(couponGoodsChanges[row.changed])}</Badge>}
        </>,
        row.qty,
        money(row.price_cents),
        money(row.settle_price_cents),
        money(row.pay_cents),
        money(row.margin_cents),
      ]}
    />
  )
}

/** The goods that lose most by it. */
export const Worst = ({ of }: Of) => {
  const say = useSay()
  return of.samples.length > 0 ? (
    <Samples of={of.samples} />
  ) : (
    <p className="m-muted">{say(nothing)}</p>
  )
}
export type GoodsCall = Read<
  { id: number; page?: number | undefined; pageSize?: number | undefined },
  unknown,
  { list: CouponSample[]; total: number }
>
const PAGE = 20
/** All goods of its scope, a page at a time, those that earn least first. */
export const AllGoods = ({ call, id }: { call: GoodsCall; id: number }) => {
  const say = useSay()
  const [page, setPage] = useState(1)
  const goods = useRead(call, { id, page, pageSize: PAGE })
  return (
    <Answer of={goods} lines={6} none={say(nothing)}>
      {({ list, total }) => (
        <>
          <Samples of={list} />
          {total > PAGE && (
            <p className="m-muted m-num">
              <Button variant="minimal" disabled={page === 1} onClick={() => setPage(page - 1)}>
                {say(['上一页', 'Back'])}
              </Button>
              {say(['第 {page} / {of} 页，共 {total} 件', '{page} of {of}, {total} total'], {
                page,
                of: Math.ceil(total / PAGE),
                total,
              })}
              <Button
                variant="minimal"
                disabled={page * PAGE >= total}
                onClick={() => setPage(page + 1)}
              >
                {say(['下一页', 'Next'])}
              </Button>
            </p>
          )}
        </>
      )}
    </Answer>
  )
}

const besideHead: readonly Text[] = [
  ['优惠券', 'Coupon'],
  ['状态', 'State'],
  ['同一单', 'On one order'],
  ['本券减', 'This takes off'],
  ['对方减', 'Other takes off'],
  ['结算取', 'Checkout uses'],
]
/** Coupons that can be had for the same goods at the same time, and what checkout makes of both. */
export const Beside = ({ of }: Of) => {
  const say = useSay()
  if (of.beside.length === 0) return null
  return (
    <Section
      title={say(['与在投优惠券重叠', 'Overlapping active coupons'])}
      aside={<span className="m-muted m-num">{of.beside_count}</span>}
    >
      <SmallTable
        head={besideHead}
        rows={of.beside}
        keyOf={row => row.id}
        cells={row => [
          <>
            {row.name} <span className="m-muted">{row.coupon_no}</span>
          </>,
          say(couponStates[row.status]),
          row.trial ? money(row.trial.sum_cents) : none,
          row.trial ? money(row.trial.own_cents) : none,
          row.trial ? money(row.trial.other_cents) : none,
          row.trial ? money(row.trial.most_cents) : none,
        ]}
      />
      <p className="m-muted">
        {say(['一单只用一张，不会叠加', 'One coupon per order: they never add up'])}
      </p>
    </Section>
  )
}
/** The sums that it would have taken off orders that were paid; they stay as they are. */
export const Examples = ({ of }: Of) => {
  const say = useSay()
  return (
    <Section title={say(['真实订单试算', 'Real order trial'])}>
      {of.examples.length === 0 && (
        <p className="m-muted">{say(['范围内还没有已付订单', 'No paid orders in scope yet'])}</p>
      )}
      <ul className="a-rounds">
        {of.examples.map(one => (
          <li key={one.id}>
            <When at={one.at} />
            <Money cents={one.total_cents} sign />
            <span>
              {one.titles.join(say(comma))} <span className="m-muted m-num">{one.order_no}</span>
              <div>
                {one.cut ? (
                  <span className="m-num">
                    {say(
                      [
                        '减 ¥{off}，实付 ¥{pay}；平台承担 ¥{platform}，商户承担 ¥{merchant}',
                        '¥{off} off, ¥{pay} paid; platform ¥{platform}, merchant ¥{merchant}',
                      ],
                      {
                        off: yuan(one.cut.discount_cents),
                        pay: yuan(one.total_cents - one.cut.discount_cents),
                        platform: yuan(one.cut.platform_cents),
                        merchant: yuan(one.cut.merchant_cents),
                      },
                    )}
                  </span>
                ) : (
                  <span className="m-muted">
                    {one.refused && say(one.refused.text, one.refused.values)}
                  </span>
                )}
              </div>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
const cartHead: readonly Text[] = [
  ['商品', 'Product'],
  ['件', 'Qty'],
  ['小计', 'Subtotal'],
  ['分摊优惠', 'Off'],
  ['平台', 'Platform'],
  ['商户', 'Merchant'],
  ['毛利', 'Margin'],
]
/** The cart that costs most, with who bears what of each line. */
export const Cart = ({ of: { cart } }: Of) => {
  const say = useSay()
  if (!cart) return null
  return (
    <Section
      title={say(['最差购物车', 'Worst-case cart'])}
      aside={<Money cents={cart.discount_cents} sign />}
    >
      <SmallTable
        head={cartHead}
        rows={cart.lines}
        keyOf={row => row.id}
        cells={row => [
          <>
            {row.title} <span className="m-muted">{row.merchant_name}</span>
          </>,
          row.qty,
          money(row.cost_cents),
          money(row.off_cents),
          money(row.platform_cents),
          money(row.merchant_cents),
          money(row.margin_cents),
        ]}
      />
    </Section>
  )
}
