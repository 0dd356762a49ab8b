import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  afterApproval,
  channelLimit,
  isOpen,
  overPayments,
  refundCan,
  refundFrom,
  refundStates,
  type RefundState,
  type RefundVerb,
} from '#src/areas/refund/refund.ts'

const case_ = (of: object = {}) => ({
  state: 'applied' as RefundState,
  type: 'refund_only' as const,
  amount_cents: 100,
  first_by: null,
  ...of,
})

describe('a refund', () => {
  it('takes each step only from the states that allow it, and says whether it is over or at another stage', () => {
    for (const verb of Object.keys(refundFrom) as RefundVerb[])
      for (const state of Object.keys(refundStates) as RefundState[]) {
        const said = refundCan(
          verb,
          case_({
            state,
            type: verb === 'approveReturn' || verb === 'takeBack' ? 'return_refund' : 'refund_only',
          }),
        )
        expect([verb, state, said === true]).toEqual([
          verb,
          state,
          refundFrom[verb].includes(state),
        ])
        if (said !== true)
          expect(said[0]).toBe(isOpen(state) ? '当前阶段不能这样处理' : '已经处理完毕')
      }
  })
  it('has no way out of its last states but a note', () => {
    for (const state of ['done', 'rejected', 'closed'] as const)
      expect(
        (Object.keys(refundFrom) as RefundVerb[]).filter(verb => refundFrom[verb].includes(state)),
      ).toEqual(['remark'])
  })
  it('is agreed to twice by two people, and worked on by one', () => {
    const now = 1000
    expect(
      refundCan('secondApprove', case_({ state: 'second_audit', first_by: 5 }), { id: 5, now }),
    ).not.toBe(true)
    expect(
      refundCan('secondApprove', case_({ state: 'second_audit', first_by: 5 }), { id: 6, now }),
    ).toBe(true)
    expect(
      refundCan('approve', case_({ claimed_by: 5, claim_until: now + 1 }), { id: 6, now }),
    ).not.toBe(true)
    expect(
      refundCan('approve', case_({ claimed_by: 5, claim_until: now + 1 }), { id: 5, now }),
    ).toBe(true)
    expect(refundCan('approve', case_({ claimed_by: 5, claim_until: now }), { id: 6, now })).toBe(
      true,
    )
  })
  it('of goods to come back is first agreed to as a return', () => {
    expect(refundCan('approve', case_({ type: 'return_refund' }))).not.toBe(true)
    expect(refundCan('approveReturn', case_({ type: 'return_refund' }))).toBe(true)
  })
  it('above the limit waits for a second person; at the limit it does not', () => {
    expect([afterApproval(100, 100), afterApproval(101, 100)]).toEqual(['paying', 'second_audit'])
  })
  it('too old or in too many parts leaves its channel', () => {
    const limits = { days: 365, parts: 50 }
    expect(channelLimit({ paid_at: 0, parts: 0 }, 365 * 86_400, limits)).toBeUndefined()
    expect(channelLimit({ paid_at: 0, parts: 0 }, 365 * 86_400 + 1, limits)).toBeDefined()
    expect(channelLimit({ paid_at: 0, parts: 50 }, 1, limits)).toBeDefined()
  })
})

describe('a refund over several payments', () => {
  const paid = fc.array(fc.nat(10_000_000), { minLength: 1, maxLength: 6 })
  it('sums to its amount, never takes more than a payment has left, and follows what is left within a cent', () => {
    fc.assert(
      fc.property(paid, fc.double({ min: 0, max: 1, noNaN: true }), (left, share) => {
        const total = left.reduce((a, b) => a + b, 0)
        const amount = Math.floor(total * share)
        const parts = overPayments(amount, left)
        expect(parts.reduce((a, b) => a + b, 0)).toBe(amount)
        parts.forEach((part, at) => {
          expect(part).toBeGreaterThanOrEqual(0)
          expect(part).toBeLessThanOrEqual(left[at]!)
          if (total > 0)
            expect(Math.abs(part - (amount * left[at]!) / total)).toBeLessThanOrEqual(1)
        })
      }),
    )
  })
  it('takes all of all when all is given back, and refuses more', () => {
    fc.assert(
      fc.property(paid, left => {
        const total = left.reduce((a, b) => a + b, 0)
        expect(overPayments(total, left)).toEqual(left)
        expect(() => overPayments(total + 1, left)).toThrow(RangeError)
      }),
    )
  })
})
