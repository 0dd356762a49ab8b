import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bearersOf,
  clash,
  lastsFor,
  lastsText,
  partFor,
  planFaults,
  planSentence,
  reaches,
  shownState,
  subsidyOf,
  type Terms,
} from '#src/areas/subsidy/subsidy.ts'
import { DAY } from '#src/domain/time.ts'

const NOW = 1_800_000_000
const terms = (of: Partial<Terms> = {}): Terms => ({
  formula: 'fixed',
  unit_cents: 200,
  percent_bp: 0,
  cap_cents: null,
  zero_price: false,
  platform_bp: 10_000,
  mall_bp: 0,
  merchant_bp: 0,
  ...of,
})
const life = { status: 'on', start_at: NOW - 1, end_at: NOW + 1, budget_cents: 9 } as const
const none = { used_cents: 0, locked_cents: 0 }
const reach = { scope_kind: 'all', scope_ids: [], product_kind: 'all', levels: [] } as const
const line = { product_id: 5, store_id: 6, mall_id: 7, kind: 'bulks' }

describe('the subsidy of a unit', () => {
  it.each([
    ['a fixed one', {}, 1000, 200],
    ['never the whole price', {}, 200, 199],
    ['the whole price where the plan says so', { zero_price: true }, 200, 200],
    ['a part of the price, whole cents', { formula: 'percent', percent_bp: 1250 }, 999, 124],
    ['within its cap', { formula: 'percent', percent_bp: 5000, cap_cents: 30 }, 999, 30],
    ['down to a locked price', { formula: 'price_lock', unit_cents: 300 }, 1000, 700],
    ['nothing below a locked price', { formula: 'price_lock', unit_cents: 300 }, 200, 0],
    ['nothing of nothing', {}, 0, 0],
  ] as const)('is %s', (_, of, price, cents) => {
    expect(subsidyOf(terms(of), price)).toBe(cents)
  })
  it('is borne to the cent, and taken back by units to the cent', () => {
    const bp = fc.integer({ min: 0, max: 10_000 })
    fc.assert(
      fc.property(fc.nat(1e9), bp, bp, fc.integer({ min: 1, max: 40 }), (cents, a, b, qty) => {
        const platform_bp = Math.min(a, b)
        const mall_bp = Math.max(a, b) - platform_bp
        const parts = bearersOf(cents, {
          platform_bp,
          mall_bp,
          merchant_bp: 10_000 - platform_bp - mall_bp,
        })
        expect(parts.platform_cents + parts.mall_cents + parts.merchant_cents).toBe(cents)
        const steps = Array.from({ length: qty + 1 }, (_, n) => partFor(cents, qty, n))
        expect(steps[0]).toBe(0)
        expect(steps.at(-1)).toBe(cents)
        expect(steps.toSorted((x, y) => x - y)).toEqual(steps)
      }),
    )
  })
})

describe('a plan', () => {
  it('is what its clock and its money say', () => {
    expect(shownState({ ...life, ...none }, NOW)).toBe('enabled')
    expect(shownState({ ...life, ...none, start_at: NOW + 1 }, NOW)).toBe('scheduled')
    expect(shownState({ ...life, used_cents: 4, locked_cents: 5 }, NOW)).toBe('exhausted')
    expect(shownState({ ...life, ...none, status: 'paused' }, NOW)).toBe('paused')
    expect(shownState({ ...life, ...none, status: 'paused', end_at: NOW }, NOW)).toBe('ended')
    expect(shownState({ ...life, ...none, status: 'draft', end_at: NOW }, NOW)).toBe('draft')
  })
  it('reaches what it names, for the levels that it names', () => {
    expect(reaches(reach, line, 0)).toBe(true)
    expect(reaches({ ...reach, product_kind: 'card' }, line, 0)).toBe(false)
    expect(reaches({ ...reach, levels: [3] }, line, 2)).toBe(false)
    expect(reaches({ ...reach, levels: [3] }, line, 3)).toBe(true)
    expect(reaches({ ...reach, scope_kind: 'store', scope_ids: [6] }, line, 0)).toBe(true)
    expect(reaches({ ...reach, scope_kind: 'mall', scope_ids: [6] }, line, 0)).toBe(false)
    expect(reaches({ ...reach, scope_kind: 'product', scope_ids: [5] }, line, 0)).toBe(true)
  })
  it('clashes with another that may hold at once, but not where both stack', () => {
    const plan = { ...reach, start_at: 0, end_at: 10, priority: 1, stackable: false }
    expect(clash(plan, plan)).toBe(true)
    expect(clash(plan, { ...plan, priority: 2 })).toBe(false)
    expect(clash(plan, { ...plan, start_at: 10, end_at: 20 })).toBe(false)
    expect(clash(plan, { ...plan, stackable: true })).toBe(true)
    expect(clash({ ...plan, stackable: true }, { ...plan, stackable: true })).toBe(false)
    const goods = (...ids: number[]) => ({
      ...plan,
      scope_kind: 'product' as const,
      scope_ids: ids,
    })
    expect(clash(goods(1, 2), goods(2, 3))).toBe(true)
    expect(clash(goods(1), goods(2))).toBe(false)
    expect(clash(goods(1), { ...plan, product_kind: 'card' })).toBe(true)
    expect(clash({ ...plan, product_kind: 'bulks' }, { ...plan, product_kind: 'card' })).toBe(false)
  })
  it('tells its faults by field', () => {
    const fine = { ...terms(), ...reach, budget_cents: 1, start_at: 0, end_at: 1, mall_id: 0 }
    const faulty = (of: object) =>
      Object.entries(planFaults({ ...fine, ...of })).flatMap(([at, fault]) => (fault ? [at] : []))
    expect(faulty({})).toEqual([])
    expect(faulty({ scope_kind: 'store' })).toEqual(['scope_ids'])
    expect(faulty({ unit_cents: 0 })).toEqual(['unit_cents'])
    expect(faulty({ formula: 'price_lock', unit_cents: 0 })).toEqual([])
    expect(faulty({ formula: 'percent' })).toEqual(['percent_bp'])
    expect(faulty({ platform_bp: 9999 })).toEqual(['platform_bp'])
    expect(faulty({ platform_bp: 9000, mall_bp: 1000 })).toEqual(['mall_id'])
    expect(faulty({ budget_cents: 0 })).toEqual(['budget_cents'])
    expect(faulty({ end_at: 0 })).toEqual(['end_at'])
  })
  it('is a sentence, and says how long it lasts', () => {
    expect(planSentence({ ...terms({ mall_bp: 4000, platform_bp: 6000 }), ...reach })[0]).toBe(
      '全部商品（全部类型）每件补贴 2.00 元；平台承担 60%、商场承担 40%',
    )
    expect(lastsText(lastsFor(3500, 1000))[0]).toBe('按当前速度 3 天 12 小时后用尽')
    expect(lastsFor(3500, 0)).toBeNull()
    expect(lastsFor(100, 200, DAY)).toBe(DAY / 2)
  })
})
