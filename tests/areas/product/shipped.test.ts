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
import {
  letGoFault,
  marginOf,
  shelfFault,
  shopPriceFault,
  shopPriceOf,
  suppliesNow,
} from '#src/areas/product/shopLink.ts'

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

describe('a shop and its goods', () => {
  const shelf = {
    state: 'on_sale' as const,
    live_version: 1,
    source: 'own' as const,
    shop_type: 'flagship' as const,
    has_contract: true,
    is_licensed: true,
    category_name: '酒水',
  }
  it('sells what is approved, licensed and under a contract', () => {
    const rule = (of: object) => shelfFault({ ...shelf, ...of })?.rule
    expect(rule({})).toBeUndefined()
    expect(rule({ live_version: 0 })).toBe('never_approved')
    expect(rule({ source: 'supply' })).toBe('other_merchant')
    expect(rule({ source: 'supply', shop_type: 'mall' })).toBeUndefined()
    expect(rule({ has_contract: false })).toBe('no_contract')
    expect(rule({ is_licensed: false })).toBe('unlicensed')
  })
  it('lets go of goods without unpaid orders, and not of the last shop of goods on sale', () => {
    const rule = (of: object) =>
      letGoFault({ unpaid: 0, state: 'on_sale', other_shops: 1, ...of })?.rule
    expect([rule({}), rule({ unpaid: 1 }), rule({ other_shops: 0 })]).toEqual([
      undefined,
      'unpaid',
      'last_shop',
    ])
    expect(rule({ other_shops: 0, state: 'off_sale' })).toBeUndefined()
  })
  it('has a price from the cost to the list price, and a margin of it', () => {
    const of = { settle_price_cents: 8000, list_price_cents: 15_000 }
    expect(
      [7999, 8000, 15_000, 15_001].map(cents => shopPriceFault(cents, of) === undefined),
    ).toEqual([false, true, true, false])
    expect([marginOf(10_000, 8000), marginOf(8000, 10_000), marginOf(0, 1)]).toEqual([
      2000, -2500, 0,
    ])
  })
  it('asks for every variant as much more or less as for the cheapest', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        (price_cents, more, shop_price_cents) => {
          const of = { price_cents, shop_price_cents }
          expect(shopPriceOf(price_cents, of)).toBe(shop_price_cents)
          expect(shopPriceOf(price_cents + more, of)).toBe(shop_price_cents + more)
          expect(shopPriceOf(price_cents + more, { price_cents, shop_price_cents: null })).toBe(
            price_cents + more,
          )
        },
      ),
    )
  })
  it('is supplied by a merchant that trades under a contract that has begun and runs', () => {
    const now = (of: object) =>
      suppliesNow(
        { status: 'active', contract_start_at: NOW, contract_end_at: NOW + 1, ...of },
        NOW,
      )
    expect([
      now({}),
      now({ status: 'frozen' }),
      now({ contract_start_at: null }),
      now({ contract_start_at: NOW + 1 }),
      now({ contract_end_at: NOW }),
      now({ contract_end_at: null }),
    ]).toEqual([true, false, false, false, false, true])
  })
})
