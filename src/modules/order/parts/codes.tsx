import { settleStates } from '#src/areas/order/order.ts'
import type { Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { Money, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { OrderDetail } from '../contract/shared.ts'
import { CodeBadge } from './show.tsx'

/** Which codes and which redemption are chosen. */
export type Choose = {
  codes: ReadonlySet<number>
  onCodes: (ids: ReadonlySet<number>) => void
  use: number | undefined
  onUse: (id: number) => void
}
/**
 * The codes of an order, each with what it is worth. With `choose`, codes are ticked and a
 * redemption is picked.
 */
export const Codes = ({ of, choose }: { of: OrderDetail; choose?: Choose }) => {
  const say = useSay()
  if (of.codes.length === 0)
    return (
      <p className="m-muted">
        {say(
          of.order.pay_state === 'unpaid'
            ? ['支付后生成券码', 'Codes are issued after payment']
            : ['没有券码', 'No codes'],
        )}
      </p>
    )
  return (
    <div className="o-fits">
      <table className="o-table">
        <thead>
          <tr>
            {choose && <th aria-label={say(['选择', 'Choose'])} />}
            <th>{say(['券码', 'Code'])}</th>
            <th>{say(['状态', 'State'])}</th>
            <th className="o-right">{say(['已用/已退/总数', 'Used/refunded/all'])}</th>
            <th className="o-right o-spare">{say(['实付分摊', 'Share'])}</th>
            <th className="o-right">{say(['剩余价值', 'Left'])}</th>
            <th>{say(['有效期至', 'Valid until'])}</th>
          </tr>
        </thead>
        <tbody>
          {of.codes.map(code => (
            <tr key={code.id}>
              {choose && (
                <td>
                  <input
                    type="checkbox"
                    aria-label={say(['选择尾号 {tail}', 'Choose …{tail}'], { tail: code.tail })}
                    checked={choose.codes.has(code.id)}
                    onChange={event => {
                      const next = new Set(choose.codes)
                      if (event.currentTarget.checked) next.add(code.id)
                      else next.delete(code.id)
                      choose.onCodes(next)
                    }}
                  />
                </td>
              )}
              <td className="m-num">{code.code ?? `····${code.tail}`}</td>
              <td>
                <CodeBadge state={code.state} />
              </td>
              <td className="o-right m-num">
                {code.times_used}/{code.times_refunded + code.times_refunding}/{code.times_total}
                {code.times_bonus > 0 && `+${code.times_bonus}`}
              </td>
              <td className="o-right o-spare">
                <Money cents={code.pay_cents} />
              </td>
              <td className="o-right">
                <Money cents={code.left_pay_cents} />
              </td>
              <td>
                <When at={code.valid_until} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
const ways: Readonly<Record<string, Text>> = {
  scan: ['扫码', 'Scanned'],
  input: ['输入', 'Code entered'],
  platform: ['平台代核销', 'By the platform'],
  api: ['接口', 'API'],
  auto: ['自动', 'Automatic'],
}
export const Uses = ({ of, choose }: { of: OrderDetail; choose?: Choose }) => {
  const say = useSay()
  return (
    <table className="o-table">
      <thead>
        <tr>
          {choose && <th aria-label={say(['选择', 'Choose'])} />}
          <th>{say(['时间', 'When'])}</th>
          <th>{say(['券码', 'Code'])}</th>
          <th>{say(['门店与方式', 'Where and how'])}</th>
          <th className="o-right">{say(['次数', 'Uses'])}</th>
          <th className="o-right">{say(['结算', 'Settled'])}</th>
          <th>{say(['结算状态', 'Settlement'])}</th>
        </tr>
      </thead>
      <tbody>
        {of.uses.map(use => (
          <tr key={use.id} data-off={use.state === 'reversed' || undefined}>
            {choose && (
              <td>
                {use.state === 'valid' && (
                  <input
                    type="radio"
                    name={`use-${of.order.id}`}
                    aria-label={say(['选择 {when} 的核销', 'Choose the redemption of {when}'], {
                      when: timeFull(use.verified_at),
                    })}
                    checked={choose.use === use.id}
                    onChange={() => choose.onUse(use.id)}
                  />
                )}
              </td>
            )}
            <td>
              <When at={use.verified_at} />
            </td>
            <td className="m-num">····{use.tail}</td>
            <td>
              {use.store_name} · {say(ways[use.way]!)}
              {use.by && ` · ${use.by}`}
              {use.bill_cents !== null && (
                <span className="m-muted">
                  {' '}
                  {say(['账单', 'bill'])} <Money cents={use.bill_cents} sign />
                </span>
              )}
            </td>
            <td className="o-right m-num">{use.times}</td>
            <td className="o-right">
              <Money cents={use.settle_cents} />
            </td>
            <td>
              {use.state === 'reversed' ? (
                <span className="m-muted" title={use.reverse_reason ?? undefined}>
                  {say(['已撤销', 'Reversed'])} <When at={use.reversed_at} />
                </span>
              ) : (
                say(settleStates[use.settle_state])
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
