import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { batchCan, channelLimit, isOpen, needsEvidence, offlineCan, openRefunds, overPayments, pointsBack, refundCan, refundFrom, refundSettings, refundStates, type RefundState, type RefundVerb } from '#src/domain/refund.ts'

const NOW = 1_800_000_000
const look = (of: object = {}) => ({ state: 'applied' as RefundState, type: 'refund_only' as const, amount_cents: 1000, first_by: null, ...of })
const verbs = Object.keys(refundFrom) as RefundVerb[]

describe('a step', () => {
  it('comes only from the states of its table, whatever else is true', () => {
    for (const verb of verbs) for (const state of Object.keys(refundStates) as RefundState[]) if (!refundFrom[verb].includes(state)) expect([verb, state, refundCan(verb, look({ state }))]).toEqual([verb, state, expect.any(Array)])
  })
  it('of a decided case is none but a note', () => {
    for (const state of ['done', 'rejected', 'closed'] as const) expect(verbs.filter(verb => refundCan(verb, look({ state })) === true)).toEqual(['remark'])
  })
  it('waits while the order is frozen; words do not', () => {
    for (const state of openRefunds) expect(verbs.filter(verb => refundCan(verb, look({ state, frozen: true })) === true).filter(verb => !['claim', 'reply', 'remark'].includes(verb))).toEqual([])
    expect(refundCan('reply', look({ frozen: true }))).toBe(true)
  })
  it('of the second person is not the first one’s', () => {
    expect(refundCan('secondApprove', look({ state: 'second_audit', first_by: 7 }), { id: 7, now: NOW })).not.toBe(true)
    expect(refundCan('secondApprove', look({ state: 'second_audit', first_by: 7 }), { id: 8, now: NOW })).toBe(true)
  })
  it('is open to others again when a claim has ended', () => {
    expect(refundCan('approve', look({ claimed_by: 7, claim_until: NOW + 1 }), { id: 8, now: NOW })).not.toBe(true)
    expect(refundCan('approve', look({ claimed_by: 7, claim_until: NOW }), { id: 8, now: NOW })).toBe(true)
  })
  it('by the channel is over once money goes by hand', () => {
    expect([refundCan('retryPay', look({ state: 'pay_failed' })), refundCan('retryPay', look({ state: 'pay_failed', offline: true }))]).toEqual([true, expect.any(Array)])
  })
})

describe('money by hand', () => {
  const of = (more: object = {}) => ({ fails: 0, paid_at: NOW - 86_400, parts: 1, pending: false, ...more })
  it('waits for two refusals, an old payment or too many parts, and for every answer that is owed', () => {
    const may = (more: object) => offlineCan(of(more), NOW, refundSettings) === true
    expect([may({}), may({ fails: 1 }), may({ fails: 2 }), may({ paid_at: NOW - 365 * 86_400 }), may({ paid_at: NOW - 365 * 86_400 - 1 }), may({ parts: 50 }), may({ fails: 9, pending: true })]).toEqual([false, false, true, false, true, true, false])
    expect(channelLimit(of(), NOW, refundSettings)).toBeUndefined()
  })
})

describe('used points', () => {
  it('come back to the point, however the money is divided', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 1_000_000 }), fc.array(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 1, maxLength: 12 }), (points, parts) => {
      const paid = parts.reduce((a, b) => a + b, 0)
      let before = 0
      const back = parts.map(part => { const n = pointsBack(points, paid, before, part); before += part; return n })
      expect(back.reduce((a, b) => a + b, 0)).toBe(points)
      expect(Math.min(...back)).toBeGreaterThanOrEqual(0)
    }))
  })
  it('of an order that cost no money come back whole', () => expect(pointsBack(500, 0, 0, 0)).toBe(500))
})

it('a refund over its payments sums to itself and is never above what is left on one', () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 5_000_000 }), { minLength: 1, maxLength: 6 }), fc.double({ min: 0, max: 1, noNaN: true }), (left, share) => {
    const amount = Math.floor(left.reduce((a, b) => a + b, 0) * share)
    const parts = overPayments(amount, left)
    expect(parts.reduce((a, b) => a + b, 0)).toBe(amount)
    parts.forEach((part, at) => expect(part).toBeLessThanOrEqual(left[at]!))
  }))
})

it('goods that arrived and are kept need a picture; a batch takes only what can’t be wrong', () => {
  expect([needsEvidence({ type: 'refund_only', received: true, pictures: 0 }), needsEvidence({ type: 'refund_only', received: true, pictures: 1 }), needsEvidence({ type: 'return_refund', received: true, pictures: 0 }), needsEvidence({ type: 'refund_only', received: false, pictures: 0 })]).toEqual([true, false, false, false])
  expect([batchCan({ type: 'refund_only', shipped: false, amount_cents: 100 }, 100), batchCan({ type: 'refund_only', shipped: false, amount_cents: 101 }, 100) === true, batchCan({ type: 'refund_only', shipped: true, amount_cents: 1 }, 100) === true, batchCan({ type: 'resend', shipped: false, amount_cents: 0 }, 100) === true]).toEqual([true, false, false, false])
  expect(openRefunds.every(isOpen)).toBe(true)
})
