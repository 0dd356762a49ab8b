import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  freeLevel,
  keepUntil,
  ladderFaults,
  levelAfter,
  levelOf,
  nextStep,
  standardLevels,
  type Holds,
  type Level,
  type Standing,
} from '#src/areas/level/level.ts'
import { DAY } from '#src/domain/time.ts'

const NOW = 1_700_000_000
const ladder = { levels: standardLevels, merged: [] }
const at = (growth: number, level: number, level_keep_until: number | null): Standing => ({
  growth,
  level,
  level_keep_until,
})
const levels = (...more: Partial<Level>[]): Level[] =>
  more.map((one, no) => ({ ...standardLevels[no]!, ...one }))

describe('a ladder', () => {
  it('gives the highest level that growth has earned, and says what lacks for the next', () => {
    expect([0, 199, 200, 999, 7999, 8000, 99_999].map(growth => levelOf(growth, ladder))).toEqual([
      0, 0, 1, 1, 3, 4, 5,
    ])
    expect(nextStep(150, ladder)).toMatchObject({ level: { no: 1 }, lacking: 50 })
    expect(nextStep(20_000, ladder)).toBeUndefined()
  })
  it('is refused where a rule of it is broken, at the field', () => {
    expect(Object.values(ladderFaults(standardLevels)).filter(Boolean)).toEqual([])
    const faults = (of: Level[]) =>
      Object.entries(ladderFaults(of)).flatMap(([path, fault]) => (fault ? [path] : []))
    expect(faults(levels({}, { growth_min: 0, keep_growth: 0 }))).toEqual(['levels.1.growth_min'])
    expect(faults(levels({ growth_min: 5 }))).toEqual(['levels.0.growth_min'])
    expect(faults(levels({}, { name: '普通会员' }))).toEqual(['levels.1.name'])
    expect(faults(levels({}, { keep_growth: 201 }))).toEqual(['levels.1.keep_growth'])
    expect(faults(levels({}, { keep_days: 0 }))).toEqual(['levels.1.keep_days'])
    expect(faults(levels({}, { discount_bp: 9000 }, { discount_bp: 9500 }))).toEqual([
      'levels.2.discount_bp',
    ])
    expect(freeLevel(levels({}, {}))).toBe(2)
    expect(freeLevel(standardLevels)).toBeUndefined()
  })
})

describe('the level of a member', () => {
  const keep = NOW + 30 * DAY
  it('goes up at once', () => {
    expect(levelAfter(ladder, at(1000, 0, null), {}, NOW)).toEqual({
      level: 2,
      level_keep_until: keepUntil(2, ladder, NOW),
    })
  })
  it('falls only when the keep date has come and too little growth is left', () => {
    const kept = levels({}, { keep_growth: 100 }, {}, {}, {}, {})
    expect(levelAfter(ladder, at(50, 2, keep), {}, NOW)).toMatchObject({ level: 2 })
    expect(levelAfter(ladder, at(50, 2, NOW), {}, NOW)).toEqual({
      level: 0,
      level_keep_until: null,
    })
    expect(levelAfter({ levels: kept, merged: [] }, at(120, 1, NOW), {}, NOW)).toEqual({
      level: 1,
      level_keep_until: NOW + 365 * DAY,
    })
  })
  it('waits while it is protected', () => {
    const holds: Holds = { protect: { until_at: NOW + DAY } }
    expect(levelAfter(ladder, at(0, 3, NOW - 1), holds, NOW)).toMatchObject({ level: 3 })
    expect(levelAfter(ladder, at(0, 3, NOW - 1), holds, NOW + DAY)).toMatchObject({ level: 0 })
  })
  it('is what staff set, until that ends; then it is where it was, by the ladder', () => {
    const manual = { level: 4, until_at: NOW + DAY, back_level: 1, back_keep_until: keep }
    const held = at(250, 4, NOW + DAY)
    expect(levelAfter(ladder, held, { manual }, NOW)).toEqual({
      level: 4,
      level_keep_until: NOW + DAY,
    })
    expect(levelAfter(ladder, { ...held, growth: 20_000 }, { manual }, NOW).level).toBe(5)
    expect(levelAfter(ladder, held, { manual }, NOW + DAY)).toEqual({
      level: 1,
      level_keep_until: keep,
    })
    const lowered = { ...manual, level: 0, back_level: 2 }
    expect(levelAfter(ladder, at(1000, 0, NOW + DAY), { manual: lowered }, NOW).level).toBe(0)
    expect(levelAfter(ladder, at(1000, 0, NOW), { manual: lowered }, NOW + DAY).level).toBe(2)
  })
  it('leaves a level that a new ladder does not have, for the one it was merged into', () => {
    const without = {
      levels: standardLevels.filter(level => level.no !== 3),
      merged: [{ level: 3, into: 4 }],
    }
    expect(levelAfter(without, at(3000, 3, keep), {}, NOW).level).toBe(4)
    expect(levelAfter({ ...without, merged: [] }, at(3000, 3, keep), {}, NOW).level).toBe(2)
  })
  it('is never below what growth has earned, never changes when asked again', () => {
    const standing = fc.record({
      growth: fc.integer({ min: 0, max: 30_000 }),
      level: fc.integer({ min: 0, max: 5 }),
      level_keep_until: fc.option(fc.integer({ min: NOW - DAY, max: NOW + DAY })),
    })
    const holds = fc.record({
      manual: fc.option(
        fc.record({
          level: fc.integer({ min: 0, max: 5 }),
          until_at: fc.integer({ min: NOW + 1, max: NOW + DAY }),
          back_level: fc.integer({ min: 0, max: 5 }),
          back_keep_until: fc.option(fc.integer({ min: NOW - DAY, max: NOW + DAY })),
        }),
        { nil: undefined },
      ),
      protect: fc.option(fc.record({ until_at: fc.integer({ min: NOW - 5, max: NOW + 5 }) }), {
        nil: undefined,
      }),
    })
    fc.assert(
      fc.property(standing, holds, (member, held) => {
        const once = levelAfter(ladder, member, held, NOW)
        expect(levelAfter(ladder, { ...member, ...once }, held, NOW)).toEqual(once)
        const earned = levelOf(member.growth, ladder)
        const { manual, protect } = held
        const isSet = manual !== undefined && once.level === manual.level
        const isKept = (once.level_keep_until ?? 0) > NOW || (protect?.until_at ?? 0) > NOW
        expect(once.level === earned || isSet || (once.level > earned && isKept)).toBe(true)
      }),
    )
  })
})
