import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  completeness,
  hoursFault,
  mallCan,
  mallStates,
  missingOf,
  nameFault,
  wanted,
  type MallState,
  type MallVerb,
} from '#src/areas/mall/mall.ts'
import {
  couponBlocked,
  hotCounts,
  inWindow,
  offerBlocked,
  storeBlocked,
  windowsOverlap,
  type CouponState,
} from '#src/areas/mall/recommend.ts'
import { CITY_REACH_M, inCity, metres } from '#src/areas/place/geo.ts'
import { isCallable } from '#src/domain/phone.ts'

const pin = fc.record({
  lng_e6: fc.integer({ min: 73_000_000, max: 135_000_000 }),
  lat_e6: fc.integer({ min: 18_000_000, max: 53_000_000 }),
})
describe('a mall', () => {
  it('goes from state to state only as its table says; closed is the end', () => {
    const allowed = (verb: MallVerb) =>
      (Object.keys(mallStates) as MallState[]).filter(status => mallCan(verb, { status }) === true)
    expect([
      allowed('publish'),
      allowed('offline'),
      allowed('close'),
      allowed('del'),
      allowed('setHot'),
    ]).toEqual([['draft', 'offline'], ['online'], ['offline'], ['draft'], ['online']])
    for (const verb of ['publish', 'offline', 'close', 'del', 'edit', 'setHot'] as const)
      expect(mallCan(verb, { status: 'closed' })).not.toBe(true)
  })
  it('has a name of 2 to 40 characters, a double-byte one counting as 2', () => {
    for (const [name, fine] of [
      ['长'.repeat(20), true],
      ['长'.repeat(21), false],
      ['a', false],
      ['长', true],
      ['ab', true],
      ['a'.repeat(41), false],
    ] as const)
      expect(nameFault(name) === undefined).toBe(fine)
  })
  it('has a mobile, a landline or a service number', () => {
    expect(
      [
        '13812345678',
        '021-51234567',
        '0571-8765432',
        '021-51234567-8001',
        '400-820-6100',
        '4008206100',
      ].every(isCallable),
    ).toBe(true)
    expect(['12345', '23812345678', '021-1234567', '138123456789', ''].some(isCallable)).toBe(false)
  })
  it('opens on each weekday at most once', () => {
    expect(
      hoursFault([
        { weekdays: [1, 2], from: '10:00', to: '22:00' },
        { weekdays: [6, 7], from: '09:30', to: '02:00' },
      ]),
    ).toBeUndefined()
    expect(
      hoursFault([
        { weekdays: [1], from: '10:00', to: '22:00' },
        { weekdays: [1], from: '09:00', to: '12:00' },
      ]),
    ).toBeDefined()
    expect(hoursFault([{ weekdays: [], from: '10:00', to: '22:00' }])).toBeDefined()
    expect(hoursFault([{ weekdays: [1], from: '25:00', to: '22:00' }])).toBeDefined()
  })
  it('is complete when nothing is missing', () => {
    const whole = {
      city_id: 1,
      lng_e6: 1,
      lat_e6: 1,
      covers: ['a'],
      shown_floors: 1,
      logo: 'a',
      phone: 'a',
      open_hours: [{ weekdays: [1], from: '10:00', to: '22:00' }],
      address: 'a',
      intro: 'a',
    }
    expect([missingOf(whole), completeness(missingOf(whole))]).toEqual([[], 100])
    expect(missingOf({ ...whole, lng_e6: null, covers: [] })).toEqual(['pin', 'cover'])
    expect(completeness(Object.keys(wanted) as never)).toBe(0)
  })
})
describe('distance', () => {
  it('is the same both ways, none to itself, and about 111 km a degree of latitude', () => {
    fc.assert(
      fc.property(pin, pin, (a, b) => {
        expect(Math.abs(metres(a, b) - metres(b, a))).toBeLessThan(0.01)
        expect(metres(a, a)).toBe(0)
      }),
    )
    expect(metres({ lng_e6: 121e6, lat_e6: 31e6 }, { lng_e6: 121e6, lat_e6: 32e6 })).toBeCloseTo(
      111_195,
      -2,
    )
  })
  it('tells a pin of the city from one of another', () => {
    const centre = { lng: '121.4737', lat: '31.2304' }
    expect([
      inCity({ lng_e6: 121_600_000, lat_e6: 31_200_000 }, centre),
      inCity({ lng_e6: 120_155_100, lat_e6: 30_274_100 }, centre),
    ]).toEqual([true, false])
    expect(CITY_REACH_M).toBeLessThan(160_000)
  })
})
describe('what may stand on a board', () => {
  const now = 1_000_000
  const coupon = fc.record({
    status: fc.constantFrom<CouponState>(
      'draft',
      'auditing',
      'rejected',
      'waiting',
      'active',
      'paused',
      'ended',
      'void',
    ),
    claim_start_at: fc.integer({ min: 0, max: 2_000_000 }),
    claim_end_at: fc.integer({ min: 0, max: 2_000_000 }),
    total: fc.integer({ min: 1, max: 9 }),
    claimed_count: fc.integer({ min: 0, max: 9 }),
    in_mall: fc.boolean(),
  })
  it('of coupons: only approved ones that can be had here now or within a week', () => {
    fc.assert(
      fc.property(coupon, of => {
        const fine =
          (of.status === 'active' || of.status === 'waiting') &&
          of.claim_end_at > now &&
          of.claimed_count < of.total &&
          of.claim_start_at <= now + 7 * 86_400 &&
          of.in_mall
        expect(couponBlocked(of, now) === null).toBe(fine)
      }),
    )
  })
  const offer = fc.record({
    kind: fc.constantFrom('bulks', 'voucher', 'goods'),
    state: fc.constantFrom('on_sale', 'off_sale', 'ended', 'draft'),
    stock_left: fc.integer({ min: 0, max: 3 }),
    sale_end_at: fc.integer({ min: 0, max: 2_000_000 }),
    check_end_at: fc.integer({ min: 0, max: 3_000_000 }),
    price_cents: fc.integer({ min: 1, max: 100 }),
    face_cents: fc.option(fc.integer({ min: 1, max: 100 })),
    merchant_status: fc.constantFrom('active', 'frozen', 'terminated'),
    stores_in_mall: fc.integer({ min: 0, max: 2 }),
  })
  it('of goods: only what is on sale here, in stock, of a merchant who trades, and sound by its kind', () => {
    fc.assert(
      fc.property(
        offer,
        fc.constantFrom('group' as const, 'voucher' as const, 'featured' as const),
        (of, block) => {
          if (offerBlocked(block, of, now) !== null) return
          expect(of).toMatchObject({ state: 'on_sale', merchant_status: 'active' })
          expect(of.stock_left > 0 && of.sale_end_at > now && of.stores_in_mall > 0).toBe(true)
          if (block === 'voucher')
            expect(of.kind === 'voucher' && of.price_cents < (of.face_cents ?? 0)).toBe(true)
          else expect(of.check_end_at >= of.sale_end_at).toBe(true)
          if (block === 'group') expect(of.kind).toBe('bulks')
        },
      ),
    )
  })
  it('of stores: open, here, and of what the category gathers', () => {
    expect(storeBlocked({ status: 'open', in_mall: true, gathered: true })).toBeNull()
    expect([
      storeBlocked({ status: 'open', in_mall: false, gathered: true }),
      storeBlocked({ status: 'resting', in_mall: true, gathered: true }),
      storeBlocked({ status: 'open', in_mall: true, gathered: false }),
    ]).toEqual(['not_in_mall', 'store_not_open', 'wrong_category'])
  })
  it('counts a hot item while it is on and its end is to come, also before its start', () => {
    expect([
      hotCounts({ status: 'on', end_at: now + 1 }, now),
      hotCounts({ status: 'on', end_at: now }, now),
      hotCounts({ status: 'off', end_at: now + 1 }, now),
    ]).toEqual([true, false, false])
  })
  it('windows overlap exactly when some moment is in both', () => {
    const end = fc.option(fc.integer({ min: 0, max: 20 }))
    const window = fc
      .record({ start_at: end, end_at: end })
      .filter(of => of.start_at === null || of.end_at === null || of.start_at < of.end_at)
    fc.assert(
      fc.property(window, window, (a, b) => {
        expect(windowsOverlap(a, b)).toBe(
          Array.from({ length: 22 }, (_, at) => at).some(at => inWindow(a, at) && inWindow(b, at)),
        )
      }),
    )
  })
})
