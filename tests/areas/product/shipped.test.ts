// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isDeepCut,
  needsSecond,
  pricedBy,
  shippedFault,
  skuPriceFault,
  valueTyped,
  type ShippedFacts,
} from '#src/areas/product/shipped.ts'

const NOW = 1_700_000_000
const facts = (of: Partial<ShippedFacts> = {}): ShippedFacts => ({
  state: 'on_sale',
  live_version: 1,
  sale_end_at: NOW + 60,
  comes_back: false,
  merchant_status: 'active',
  contract_end_at: null,
  lock: null,
  has_open_shop: true,
  is_stocked: true,
  ...of,
})
const rule = (verb: Parameters<typeof shippedFault>[0], of: Partial<ShippedFacts>) =>
  shippedFault(verb, facts(of), NOW)?.rule

describe('what forbids a change of shipped goods', () => {
  it('goes on sale with an audit, an open shop and stock alone', () => {
    expect(rule('onShelf', { state: 'off_sale' })).toBeUndefined()
    expect(rule('onShelf', { state: 'off_sale', live_version: 0 })).toBe('never_approved')
    expect(rule('onShelf', { state: 'off_sale', has_open_shop: false })).toBe('no_open_shop')
    expect(rule('onShelf', { state: 'off_sale', is_stocked: false })).toBe('no_stock')
    expect(rule('onShelf', { state: 'forced_off' })).toBe('forced_off')
  })
  it('keeps price and stock while an activity or a bundle runs, and nothing else', () => {
    for (const lock of ['activity', 'combo'] as const) {
      expect([rule('editPrice', { lock }), rule('editStock', { lock })]).toEqual([
        'locked',
        'locked',
      ])
      expect([rule('offShelf', { lock }), rule('setLimit', { lock })]).toEqual([
        undefined,
        undefined,
      ])
    }
  })
})

describe('a price', () => {
  const bounds = { list_price_cents: 10_000, group_price_cents: null }
  it('is above nothing, not above the list price, and above the group price', () => {
    expect(skuPriceFault(0, bounds)).toBeDefined()
    expect(skuPriceFault(10_001, bounds)).toBeDefined()
    expect(skuPriceFault(10_000, bounds)).toBeUndefined()
    expect(skuPriceFault(8000, { ...bounds, group_price_cents: 8000 })).toBeDefined()
    expect(skuPriceFault(8001, { ...bounds, group_price_cents: 8000 })).toBeUndefined()
  })
  it('waits for another person below half or below the cost, and only when it changes', () => {
    expect([isDeepCut(10_000, 5000), isDeepCut(10_000, 4999)]).toEqual([false, true])
    const asks = (from_cents: number, to_cents: number) =>
      needsSecond({ from_cents, to_cents }, 7000)
    expect([asks(10_000, 7000), asks(10_000, 6999), asks(6000, 6000)]).toEqual([false, true, false])
    expect(needsSecond({ from_cents: 10_000, to_cents: 4999 }, 0)).toBe(true)
  })
  it('of a batch is a whole number of cents, and falls and rises with its rule', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.integer({ min: 1, max: 10_000 }),
        (cents, bp) => {
          const next = pricedBy('percent', bp, cents)
          expect(Number.isInteger(next)).toBe(true)
          expect(next).toBeLessThanOrEqual(cents)
          expect(pricedBy('add', -cents, cents)).toBe(0)
          expect(pricedBy('set', bp, cents)).toBe(bp)
        },
      ),
    )
  })
  it('is typed as a share, a sum with a sign, or a price', () => {
    expect(valueTyped('percent', '90')).toBe(9000)
    expect(valueTyped('percent', '85.5%')).toBe(8550)
    expect(valueTyped('add', '-5')).toBe(-500)
    expect(valueTyped('add', '＋3.2')).toBe(320)
    expect(valueTyped('set', '19.90')).toBe(1990)
    for (const bad of ['', '0', '-1', '九折', '1.234'])
      expect(valueTyped('set', bad)).toBeUndefined()
  })
})
