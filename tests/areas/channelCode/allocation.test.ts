import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  candidatesAt,
  drawnOf,
  healthAt,
  type CodePlan,
  type StaffNow,
} from '#src/areas/channelCode/allocation.ts'
import { codeFaults, type CodeDraft, type StaffRights } from '#src/areas/channelCode/codeRules.ts'
import {
  DAY_MINUTES,
  gapsOf,
  onDuty,
  overlapOf,
  WEEK_MINUTES,
  weekMinuteOf,
  type Shift,
} from '#src/areas/channelCode/duty.ts'
import { DAY } from '#src/domain/time.ts'

const people = ['a', 'b', 'c', 'd', 'e', 'f']
const main = people.slice(0, 4)
const backups = people.slice(4)
const shift: fc.Arbitrary<Shift> = fc
  .record({
    weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    a: fc.integer({ min: 0, max: 95 }).map(n => n * 15),
    b: fc.integer({ min: 1, max: 96 }).map(n => n * 15),
    userids: fc.subarray(main, { minLength: 1 }),
  })
  .map(({ weekdays, a, b, userids }) => ({
    weekdays,
    from_min: a,
    to_min: a < b ? b : Math.min(a, b),
    overnight: a >= b,
    userids,
  }))
const plan: fc.Arbitrary<CodePlan> = fc.record({
  members: fc.subarray(main).chain(ids =>
    fc.tuple(
      ...ids.map(userid =>
        fc.record({
          userid: fc.constant(userid),
          weight: fc.integer({ min: 1, max: 100 }),
          day_cap: fc.option(fc.integer({ min: 1, max: 4 })),
        }),
      ),
    ),
  ),
  shifts: fc.array(shift, { maxLength: 4 }),
  backup_userids: fc.subarray(backups),
})
const staffNow: fc.Arbitrary<StaffNow> = fc.record({
  able: fc.boolean(),
  taken: fc.integer({ min: 0, max: 5 }),
  taken_in_all: fc.integer({ min: 0, max: 9 }),
  day_cap: fc.option(fc.integer({ min: 1, max: 8 })),
})
const staff = fc
  .tuple(...people.map(() => staffNow))
  .map(all => new Map(people.map((userid, n) => [userid, all[n]!])))
const moment = fc.integer({ min: 1_750_000_000, max: 1_850_000_000 })
const draw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

/** The same by looking at each shift's day and hour, as a person would. */
const isOnDuty = (shifts: readonly Shift[], userid: string, minute: number): boolean => {
  const [day, of] = [Math.floor(minute / DAY_MINUTES) + 1, minute % DAY_MINUTES]
  const before = day === 1 ? 7 : day - 1
  return shifts.some(one => {
    if (!one.userids.includes(userid)) return false
    if (!one.overnight) return one.weekdays.includes(day) && of >= one.from_min && of < one.to_min
    return (
      (one.weekdays.includes(day) && of >= one.from_min) ||
      (one.weekdays.includes(before) && of < one.to_min)
    )
  })
}

