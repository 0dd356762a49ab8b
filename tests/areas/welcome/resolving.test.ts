import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clockOf,
  holdsAt,
  hoursText,
  minuteOf,
  overlap,
  type Hours,
} from '#src/areas/welcome/hours.ts'
import {
  clashOf,
  inOrder,
  winningWelcome,
  type WelcomeCase,
  type WelcomeRule,
} from '#src/areas/welcome/resolving.ts'
import { inPieces } from '#src/areas/welcome/saying.ts'
import { DAY, HOUR } from '#src/domain/time.ts'

/** Monday, 2 March 2026, 00:00 in Beijing. */
const MONDAY = 1_772_380_800
const day = (n: number, hour = 0) => MONDAY + n * DAY + hour * HOUR
const evening: Hours = { weekdays: [1, 2, 3, 4, 5, 6, 7], from_min: 22 * 60, to_min: 8 * 60 }
const rule = (id: number, of: Partial<WelcomeRule> = {}): WelcomeRule => ({
  id,
  base_id: null,
  scope: 'default',
  is_default: false,
  status: 'enabled',
  priority: 100,
  hours: [],
  userids: [],
  department_ids: [],
  ...of,
})
const friend: WelcomeCase = { code: null, userid: 'a', departments: [1], at: day(0, 9) }
const verdictOf = (rules: readonly WelcomeRule[], id: number, of: Partial<WelcomeCase> = {}) =>
  winningWelcome(rules, { ...friend, ...of }).verdicts.find(one => one.rule.id === id)?.verdict

describe('hours', () => {
  it('hold from their first minute to the one before their last, also overnight', () => {
    expect(holdsAt([], day(2, 3))).toBe(true)
    expect(holdsAt([evening], day(0, 22))).toBe(true)
    expect(holdsAt([evening], day(1, 7))).toBe(true)
    expect(holdsAt([evening], day(1, 8))).toBe(false)
    expect(holdsAt([evening], day(0, 22) - 1)).toBe(false)
  })
  it('of Sunday night go on into Monday', () => {
    const sunday = [{ ...evening, weekdays: [7] }]
    expect(holdsAt(sunday, day(6, 23))).toBe(true)
    expect(holdsAt(sunday, day(7, 1))).toBe(true)
    expect(holdsAt(sunday, day(1, 1))).toBe(false)
    expect(overlap(sunday, [{ weekdays: [1], from_min: 0, to_min: 60 }])).toBe(true)
    expect(overlap(sunday, [{ weekdays: [1], from_min: 480, to_min: 540 }])).toBe(false)
  })
  it('are said in words', () => {
    expect(hoursText([])[0]).toBe('全天')
    expect(hoursText([evening])).toEqual(['每天 22:00–次日 08:00', 'Daily 22:00–08:00 next day'])
    expect(hoursText([{ weekdays: [3, 1], from_min: 570, to_min: 1440 }])[0]).toBe(
      '周一、周三 09:30–24:00',
    )
    expect(minuteOf('09:30')).toBe(570)
    expect(minuteOf('24:00')).toBe(1440)
    expect(minuteOf('24:01')).toBeUndefined()
    expect(minuteOf('9：30')).toBeUndefined()
    expect(clockOf(570)).toBe('09:30')
  })
})

describe('the rule that wins', () => {
  const rules = [
    rule(1),
    rule(2, { scope: 'department', department_ids: [1] }),
    rule(3, { scope: 'staff', userids: ['a'] }),
    rule(4, { scope: 'code' }),
  ]
  const winner = (of: Partial<WelcomeCase> = {}) =>
    winningWelcome(rules, { ...friend, ...of }).winner?.id
  it('is that of the code, then the adviser, then the department, then the default', () => {
    expect(winner({ code: { welcome_id: 4 } })).toBe(4)
    expect(winner()).toBe(3)
    expect(winner({ userid: 'b' })).toBe(2)
    expect(winner({ userid: 'b', departments: [9] })).toBe(1)
  })
  it('leaves a reason for each other one', () => {
    expect(verdictOf(rules, 4)).toBe('other_code')
    expect(verdictOf(rules, 4, { code: { welcome_id: null } })).toBe('other_code')
    expect(verdictOf(rules, 2)).toBe('wider')
    expect(verdictOf(rules, 3, { userid: 'b' })).toBe('other_staff')
    expect(verdictOf(rules, 2, { departments: [2] })).toBe('other_department')
    expect(verdictOf([...rules, rule(5, { status: 'disabled' })], 5)).toBe('off')
    expect(verdictOf([rule(1), rule(6, { hours: [evening] })], 6)).toBe('other_hours')
  })
  it('is the one with the smaller priority of two of one scope, then the older', () => {
    const two = [rule(1), rule(7, { priority: 50 })]
    expect(winningWelcome(two, friend).winner?.id).toBe(7)
    expect(verdictOf(two, 1)).toBe('lower')
    expect(verdictOf([rule(1), rule(7)], 7)).toBe('older')
  })
  it('takes over the hours of the rule that a code names', () => {
    const two = [rule(4, { scope: 'code' }), rule(8, { scope: 'code', base_id: 4, priority: 9 })]
    const byCode = { ...friend, code: { welcome_id: 4 } }
    expect(winningWelcome(two, byCode).winner?.id).toBe(8)
    two[1] = { ...two[1]!, hours: [evening] }
    expect(winningWelcome(two, byCode).winner?.id).toBe(4)
  })
})

