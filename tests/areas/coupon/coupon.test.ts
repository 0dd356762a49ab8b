import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  couponFor,
  couponScope,
  cutBy,
  type CouponCut,
  type CouponLine,
  type CouponOrder,
  type CouponTerms,
} from '#src/areas/coupon/coupon.ts'
import { couponKinds, type CouponKind } from '#src/areas/mall/recommend.ts'
import { orderKinds, type OrderKind } from '#src/areas/order/order.ts'

const sum = (of: readonly number[]) => of.reduce((all, n) => all + n, 0)
const terms: CouponTerms = {
  name: '券',
  scope: 'local',
  kind: 'full_reduce',
  face_cents: 20_00,
  threshold_cents: 100_00,
  discount_bp: null,
  cap_cents: null,
  apply_kind: 'all',
  apply_ids: [],
  exclude_ids: [],
  city_ids: [],
  weekdays: [],
  stackable: false,
  platform_share_bp: 6000,
  merchant_share_bp: 4000,
}
const line: CouponLine = {
  product_id: 7,
  merchant_id: 3,
  category_ids: [11, 1],
  stores: [
    { id: 21, mall_id: 5 },
    { id: 22, mall_id: 6 },
  ],
  price_cents: 100_00,
  cost_cents: 100_00,
  in_activity: false,
}
/** A Monday noon in Shanghai. */
const monday = Date.UTC(2026, 10, 23, 4) / 1000
const order: CouponOrder = {
  scope: 'local',
  city_id: 1,
  at: monday,
  freight_cents: 0,
  lines: [line],
  other_cents: 0,
  reduced: false,
}
const cut = (of: Partial<CouponTerms> = {}, on: Partial<CouponOrder> = {}): CouponCut => {
  const said = cutBy({ ...terms, ...of }, { ...order, ...on })
  if ('rule' in said) throw new Error(said.rule)
  return said
}
const why = (of: Partial<CouponTerms> = {}, on: Partial<CouponOrder> = {}): string => {
  const said = cutBy({ ...terms, ...of }, { ...order, ...on })
  return 'rule' in said ? said.rule : 'taken'
}

