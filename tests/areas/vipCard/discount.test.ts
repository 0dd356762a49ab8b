import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { batchCan, vipCodeCan, activationRefusal } from '#src/areas/vipCard/code.ts'
import {
  discountCan,
  discountFaults,
  discountScopes,
  discountText,
  isFor,
  lineFor,
  memberPrice,
  overlaps,
  type DiscountLine,
  type DiscountScope,
} from '#src/areas/vipCard/discount.ts'
import { DAY } from '#src/domain/time.ts'

const NOW = 1_760_000_000
const line: DiscountLine = {
  card_id: 1,
  scope: 'store',
  scope_id: 7,
  discount_bp: 8000,
  cap_cents: 0,
  platform_share_bp: 6000,
  merchant_share_bp: 4000,
  consent_no: 'TY1',
  start_at: NOW,
  end_at: NOW + DAY,
}
const scope = fc.constantFrom(...(Object.keys(discountScopes) as DiscountScope[]))

describe('a line', () => {
  it('is borne in whole, with the consent of a merchant who bears some', () => {
    const faults = (of: Partial<DiscountLine>) => Object.keys(discountFaults({ ...line, ...of }))
    expect([
      faults({}),
      faults({ platform_share_bp: 5000 }),
      faults({ consent_no: ' ' }),
      faults({ platform_share_bp: 10_000, merchant_share_bp: 0, consent_no: '' }),
      faults({ scope_id: 0 }),
      faults({ scope: 'all', scope_id: 0 }),
      faults({ end_at: NOW }),
    ]).toEqual([[], ['platform_share_bp'], ['consent_no'], [], ['scope_id'], [], ['end_at']])
  })
  it('overlaps what is for the same in a second of both, and nothing else', () => {
    const with_ = (of: Partial<DiscountLine>) => overlaps(line, { ...line, ...of })
    expect([
      with_({}),
      with_({ start_at: NOW + DAY, end_at: NOW + 2 * DAY }),
      with_({ start_at: NOW + DAY - 1, end_at: NOW + 2 * DAY }),
      with_({ card_id: 2 }),
      with_({ scope: 'mall' }),
      with_({ scope_id: 8 }),
    ]).toEqual([true, false, true, false, false, false])
  })
  it('is enabled, disabled and changed in turn', () => {
    const can = (verb: 'enable' | 'disable' | 'edit', of: object) =>
      discountCan(verb, { ...line, status: 'off', ...of }, NOW) === true
    expect([
      can('enable', {}),
      can('enable', { status: 'on' }),
      can('enable', { end_at: NOW }),
      can('enable', { consent_no: '' }),
      can('disable', {}),
      can('disable', { status: 'on' }),
      can('edit', {}),
      can('edit', { status: 'on' }),
    ]).toEqual([true, false, false, false, false, true, true, false])
  })
  it('is said as 折 and as what is off', () => {
    expect([discountText(8500), discountText(9000)]).toEqual([
      ['8.5 折', '15% off'],
      ['9 折', '10% off'],
    ])
  })
})
describe('the line that gives the price', () => {
  const bought = { product_id: 1, store_id: 2, category_id: 3, mall_id: 4 }
  const drawn = fc.record({
    scope,
    scope_id: fc.integer({ min: 1, max: 4 }),
    start_at: fc.integer({ min: NOW - 5, max: NOW + 5 }),
    end_at: fc.integer({ min: NOW - 5, max: NOW + 5 }),
  })
  it('is in force, is for what is bought, and none is more specific', () => {
    const rank = (of: { scope: DiscountScope }) => Object.keys(discountScopes).indexOf(of.scope)
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 12 }), lines => {
        const holds = lines.filter(
          one => isFor(one, bought) && one.start_at <= NOW && one.end_at > NOW,
        )
        const chosen = lineFor(lines, bought, NOW)
        expect(chosen === undefined).toBe(holds.length === 0)
        if (chosen) {
          expect(holds).toContain(chosen)
          expect(Math.max(...holds.map(rank))).toBe(rank(chosen))
        }
      }),
    )
  })
  it('asks no more than the price, and no less than is settled unless the platform bears it', () => {
    fc.assert(
      fc.property(
        fc.record({
          discount_bp: fc.integer({ min: 1000, max: 9900 }),
          cap_cents: fc.nat(5000),
          platform_share_bp: fc.constantFrom(0, 5000, 10_000),
        }),
        fc.record({ price_cents: fc.nat(100_000), settle_cents: fc.nat(100_000) }),
        (of, sold) => {
          const price = memberPrice(of, sold)
          expect(price).toBeLessThanOrEqual(sold.price_cents)
          expect(price).toBeGreaterThanOrEqual(0)
          if (of.platform_share_bp < 10_000)
            expect(price).toBeGreaterThanOrEqual(Math.min(sold.settle_cents, sold.price_cents))
          if (of.cap_cents > 0) expect(sold.price_cents - price).toBeLessThanOrEqual(of.cap_cents)
        },
      ),
    )
    const sold = { price_cents: 1000, settle_cents: 0 }
    expect([
      memberPrice({ ...line, cap_cents: 0 }, sold),
      memberPrice({ ...line, cap_cents: 50 }, sold),
      memberPrice(line, { price_cents: 1000, settle_cents: 900 }),
    ]).toEqual([800, 950, 900])
  })
})
describe('numbers', () => {
  const number = {
    status: 'issued' as const,
    expire_at: NOW + 1,
    locked_until: null,
    member_id: null,
  }
  it('are refused to whom they are not for, and once they are over', () => {
    const why = (of: object, member_id: number | undefined = 5) =>
      activationRefusal({ ...number, ...of }, { member_id, now: NOW })
    expect([
      why({}),
      why({ member_id: 5 }),
      why({ member_id: 6 }),
      activationRefusal(number, { member_id: undefined, now: NOW }),
      why({ expire_at: NOW }),
      why({ status: 'frozen' }),
      why({ status: 'unissued' }),
      why({ status: 'activated' }),
    ]).toEqual([undefined, undefined, 'refused', 'refused', 'expired', 'frozen', 'refused', 'used'])
  })
  it('that were activated are neither voided nor bound to somebody else', () => {
    const can = (verb: Parameters<typeof vipCodeCan>[0], of: object = {}) =>
      vipCodeCan(verb, { ...number, ...of }, NOW) === true
    expect([
      can('freeze'),
      can('unfreeze'),
      can('voidCodes'),
      can('rebind'),
      can('voidCodes', { status: 'activated' }),
      can('rebind', { status: 'activated' }),
      can('freeze', { expire_at: NOW }),
      can('voidCodes', { status: 'expired' }),
      can('unfreeze', { status: 'frozen' }),
    ]).toEqual([true, false, true, true, false, false, false, true, true])
  })
  it('of a batch wait for somebody else', () => {
    const of = { status: 'asked' as const, maker_id: 1, qty: 5000, expire_at: NOW + 1 }
    const can = (verb: Parameters<typeof batchCan>[0], me: number, more: object = {}) =>
      batchCan(verb, { ...of, ...more }, { me, now: NOW }) === true
    expect([
      can('approveBatch', 1),
      can('approveBatch', 2),
      can('rejectBatch', 1),
      can('issue', 2),
      can('issue', 2, { status: 'ready' }),
      can('extendBatch', 2, { status: 'ready', expire_at: NOW }),
    ]).toEqual([false, true, false, false, true, false])
  })
})
