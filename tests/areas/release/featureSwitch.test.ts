import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bucketOf,
  decide,
  featureKeys,
  isAtLeast,
  versionFault,
  type Asker,
  type Feature,
  type FeatureRule,
} from '#src/areas/release/featureSwitch.ts'

const rule = (of: Partial<FeatureRule> = {}): FeatureRule => ({
  feature: 'goodies',
  city_id: null,
  mall_id: null,
  status: 'on',
  percent: 100,
  min_version: '',
  testers: [],
  ...of,
})
const asker = (of: Partial<Asker> = {}): Asker => ({
  member_id: 1,
  city_id: 10,
  mall_id: 100,
  version: '3.2.0',
  ...of,
})
const isOn = (
  rules: readonly FeatureRule[],
  of: Partial<Asker> = {},
  feature: Feature = 'goodies',
) => decide(rules, feature, asker(of)).on

describe('where a member stands', () => {
  it.each([1, 10, 25, 50, 90])('%i percent of 100,000 members are that many', percent => {
    const members = Array.from({ length: 100_000 }, (_, at) => at + 1)
    // Three standard deviations of a fair draw.
    const spread = 3 * Math.sqrt(100_000 * (percent / 100) * (1 - percent / 100))
    for (const feature of featureKeys) {
      const within = members.filter(id => bucketOf(feature, id) < percent * 100).length
      expect(Math.abs(within - percent * 1000), feature).toBeLessThan(spread)
    }
  })
  it('is another place for another feature: the first to have one are not the first to have all', () => {
    const members = Array.from({ length: 20_000 }, (_, at) => at + 1)
    const both = members.filter(
      id => bucketOf('goodies_feed', id) < 1000 && bucketOf('goodies_share', id) < 1000,
    ).length
    expect(both).toBeGreaterThan(120)
    expect(both).toBeLessThan(280)
  })
  it('stays in while the percentage grows', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_147_483_647 }),
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 0, max: 100 }),
        (member_id, some, other) => {
          const [less, more] = [Math.min(some, other), Math.max(some, other)]
          if (isOn([rule({ percent: less })], { member_id }))
            expect(isOn([rule({ percent: more })], { member_id })).toBe(true)
        },
      ),
    ))
  it('is in at 100 percent and out at 0, whoever it is', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), member_id => {
        expect(isOn([rule()], { member_id })).toBe(true)
        expect(isOn([rule({ percent: 0 })], { member_id })).toBe(false)
      }),
    ))
  it('is nowhere for a visitor, who waits for 100 percent', () => {
    expect(isOn([rule({ percent: 99 })], { member_id: null })).toBe(false)
    expect(isOn([rule()], { member_id: null })).toBe(true)
  })
})

describe('the switch that decides', () => {
  const country = rule({ percent: 0 })
  const city = rule({ city_id: 10, percent: 100 })
  const mall = rule({ city_id: 10, mall_id: 100, status: 'off' })
  it('is the mall’s before the city’s before the country’s', () => {
    expect(isOn([country, city, mall])).toBe(false)
    expect(isOn([country, city, mall], { mall_id: 101 })).toBe(true)
    expect(isOn([country, city, mall], { city_id: 11, mall_id: null })).toBe(false)
    expect(decide([country, city], 'goodies', asker())).toEqual({
      on: true,
      verdict: 'in',
      level: 'city',
    })
  })
  it('is none where there is none: the feature is off', () => {
    expect(decide([], 'goodies', asker())).toMatchObject({ on: false, verdict: 'none' })
  })
  it('lets testers in at any percent, everywhere, but neither when it is off nor in an old app', () => {
    const testers = [1]
    expect(isOn([rule({ percent: 0, testers })])).toBe(true)
    expect(isOn([rule({ percent: 0, testers }), rule({ city_id: 10, percent: 0 })])).toBe(true)
    expect(isOn([rule({ status: 'off', testers })])).toBe(false)
    expect(isOn([rule({ min_version: '4.0.0', testers })])).toBe(false)
  })
  it('of the channel keeps its parts off with it', () => {
    const part = rule({ feature: 'goodies_feed' })
    expect(isOn([rule(), part], {}, 'goodies_feed')).toBe(true)
    expect(decide([rule({ status: 'off' }), part], 'goodies_feed', asker())).toMatchObject({
      on: false,
      verdict: 'parent',
    })
  })
})

describe('a version', () => {
  it.each([
    ['3.2.0', '3.2.0', true],
    ['3.10.0', '3.9.9', true],
    ['3.9.9', '3.10.0', false],
    ['4.0.0', '3.99.99', true],
    ['', '3.2.0', false],
    ['', '', true],
    ['3.2', '3.2.0', false],
  ])('%s is at least %s: %s', (own, least, is) => expect(isAtLeast(own, least)).toBe(is))
  it.each(['3', '3.2', 'v3.2.0', '3.2.0-beta', '３.2.0', '3.2.00000'])('%j is none', typed =>
    expect(versionFault(typed)).toBeDefined(),
  )
})
