import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adjusted, adjustFault, latePenalty } from '#src/areas/order/orderMoney.ts'

const sum = (of: readonly number[]) => of.reduce((all, one) => all + one, 0)
describe('a change of price', () => {
  it('is spread over the items to the cent: none falls below zero, and made cheaper none becomes dearer, made dearer none cheaper', () =>
    fc.assert(
      fc.property(
        fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 12 }).filter(pays => sum(pays) > 0),
        fc.double({ min: -1, max: 1, noNaN: true }),
        (pays, part) => {
          const adjust = Math.round(sum(pays) * part)
          const now = adjusted(pays, adjust)
          expect(sum(now)).toBe(sum(pays) + adjust)
          for (const [at, cents] of now.entries())
            expect(cents >= 0 && (adjust <= 0 ? cents <= pays[at]! : cents >= pays[at]!)).toBe(true)
        },
      ),
    ))
  it('that is allowed leaves at least a cent, the freight, and what the rules keep', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.nat(5000),
        fc.integer({ min: 0, max: 9000 }),
        fc.integer({ min: -2_000_000, max: 2_000_000 }),
        (goods, freight_cents, bp, adjust) => {
          const pay_cents = goods + freight_cents
          if (adjustFault({ pay_cents, freight_cents }, adjust, bp)) return
          expect(pay_cents + adjust).toBeGreaterThanOrEqual(
            Math.max(1, adjust < 0 ? freight_cents : 0),
          )
          if (adjust < 0) expect(-adjust * 10_000).toBeLessThanOrEqual(pay_cents * bp)
        },
      ),
    ))
  it('of nothing at all is none', () =>
    expect(adjustFault({ pay_cents: 100, freight_cents: 0 }, 0, 3000)?.[0]).toContain('不能为 0'))
})
describe('a penalty for late shipping', () => {
  const rules = { late_ship_penalty_bp: 500, late_ship_penalty_max_cents: 50_00 }
  it.each([
    [100_00, 1000, 1000, 0],
    [100_00, 1000, 1001, 5_00],
    [99, 1000, 2000, 5],
    [10_000_00, 1000, 2000, 50_00],
  ])('%i cents, promised %i, shipped %i: %i', (goods_cents, promise_at, shipped_at, owed) =>
    expect(latePenalty({ goods_cents, promise_at, shipped_at }, rules)).toBe(owed),
  )
  it('is none where nothing was promised', () =>
    expect(latePenalty({ goods_cents: 100_00, promise_at: null, shipped_at: 5 }, rules)).toBe(0))
})
