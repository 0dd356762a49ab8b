import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  daysLeft,
  GRACE,
  isVip,
  periodOf,
  refundableOf,
  stateAt,
  type Refundable,
} from '#src/areas/vipCard/subscription.ts'
import {
  leftOf,
  planCan,
  planFaults,
  planSentence,
  priceFor,
  refundPolicies,
  type Plan,
  type VipRefundPolicy,
} from '#src/areas/vipCard/vipCard.ts'
import { DAY } from '#src/domain/time.ts'

const NOW = 1_760_000_000
const plan: Plan = {
  kind: 'month',
  days: 30,
  price_cents: 2500,
  first_price_cents: 990,
  original_cents: 3000,
  auto_renew: true,
  contract_template: 'T1',
  benefits: ['price', 'points'],
  gift_coupon_ids: [1, 2],
  buy_limit: 0,
  stock: 100,
  refund_policy: 'prorate',
}
describe('a plan', () => {
  it('is sold for no more than its original price, and renews only under a contract', () => {
    const faults = (of: Partial<Plan & { sold_count: number }>) =>
      Object.keys(planFaults({ ...plan, ...of }))
    expect([
      faults({}),
      faults({ price_cents: 3001 }),
      faults({ first_price_cents: 2501 }),
      faults({ first_price_cents: null }),
      faults({ kind: 'custom', days: 45 }),
      faults({ kind: 'year' }),
      faults({ contract_template: ' ' }),
      faults({ auto_renew: false, contract_template: '' }),
      faults({ stock: 9, sold_count: 10 }),
      faults({ stock: null, sold_count: 10 }),
    ]).toEqual([
      [],
      ['price_cents'],
      ['first_price_cents'],
      [],
      ['auto_renew'],
      ['days'],
      ['contract_template'],
      [],
      ['stock'],
      [],
    ])
  })
  it('goes on sale with benefits, and is deleted only as a draft that nobody bought', () => {
    const can = (verb: Parameters<typeof planCan>[0], of: Partial<Parameters<typeof planCan>[1]>) =>
      planCan(verb, { status: 'draft', benefits: ['price'], sold_count: 0, ...of }) === true
    expect([
      can('onShelf', {}),
      can('onShelf', { benefits: [] }),
      can('onShelf', { status: 'on' }),
      can('offShelf', { status: 'on' }),
      can('offShelf', { status: 'off' }),
      can('del', {}),
      can('del', { sold_count: 1 }),
      can('del', { status: 'off' }),
    ]).toEqual([true, false, false, true, false, true, false, false])
  })
  it('is said in a sentence of either language', () => {
    expect(planSentence(plan)).toEqual([
      '月卡 30 天，¥25.00（首购 ¥9.90）；到期自动续费；享会员价、双倍积分；开卡送 2 张券；按剩余整天数退',
      'Monthly, 30 days for ¥25.00 (first ¥9.90); renews by itself; member prices, double points; 2 coupons at the start; by the whole days left',
    ])
  })
  it('has the first price once, and a stock that never falls below nothing', () => {
    expect([priceFor(plan, 0), priceFor(plan, 1)]).toEqual([990, 2500])
    expect(priceFor({ price_cents: 2500, first_price_cents: null }, 0)).toBe(2500)
    expect([leftOf({ stock: null, sold_count: 9 }), leftOf({ stock: 10, sold_count: 9 })]).toEqual([
      null,
      1,
    ])
  })
})

