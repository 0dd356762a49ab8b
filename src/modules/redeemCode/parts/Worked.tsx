import type { Result, Sent } from '#src/contract/call.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { TrialLines } from '#src/kit/order-trial.tsx'
import { useRested } from '#src/kit/rested.ts'
import { Section } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { batchAdd } from '../contract/form.ts'

type Told = Result<typeof batchAdd.example>
const Coupons = ({ of }: { of: Told['coupons'] }) => {
  const say = useSay()
  return (
    <>
      {of.length > 1 && (
        <p className="m-muted">
          {say(['一单只用一张券，以下逐张试算', 'One coupon per order: each is tried separately'])}
        </p>
      )}
      {of.map(({ id, name, trial }) => (
        <div key={id} role="group" aria-label={name}>
          <p>
            <b>{name}</b>
          </p>
          {trial ? (
            <TrialLines of={trial} />
          ) : (
            <p className="m-muted">
              {say(['近期已付订单都不适用这张券', 'Doesn’t apply to any recent paid order'])}
            </p>
          )}
        </div>
      ))}
    </>
  )
}
type Item = NonNullable<NonNullable<Told['points']>['item']>
const priceOf = ({ points_price, cash_cents }: Item): Text => {
  const points = points_price.toLocaleString('en')
  return cash_cents > 0
    ? [`${points} 积分 + ¥${yuan(cash_cents)}`, `${points} points and ¥${yuan(cash_cents)}`]
    : [`${points} 积分`, `${points} points`]
}
const pointsText = ({ points, item, cheapest }: NonNullable<Told['points']>): Text => {
  const n = points.toLocaleString('en')
  if (item) {
    const [zh, en] = priceOf(item)
    return [
      `${n} 积分可在积分商城兑换「${item.name}」（${zh}）`,
      `${n} points buy “${item.name}” in the points shop (${en})`,
    ]
  }
  if (!cheapest)
    return [
      '积分商城暂无所有会员都能兑的商品',
      'The points shop has nothing every member can redeem now',
    ]
  const [zh, en] = priceOf(cheapest)
  return [
    `${n} 积分还兑不到商品，积分商城最低的是「${cheapest.name}」（${zh}）`,
    `${n} points buy nothing yet: the least in the points shop is “${cheapest.name}” (${en})`,
  ]
}
const minute = (at: number): string => timeFull(at).slice(0, 16)
const lastsText = ({ plan, days, from, until }: NonNullable<Told['membership']>): Text => [
  `未开通「${plan}」的会员 ${minute(from)} 兑换，可用 ${days} 天，到 ${minute(until)}；已开通的从到期日顺延`,
  `A member without “${plan}” who redeems at ${minute(from)} has ${days} days, until ${minute(until)}; one who has it goes on so much longer`,
]
const prizeText = ({ name, until }: NonNullable<Told['prize']>): Text =>
  until === null
    ? [`实物「${name}」：到店核销领取`, `Prize “${name}”: handed over at a store`]
    : [
        `实物「${name}」：到店核销领取，最晚 ${minute(until)}`,
        `Prize “${name}”: handed over at a store until ${minute(until)}`,
      ]
/** Rewards as a form has them so far, or a batch. */
export type RewardsWritten = {
  points?: number | undefined
  goods?: string | undefined
  vip_card_id?: number | null | undefined
  vip_days?: number | undefined
  coupon_ids?: readonly number[] | undefined
  start_at?: number | undefined
  end_at?: number | undefined
}
const whole = (n: number | null | undefined): number | undefined =>
  typeof n === 'number' && Number.isSafeInteger(n) && n > 0 ? n : undefined
const askedOf = (of: RewardsWritten): Sent<typeof batchAdd.example> => {
  const [plan, start_at, end_at] = [whole(of.vip_card_id), whole(of.start_at), whole(of.end_at)]
  return {
    points: whole(of.points) ?? 0,
    goods: of.goods?.trim() ?? '',
    coupon_ids: [...(of.coupon_ids ?? [])],
    ...(plan && { vip_card_id: plan, vip_days: whole(of.vip_days) ?? 0 }),
    ...(start_at && { start_at }),
    ...(end_at && { end_at }),
  }
}
/** What a code of the batch comes to in practice, asked again as it is written. */
export const Worked = ({ of }: { of: RewardsWritten }) => {
  const say = useSay()
  const [asked] = useRested(JSON.stringify(askedOf(of)))
  const input = JSON.parse(asked) as Sent<typeof batchAdd.example>
  const isEmpty = !input.points && !input.goods && !input.vip_days && !input.coupon_ids?.length
  const read = useRead(batchAdd.example, isEmpty ? skipToken : input)
  return (
    <Section title={say(['真实订单试算', 'Real order trial'])}>
      <div role="status">
        {isEmpty ? (
          <p className="m-muted">{say(['设置奖励后试算', 'Shown once a reward is set'])}</p>
        ) : (
          <Answer of={read} lines={4}>
            {told => (
              <>
                <Coupons of={told.coupons} />
                {told.points && <p>{say(pointsText(told.points))}</p>}
                {told.membership && <p>{say(lastsText(told.membership))}</p>}
                {told.prize && <p>{say(prizeText(told.prize))}</p>}
              </>
            )}
          </Answer>
        )}
      </div>
    </Section>
  )
}
