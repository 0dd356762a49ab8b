import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeRefusal, usesLeft, verifierCan, type CodeFacts } from '#src/areas/code/verifier.ts'
import { codeStates, type CodeState } from '#src/areas/order/order.ts'

const now = 1_800_000_000
const code: CodeFacts = {
  state: 'unused',
  times_total: 3,
  times_bonus: 0,
  times_used: 0,
  times_refunding: 0,
  times_refunded: 0,
  valid_from: now - 10,
  valid_until: now + 10,
  order: { pay_state: 'paid', frozen: false, fulfil_state: 'waiting_use' },
  freeze_reason: null,
  last_used_at: null,
  last_store: null,
  last_by: null,
  store: { name: '一店', open: true, sells: true },
}
const rule = (of: Partial<CodeFacts>, times?: number) =>
  codeRefusal({ ...code, ...of }, now, times)?.rule

describe('a code', () => {
  test('can be redeemed when it is paid, in force, in time, in its store and has uses left', () =>
    expect([rule({}), rule({}, 3), rule({ state: 'part_used', times_used: 1 }, 2)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]))
  test('tells which reason it is that it can not', () => {
    expect(rule({ order: { ...code.order, pay_state: 'unpaid' } })).toBe('not_paid')
    expect(rule({ order: { ...code.order, frozen: true }, freeze_reason: '风控' })).toBe('frozen')
    expect(rule({ state: 'locked', order: { ...code.order, fulfil_state: 'waiting_group' } })).toBe(
      'no_group',
    )
    expect(rule({ state: 'refunding' })).toBe('refunding')
    expect(rule({ state: 'refunded' })).toBe('refunded')
    expect(
      rule({ state: 'used', times_used: 3, last_used_at: now - 100, last_store: '二店' }),
    ).toBe('used')
    expect(
      codeRefusal(
        {
          ...code,
          state: 'used',
          times_used: 3,
          last_used_at: now - 100,
          last_store: '二店',
          last_by: '李店员',
        },
        now,
      )?.values,
    ).toMatchObject({ store: '二店', who: '李店员' })
    expect(rule({ valid_until: now })).toBe('expired')
    expect(rule({ valid_from: now + 1 })).toBe('too_early')
    expect(rule({ store: { name: '二店', open: true, sells: false } })).toBe('other_store')
    expect(rule({ store: { name: '二店', open: false, sells: true } })).toBe('store_closed')
    expect(rule({}, 4)).toBe('too_many')
  })
  test('is never redeemable beyond its uses, whatever its state says', () => {
    const n = fc.nat(5)
    fc.assert(
      fc.property(
        fc.record({
          state: fc.constantFrom(...(Object.keys(codeStates) as CodeState[])),
          times_total: n,
          times_bonus: n,
          times_used: n,
          times_refunding: n,
          times_refunded: n,
        }),
        fc.integer({ min: 1, max: 6 }),
        (counts, times) => {
          const facts = { ...code, ...counts }
          if (codeRefusal(facts, now, times) === undefined) {
            expect(usesLeft(facts)).toBeGreaterThanOrEqual(times)
            expect(['unused', 'part_used']).toContain(facts.state)
          }
        },
      ),
    )
  })
})
test('a verifier is switched off once, and only a bound WeChat is unbound', () => {
  expect([
    verifierCan('disable', { status: 'active', bound: false }),
    verifierCan('enable', { status: 'disabled', bound: false }),
    verifierCan('unbindWechat', { status: 'active', bound: true }),
  ]).toEqual([true, true, true])
  expect(
    [
      verifierCan('disable', { status: 'disabled', bound: false }),
      verifierCan('enable', { status: 'active', bound: false }),
      verifierCan('unbindWechat', { status: 'active', bound: false }),
    ].some(one => one === true),
  ).toBe(false)
})
