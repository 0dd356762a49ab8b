import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  covers,
  exemptUntil,
  leftOf,
  limitFaults,
  limitFor,
  stopText,
  tightest,
  windowEnd,
  windowKey,
  type LimitLine,
} from '#src/areas/limit/rule.ts'
import { timeFull } from '#src/domain/time.ts'

/** Unix seconds of a time in Shanghai. */
const at = (text: string) => Date.parse(`${text}+08:00`) / 1000
const line = (of: Partial<LimitLine> = {}): LimitLine => ({
  product_id: 1,
  title: '双人餐',
  kind: 'bulks',
  categories: [30, 3],
  store_id: 5,
  mall_id: 7,
  city_id: 1,
  ways: [],
  qty: 1,
  ...of,
})
const rule = { scope_ids: [], ways: [], product_kind: 'all' } as const

describe('a window', () => {
  test.each([
    ['a day begins at midnight in Shanghai', 'day', '2026-11-27T00:00:00', '2026-11-26T23:59:59'],
    ['a week begins on Monday', 'week', '2026-11-23T00:00:00', '2026-11-22T23:59:59'],
    ['a month is the calendar’s', 'month', '2026-12-01T00:00:00', '2026-11-30T23:59:59'],
    [
      'a month is the calendar’s at the new year',
      'month',
      '2027-01-01T00:00:00',
      '2026-12-31T12:00:00',
    ],
  ] as const)('%s', (_, per, first, before) => {
    expect(windowKey(per, at(first))).not.toBe(windowKey(per, at(before)))
    expect(windowEnd(per, at(before))).toBe(at(first))
  })
  test('a week is one from Monday to Sunday, also across the new year', () => {
    expect(windowKey('week', at('2026-12-28T00:00:00'))).toBe('W2026-12-28')
    expect(windowKey('week', at('2027-01-03T23:59:59'))).toBe('W2026-12-28')
  })
  test('ends after the moment, and its end has another key', () =>
    fc.assert(
      fc.property(
        fc.constantFrom('day' as const, 'week' as const, 'month' as const),
        fc.integer({ min: 1_600_000_000, max: 2_000_000_000 }),
        (per, moment) => {
          const end = windowEnd(per, moment)!
          expect(end).toBeGreaterThan(moment)
          expect(windowKey(per, end - 1)).toBe(windowKey(per, moment))
          expect(windowKey(per, end)).not.toBe(windowKey(per, moment))
          expect(timeFull(end)).toMatch(/00:00:00$/)
        },
      ),
    ))
  test('in all, and of an order, there is but one', () => {
    expect(windowEnd('life', 1)).toBeUndefined()
    expect(windowKey('life', 1)).toBe(windowKey('life', 2_000_000_000))
    expect(windowEnd('order', 1)).toBeUndefined()
  })
})

describe('a rule', () => {
  test.each([
    ['of a product', { scope_kind: 'product', scope_ids: [1] }, { product_id: 2 }],
    ['of a store', { scope_kind: 'store', scope_ids: [5] }, { store_id: 6 }],
    ['of a mall', { scope_kind: 'mall', scope_ids: [7] }, { mall_id: 8 }],
    ['of a category above', { scope_kind: 'category', scope_ids: [3] }, { categories: [31, 4] }],
  ] as const)('%s is about that alone', (_, of, other) => {
    expect(covers({ ...rule, ...of }, line())).toBe(true)
    expect(covers({ ...rule, ...of }, line(other))).toBe(false)
  })
  test('of an activity is about what is bought by it, and of a kind about that kind', () => {
    const live = { ...rule, scope_kind: 'activity', ways: ['live'] } as const
    expect(covers(live, line({ ways: ['group', 'live'] }))).toBe(true)
    expect(covers(live, line({ ways: ['group'] }))).toBe(false)
    const cards = { ...rule, scope_kind: 'all', product_kind: 'card' } as const
    expect(covers(cards, line({ kind: 'card' }))).toBe(true)
    expect(covers(cards, line())).toBe(false)
  })
  test('has a quantity for a level, else its own; 0 is one', () => {
    const of = { qty: 2, level_qty: { 3: 5, 4: 0 } }
    expect([0, 3, 4].map(level => limitFor(of, level))).toEqual([2, 5, 0])
  })
  test('does not hold an exempt member until their end, and no visitor ever', () => {
    const exempt = [{ member_id: 9, until: 100, reason: '', by: 1 }]
    expect([99, 100].map(now => exemptUntil(exempt, 9, now))).toEqual([100, undefined])
    expect(exemptUntil(exempt, null, 1)).toBeUndefined()
  })
})

describe('the tightest', () => {
  const stop = (left: number, limit: number, place: number) => ({ left, limit, place })
  test('leaves least; then it allows least; then it stands first', () => {
    const of = [stop(2, 2, 0), stop(1, 9, 3), stop(1, 5, 2), stop(1, 5, 1)]
    expect(tightest(of)).toEqual(stop(1, 5, 1))
    expect(tightest([])).toBeUndefined()
  })
  test('leaves nothing where the limit was lowered below what is bought', () =>
    expect(leftOf(2, 5)).toBe(0))
  test('is named with what was bought, what may be and until when', () => {
    const now = at('2026-11-27T12:00:00')
    const of = { name: '周限购', dimension: 'member', per: 'week', end_at: now } as const
    const [zh, en] = stopText(of, { limit: 3, had: 2, left: 1, now })
    for (const part of [
      '周限购',
      '每位会员每周限购 3 件',
      '已购 2 件',
      '还可购 1 件',
      '2026-11-30',
    ])
      expect(zh).toContain(part)
    expect(en).toContain('2 bought, 1 more')
    expect(stopText(of, { limit: 0, had: 0, left: 0, now })[0]).toContain('暂不可购买')
  })
})

describe('a rule that is written', () => {
  const sound = {
    scope_kind: 'all',
    scope_ids: [],
    ways: [],
    product_kind: 'all',
    dimension: 'member',
    per: 'day',
    qty: 1,
    level_qty: {},
    start_at: 1,
    end_at: 2,
  } as const
  const faults = (of: object, zero_ok = false) =>
    Object.entries(limitFaults({ ...sound, ...of }, zero_ok)).flatMap(([key, fault]) =>
      fault ? [key] : [],
    )
  test.each([
    ['that names nothing', { scope_kind: 'store' }, ['scope_ids']],
    ['of no activity', { scope_kind: 'activity' }, ['ways']],
    ['by category of all kinds', { scope_kind: 'category', scope_ids: [1] }, ['product_kind']],
    ['that ends before it starts', { end_at: 1 }, ['end_at']],
    ['of nothing', { qty: 0 }, ['zero_ok']],
    ['of nothing for a level', { level_qty: { 2: 0 } }, ['zero_ok']],
  ])('%s is told at its field', (_, of, at) => expect(faults(of)).toEqual(at))
  test('is sound, also of nothing once that is confirmed', () => {
    expect(faults({})).toEqual([])
    expect(faults({ qty: 0 }, true)).toEqual([])
  })
})
