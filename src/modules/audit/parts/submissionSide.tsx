import { yuan } from '#src/domain/money.ts'
import { dateOf } from '#src/domain/time.ts'
import { Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Expiry } from '#src/kit/submission.tsx'
import { useSay } from '#src/kit/text.ts'
import type { AuditDetail } from '../contract.ts'

export const Merchant = ({ of }: { of: AuditDetail }) => {
  const say = useSay()
  const { merchant } = of
  return (
    <Section title={say(['商户与资质', 'Merchant and licences'])}>
      <Facts>
        <Fact label={say(['商户', 'Merchant'])} wide>
          {merchant.name}
        </Fact>
        <Fact label={say(['联系电话', 'Phone'])}>
          <span className="m-num">{merchant.contact_phone ?? '—'}</span>
        </Fact>
        <Fact label={say(['近 90 天', 'Last 90 days'])}>
          <span className="m-num">
            {say(['通过 {a} · 驳回 {r}', '{a} approved · {r} rejected'], {
              a: merchant.approved_90d,
              r: merchant.rejected_90d,
            })}
          </span>
        </Fact>
        <Fact label={say(['营业执照', 'Licence'])} wide>
          <span className="m-num">{merchant.license_no ?? '—'}</span>{' '}
          <Expiry at={merchant.license_expire_at} />
        </Fact>
        {merchant.qualifications.map(one => (
          <Fact key={one.name} label={one.name} wide>
            <span className="m-num">{one.no ?? '—'}</span> <Expiry at={one.expire_at} />
          </Fact>
        ))}
        {of.stores.slice(0, 8).map(store => (
          <Fact
            key={store.id}
            label={store.name === of.stores[0]?.name ? say(['适用门店', 'Stores']) : ''}
            wide
          >
            {store.name} <span className="m-muted">{store.address}</span>
          </Fact>
        ))}
        {of.stores.length > 8 && (
          <Fact label="" wide>
            <span className="m-muted">
              {say(['等 {n} 家', '{n} total'], { n: of.stores.length })}
            </span>
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
export const Prices = ({ of }: { of: AuditDetail }) => {
  const say = useSay()
  const points = [...of.prices.map(one => one.price_cents), of.body.price_cents]
  if (points.length < 2) return null
  const low = Math.min(...points)
  const span = Math.max(1, Math.max(...points) - low)
  const at = points.map(
    (cents, i) => [(i / (points.length - 1)) * 158 + 1, 30 - ((cents - low) / span) * 28] as const,
  )
  return (
    <Section title={say(['历史价格', 'Price history'])}>
      <svg
        className="a-spark"
        role="img"
        aria-label={points.map(cents => yuan(cents)).join(' → ')}
        viewBox="0 0 160 32"
      >
        <path d={`M${at.map(point => point.join(' ')).join('L')}`} />
        {at.map(([x, y], i) => (
          <circle key={i} cx={x} cy={y} r={2} />
        ))}
      </svg>
      <table className="a-table">
        <tbody>
          {of.prices.slice(-4).map(one => (
            <tr key={one.no}>
              <td className="m-muted">v{one.no}</td>
              <td>
                <When at={one.at} />
              </td>
              <td className="a-end">
                <Money cents={one.price_cents} sign />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
export const Siblings = ({ of }: { of: AuditDetail }) => {
  const say = useSay()
  if (of.siblings.length === 0 && of.redeemed_30d.count === 0) return null
  return (
    <Section
      title={say(['同店在售', 'On sale in the same stores'])}
      aside={
        <span className="m-muted m-num">
          {say(['近 30 天核销 {n} 次，¥{y}', '{n} redeemed in 30 days, ¥{y}'], {
            n: of.redeemed_30d.count,
            y: yuan(of.redeemed_30d.cents),
          })}
        </span>
      }
    >
      <table className="a-table">
        <tbody>
          {of.siblings.map(one => (
            <tr key={one.product_id}>
              <td>{one.title}</td>
              {one.face_cents !== undefined && (
                <td className="a-end m-muted">
                  {say(['面值', 'Face'])} ¥{yuan(one.face_cents)}
                </td>
              )}
              <td className="a-end">
                <Money cents={one.price_cents} sign />
              </td>
              <td className="a-end m-muted">{say(['已售 {n}', '{n} sold'], { n: one.sold })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
export const Sales = ({ of }: { of: AuditDetail['sold'] }) => {
  const say = useSay()
  return (
    <Section title={say(['销售情况', 'Sales'])}>
      <Facts>
        <Fact label={say(['已售订单', 'Paid orders'])}>
          <span className="m-num">{of.paid}</span>
        </Fact>
        <Fact label={say(['未用券码', 'Unused codes'])}>
          <span className="m-num">{of.unused_codes}</span>
          {of.latest_valid_until && of.unused_codes > 0
            ? say(['，最晚 {d} 到期', ', until {d}'], {
                d: dateOf(of.latest_valid_until),
              })
            : ''}
        </Fact>
      </Facts>
    </Section>
  )
}
