import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  approvedFaults,
  copiedName,
  COUPON_NAME_MAX,
  couponCan,
  couponFaults,
  couponStateAt,
  shifted,
} from '#src/areas/coupon/couponRules.ts'
import {
  couponBearer,
  couponOffer,
  couponReach,
  couponSentence,
  couponValid,
  exposure,
  maxCost,
  type CouponDraft,
} from '#src/areas/coupon/couponSentence.ts'
import { couponStates, type CouponState } from '#src/areas/mall/recommend.ts'
import { DAY } from '#src/domain/time.ts'

/** Midnight in Shanghai. */
const now = Date.UTC(2026, 10, 22, 16) / 1000
const draft: CouponDraft = {
  name: '满减券',
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
  level_ids: [],
  stackable: false,
  platform_share_bp: 10_000,
  merchant_share_bp: 0,
  total: 100,
  per_member: 2,
  per_day: null,
  claim_kind: 'claim',
  claim_start_at: now,
  claim_end_at: now + 10 * DAY,
  valid_kind: 'days_after',
  use_start_at: null,
  use_end_at: null,
  valid_after_days: 0,
  valid_days: 7,
  new_only: false,
  consent_no: null,
  budget_cents: 2_000_00,
  recommend_text: '',
}
const discount = { kind: 'discount', face_cents: 0, discount_bp: 8500, cap_cents: 30_00 } as const
const fixed = { valid_kind: 'fixed', valid_after_days: null, valid_days: null } as const
const faults = (more: Partial<CouponDraft> = {}) =>
  Object.keys(couponFaults({ ...draft, budget_cents: 1_000_000_00, ...more }, now))

describe('the rules of a coupon', () => {
  it('let a sound one pass, and name the field of each fault', () => {
    expect(couponFaults(draft, now)).toEqual({})
    const wrong: readonly (readonly [Partial<CouponDraft>, string])[] = [
      [{ name: '券' }, 'name'],
      [{ name: '长'.repeat(21) }, 'name'],
      [{ name: '全国最低券' }, 'name'],
      [{ recommend_text: '绝对划算' }, 'recommend_text'],
      [{ face_cents: 0 }, 'face_cents'],
      [{ threshold_cents: 20_00 }, 'threshold_cents'],
      [{ kind: 'freight' }, 'kind'],
      [{ ...discount, discount_bp: 85 }, 'discount_bp'],
      [{ ...discount, discount_bp: 900 }, 'discount_bp'],
      [{ ...discount, discount_bp: 10_000 }, 'discount_bp'],
      [{ ...discount, discount_bp: 8550 }, 'discount_bp'],
      [{ ...discount, cap_cents: null }, 'cap_cents'],
      [{ apply_kind: 'mall' }, 'apply_ids'],
      [{ apply_kind: 'shop', apply_ids: [1] }, 'apply_kind'],
      [{ total: 0, per_member: 0 }, 'total'],
      [{ total: 1_000_001 }, 'total'],
      [{ per_member: 101 }, 'per_member'],
      [{ per_day: 3 }, 'per_day'],
      [{ per_day: 0 }, 'per_day'],
      [{ claim_end_at: now }, 'claim_end_at'],
      [{ claim_start_at: now + 10 * DAY }, 'claim_end_at'],
      [{ valid_days: 0 }, 'valid_days'],
      [{ valid_days: 366 }, 'valid_days'],
      [{ valid_after_days: 366 }, 'valid_after_days'],
      [{ ...fixed }, 'use_end_at'],
      [{ ...fixed, use_end_at: now + 10 * DAY }, 'use_end_at'],
      [{ ...fixed, use_end_at: now + 11 * DAY, use_start_at: now + 11 * DAY }, 'use_start_at'],
      [{ platform_share_bp: 9000 }, 'platform_share_bp'],
      [{ platform_share_bp: 6000, merchant_share_bp: 4000 }, 'consent_no'],
      [{ budget_cents: null }, 'budget_cents'],
      [{ budget_cents: 1_999_99 }, 'budget_cents'],
    ]
    for (const [more, field] of wrong) expect(faults(more), JSON.stringify(more)).toContain(field)
  })
  it('take 1.0 to 9.9 折 with a limit, fixed dates, and freight in the e-mall alone', () => {
    for (const discount_bp of [1000, 8500, 9900])
      expect(faults({ ...discount, discount_bp })).toEqual([])
    expect(faults({ ...fixed, use_end_at: now + 11 * DAY })).toEqual([])
    const freight = { scope: 'ecom', kind: 'freight' } as const
    expect(faults(freight)).toEqual([])
    expect(faults({ ...freight, apply_kind: 'category', apply_ids: [1] })).toEqual(['apply_kind'])
    expect(faults({ ...freight, exclude_ids: [1] })).toEqual(['apply_kind'])
  })
})

describe('once it is approved', () => {
  const was = { ...draft, claimed_count: 10 }
  const of = (more: Partial<CouponDraft>) => Object.keys(approvedFaults(was, { ...draft, ...more }))
  it('there may be more, for longer, and other words', () => {
    expect(
      of({
        total: 101,
        per_member: 3,
        claim_end_at: draft.claim_end_at + 1,
        recommend_text: '先到先得',
      }),
    ).toEqual([])
  })
  it('never less', () => {
    expect(of({ total: 99 })).toEqual(['total'])
    expect(of({ per_member: 1 })).toEqual(['per_member'])
    expect(of({ claim_end_at: draft.claim_end_at - 1 })).toEqual(['claim_end_at'])
    expect(of({ per_member: 101 })).toEqual(['per_member'])
    const until = draft.claim_end_at + DAY
    const ends = { ...was, ...fixed, use_end_at: until }
    expect(Object.keys(approvedFaults(ends, { ...draft, claim_end_at: until }))).toEqual([
      'claim_end_at',
    ])
  })
})

