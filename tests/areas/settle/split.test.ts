import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settleOf, unitShares } from '#src/areas/order/orderMoney.ts'
import {
  feeOf,
  noSources,
  splitPrice,
  unitsSold,
  userCents,
  type SoldItem,
} from '#src/areas/settle/split.ts'

const goods = (of: Partial<SoldItem> = {}): SoldItem => ({
  id: 1,
  fulfil: 'express',
  qty: 1,
  price_cents: 10_000,
  pay_cents: 9000,
  platform_cents: 1000,
  store_id: 3,
  merchant_id: 7,
  commission_bp: 800,
  times: 1,
  refunded_qty: 0,
  received_qty: 0,
  issued: false,
  codes: [],
  ...of,
})
const ours = () => 'platform' as const
const theirs = () => 'merchant' as const
const total = <T>(of: readonly T[], n: (one: T) => number) =>
  of.reduce((all, one) => all + n(one), 0)
const items = fc.array(
  fc.record({
    qty: fc.integer({ min: 1, max: 5 }),
    times: fc.integer({ min: 1, max: 6 }),
    pay: fc.integer({ min: 0, max: 20_000 }),
    platform: fc.integer({ min: 0, max: 3000 }),
    off: fc.integer({ min: 0, max: 3000 }),
    bp: fc.integer({ min: 0, max: 10_000 }),
    coded: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3 },
)
const sold = (of: (typeof items extends fc.Arbitrary<infer T> ? T : never)[number], at: number) => {
  const [pays, platforms] = [unitShares(of.pay, of.qty), unitShares(of.platform, of.qty)]
  return goods({
    id: at + 1,
    qty: of.qty,
    fulfil: of.coded ? 'code' : 'express',
    price_cents: Math.ceil((of.pay + of.platform + of.off) / of.qty),
    pay_cents: of.pay,
    platform_cents: of.platform,
    commission_bp: of.bp,
    codes: of.coded
      ? pays.map((pay, n) => ({
          id: (at + 1) * 100 + n,
          times_total: of.times,
          pay_cents: pay,
          platform_cents: platforms[n]!,
          settle_cents: settleOf(pay, platforms[n]!, of.bp),
        }))
      : [],
  })
}

describe('the split of a price', () => {
  it('is what the rules say of their example', () => {
    const [line] = splitPrice(unitsSold({ kind: 'elist', freight_cents: 0 }, [goods()]), {
      sources: { ...noSources, cash_cents: 9000 },
      fee_cents: feeOf(9000),
      bearerOf: theirs,
    })
    expect(line).toMatchObject({
      price_cents: 10_000,
      cash_cents: 9000,
      platform_subsidy_cents: 1000,
      base_cents: 10_000,
      commission_cents: 800,
      fee_cents: 54,
      merchant_cents: 10_000 - 800 - 54,
    })
  })
  it('leaves the seller of film tickets what their provider does not get', () => {
    const tickets = (cost_cents: number) => {
      const item = goods({ fulfil: 'virtual', qty: 3, price_cents: 4000, pay_cents: 11_000 })
      const units = unitsSold({ kind: 'film', freight_cents: 0 }, [{ ...item, cost_cents }])
      return splitPrice(units, {
        sources: { ...noSources, cash_cents: 11_000 },
        fee_cents: feeOf(11_000),
        bearerOf: theirs,
      })
    }
    expect(total(tickets(10_001), one => one.commission_cents)).toBe(10_001)
    expect(total(tickets(10_001), one => one.merchant_cents)).toBe(12_000 - 10_001 - 66)
    // A subsidy below the cost is the house's: the seller owes nothing for it.
    expect(total(tickets(15_000), one => one.merchant_cents)).toBe(0)
  })
  it('rounds a fee half up', () => {
    expect([0, 83, 84, 250, 2584].map(feeOf)).toEqual([0, 0, 1, 2, 16])
  })
  it('has one line for each use of a code, and one for the freight', () => {
    const card = goods({
      fulfil: 'code',
      qty: 1,
      codes: [{ id: 5, times_total: 3, pay_cents: 100, platform_cents: 0, settle_cents: 95 }],
    })
    const units = unitsSold({ kind: 'card', freight_cents: 600 }, [card])
    expect(units.map(unit => [unit.unit_no, unit.user_cents, unit.settle_cents])).toEqual([
      [1, 34, 32],
      [2, 33, 32],
      [3, 33, 31],
      [0, 600, 600],
    ])
  })
  it('has no line for a sold e-card', () => {
    expect(unitsSold({ kind: 'ecard', freight_cents: 0 }, [goods()])).toEqual([])
  })
  it('cuts the commission where the fee leaves nothing for the merchant', () => {
    const [line] = splitPrice(
      unitsSold({ kind: 'elist', freight_cents: 0 }, [goods({ commission_bp: 10_000 })]),
      { sources: { ...noSources, cash_cents: 9000 }, fee_cents: 54, bearerOf: theirs },
    )
    expect(line).toMatchObject({ merchant_cents: 0, commission_cents: 9946, fee_cents: 54 })
  })
  it('meets on both sides to the cent, and no part is below zero', () => {
    fc.assert(
      fc.property(
        items,
        fc.integer({ min: 0, max: 900 }),
        fc.array(fc.nat({ max: 100 }), { minLength: 4, maxLength: 4 }),
        fc.boolean(),
        (asked, freight_cents, weights, borne) => {
          const all = asked.map(sold)
          const units = unitsSold({ kind: 'combo', freight_cents }, all)
          const due = total(units, unit => unit.user_cents)
          const [balance, ecard, points] = weights.map(one => Math.floor((due * one) / 400))
          const sources = {
            balance_cents: balance!,
            ecard_cents: ecard!,
            points_cents: points!,
            cash_cents: due - balance! - ecard! - points!,
          }
          const fee_cents = feeOf(sources.cash_cents)
          const lines = splitPrice(units, { sources, fee_cents, bearerOf: borne ? theirs : ours })
          for (const key of Object.keys(sources) as (keyof typeof sources)[])
            expect(total(lines, line => line[key])).toBe(sources[key])
          expect(total(lines, line => line.fee_cents)).toBe(fee_cents)
          for (const line of lines) {
            const { fee_bearer: _, ...cents } = line
            expect(Math.min(...Object.values(cents))).toBeGreaterThanOrEqual(0)
            expect(line.price_cents).toBe(
              userCents(line) + line.platform_subsidy_cents + line.merchant_discount_cents,
            )
            expect(line.base_cents).toBe(line.price_cents - line.merchant_discount_cents)
            expect(line.base_cents).toBe(
              line.commission_cents + line.merchant_cents + (borne ? line.fee_cents : 0),
            )
          }
          expect(total(lines, line => line.price_cents)).toBe(
            total(all, item => item.price_cents * item.qty) + freight_cents,
          )
        },
      ),
    )
  })
  it('shares a deposit, without what the platform adds only to the whole', () => {
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 99 }), (asked, percent) => {
        const units = unitsSold({ kind: 'raise', freight_cents: 0 }, asked.map(sold))
        const due = total(units, unit => unit.user_cents)
        const cash_cents = Math.floor((due * percent) / 100)
        fc.pre(cash_cents > 0 && cash_cents < due)
        const lines = splitPrice(units, {
          sources: { ...noSources, cash_cents },
          fee_cents: feeOf(cash_cents),
          bearerOf: ours,
        })
        expect(total(lines, line => line.base_cents)).toBe(cash_cents)
        for (const line of lines) {
          expect(line.merchant_cents + line.commission_cents).toBe(line.base_cents)
          expect(Math.min(line.merchant_cents, line.commission_cents)).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })
})
