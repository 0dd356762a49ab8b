/** The memberships that members of the demo bought, and what became of their money. */
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Random } from '#src/server/demo/random.ts'
import { chargeFaults } from './renewal.ts'
import { byItself } from './renewals.server.ts'
import type { SubscriptionState } from './subscription.ts'
import type { vip_card } from './vipCard.table.ts'

export type DemoPlan = typeof vip_card.$inferSelect
export type DemoPerson = { id: number; city_id: number }
/** The channel refused to pay a refund, or a second person has not agreed yet. */
export type DemoStuck = false | 'pay_failed' | 'second_audit'
/** What became of one purchase. */
export type DemoPurchase = {
  kind: 'buy' | 'renew'
  paid_at: number
  start_at: number
  end_at: number
  pay_cents: number
  /** Its refund: whole days and cents; `stuck`: where it is held up. */
  refund?: { days: number; cents: number; at: number; stuck: DemoStuck; reason: string }
  source: string
}
export type DemoMembership = {
  person: DemoPerson
  plan: DemoPlan
  state: SubscriptionState
  end_at: number
  renews: boolean
  saved_cents: number
  purchases: DemoPurchase[]
  /** Charges that failed after the last period, in the channel's codes. */
  failed: { code: string; at: number }[]
}
const sources = ['首页海报', '门店导购', '小程序会员中心', '朋友圈广告', '公众号推文', '分销员分享']
const reasons = ['误购，未使用', '不再需要会员', '自动续费未留意', '重复购买']
const codes = Object.keys(chargeFaults).filter(
  code => !['no_channel', 'CONTRACT_NOT_EXIST', 'CONTRACT_ENDED', 'ORDER_CLOSED'].includes(code),
)
/** The periods of a membership back from its end, the first of them bought, the others renewed. */
const periodsOf = (
  random: Random,
  plan: DemoPlan,
  of: { end_at: number; n: number },
): DemoPurchase[] =>
  Array.from({ length: of.n }, (_, at) => {
    const start_at = of.end_at - (of.n - at) * plan.days * DAY
    const first = at === 0
    return {
      kind: first ? ('buy' as const) : ('renew' as const),
      paid_at: first ? start_at : start_at - DAY + random.int(0, 3600),
      start_at,
      end_at: start_at + plan.days * DAY,
      pay_cents: first ? (plan.first_price_cents ?? plan.price_cents) : plan.price_cents,
      source: first ? random.pick(sources) : byItself,
    }
  })
/** What goes back of the last purchase for the days that are left at a moment. */
const givenBack = (of: DemoPurchase, plan: DemoPlan, at: number, stuck: DemoStuck) => {
  const days = Math.floor((of.end_at - at) / DAY)
  return { days, cents: Math.floor((of.pay_cents * days) / plan.days), at, stuck }
}
export type Wanted = { state: SubscriptionState; n: number }
/** A membership in a state, at its place among those of the state. */
export const membershipOf = (
  random: Random,
  of: { person: DemoPerson; plan: DemoPlan; state: SubscriptionState; at: number; now: number },
): DemoMembership => {
  const { person, plan, state, at, now } = of
  const renews = plan.auto_renew && state !== 'expired' && state !== 'refunded' && at % 3 !== 2
  const long = plan.days * DAY
  const ends = {
    active: now + (at % 8 === 0 ? (1 + (at % 6)) * DAY + HOUR : random.int(2 * DAY, long - HOUR)),
    grace: now - (1 + (at % 6)) * DAY + HOUR,
    expired: now - random.int(8, 200) * DAY,
    refunded: now + random.int(DAY, long - 2 * DAY),
  }
  const n = plan.auto_renew && plan.days <= 90 ? 1 + (at % 5) : 1
  const end_at = ends[state]
  const purchases = periodsOf(random, plan, { end_at, n: state === 'refunded' ? 1 : n })
  const last = purchases.at(-1)!
  const made = { person, plan, state, renews, saved_cents: random.int(0, 9000), purchases }
  const reason = reasons[at % reasons.length]!
  if (state === 'refunded') {
    const back_at = Math.min(now - 2 * HOUR, last.paid_at + random.int(1, 6) * DAY)
    last.refund = { ...givenBack(last, plan, back_at, false), reason }
    last.end_at = back_at
    return { ...made, end_at: back_at, failed: [] }
  }
  const failed =
    state === 'grace'
      ? Array.from({ length: 1 + (at % 3) }, (_, i) => ({
          code: codes[at % codes.length]!,
          at: end_at - DAY + i * DAY,
        })).filter(one => one.at < now)
      : []
  return { ...made, end_at, failed }
}
/** A part of a purchase went back in these; in others the channel refused to pay. */
export const partBack = (of: DemoMembership, now: number, stuck: DemoStuck): void => {
  const last = of.purchases.at(-1)!
  if (last.start_at > now) return
  const days = 3
  const cents = Math.floor((last.pay_cents * days) / of.plan.days)
  const at = Math.min(now - HOUR, last.paid_at + DAY)
  last.refund = { days, cents, at, stuck, reason: '服务未及时开通，协商退还部分天数' }
  if (stuck) return
  last.end_at -= days * DAY
  of.end_at -= days * DAY
}
