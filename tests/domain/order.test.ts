import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fulfilOf, fulfilStates, orderStatuses, settleOf, statusOf, unitShares, type FulfilState, type OrderFacts } from '#src/domain/order.ts'

const facts = (of: Partial<OrderFacts> = {}): OrderFacts => ({ pay_state: 'paid', balance_due: false, fulfil_state: 'waiting_use', refund_state: 'none', frozen: false, ...of })

describe('the status of an order', () => {
  it('is derived from its facts, the first that matches', () => {
    expect(statusOf(facts({ pay_state: 'closed', frozen: true, refund_state: 'refunding' }))).toBe('cancelled')
    expect(statusOf(facts({ pay_state: 'unpaid', frozen: true }))).toBe('pending_payment')
    expect(statusOf(facts({ refund_state: 'refunded', frozen: true }))).toBe('refunded')
    expect(statusOf(facts({ frozen: true, refund_state: 'refunding' }))).toBe('freezing')
    expect(statusOf(facts({ refund_state: 'refunding', fulfil_state: 'finished' }))).toBe('refunding')
    expect(statusOf(facts({ pay_state: 'part_paid', balance_due: true, fulfil_state: 'waiting_group' }))).toBe('pending_payment')
    expect(statusOf(facts({ fulfil_state: 'waiting_ship' }))).toBe('pending_ship')
    expect(statusOf(facts({ fulfil_state: 'waiting_pickup' }))).toBe('pending_use')
    expect(statusOf(facts({ fulfil_state: 'delivering' }))).toBe('shipped')
    expect(statusOf(facts({ fulfil_state: 'issue_failed' }))).toBe('issuing')
    expect(statusOf(facts({ refund_state: 'part_refunded', fulfil_state: 'part_used' }))).toBe('part_used')
  })
  it('is a known one for all facts', () => {
    for (const pay_state of ['unpaid', 'part_paid', 'paid', 'closed'] as const) for (const fulfil_state of Object.keys(fulfilStates) as FulfilState[]) for (const refund_state of ['none', 'refunding', 'part_refunded', 'refunded'] as const) for (const frozen of [true, false]) for (const balance_due of [true, false]) {
      expect(Object.keys(orderStatuses)).toContain(statusOf({ pay_state, fulfil_state, refund_state, frozen, balance_due }))
    }
  })
})

describe('units', () => {
  it('decide the fulfilment', () => {
    expect(fulfilOf({ total: 3, used: 0, refunded: 3, expired: 0 })).toBe('none')
    expect(fulfilOf({ total: 3, used: 0, refunded: 1, expired: 0 })).toBe('waiting_use')
    expect(fulfilOf({ total: 3, used: 1, refunded: 1, expired: 0 })).toBe('part_used')
    expect(fulfilOf({ total: 3, used: 2, refunded: 1, expired: 0 })).toBe('finished')
    expect(fulfilOf({ total: 3, used: 0, refunded: 1, expired: 2 })).toBe('expired')
    expect(fulfilOf({ total: 3, used: 1, refunded: 0, expired: 2 })).toBe('finished')
  })
  it('share a payment to the cent', () => {
    fc.assert(fc.property(fc.nat(10_000_000), fc.integer({ min: 1, max: 200 }), (pay, qty) => {
      const parts = unitShares(pay, qty)
      expect(parts.reduce((a, b) => a + b, 0)).toBe(pay)
      expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1)
    }))
  })
  it('settle to no less than nothing and no more than was paid', () => {
    fc.assert(fc.property(fc.nat(1_000_000), fc.nat(1_000_000), fc.integer({ min: 0, max: 10_000 }), (pay, platform, bp) => {
      const settle = settleOf(pay, platform, bp)
      expect(settle).toBeGreaterThanOrEqual(0)
      expect(settle).toBeLessThanOrEqual(pay + platform)
    }))
  })
})
