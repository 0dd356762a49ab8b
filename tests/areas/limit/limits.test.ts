import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  boughtOf,
  canRelease,
  limitRules,
  limitStands,
  overLimit,
  uncounted,
  type Bought,
  type LimitRule,
} from '#src/areas/limit/limits.ts'
import { clickKeyword } from '#src/areas/link/clicks.ts'
import { deviceOf, exportCan, isIp, plainIp, spanOf } from '#src/areas/log/logs.ts'

const at = 1_790_000_000
const bought = (of: Partial<Bought> = {}): Bought => ({
  status: 'finished',
  refund_state: 'none',
  qty: 2,
  refunded_qty: 0,
  created_at: at - 60,
  ...of,
})
const rules = Object.keys(limitRules) as LimitRule[]

describe('bought so far', () => {
  test('leaves out what was cancelled, wholly refunded, or made after the block', () => {
    for (const rule of rules) {
      expect(uncounted(rule, bought({ status: 'cancelled' }), at)).toBeDefined()
      expect(uncounted(rule, bought({ refund_state: 'refunded' }), at)).toBeDefined()
      expect(uncounted(rule, bought({ refunded_qty: 2 }), at)).toBeDefined()
      expect(uncounted(rule, bought({ created_at: at + 1 }), at)).toBeDefined()
    }
  })
  test('counts what is left of a part refund, and one a person for new members', () => {
    expect(boughtOf('per_person', [bought({ refunded_qty: 1 }), bought()], at)).toBe(3)
    expect(boughtOf('new_only', [bought({ qty: 5 }), bought()], at)).toBe(2)
    expect(boughtOf('per_order', [bought()], at)).toBe(0)
    expect(boughtOf('per_day', [bought(), bought({ created_at: at - 2 * 86_400 })], at)).toBe(2)
  })
  test('one more order never makes it less', () => {
    const order = fc.record({
      status: fc.constantFrom('finished', 'cancelled', 'pending_use') as fc.Arbitrary<
        Bought['status']
      >,
      refund_state: fc.constantFrom('none', 'refunded', 'part_refunded') as fc.Arbitrary<
        Bought['refund_state']
      >,
      qty: fc.integer({ min: 1, max: 9 }),
      refunded_qty: fc.integer({ min: 0, max: 1 }),
      created_at: fc.integer({ min: at - 200_000, max: at + 1000 }),
    })
    fc.assert(
      fc.property(fc.constantFrom(...rules), fc.array(order), order, (rule, orders, more) => {
        expect(boughtOf(rule, [...orders, more], at)).toBeGreaterThanOrEqual(
          boughtOf(rule, orders, at),
        )
      }),
    )
  })
  test('over the limit is over the limit', () => {
    expect([
      overLimit('per_person', 3, 2, 1),
      overLimit('per_person', 3, 2, 2),
      overLimit('per_order', 2, 9, 2),
      overLimit('per_order', 2, 0, 3),
      overLimit('new_only', 1, 0, 1),
      overLimit('new_only', 1, 1, 1),
    ]).toEqual([false, true, false, true, false, true])
  })
})
test('a release that nobody used in time is a block again; one that was used never is', () => {
  expect([
    limitStands({ result: 'released', release_until: at }, at),
    limitStands({ result: 'released', release_until: at + 1 }, at),
    limitStands({ result: 'used', release_until: 0 }, at),
  ]).toEqual(['blocked', 'released', 'used'])
  expect([
    canRelease({ result: 'blocked', release_until: null }, at),
    canRelease({ result: 'released', release_until: at - 1 }, at),
  ]).toEqual([true, true])
  expect(canRelease({ result: 'released', release_until: at + 1 }, at)).not.toBe(true)
  expect(canRelease({ result: 'used', release_until: at - 1 }, at)).not.toBe(true)
})
test('a keyword is a whole phone number or a nickname', () => {
  expect([
    clickKeyword('13812345678'),
    clickKeyword('138 1234 5678'),
    clickKeyword('1381234'),
    clickKeyword('小鱼儿'),
  ]).toEqual([{ phone: '13812345678' }, { phone: '13812345678' }, 'part', { nickname: '小鱼儿' }])
})
test('a period is filled in, never longer than it may be, and never backwards', () => {
  expect([
    spanOf({}, 92, at),
    spanOf({ from: at - 100 }, 92, at),
    spanOf({ from: at - 93 * 86_400, to: at }, 92, at),
    spanOf({ from: at, to: at - 1 }, 92, at),
  ]).toEqual([{ from: at - 92 * 86_400, to: at }, { from: at - 100, to: at }, undefined, undefined])
  fc.assert(
    fc.property(
      fc.option(fc.integer({ min: 0, max: at * 2 }), { nil: undefined }),
      fc.option(fc.integer({ min: 0, max: at * 2 }), { nil: undefined }),
      fc.integer({ min: 1, max: 92 }),
      (from, to, days) => {
        const span = spanOf({ from, to }, days, at)
        if (span)
          expect(span.to - span.from >= 0 && span.to - span.from <= days * 86_400).toBe(true)
      },
    ),
  )
})
test('addresses have one form', () => {
  expect([plainIp('::ffff:10.0.0.1'), plainIp(' 10.0.0.1 '), plainIp('2001:DB8::1')]).toEqual([
    '10.0.0.1',
    '10.0.0.1',
    '2001:db8::1',
  ])
  expect(['10.0.0.1', '255.255.255.255', '2001:db8::1', '::1'].every(isIp)).toBe(true)
  expect(['10.0.0', '10.0.0.256', 'x', '1::2::3', '', '10.0.0.1/8'].some(isIp)).toBe(false)
})
test('a device is a browser on a system', () =>
  expect(
    deviceOf('Mozilla/5.0 (Windows NT 10.0) AppleWebKit Chrome/131.0 Safari/537.36 Edg/131.0'),
  ).toBe('Edge · Windows'))
test('an export may have what its state allows', () => {
  const row = { expires_at: at + 10, extended_days: 0 }
  expect(
    (['download', 'retry', 'cancel', 'rerun', 'revoke', 'extend'] as const).map(verb =>
      (['queued', 'running', 'done', 'failed', 'cancelled', 'expired', 'revoked'] as const)
        .filter(state => exportCan(verb, { ...row, state }, at) === true)
        .join(),
    ),
  ).toEqual([
    'done',
    'failed',
    'queued,running',
    'done,failed,cancelled,expired,revoked',
    'done',
    'done',
  ])
  expect(exportCan('download', { ...row, state: 'done', expires_at: at }, at)).not.toBe(true)
})