describe('who answers a scan', () => {
  it('is a member on duty below every cap, else a backup, and never one who is not able', () =>
    fc.assert(
      fc.property(plan, staff, moment, draw, (of, known, at, number) => {
        const candidates = candidatesAt(of, at, userid => known.get(userid))
        const chosen = drawnOf(candidates, number)
        const minute = weekMinuteOf(at)
        const isFree = (userid: string) => {
          const { day_cap, taken_in_all } = known.get(userid)!
          return day_cap === null || taken_in_all < day_cap
        }
        const mains = of.members.filter(
          ({ userid, day_cap }) =>
            known.get(userid)!.able &&
            isFree(userid) &&
            (day_cap === null || known.get(userid)!.taken < day_cap) &&
            (of.shifts.length === 0 || isOnDuty(of.shifts, userid, minute)),
        )
        const able = of.backup_userids.filter(userid => known.get(userid)!.able)
        const free = able.filter(isFree)
        if (chosen !== undefined) expect(known.get(chosen)!.able).toBe(true)
        if (mains.length > 0) {
          expect(candidates.role).toBe('main')
          expect(mains.map(one => one.userid)).toContain(chosen)
        } else if (free.length > 0) {
          expect(candidates.role).toBe('backup')
          expect(free).toContain(chosen)
        } else {
          expect(candidates.role).toBe(able.length > 0 ? 'last' : 'nobody')
          expect(chosen).toBe(able.at(-1))
        }
      }),
      { numRuns: 500 },
    ))
  it('is each as often as their weights say, over many scans', () =>
    fc.assert(
      fc.property(plan, staff, moment, (of, known, at) => {
        const candidates = candidatesAt(of, at, userid => known.get(userid))
        fc.pre(candidates.members.length > 1)
        const N = 4000
        const counts = new Map<string, number>()
        for (let n = 0; n < N; n += 1) {
          const chosen = drawnOf(candidates, (n + 0.5) / N)!
          counts.set(chosen, (counts.get(chosen) ?? 0) + 1)
        }
        const all = candidates.members.reduce((sum, one) => sum + one.weight, 0)
        for (const { userid, weight } of candidates.members)
          expect(Math.abs((counts.get(userid) ?? 0) - (N * weight) / all)).toBeLessThanOrEqual(1)
      }),
      { numRuns: 60 },
    ))
  it('passes no cap over a row of scans, unless the last backup takes what nobody else can', () =>
    fc.assert(
      fc.property(
        plan,
        staff,
        moment,
        fc.array(draw, { minLength: 200, maxLength: 200 }),
        (of, known, at, draws) => {
          const now = new Map([...known].map(([userid, one]) => [userid, { ...one }]))
          const by = new Map<string, number>()
          let overflowed: string | undefined
          for (const number of draws) {
            const candidates = candidatesAt(of, at, userid => now.get(userid))
            const chosen = drawnOf(candidates, number)
            if (chosen === undefined) continue
            if (candidates.role === 'last') overflowed = chosen
            const one = now.get(chosen)!
            now.set(chosen, { ...one, taken: one.taken + 1, taken_in_all: one.taken_in_all + 1 })
            by.set(chosen, (by.get(chosen) ?? 0) + 1)
          }
          for (const [userid, n] of by) {
            const { day_cap, taken_in_all } = known.get(userid)!
            if (userid === overflowed || day_cap === null) continue
            expect(taken_in_all + n).toBeLessThanOrEqual(day_cap)
          }
          for (const { userid, day_cap } of of.members)
            if (day_cap !== null && by.has(userid) && !of.backup_userids.includes(userid))
              expect(known.get(userid)!.taken + by.get(userid)!).toBeLessThanOrEqual(day_cap)
        },
      ),
      { numRuns: 200 },
    ))
  it('is nobody unknown', () =>
    expect(
      candidatesAt(
        { members: [{ userid: 'x', weight: 1, day_cap: null }], shifts: [], backup_userids: ['y'] },
        0,
        () => undefined,
      ),
    ).toEqual({ role: 'nobody', members: [] }))
})

describe('shifts', () => {
  it('are told by Beijing’s clock', () => {
    const saturday = Date.parse('2026-11-21T21:30:00+08:00') / 1000
    expect(weekMinuteOf(saturday)).toBe(5 * DAY_MINUTES + 21 * 60 + 30)
    expect(weekMinuteOf(saturday + 7 * DAY)).toBe(weekMinuteOf(saturday))
    expect(weekMinuteOf(Date.parse('2026-11-23T00:00:00+08:00') / 1000)).toBe(0)
  })
  it('put those on duty that the calendar says, also overnight and over the week’s end', () =>
    fc.assert(
      fc.property(
        fc.array(shift, { maxLength: 4 }),
        fc.integer({ min: 0, max: WEEK_MINUTES - 1 }),
        (shifts, minute) => {
          const wanted = main.filter(userid => isOnDuty(shifts, userid, minute))
          expect([...onDuty(shifts, minute)].sort()).toEqual(wanted)
        },
      ),
      { numRuns: 500 },
    ))
  it('leave gaps just where nobody is on duty', () =>
    fc.assert(
      fc.property(fc.array(shift, { maxLength: 4 }), shifts => {
        const gaps = gapsOf(shifts)
        for (let minute = 0; minute < WEEK_MINUTES; minute += 15)
          expect(gaps.some(({ from, to }) => from <= minute && minute < to)).toBe(
            onDuty(shifts, minute).size === 0,
          )
      }),
      { numRuns: 60 },
    ))
  it('overlap where somebody would be on duty twice at once', () =>
    fc.assert(
      fc.property(fc.array(shift, { maxLength: 3 }), shifts => {
        let twice = false
        for (let minute = 0; minute < WEEK_MINUTES && !twice; minute += 15)
          twice = main.some(
            userid => shifts.filter(one => isOnDuty([one], userid, minute)).length > 1,
          )
        const found = overlapOf(shifts)
        expect(found !== undefined).toBe(twice)
        if (found) expect(shifts[found.first]!.userids).toContain(found.userid)
      }),
      { numRuns: 100 },
    ))
})

const rights: StaffRights = {
  name: '李娜',
  status: 'active',
  is_verified: true,
  has_contact_right: true,
}
const known: Readonly<Record<string, StaffRights>> = {
  a: rights,
  b: rights,
  c: rights,
  left: { ...rights, status: 'left' },
  disabled: { ...rights, status: 'disabled' },
  unverified: { ...rights, is_verified: false },
  rightless: { ...rights, has_contact_right: false },
}
const member = (userid: string) => ({ userid, weight: 10, day_cap: null })
const NOW = 1_800_000_000
const draft = (more: Partial<CodeDraft> = {}): CodeDraft => ({
  kind: 'multi',
  members: [member('a'), member('b')],
  shifts: [],
  backup_userids: [],
  tag_ids: [],
  start_at: null,
  end_at: null,
  ...more,
})
const day: Shift = {
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  from_min: 540,
  to_min: 1320,
  overnight: false,
  userids: ['a'],
}
const night: Shift = { ...day, from_min: 1320, to_min: 540, overnight: true, userids: ['b'] }
const faultsOf = (more: Partial<CodeDraft>) => codeFaults(draft(more), id => known[id], NOW)

