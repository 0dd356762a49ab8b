import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  buyerScore,
  DEFAULT_CATEGORY,
  freightPayers,
  isFast,
  LAW_DAYS,
  lateDue,
  policyAtFirst,
  policyFaults,
  policyOfAll,
  policyOn,
  RETURN_MAX_DAYS,
  type FreightPayer,
  type PolicyFields,
} from '#src/areas/afterSalePolicy/policy.ts'
import { policyDiff } from '#src/areas/afterSalePolicy/policyWords.ts'

const fields: fc.Arbitrary<PolicyFields> = fc.record({
  no_reason_days: fc.integer({ min: -1, max: 40 }),
  exempt: fc.boolean(),
  freight_payer: fc.constantFrom(...(Object.keys(freightPayers) as FreightPayer[])),
  evidence_photos: fc.integer({ min: 1, max: 9 }),
  merchant_h: fc.integer({ min: 1, max: 100 }),
  platform_h: fc.integer({ min: 1, max: 100 }),
  auto_agree_cents: fc.integer({ min: 0, max: 50_000 }),
  fast_score: fc.integer({ min: 0, max: 100 }),
  fast_limit_cents: fc.integer({ min: 0, max: 50_000 }),
  late_day_bp: fc.integer({ min: 0, max: 3000 }),
  late_max_cents: fc.integer({ min: 0, max: 10_000 }),
})
const category = fc.integer({ min: 0, max: 3 })

describe('a policy', () => {
  it('is sound where its days, its deadlines and its limits are', () => {
    fc.assert(
      fc.property(fields, category, (of, id) => {
        const days = of.no_reason_days >= 0 && of.no_reason_days <= RETURN_MAX_DAYS
        const law = of.no_reason_days >= LAW_DAYS || (of.exempt && id !== DEFAULT_CATEGORY)
        const faults = policyFaults(of, id)
        expect('no_reason_days' in faults).toBe(!(days && law))
        expect('exempt' in faults).toBe(of.exempt && id === DEFAULT_CATEGORY)
        expect('merchant_h' in faults).toBe(of.merchant_h >= of.platform_h)
        expect('fast_limit_cents' in faults).toBe(of.fast_limit_cents > of.auto_agree_cents)
      }),
    )
    expect(policyFaults(policyAtFirst, DEFAULT_CATEGORY)).toEqual({})
  })
  it('agrees by itself to no more than whoever raises it might, and may stay as it is', () => {
    const at = (auto_agree_cents: number, was: number) =>
      'auto_agree_cents' in
      policyFaults({ ...policyAtFirst, auto_agree_cents }, DEFAULT_CATEGORY, {
        refund_limit_cents: 100,
        was: { ...policyAtFirst, auto_agree_cents: was },
      })
    expect([at(100, 0), at(101, 0), at(101, 101), at(50, 101)]).toEqual([false, true, false, false])
  })
  it('is that of the nearest category that has one, else the default', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 9 })),
        (path, own) => {
          const current = new Map([DEFAULT_CATEGORY, ...own].map(id => [id, id]))
          expect(policyOn(path, current)).toBe(
            path.find(id => own.includes(id)) ?? DEFAULT_CATEGORY,
          )
        },
      ),
    )
  })
  it('of several goods is slower and freer with money than none of theirs', () => {
    fc.assert(
      fc.property(fc.array(fields, { minLength: 1, maxLength: 5 }), all => {
        const sound = all.map(one => ({ ...one, platform_h: one.merchant_h + one.platform_h }))
        const one = policyOfAll(sound)
        for (const each of sound) {
          expect(one.merchant_h).toBeLessThanOrEqual(each.merchant_h)
          expect(one.platform_h).toBeLessThanOrEqual(each.platform_h)
          expect(one.evidence_photos).toBeLessThanOrEqual(each.evidence_photos)
          expect(one.auto_agree_cents).toBeLessThanOrEqual(each.auto_agree_cents)
          expect(one.fast_limit_cents).toBeLessThanOrEqual(each.fast_limit_cents)
          expect(one.fast_score).toBeGreaterThanOrEqual(each.fast_score)
        }
        expect(one.merchant_h).toBeLessThan(one.platform_h)
      }),
    )
    expect(policyOfAll([])).toEqual(policyAtFirst)
  })
  it('tells what differs between two versions, and nothing of what stayed', () => {
    expect(
      policyDiff(policyAtFirst, { ...policyAtFirst, no_reason_days: 15, fast_limit_cents: 50_00 }),
    ).toEqual([
      expect.objectContaining({ before: ['7 天', '7 days'], after: ['15 天', '15 days'] }),
      expect.objectContaining({ before: ['未开启', 'Off'], after: ['¥50.00', '¥50.00'] }),
    ])
  })
})

describe('a buyer', () => {
  it('has the share of orders without a refund as a score, once there are three', () => {
    expect([
      buyerScore({ paid: 2, refunded: 0 }),
      buyerScore({ paid: 3, refunded: 0 }),
      buyerScore({ paid: 10, refunded: 1 }),
      buyerScore({ paid: 3, refunded: 9 }),
    ]).toEqual([0, 100, 90, 0])
  })
  it('is refunded at once within the limit and with the score, and never where it is off', () => {
    const policy = { fast_score: 90, fast_limit_cents: 100 }
    expect([
      isFast(policy, { amount_cents: 100, score: 90 }),
      isFast(policy, { amount_cents: 101, score: 100 }),
      isFast(policy, { amount_cents: 1, score: 89 }),
      isFast({ ...policy, fast_limit_cents: 0 }, { amount_cents: 0, score: 100 }),
    ]).toEqual([true, false, false, false])
  })
  it('is due a share for each late day, and at most so much', () => {
    const policy = { late_day_bp: 200, late_max_cents: 50_00 }
    expect(
      [0, -3, 1, 3, 100].map(late_days => lateDue(policy, { late_days, goods_cents: 100_00 })),
    ).toEqual([0, 0, 200, 600, 50_00])
  })
})
