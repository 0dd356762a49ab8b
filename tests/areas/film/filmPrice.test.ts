import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { payOf, profitOf, ticketStates } from '#src/areas/film/film.ts'
import { seatPriceOf } from '#src/areas/film/filmPrice.ts'
import { filmStageOf } from '#src/areas/film/filmStage.ts'

describe('what a seat is sold at', () => {
  const show = { cost_cents: 4000, floor_cents: 3000 }
  it('is the provider’s price with the mark-up, less the subsidy', () => {
    expect(seatPriceOf(show, { markup_bp: 300, subsidy_cents: 0 })).toEqual({
      sale_cents: 4120,
      subsidy_cents: 0,
    })
    expect(seatPriceOf(show, { markup_bp: 300, subsidy_cents: 500 })).toEqual({
      sale_cents: 3620,
      subsidy_cents: 500,
    })
  })
  it('is never below what the provider allows, but for a campaign, which the house pays', () => {
    expect(seatPriceOf(show, { markup_bp: 0, subsidy_cents: 2000 }).sale_cents).toBe(3000)
    expect(seatPriceOf(show, { markup_bp: 300, subsidy_cents: 0 }, { price_cents: 990 })).toEqual({
      sale_cents: 990,
      subsidy_cents: 4120 - 990,
    })
    expect(seatPriceOf(show, { markup_bp: 0, subsidy_cents: 0 }, { price_cents: 9900 })).toEqual({
      sale_cents: 4000,
      subsidy_cents: 0,
    })
  })
  it('pays its parts and leaves what they leave', () => {
    const price = { sale_cents: 8240, service_fee_cents: 600, coupon_cents: 500, points_cents: 40 }
    expect(payOf(price)).toBe(8300)
    expect(
      profitOf({
        pay_cents: 8300,
        cost_cents: 8000,
        wechat_fee_cents: 50,
        refunded_cents: 8300,
        cost_return_cents: 8000,
      }),
    ).toBe(-50)
  })
})

describe('where an order stands', () => {
  const facts = fc.record({
    pay_state: fc.constantFrom('unpaid', 'paid', 'closed'),
    refund_state: fc.constantFrom('none', 'refunding', 'part_refunded', 'refunded'),
    frozen: fc.boolean(),
    ticket_state: fc.constantFrom(...(Object.keys(ticketStates) as (keyof typeof ticketStates)[])),
    settled: fc.boolean(),
  })
  it('is settled only where it is neither frozen nor refunding, and pending until it is issued', () => {
    fc.assert(
      fc.property(facts, of => {
        const stage = filmStageOf(of)
        if (stage === 'settled' || stage === 'ticketed')
          expect([of.frozen, of.refund_state === 'refunding', of.ticket_state]).toEqual([
            false,
            false,
            'issued',
          ])
        if (of.pay_state === 'closed') expect(stage).toBe('cancelled')
        if (of.pay_state === 'paid' && of.refund_state === 'refunded')
          expect(stage).toBe('refunded')
      }),
    )
  })
})
