import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  channelCan,
  channelSentence,
  overlapFault,
  periodsAt,
  unitCost,
} from '#src/areas/ecard/channel.ts'
import type { ChannelPeriod } from '#src/areas/ecard/ecard.ts'

it('a card costs its share of the price, rounded once, and never nothing', () => {
  expect(unitCost(100_00, 9_500)).toBe(95_00)
  expect(unitCost(333, 5_000)).toBe(167)
  expect(unitCost(1, 100)).toBe(1)
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500_000 }),
      fc.integer({ min: 100, max: 10_000 }),
      (price, bp) => {
        const cost = unitCost(price, bp)
        expect(cost).toBeGreaterThanOrEqual(1)
        expect(cost).toBeLessThanOrEqual(price)
      },
    ),
  )
})
it('one sentence says what a channel may have and the most that it can cost', () => {
  const line = { price_cents: 100_00, discount_bp: 9_000, quota_n: 100, issued_n: 40 }
  const of = { settle_type: 'prepaid' as const, credit_cents: 0, cards: [line] }
  expect(channelSentence(of)[0]).toBe(
    '可领 1 种面值共 60 张，按售价的 90% 结算（合计 5,400.00 元）；先充值后领卡，不能欠款；最多让利 600.00 元。',
  )
  const owing = { ...of, settle_type: 'monthly' as const, credit_cents: 50_000_00 }
  expect(channelSentence(owing)[0]).toContain('月结，最多欠款 50,000.00 元')
  expect(channelSentence({ ...of, cards: [] })[0]).toContain('还没有可售卡')
})

const DAY_S = 1000
const period = (from: number, to: number): ChannelPeriod => ({
  start_at: from * DAY_S,
  end_at: to * DAY_S,
  contract: '',
})
describe('periods of a contract', () => {
  it('share no second with each other', () => {
    expect(overlapFault(period(10, 20), [period(0, 10), period(20, 30)])).toBeUndefined()
    expect(overlapFault(period(10, 20), [period(19, 30)])).toBeDefined()
    expect(overlapFault(period(10, 20), [period(12, 13)])).toBeDefined()
  })
  it('follow one another, and none is lost', () => {
    const [first, second] = [period(0, 10), period(10, 20)]
    expect(periodsAt(9 * DAY_S, first, [second])).toEqual({ current: first, others: [second] })
    expect(periodsAt(10 * DAY_S, first, [second])).toEqual({ current: second, others: [first] })
    expect(periodsAt(30 * DAY_S, second, [first])).toEqual({ current: second, others: [first] })
  })
})

const open = { status: 'on', type: 'api', start_at: 0, end_at: 100, request: null } as const
const me = { me: 1, now: 50 }
describe('what a channel may have', () => {
  it('is an issue while its contract runs', () => {
    expect(channelCan('issue', open, me)).toBe(true)
    for (const not of [
      { ...open, status: 'off' as const },
      { ...open, status: 'ended' as const },
      { ...open, end_at: 50 },
      { ...open, start_at: 51 },
    ])
      expect(channelCan('issue', not, me)).not.toBe(true)
  })
  it('is a second person’s word, not the first one’s', () => {
    const asked = { ...open, request: { kind: 'recharge' as const, made_by: 1 } }
    expect(channelCan('confirm', asked, me)).not.toBe(true)
    expect(channelCan('confirm', asked, { ...me, me: 2 })).toBe(true)
    expect(channelCan('confirm', open, { ...me, me: 2 })).not.toBe(true)
    expect(channelCan('recharge', asked, me)).not.toBe(true)
  })
  it('is a key only where it calls', () => {
    expect(channelCan('resetKey', open, me)).toBe(true)
    expect(channelCan('resetKey', { ...open, type: 'enterprise' }, me)).not.toBe(true)
  })
})