describe('a coupon', () => {
  it('takes off what its kind says', () => {
    expect(cut()).toEqual({
      off: [20_00],
      discount_cents: 20_00,
      platform_cents: 12_00,
      merchant_cents: 8_00,
    })
    expect(cut({ kind: 'direct', threshold_cents: 0, face_cents: 5_00 }).discount_cents).toBe(5_00)
    expect(
      cut({ kind: 'discount', discount_bp: 8500, threshold_cents: 0, face_cents: 0 })
        .discount_cents,
    ).toBe(15_00)
    expect(
      cut({
        kind: 'discount',
        discount_bp: 8500,
        cap_cents: 9_99,
        threshold_cents: 0,
        face_cents: 0,
      }).discount_cents,
    ).toBe(9_99)
    expect(
      cut({ kind: 'freight', face_cents: 8_00 }, { freight_cents: 12_00 }).discount_cents,
    ).toBe(8_00)
    expect(cut({ kind: 'freight', face_cents: 0 }, { freight_cents: 12_00 }).discount_cents).toBe(
      12_00,
    )
    expect(why({ kind: 'freight', face_cents: 8_00 })).toBe('coupon_nothing')
    const three = { ...line, price_cents: 40_00, cost_cents: 120_00 }
    expect(cut({ kind: 'exchange', face_cents: 0 }, { lines: [three] }).discount_cents).toBe(40_00)
    expect(cut({ kind: 'exchange', face_cents: 30_00 }, { lines: [three] }).discount_cents).toBe(
      30_00,
    )
  })
  it('is for what it names, and told why not', () => {
    expect(why({}, { scope: 'ecom' })).toBe('coupon_scope')
    expect(why({}, { scope: null })).toBe('coupon_kind')
    expect(why({ city_ids: [2] })).toBe('coupon_city')
    expect([why({ weekdays: [2, 3] }), why({ weekdays: [1] })]).toEqual(['coupon_weekday', 'taken'])
    expect([why({}, { reduced: true }), why({ stackable: true }, { reduced: true })]).toEqual([
      'coupon_stack',
      'taken',
    ])
    expect([why({ threshold_cents: 100_01 }), why({ threshold_cents: 100_00 })]).toEqual([
      'coupon_threshold',
      'taken',
    ])
    expect(why({ apply_kind: 'product', apply_ids: [8] })).toBe('coupon_goods')
    const fits = (of: Partial<CouponTerms>) => couponFor({ ...terms, ...of }, line)
    expect([
      fits({ apply_kind: 'category', apply_ids: [1] }),
      fits({ apply_kind: 'mall', apply_ids: [6] }),
      fits({ apply_kind: 'store', apply_ids: [21] }),
      fits({ apply_kind: 'product', apply_ids: [7] }),
      fits({ apply_kind: 'shop', apply_ids: [3] }),
    ]).toEqual([true, true, true, true, true])
    expect([
      fits({ apply_kind: 'category', apply_ids: [12] }),
      fits({ apply_kind: 'mall', apply_ids: [5], exclude_ids: [21] }),
      fits({ exclude_ids: [21, 22] }),
      fits({ scope: 'ecom', exclude_ids: [7] }),
      fits({ scope: 'ecom', exclude_ids: [21, 22] }),
    ]).toEqual([false, false, false, false, true])
    const inActivity = { ...line, in_activity: true }
    expect([
      couponFor({ ...terms, scope: 'ecom' }, inActivity),
      couponFor({ ...terms, scope: 'local' }, inActivity),
    ]).toEqual([false, true])
  })
  it('is for lines alone that it names, and asks for its threshold of these', () => {
    const other = { ...line, product_id: 8, cost_cents: 300_00 }
    expect(cut({ apply_kind: 'product', apply_ids: [7] }, { lines: [other, line] }).off).toEqual([
      0, 20_00,
    ])
    expect(
      why(
        { apply_kind: 'product', apply_ids: [7], threshold_cents: 100_01 },
        { lines: [other, line] },
      ),
    ).toBe('coupon_threshold')
  })
  it('goes with every kind of order but bundles, exchanges, cards and visitors', () => {
    const kinds = Object.keys(orderKinds) as OrderKind[]
    expect(kinds.filter(kind => couponScope(kind, false) === null).sort()).toEqual([
      'combo',
      'ecard',
      'points',
      'visitor',
    ])
    expect([
      couponScope('elist', true),
      couponScope('roll_buy', true),
      couponScope('roll_buy', false),
      couponScope('goods', false),
    ]).toEqual(['ecom', 'ecom', 'local', 'local'])
  })
  it('never takes more off than the goods it is for cost, nor than its cap, leaves a cent, and its parts sum to it', () => {
    const bp = fc.integer({ min: 0, max: 10_000 })
    const some = fc.record({
      kind: fc.constantFrom(...(Object.keys(couponKinds) as CouponKind[])),
      face_cents: fc.nat(50_000),
      threshold_cents: fc.nat(20_000),
      discount_bp: fc.option(bp),
      cap_cents: fc.option(fc.nat(20_000)),
      apply_kind: fc.constantFrom('all' as const, 'product' as const),
      apply_ids: fc.constant([1, 2]),
      stackable: fc.constant(true),
      platform_share_bp: bp,
    })
    const lines = fc.array(
      fc.record({
        product_id: fc.integer({ min: 1, max: 4 }),
        price_cents: fc.nat(30_000),
        qty: fc.integer({ min: 1, max: 5 }),
      }),
      { minLength: 1, maxLength: 4 },
    )
    let taken = 0
    fc.assert(
      fc.property(
        some,
        lines,
        fc.nat(2000),
        fc.nat(3000),
        (of, bought, freight_cents, other_cents) => {
          const full = { ...terms, ...of, merchant_share_bp: 10_000 - of.platform_share_bp }
          const on = {
            ...order,
            freight_cents,
            other_cents,
            reduced: other_cents > 0,
            lines: bought.map(({ qty, ...one }) => ({
              ...line,
              ...one,
              cost_cents: one.price_cents * qty,
            })),
          }
          const said = cutBy(full, on)
          if ('rule' in said) return
          taken++
          const fit = on.lines.filter(one => couponFor(full, one))
          expect(sum(said.off)).toBe(said.discount_cents)
          expect(said.platform_cents + said.merchant_cents).toBe(said.discount_cents)
          expect(
            Math.min(said.discount_cents, said.platform_cents + 1, said.merchant_cents + 1),
          ).toBeGreaterThan(0)
          said.off.forEach((off, at) => {
            expect(off).toBeGreaterThanOrEqual(0)
            expect(off).toBeLessThanOrEqual(
              couponFor(full, on.lines[at]!) ? on.lines[at]!.cost_cents : 0,
            )
          })
          expect(said.discount_cents).toBeLessThanOrEqual(
            sum(on.lines.map(one => one.cost_cents)) - other_cents - 1,
          )
          expect(sum(fit.map(one => one.cost_cents))).toBeGreaterThanOrEqual(full.threshold_cents)
          if (full.kind === 'discount')
            expect(said.discount_cents).toBeLessThanOrEqual(full.cap_cents ?? Infinity)
          if (full.kind === 'freight')
            expect(said.discount_cents).toBeLessThanOrEqual(freight_cents)
          if (full.kind === 'full_reduce' || full.kind === 'direct')
            expect(said.discount_cents).toBeLessThanOrEqual(full.face_cents)
          if (full.kind === 'exchange')
            expect(said.discount_cents).toBeLessThanOrEqual(
              Math.max(...fit.map(one => one.price_cents)),
            )
        },
      ),
      { numRuns: 2000 },
    )
    expect(taken).toBeGreaterThan(300)
  })
})