describe('a code', () => {
  it('without a fault has none', () => {
    expect(faultsOf({})).toEqual({})
    expect(faultsOf({ shifts: [day, night] })).toEqual({})
    expect(faultsOf({ shifts: [day], backup_userids: ['c'] })).toEqual({})
    expect(faultsOf({ kind: 'single', members: [member('a')], end_at: NOW + 1 })).toEqual({})
  })
  it.each<[string, Partial<CodeDraft>, string, string]>([
    ['of one member with two', { kind: 'single' }, 'members', '1 名'],
    ['of nobody', { members: [] }, 'members', '1 至 100'],
    [
      'of too many',
      { members: Array.from({ length: 101 }, (_, n) => member(`m${n}`)) },
      'members',
      '1 至 100',
    ],
    ['with a member twice', { members: [member('a'), member('a')] }, 'members', '重复'],
    ['with somebody unknown', { members: [member('x')] }, 'members.0.userid', '不存在'],
    ['with somebody who left', { members: [member('left')] }, 'members.0.userid', '离职'],
    ['with somebody disabled', { members: [member('disabled')] }, 'members.0.userid', '停用'],
    ['with somebody unverified', { members: [member('unverified')] }, 'members.0.userid', '实名'],
    ['with somebody without right', { members: [member('rightless')] }, 'members.0.userid', '权限'],
    [
      'with a cap of none',
      { members: [{ ...member('a'), day_cap: 0 }] },
      'members.0.day_cap',
      '不小于 1',
    ],
    [
      'with too great a weight',
      { members: [{ ...member('a'), weight: 101 }] },
      'members.0.weight',
      '1 至 100',
    ],
    ['with a member as backup', { backup_userids: ['a'] }, 'backup_userids.0', '既接待又备用'],
    ['with a backup who left', { backup_userids: ['left'] }, 'backup_userids.0', '离职'],
    ['with a backup twice', { backup_userids: ['c', 'c'] }, 'backup_userids', '重复'],
    ['with hours of nobody', { shifts: [day] }, 'backup_userids', '周一 00:00 至 周一 09:00'],
    [
      'with a shift backwards',
      { shifts: [{ ...day, to_min: 500 }] },
      'shifts.0.to_min',
      '次日结束',
    ],
    [
      'with a shift of more than a day',
      { shifts: [{ ...night, from_min: 60 }] },
      'shifts.0.to_min',
      '24 小时',
    ],
    ['with a shift on no day', { shifts: [{ ...day, weekdays: [] }] }, 'shifts.0.weekdays', '星期'],
    ['with a shift of nobody', { shifts: [{ ...day, userids: [] }] }, 'shifts.0.userids', '选择'],
    [
      'with somebody else on duty',
      { shifts: [{ ...day, userids: ['c'] }] },
      'shifts.0.userids',
      '接待成员',
    ],
    [
      'with one member twice at once',
      { shifts: [day, { ...night, from_min: 1300, userids: ['a'] }] },
      'shifts.1.userids',
      '第 1 个班次',
    ],
    ['with too many tags', { tag_ids: Array.from({ length: 21 }, (_, n) => n) }, 'tag_ids', '20'],
    ['that ends in the past', { end_at: NOW }, 'end_at', '当前时间'],
    ['that ends before it begins', { start_at: NOW + 9, end_at: NOW + 8 }, 'end_at', '开始时间'],
  ])('%s is not saved', (_, more, path, words) => {
    const faults = faultsOf(more)
    expect(faults[path]?.[0]).toContain(words)
    expect(faults[path]?.[1]).toMatch(/[A-Z]/)
  })
})

describe('the health of a code', () => {
  const now = (more: Partial<StaffNow> = {}): StaffNow => ({
    able: true,
    taken: 0,
    taken_in_all: 0,
    day_cap: null,
    ...more,
  })
  const of = (facts: Readonly<Record<string, StaffNow>>, more: Partial<CodePlan> = {}) =>
    healthAt({ ...draft({ backup_userids: ['c'] }), ...more }, NOW, id => facts[id])
  it('tells what hinders a scan now before what will', () => {
    expect(of({ a: now(), b: now(), c: now() })).toBe('ok')
    expect(of({ a: now(), b: now({ able: false }), c: now() })).toBe('staff_invalid')
    expect(of({ a: now({ able: false }), b: now({ able: false }), c: now() })).toBe('staff_invalid')
    const full = now({ day_cap: 1, taken_in_all: 1 })
    expect(of({ a: full, b: full, c: full })).toBe('all_full')
    expect(of({ a: full, b: full, c: now({ able: false }) })).toBe('no_staff')
    expect(of({ a: full, b: full }, { backup_userids: [] })).toBe('no_staff')
  })
})