describe('a message of some hours', () => {
  const nights = rule(9, { base_id: 1, hours: [evening] })
  it('comes right before its rule, and is off with it', () => {
    expect([rule(2), nights, rule(1)].toSorted(inOrder).map(one => one.id)).toEqual([9, 1, 2])
    const dark = { at: day(3, 23) }
    expect(verdictOf([rule(1), nights], 1, dark)).toBe('windowed')
    expect(verdictOf([rule(1), nights], 9)).toBe('other_hours')
    expect(verdictOf([rule(1, { status: 'draft' }), nights], 9, dark)).toBe('base_off')
  })
  it('clashes with no rule of its own, but with another of its hours', () => {
    expect(clashOf(nights, [rule(1)])).toBeUndefined()
    expect(clashOf(rule(1), [nights])).toBeUndefined()
    expect(clashOf({ ...nights, id: 10 }, [rule(1), nights])?.id).toBe(9)
  })
})

const anyHours: fc.Arbitrary<Hours> = fc.record({
  weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  from_min: fc.integer({ min: 0, max: 1439 }),
  to_min: fc.integer({ min: 1, max: 1440 }),
})
const anyRule = (id: number): fc.Arbitrary<WelcomeRule> =>
  fc.record({
    id: fc.constant(id),
    base_id: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 3 }),
    is_default: fc.constant(false),
    scope: fc.constantFrom('code', 'staff', 'department', 'default'),
    status: fc.constantFrom('enabled', 'enabled', 'draft', 'disabled'),
    priority: fc.integer({ min: 1, max: 3 }),
    hours: fc.array(anyHours, { maxLength: 2 }),
    userids: fc.subarray(['a', 'b', 'c']),
    department_ids: fc.subarray([1, 2, 3]),
  })
const anyRules = fc
  .integer({ min: 0, max: 9 })
  .chain(n => fc.tuple(...Array.from({ length: n }, (_, at) => anyRule(at + 1))))
const anyCase: fc.Arbitrary<WelcomeCase> = fc.record({
  code: fc.option(fc.record({ welcome_id: fc.option(fc.integer({ min: 1, max: 6 })) })),
  userid: fc.constantFrom('a', 'b', 'c', 'd'),
  departments: fc.subarray([1, 2, 3, 4]),
  at: fc.integer({ min: MONDAY, max: MONDAY + 8 * DAY }),
})
describe('over any rules', () => {
  it('exactly one wins where the default is on, whatever the order they come in', () =>
    fc.assert(
      fc.property(anyRules, anyCase, fc.integer(), (some, of, turn) => {
        const rules = [...some, rule(99, { is_default: true })]
        const said = winningWelcome(rules, of)
        expect(said.winner).toBeDefined()
        expect(said.verdicts.filter(one => one.verdict === 'wins')).toHaveLength(1)
        expect(said.verdicts).toHaveLength(rules.length)
        const at = Math.abs(turn) % rules.length
        const turned = [...rules.slice(at), ...rules.slice(0, at)].toReversed()
        expect(winningWelcome(turned, of)).toEqual(said)
      }),
    ))
  it('the winner is for the friend, and none that is for the friend stands before it', () =>
    fc.assert(
      fc.property(anyRules, anyCase, (rules, of) => {
        const { winner, verdicts } = winningWelcome(rules, of)
        const isFor = (verdict: string) => ['wins', 'wider', 'lower', 'older'].includes(verdict)
        const those = verdicts.filter(one => isFor(one.verdict)).map(one => one.rule)
        expect(those.toSorted(inOrder)[0]).toEqual(winner)
        if (winner) expect(holdsAt(winner.hours, of.at)).toBe(true)
      }),
    ))
  it('age never decides among rules that do not clash', () =>
    fc.assert(
      fc.property(anyRules, anyCase, (rules, of) => {
        const sound = rules.filter(
          (one, at) => one.scope === 'department' || !clashOf(one, rules.slice(0, at)),
        )
        const { verdicts } = winningWelcome(sound, of)
        const byAge = verdicts.filter(one => one.verdict === 'older')
        expect(byAge.filter(one => one.rule.scope !== 'department')).toEqual([])
      }),
    ))
})

describe('over any text', () => {
  it('pieces come to the text, and none is longer than it may be', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 4, max: 40 }),
        (text, most) => {
          const pieces = inPieces(text, most)
          expect(pieces.join('')).toBe(text)
          for (const piece of pieces) {
            expect(piece).not.toBe('')
            expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(most)
          }
        },
      ),
    ))
})

describe('a clash', () => {
  const others = [rule(1, { scope: 'staff', userids: ['a', 'b'], hours: [evening] })]
  const mine = rule(2, { scope: 'staff', userids: ['b'] })
  it('is a rule of the same people, priority and time', () => {
    expect(clashOf(mine, others)?.id).toBe(1)
    expect(clashOf({ ...mine, priority: 1 }, others)).toBeUndefined()
    expect(clashOf({ ...mine, userids: ['c'] }, others)).toBeUndefined()
    expect(
      clashOf({ ...mine, hours: [{ ...evening, from_min: 480, to_min: 1320 }] }, others),
    ).toBeUndefined()
    expect(clashOf(mine, [{ ...others[0]!, status: 'disabled' }])).toBeUndefined()
  })
})
