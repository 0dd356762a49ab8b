import { describe, expect, it } from 'vitest'
import { termsAtFirst } from '#src/areas/film/filmSettings.ts'
import {
  chargeOf,
  couponFate,
  expectedReturn,
  lossOf,
  monthOf,
  userRefusal,
} from '#src/areas/filmRefund/filmRefund.ts'

const now = Date.UTC(2026, 10, 30, 15, 59, 59) / 1000
const asked = { refundable: true, show_at: now + 7200, times: 0, terms: termsAtFirst, now }
const ruleOf = (more: object) => userRefusal({ ...asked, ...more })?.rule
describe('a buyer who gives tickets back', () => {
  it('may until the minutes before the show, and not at that very second', () => {
    expect(userRefusal(asked)).toBeUndefined()
    expect(ruleOf({ show_at: now + 3601 })).toBeUndefined()
    expect(ruleOf({ show_at: now + 3600 })).toBe('too_near')
    expect(ruleOf({ show_at: now - 10 })).toBe('too_near')
  })
  it('may not where the cinema keeps them, nor more often than the terms allow', () => {
    expect(ruleOf({ refundable: false })).toBe('cinema_keeps')
    expect(ruleOf({ times: 2 })).toBeUndefined()
    expect(ruleOf({ times: 3 })).toBe('monthly_times')
    expect(ruleOf({ terms: { ...termsAtFirst, refund_monthly_times: 0 } })).toBe('monthly_times')
  })
  it('is counted by the months of Shanghai', () => {
    const { from, until } = monthOf(now)
    expect([from, until]).toEqual([
      Date.UTC(2026, 9, 31, 16) / 1000,
      Date.UTC(2026, 10, 30, 16) / 1000,
    ])
    expect(monthOf(until).from).toBe(until)
    expect(monthOf(until - 1).until).toBe(until)
  })
})
describe('the coupon of a refund', () => {
  const of = { coupon_grant_id: 7, coupon_back: true }
  it.each([
    ...(['applied', 'second_audit', 'returning', 'paying', 'pay_failed'] as const).map(
      state => [state, 'will'] as const,
    ),
    ['done', 'back'],
    ['rejected', 'kept'],
    ['closed', 'kept'],
  ] as const)('of one that is %s: %s', (state, fate) => {
    expect(couponFate({ ...of, state })).toBe(fate)
  })
  it('stays with the order where units of it stay, and is none where none was used', () => {
    for (const state of ['applied', 'done'] as const) {
      expect(couponFate({ ...of, coupon_back: false, state })).toBe('kept')
      expect(couponFate({ ...of, coupon_grant_id: null, state })).toBe('none')
    }
  })
})
it('keeps its charge to the half cent', () => {
  expect([
    chargeOf(86_00, 1000),
    chargeOf(5, 1000),
    chargeOf(4, 1000),
    chargeOf(1, 10_000),
  ]).toEqual([8_60, 1, 0, 1])
})
it('loses what the provider keeps, and gains where it gives more', () => {
  expect(lossOf({ amount_cents: 80_00, cost_return_cents: 70_00 })).toBe(10_00)
  expect(lossOf({ amount_cents: 60_00, cost_return_cents: 70_00 })).toBe(-10_00)
})
it('expects its cost back before the show, of what was never issued, and never for money alone', () => {
  const tickets = {
    ticket_state: 'issued' as const,
    show_at: now + 1,
    cost_cents: 70_00,
    seats: true,
  }
  expect(expectedReturn(tickets, now)).toBe(70_00)
  expect(expectedReturn(tickets, now + 1)).toBe(0)
  expect(expectedReturn({ ...tickets, ticket_state: 'issue_failed' }, now + 1)).toBe(70_00)
  expect(expectedReturn({ ...tickets, seats: false }, now)).toBe(0)
})