const sub = (of: {
  status?: 'active' | 'grace' | 'expired' | 'refunded'
  auto_renew?: boolean
}) => ({
  status: 'active' as const,
  auto_renew: false,
  end_at: NOW,
  ...of,
})
describe('a membership', () => {
  it('is in grace at its end while it renews, for seven days', () => {
    const at = (auto_renew: boolean, after: number) => stateAt(sub({ auto_renew }), NOW + after)
    expect([
      at(false, -1),
      at(false, 0),
      at(true, 0),
      at(true, GRACE - 1),
      at(true, GRACE),
    ]).toEqual(['active', 'expired', 'grace', 'grace', 'expired'])
    expect(stateAt(sub({ status: 'grace' }), NOW + GRACE)).toBe('expired')
    expect(isVip(sub({ status: 'refunded', auto_renew: true }), NOW - 9)).toBe(false)
  })
  it('goes on after its end, is opened again from now once it is over, and renews at its end', () => {
    const on = (how: 'buy' | 'renew' | 'extend', of: Parameters<typeof sub>[0], after: number) =>
      periodOf(sub(of), { how, days: 30, now: NOW + after })
    expect([
      on('buy', {}, -DAY).start_at,
      on('buy', {}, DAY).start_at,
      on('extend', {}, DAY),
      on('buy', { status: 'grace' }, DAY).start_at,
      on('renew', { status: 'grace' }, DAY).start_at,
      periodOf(undefined, { how: 'code', days: 1, now: NOW }),
    ]).toEqual([
      NOW,
      NOW + DAY,
      { start_at: NOW + DAY, end_at: NOW + 31 * DAY, reopens: true },
      NOW + DAY,
      NOW,
      { start_at: NOW, end_at: NOW + DAY, reopens: true },
    ])
  })
  it('never ends earlier by what is added', () => {
    fc.assert(
      fc.property(
        fc.record({
          how: fc.constantFrom(...(['buy', 'renew', 'gift', 'code', 'extend'] as const)),
          status: fc.constantFrom(...(['active', 'grace', 'expired'] as const)),
          auto_renew: fc.boolean(),
          days_after: fc.integer({ min: -400, max: 400 }),
          days: fc.integer({ min: 1, max: 3650 }),
        }),
        ({ how, status, auto_renew, days_after, days }) => {
          const was = sub({ status, auto_renew })
          const now = NOW + days_after * DAY
          const { start_at, end_at } = periodOf(was, { how, days, now })
          expect(end_at - start_at).toBe(days * DAY)
          if (isVip(was, now)) expect(end_at).toBeGreaterThan(was.end_at)
          else expect(start_at).toBe(now)
        },
      ),
    )
  })
})

const bought: Refundable = {
  refund_policy: 'prorate',
  days: 30,
  paid_at: NOW,
  start_at: NOW,
  end_at: NOW + 30 * DAY,
  pay_cents: 3000,
  refunded_cents: 0,
  saved_cents: 0,
  gift_used_cents: 0,
}
describe('what may go back', () => {
  it('is by the policy: none, all of it within seven days, or the whole days left', () => {
    const cents = (of: Partial<Refundable>, after: number) =>
      refundableOf({ ...bought, ...of }, NOW + after).cents
    expect([
      cents({ refund_policy: 'none' }, 0),
      cents({ refund_policy: 'unused_7d' }, 7 * DAY),
      cents({ refund_policy: 'unused_7d' }, 7 * DAY + 1),
      cents({ refund_policy: 'unused_7d', saved_cents: 3001 }, 0),
      cents({}, 0),
      cents({}, DAY / 2),
      cents({}, 29 * DAY + 1),
      cents({ gift_used_cents: 500 }, 15 * DAY),
      cents({ gift_used_cents: 5000 }, 15 * DAY),
      cents({ refunded_cents: 2500 }, 10 * DAY),
      cents({ pay_cents: 0 }, 0),
    ]).toEqual([0, 3000, 0, 0, 3000, 2900, 0, 1000, 0, 500, 0])
  })
  it('is never more than was paid less what went back, and says why it is nothing', () => {
    const policy = fc.constantFrom(...(Object.keys(refundPolicies) as VipRefundPolicy[]))
    fc.assert(
      fc.property(
        fc.record({
          refund_policy: policy,
          days: fc.integer({ min: 1, max: 400 }),
          pay_cents: fc.nat(100_000),
          part: fc.nat(100),
          moved: fc.integer({ min: -50, max: 50 }),
          saved_cents: fc.nat(200_000),
          gift_used_cents: fc.nat(9000),
          after: fc.integer({ min: -DAY, max: 500 * DAY }),
        }),
        ({ part, moved, after, ...of }) => {
          const refunded_cents = Math.floor((of.pay_cents * part) / 100)
          const start_at = NOW + moved * DAY
          const whole = { ...of, refunded_cents, paid_at: NOW, start_at }
          const asked = { ...whole, end_at: start_at + of.days * DAY }
          const { cents, why } = refundableOf(asked, NOW + after)
          expect(cents).toBeGreaterThanOrEqual(0)
          expect(cents + refunded_cents).toBeLessThanOrEqual(of.pay_cents)
          expect(cents === 0).toBe(why !== undefined)
          expect(daysLeft(asked, NOW + after)).toBeLessThanOrEqual(of.days)
        },
      ),
    )
  })
})
