import { useState } from 'react'
import { pointsShopActions, pointsShopDetailActions } from '#commands/order/pointsShopList.ts'
import { issueStates, type IssueState, pointsKinds, pointsMoves } from '#src/areas/points/points.ts'
import { colon } from '#src/domain/text.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { Badge, Fact, Facts, Money, Section, type ToneName, When } from '#src/kit/show.tsx'
import { Unanswered } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction } from '#src/kit/workbench.ts'
import {
  pointsShopDetail,
  pointsShopList as calls,
  type Move,
} from '../../contract/pointsShopList.ts'
import type { OrderDetail } from '../../contract/shared.ts'
import { Address } from '../../parts/address.tsx'
import { OrderPage } from '../../parts/OrderPage.tsx'
import { Shipping } from '../../parts/ship.tsx'

const count = (n: number) => n.toLocaleString('en-US')
const Moves = ({ of }: { of: readonly Move[] }) => {
  const say = useSay()
  if (of.length === 0)
    return <p className="m-muted">{say(['没有积分流水', 'No moves of points'])}</p>
  return (
    <table className="o-table">
      <thead>
        <tr>
          <th>{say(['时间', 'When'])}</th>
          <th>{say(['类型', 'Kind'])}</th>
          <th>{say(['业务单号', 'Number'])}</th>
          <th className="o-right">{say(['变动', 'Change'])}</th>
          <th className="o-right">{say(['变动后', 'After'])}</th>
        </tr>
      </thead>
      <tbody>
        {of.map(one => (
          <tr key={one.id}>
            <td>
              <When at={one.at} />
            </td>
            <td>{say(pointsMoves[one.kind])}</td>
            <td className="m-num">{one.biz_no}</td>
            <td className={one.delta < 0 ? 'o-right m-num m-bad' : 'o-right m-num'}>
              {one.delta > 0 ? '+' : ''}
              {count(one.delta)}
            </td>
            <td className="o-right m-num">{count(one.balance_after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
const issueTones: Readonly<Record<IssueState, ToneName>> = {
  pending: 'info',
  success: 'good',
  failed: 'bad',
}
/**
 * What was exchanged and what its points came to; what a channel was asked to issue and answered;
 * on demand all moves of the member.
 */
const Exchange = ({ order, open }: { order: OrderDetail['order']; open: boolean }) => {
  const say = useSay()
  const read = useRead(pointsShopDetail.exchange, { id: order.id })
  const ledger = useRead(pointsShopDetail.ledger, open ? { id: order.id } : skipToken)
  const of = read.currentData
  if (!of) return <Unanswered of={read} lines={4} />
  const net = of.points_returned - of.points_used
  return (
    <>
      <Section title={say(['兑换', 'Exchange'])}>
        <Facts>
          {of.goods && (
            <>
              <Fact label={say(['类型', 'Kind'])}>{say(pointsKinds[of.goods.kind])}</Fact>
              <Fact label={say(['单价', 'Each'])}>
                <span className="m-num">{count(of.goods.points_price)}</span>{' '}
                {say(['积分', 'points'])}
                {of.goods.cash_cents > 0 && (
                  <>
                    {' '}
                    + <Money cents={of.goods.cash_cents} sign />
                  </>
                )}
              </Fact>
              <Fact label={say(['剩余库存', 'In stock'])}>
                <span className="m-num">{of.goods.free}</span>
              </Fact>
              <Fact label={say(['每人限兑', 'Limit per member'])}>
                {of.goods.limit_per_member ?? say(['不限', 'Any'])}
              </Fact>
            </>
          )}
          <Fact label={say(['使用积分', 'Points used'])}>
            <span className="m-num">{count(of.points_used)}</span>
          </Fact>
          <Fact label={say(['已退积分', 'Refunded'])}>
            <span className="m-num">{count(of.points_returned)}</span>
          </Fact>
          <Fact label={say(['净额', 'Net'])}>
            <b className="m-num">{count(net)}</b>
          </Fact>
          <Fact label={say(['会员现有积分', 'Member balance'])}>
            <span className="m-num">{count(of.balance)}</span>
          </Fact>
        </Facts>
      </Section>
      {of.attempts.length > 0 && (
        <Section title={say(['发放记录', 'Issue attempts'])}>
          <table className="o-table">
            <thead>
              <tr>
                <th>{say(['时间', 'When'])}</th>
                <th>{say(['发放号', 'Number'])}</th>
                <th>{say(['结果', 'Result'])}</th>
                <th>{say(['渠道返回', 'The channel said'])}</th>
                <th>{say(['渠道号', 'Its number'])}</th>
                <th>{say(['经手', 'By'])}</th>
              </tr>
            </thead>
            <tbody>
              {of.attempts.map(one => (
                <tr key={one.id}>
                  <td>
                    <When at={one.answered_at ?? one.at} />
                  </td>
                  <td className="m-num">{one.out_no}</td>
                  <td>
                    <Badge tone={issueTones[one.state]}>{say(issueStates[one.state])}</Badge>
                  </td>
                  <td>
                    {one.answer || '—'}
                    {one.tries > 1 && (
                      <span className="m-muted">
                        {' '}
                        {say(['已查询 {n} 次', 'asked {n} times'], { n: one.tries })}
                      </span>
                    )}
                  </td>
                  <td className="m-num">{one.channel_no ?? '—'}</td>
                  <td>
                    {one.by
                      ? `${one.by}${one.reason ? `${say(colon)}${one.reason}` : ''}`
                      : say(['自动', 'Automatic'])}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      )}
      <Section
        title={
          open
            ? say(['会员积分流水（最近 50 条）', 'The member’s last 50 moves'])
            : say(['本单积分流水', 'Points history'])
        }
      >
        <Moves of={open ? (ledger.currentData?.moves ?? []) : of.moves} />
      </Section>
    </>
  )
}

const { batchShip: _, batchReissue: __, export: ___, ...shared } = pointsShopActions
const actions = [...Object.values(shared), ...Object.values(pointsShopDetailActions)]
export default function PointsShopOrder() {
  const [open, setOpen] = useState(false)
  useAction(pointsShopDetailActions.openLedger, () => setOpen(shown => !shown))
  return (
    <>
      <OrderPage calls={calls} actions={actions} revealPhone={pointsShopActions.revealPhone}>
        {of => <Exchange order={of.order} open={open} />}
      </OrderPage>
      <Shipping action={pointsShopActions.ship} calls={calls} list={calls} />
      <Address action={pointsShopDetailActions.editAddress} calls={pointsShopDetail} list={calls} />
    </>
  )
}