describe('what a coupon is', () => {
  it('stands in one sentence, in both languages', () => {
    expect(couponSentence(draft)).toEqual([
      '满 100 元减 20 元；全部门店通用；共 100 张，每人限 2 张；2026-11-23 至 2026-12-03 领取；领取后 7 天内可用；不与其他优惠同享；费用由平台承担。',
      '¥20 off from ¥100; at every store; 100 in total, 2 per member; claimable from 2026-11-23 to 2026-12-03; valid for 7 days after claiming; cannot be combined with other offers; paid for by the platform.',
    ])
    const other = couponSentence({
      ...draft,
      ...discount,
      ...fixed,
      scope: 'ecom',
      threshold_cents: 0,
      apply_kind: 'shop',
      apply_ids: [1, 2],
      exclude_ids: [5],
      city_ids: [1],
      use_end_at: now + 20 * DAY,
      per_day: 1,
      weekdays: [1, 7],
      new_only: true,
      level_ids: [4, 3],
      stackable: true,
      platform_share_bp: 6000,
      merchant_share_bp: 4000,
    })
    for (const part of [
      '8.5 折，最高减 30 元',
      '限 2 家店铺（除 1 件商品），限 1 个城市',
      '活动商品除外',
      '限新客',
      '限 V3、V4 会员',
      '每人限 2 张、每天 1 张',
      '2026-12-13 前可用',
      '限周一、周日',
      '可与其他优惠同享',
      '平台承担 60%、商户承担 40%',
    ])
      expect(other[0]).toContain(part)
    expect(other[1]).not.toMatch(/\p{Script=Han}/u)
    expect(other[1]).toContain('15% off, at most ¥30')
  })
  it('tells of each kind, reach and validity', () => {
    const offer = (more: Partial<CouponDraft>) => couponOffer({ ...draft, ...more })[0]
    expect([
      offer({ kind: 'direct', threshold_cents: 0 }),
      offer({ kind: 'exchange', threshold_cents: 0 }),
      offer({ kind: 'freight', threshold_cents: 0 }),
      offer({ kind: 'freight', threshold_cents: 0, face_cents: 0 }),
      offer({ ...discount }),
    ]).toEqual([
      '立减 20 元',
      '兑换一件商品，最高抵 20 元',
      '运费最高减 20 元',
      '免运费',
      '满 100 元打 8.5 折，最高减 30 元',
    ])
    expect(
      couponReach({ ...draft, apply_kind: 'store', apply_ids: [1], exclude_ids: [2] }),
    ).toEqual(['限 1 家门店（除 1 家门店）', 'for 1 store except 1 store'])
    expect(couponValid({ ...draft, valid_after_days: 2 })[0]).toBe('领取满 2 天后 7 天内可用')
    expect(couponBearer({ platform_share_bp: 0, merchant_share_bp: 10_000 })).toBe('merchant')
  })
  it('can cost no more than all its pieces, borne in whole cents', () => {
    expect([exposure(draft), exposure({ ...draft, ...discount })]).toEqual([2_000_00, 3_000_00])
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        fc.nat(1_000_000),
        fc.nat(10_000),
        (total, face_cents, platform_share_bp) => {
          const cost = maxCost({
            ...draft,
            total,
            face_cents,
            platform_share_bp,
            merchant_share_bp: 10_000 - platform_share_bp,
          })
          expect(cost.platform_cents + cost.merchant_cents).toBe(cost.total_cents)
          expect(cost.total_cents).toBe(total * face_cents)
        },
      ),
    )
  })
})

describe('by the clock', () => {
  const at = (status: CouponState, when: number) =>
    couponStateAt({ status, claim_start_at: now, claim_end_at: now + DAY }, when)
  it('what waits begins, what runs or rests ends, and nothing else moves', () => {
    expect([at('waiting', now - 1), at('waiting', now), at('waiting', now + DAY)]).toEqual([
      'waiting',
      'active',
      'ended',
    ])
    expect([at('active', now + DAY - 1), at('active', now + DAY)]).toEqual(['active', 'ended'])
    expect([at('paused', now), at('paused', now + DAY)]).toEqual(['paused', 'ended'])
    for (const status of ['draft', 'auditing', 'rejected', 'ended', 'void'] as const)
      expect(at(status, now + 9 * DAY)).toBe(status)
  })
  it('what has ended comes back by nothing', () => {
    for (const verb of ['resume', 'addStock', 'extend', 'grant', 'edit', 'void'] as const)
      for (const status of ['ended', 'void'] as const)
        expect(couponCan(verb, status)).not.toBe(true)
    for (const status of Object.keys(couponStates) as CouponState[])
      expect(couponCan('withdraw', status) === true).toBe(status === 'auditing')
  })
})

describe('a copy', () => {
  it('keeps the length of its times and has another name that fits', () => {
    const later = shifted({ ...draft, ...fixed, use_end_at: now + 11 * DAY }, 3 * DAY)
    expect([
      later.claim_end_at - later.claim_start_at,
      later.use_end_at! - later.claim_start_at,
      later.claim_start_at,
      shifted(draft, DAY).use_end_at,
    ]).toEqual([10 * DAY, 11 * DAY, now + 3 * DAY, null])
    expect([copiedName('满减券'), copiedName('满减券（2）')]).toEqual([
      '满减券（2）',
      '满减券（3）',
    ])
    fc.assert(
      fc.property(fc.string({ minLength: 2, maxLength: 20 }), name => {
        const copy = copiedName(name)
        expect(copy).not.toBe(name)
        expect([...copy].length).toBeLessThanOrEqual(COUPON_NAME_MAX)
      }),
    )
  })
})
