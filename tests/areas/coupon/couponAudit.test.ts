import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { auditVerbs, type AuditState } from '#src/areas/audit/audit.ts'
import {
  auditedFields,
  auditedWord,
  couponAuditCan,
  slaOf,
  termsChanged,
  type AuditedTerms,
} from '#src/areas/coupon/couponAudit.ts'
import {
  changedSince,
  marginOf,
  overlaps,
  unitsFor,
  type Weighed,
} from '#src/areas/coupon/couponAuditMargin.ts'

const terms: AuditedTerms = {
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
  total: 100,
  per_member: 1,
  per_day: null,
  claim_kind: 'claim',
  claim_start_at: 1000,
  claim_end_at: 2000,
  valid_kind: 'days_after',
  use_start_at: null,
  use_end_at: null,
  valid_after_days: 0,
  valid_days: 7,
  level_ids: [],
  vip_only: false,
  new_only: false,
  consent_no: 'XY-1',
  budget_cents: null,
  recommend_text: '',
}
const goods = (price_cents: number, settle_price_cents: number): Weighed => ({
  id: 7,
  title: '商品',
  merchant_name: '商户',
  city_id: 1,
  price_cents,
  settle_price_cents,
  line: {
    product_id: 7,
    merchant_id: 3,
    category_ids: [11],
    stores: [{ id: 21, mall_id: 5 }],
    price_cents,
    cost_cents: price_cents,
    in_activity: false,
  },
})
const at = { now: 1_800_000_000, freight_cents: 1000 }

describe('the margin of the smallest purchase', () => {
  it('is what the platform keeps of it after its part of the coupon', () => {
    expect(marginOf(terms, goods(60_00, 50_00), at)).toMatchObject({
      qty: 2,
      sum_cents: 120_00,
      pay_cents: 100_00,
      platform_cents: 12_00,
      merchant_cents: 8_00,
      margin_cents: 8_00,
    })
    expect(marginOf({ ...terms, face_cents: 50_00 }, goods(60_00, 50_00), at).margin_cents).toBe(
      -10_00,
    )
  })
  it('is its own where the coupon takes nothing off', () => {
    const of = { ...terms, apply_kind: 'store' as const, apply_ids: [99] }
    expect(marginOf(of, goods(60_00, 50_00), at)).toMatchObject({
      discount_cents: 0,
      pay_cents: 120_00,
      margin_cents: 20_00,
    })
  })
  it('is tried on a day on which the coupon may be used', () => {
    for (const day of [1, 2, 3, 4, 5, 6, 7])
      expect(marginOf({ ...terms, weekdays: [day] }, goods(100_00, 1), at).discount_cents).toBe(
        20_00,
      )
  })
  it('holds whatever the prices are: parts make the whole, and the fewest units reach the threshold', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500_00 }),
        fc.integer({ min: 0, max: 500_00 }),
        fc.integer({ min: 1, max: 200_00 }),
        fc.integer({ min: 0, max: 10_000 }),
        (price, threshold, face, platform) => {
          const of = {
            ...terms,
            threshold_cents: threshold,
            face_cents: face,
            platform_share_bp: platform,
            merchant_share_bp: 10_000 - platform,
          }
          const qty = unitsFor(of, price)
          expect(qty * price).toBeGreaterThanOrEqual(Math.min(threshold, qty * price))
          expect(qty === 1 || (qty - 1) * price < threshold).toBe(true)
          const found = marginOf(of, goods(price, Math.floor(price / 2)), at)
          expect(found.platform_cents + found.merchant_cents).toBe(found.discount_cents)
          expect(found.pay_cents + found.discount_cents).toBe(found.sum_cents)
          expect(found.pay_cents).toBeGreaterThan(0)
        },
      ),
    )
  })
})

describe('two coupons', () => {
  const other = (of: Partial<AuditedTerms>) => ({ ...terms, ...of })
  it('overlap for the same goods, place and time alone', () => {
    expect(overlaps(terms, other({}))).toBe(true)
    expect(overlaps(terms, other({ scope: 'ecom' }))).toBe(false)
    expect(overlaps(terms, other({ claim_start_at: 2001, claim_end_at: 3000 }))).toBe(false)
    expect(overlaps(terms, other({ apply_kind: 'mall', apply_ids: [1] }))).toBe(false)
    const inCity = (id: number) => other({ city_ids: [id] })
    expect(overlaps(inCity(1), inCity(2))).toBe(false)
    expect(overlaps(inCity(1), terms)).toBe(true)
    const ofMall = (...apply_ids: number[]) => other({ apply_kind: 'mall', apply_ids })
    expect(overlaps(ofMall(1, 2), ofMall(2, 3))).toBe(true)
    expect(overlaps(ofMall(1), ofMall(3))).toBe(false)
  })
  it('overlap both or neither', () => {
    const any = fc
      .record({
        scope: fc.constantFrom('local' as const, 'ecom' as const),
        apply_kind: fc.constantFrom('all' as const, 'mall' as const, 'store' as const),
        apply_ids: fc.uniqueArray(fc.integer({ min: 1, max: 4 })),
        city_ids: fc.uniqueArray(fc.integer({ min: 1, max: 4 })),
        claim_start_at: fc.integer({ min: 0, max: 10 }),
        lasts: fc.integer({ min: 0, max: 10 }),
      })
      .map(({ lasts, ...of }) => other({ ...of, claim_end_at: of.claim_start_at + lasts }))
    fc.assert(fc.property(any, any, (a, b) => overlaps(a, b) === overlaps(b, a)))
  })
})

describe('a submission', () => {
  it('says which of its terms and prices are not as they were', () => {
    expect(termsChanged(terms, { ...terms, total: 200, city_ids: [1] })).toEqual([
      'city_ids',
      'total',
    ])
    const was = { of: { 7: [60_00, 50_00] as const }, whole: true }
    expect(changedSince(was, goods(60_00, 50_00))).toBe(undefined)
    expect(changedSince(was, goods(61_00, 50_00))).toBe('price')
    expect(changedSince(was, goods(60_00, 51_00))).toBe('settle')
    expect(changedSince({ of: {}, whole: true }, goods(1, 1))).toBe('new')
    expect(changedSince({ of: {}, whole: false }, goods(1, 1))).toBe(undefined)
  })
  it('has a word for each of its terms', () => {
    for (const field of auditedFields) expect(auditedWord(field)?.title, field).toHaveLength(2)
    expect([...auditedFields, 'scope'].toSorted()).toEqual(Object.keys(terms).toSorted())
  })
  it('is the more urgent the more it can cost', () => {
    const cents = fc.integer({ min: 0, max: 10_000_000 })
    fc.assert(
      fc.property(
        cents,
        cents,
        (a, b) => slaOf(Math.max(a, b), 5_000_000) <= slaOf(Math.min(a, b), 5_000_000),
      ),
    )
  })
  it('is never decided by its maker, whatever its state', () => {
    const states: AuditState[] = ['pending', 'claimed', 'second_audit', 'need_more']
    for (const state of states)
      for (const verb of ['claim', 'approve', 'reject', 'askMore'] as const)
        expect(couponAuditCan(verb, { state, owner_id: 5 }, 5, 0)).not.toBe(true)
    for (const verb of auditVerbs)
      expect(couponAuditCan(verb, { state: 'approved', owner_id: 1 }, 5, 0)).not.toBe(true)
    expect(couponAuditCan('withdraw', { state: 'second_audit', owner_id: 5 }, 5, 0)).toBe(true)
  })
})
