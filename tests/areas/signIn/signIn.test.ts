import { describe, expect, it } from 'vitest'
import { metres } from '#src/areas/place/geo.ts'
import { ladderFault, pointsOnDay, typedLadder } from '#src/areas/pointsRule/earning.ts'
import {
  hoursOfSpot,
  isOpenAt,
  makeUpFault,
  monthOf,
  openingFault,
} from '#src/areas/signIn/signIn.ts'
import { DAY, HOUR } from '#src/domain/time.ts'

/** 2026-11-02 is a Monday. */
const monday = Date.UTC(2026, 10, 2) / 1000 - 8 * HOUR
describe('the hours of a spot', () => {
  const day = [{ weekdays: [1, 2], from: '10:00', to: '22:00' }]
  const night = [{ weekdays: [7], from: '18:00', to: '02:00' }]
  it('are those of its weekdays in Shanghai, the last minute not in them', () => {
    expect(isOpenAt(day, monday + 10 * HOUR)).toBe(true)
    expect(isOpenAt(day, monday + 10 * HOUR - 1)).toBe(false)
    expect(isOpenAt(day, monday + 22 * HOUR)).toBe(false)
    expect(isOpenAt(day, monday + 2 * DAY + 12 * HOUR)).toBe(false)
  })
  it('go on past midnight', () => {
    expect(isOpenAt(night, monday - HOUR)).toBe(true)
    expect(isOpenAt(night, monday + HOUR)).toBe(true)
    expect(isOpenAt(night, monday + 2 * HOUR)).toBe(false)
    expect(isOpenAt(night, monday + DAY + HOUR)).toBe(false)
  })
  it('are its own where it has any, else the mall’s', () => {
    expect(hoursOfSpot({ open_from: null, open_to: null, open_hours: day })).toBe(day)
    const own = hoursOfSpot({ open_from: '08:00', open_to: '09:00', open_hours: day })
    expect(isOpenAt(own, monday + 5 * DAY + 8 * HOUR)).toBe(true)
    expect(openingFault({ open_from: '25:00', open_to: '09:00' })).toBeTruthy()
    expect(openingFault({ open_from: '08:00', open_to: null })).toBeTruthy()
    expect(openingFault({ open_from: '08:00', open_to: '09:00' })).toBeUndefined()
  })
})
it('measures along the sphere', () => {
  const pin = { lng_e6: 121_473_700, lat_e6: 31_230_400 }
  expect(metres(pin, pin)).toBe(0)
  // A degree of a meridian is 111.19 km, of Shanghai’s parallel 95.08 km.
  expect(Math.round(metres(pin, { ...pin, lat_e6: pin.lat_e6 + 1_000_000 }))).toBe(111_195)
  expect(metres(pin, { ...pin, lng_e6: pin.lng_e6 + 1000 })).toBeCloseTo(95.08, 1)
})
it('reads a ladder as it is typed', () => {
  expect(typedLadder('1，2、3 5')).toEqual([
    { day: 1, points: 1 },
    { day: 2, points: 2 },
    { day: 3, points: 3 },
    { day: 4, points: 5 },
  ])
  expect(typedLadder('1，二')).toBeUndefined()
  expect(ladderFault(typedLadder('1 2 3 4 5 6 7 8')!)).toBeTruthy()
  expect(ladderFault(typedLadder('0 0 3')!)).toBeUndefined()
  expect([1, 3, 9].map(day => pointsOnDay([2, 4, 6], day))).toEqual([2, 6, 6])
})
it('knows the days of a month, and which may be made up for', () => {
  expect(monthOf(monday)).toEqual({ from: monday - DAY, days: 30 })
  expect(monthOf(Date.UTC(2028, 1, 10) / 1000).days).toBe(29)
  expect(makeUpFault(monday, monday + HOUR)).toBeTruthy()
  expect(makeUpFault(monday - 30 * DAY, monday + HOUR)).toBeUndefined()
  expect(makeUpFault(monday - 31 * DAY, monday + HOUR)).toBeTruthy()
})
