// @vitest-environment node
import { describe, expect, it } from 'vitest'
import {
  contractFault,
  isEnding,
  maySell,
  rateAt,
  rateFromTomorrow,
} from '#src/areas/merchant/merchant.ts'
import { DAY, dayStart } from '#src/domain/time.ts'

const now = 1_790_000_000

describe('a take rate that is agreed', () => {
  const old = { commission_bp: 1000, next_commission_bp: null, commission_from_at: null }
  it('holds from tomorrow on, and the one before until then', () => {
    const agreed = rateFromTomorrow(old, 1200, now)
    const midnight = dayStart(now) + DAY
    expect([rateAt(agreed, now), rateAt(agreed, midnight - 1), rateAt(agreed, midnight)]).toEqual([
      1000, 1000, 1200,
    ])
  })
  it('again on the same day replaces the one that does not hold yet', () => {
    const twice = rateFromTomorrow(rateFromTomorrow(old, 1200, now), 900, now + 60)
    expect([rateAt(twice, now + 60), rateAt(twice, now + DAY)]).toEqual([1000, 900])
    expect(rateFromTomorrow(twice, 1000, now + 90)).toEqual(old)
  })
  it('later keeps what holds by then', () => {
    const agreed = rateFromTomorrow(old, 1200, now)
    expect(rateFromTomorrow(agreed, 800, now + 2 * DAY).commission_bp).toBe(1200)
  })
})

describe('a contract', () => {
  const of = { start_at: now - DAY, current_end_at: now + DAY, license_expire_at: now + 100 * DAY }
  it.each([
    ['in the past', now - 1, of],
    ['not after its present end', now + DAY, of],
    ['before its start', now + 2 * DAY, { ...of, start_at: now + 3 * DAY }],
    ['beyond the licence', now + 101 * DAY, of],
  ])('that ends %s is refused', (_, end, facts) =>
    expect(contractFault(end, facts, now)).toBeDefined(),
  )
  it('that ends later than before, within the licence, is right', () => {
    expect(contractFault(now + 100 * DAY, of, now)).toBeUndefined()
    expect(contractFault(now + 900 * DAY, { ...of, license_expire_at: null }, now)).toBeUndefined()
  })
  it('that is over, or of a merchant that is frozen, sells nothing', () => {
    expect(maySell({ status: 'active', contract_end_at: now }, now)).toBe(false)
    expect(maySell({ status: 'frozen', contract_end_at: null }, now)).toBe(false)
    expect(maySell({ status: 'active', contract_end_at: now + 1 }, now)).toBe(true)
    expect([isEnding(now, now), isEnding(now + DAY, now), isEnding(null, now)]).toEqual([
      false,
      true,
      false,
    ])
  })
})
