import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  conditionProblem,
  dutyOf,
  fires,
  isQuiet,
  maskedRobot,
  robotFault,
  rosterGaps,
  scopeKey,
  warningCan,
  warningStates,
  weekMinute,
  type Shift,
  type WarningState,
} from '#src/areas/notice/warning.ts'

const rule = {
  metric: 'refund_rate',
  operator: 'gt',
  threshold: 1000,
  window_s: 3600,
  min_sample: 20,
} as const

describe('a condition', () => {
  test('fits its metric: a percentage up to 100, a window of a minute to a day, a sample of one at least', () => {
    expect(conditionProblem(rule)).toBeUndefined()
    expect(conditionProblem({ ...rule, threshold: 10_001 })?.field).toBe('threshold')
    expect(conditionProblem({ ...rule, metric: 'stock', threshold: -1 })?.field).toBe('threshold')
    expect(conditionProblem({ ...rule, metric: 'stock', threshold: 10_001 })).toBeUndefined()
    expect(conditionProblem({ ...rule, window_s: 59 })?.field).toBe('window_s')
    expect(conditionProblem({ ...rule, window_s: 86_401 })?.field).toBe('window_s')
    expect(conditionProblem({ ...rule, min_sample: 0 })?.field).toBe('min_sample')
    expect(conditionProblem({ ...rule, metric: 'login_fail', city_id: 1 })?.field).toBe('city_id')
    expect(conditionProblem({ ...rule, operator: 'change_pct', threshold: 0 })?.field).toBe(
      'threshold',
    )
    expect(conditionProblem({ ...rule, metric: 'audit_age', city_id: 1 })).toBeUndefined()
    expect(conditionProblem({ ...rule, metric: 'audit_age', store_id: 1 })?.field).toBe('store_id')
  })
  test('one refund of one order is no alarm', () => {
    expect(fires(rule, { value: 10_000, sample: 1 })).toBe(false)
    expect(fires(rule, { value: 10_000, sample: 20 })).toBe(true)
    expect(fires(rule, { value: 1000, sample: 20 })).toBe(false)
  })
  test('a change is measured against the window before, up and down, and against nothing it is none', () => {
    const change = { operator: 'change_pct', threshold: 50, min_sample: 1 } as const
    expect(fires(change, { value: 151, sample: 5 }, { value: 100, sample: 5 })).toBe(true)
    expect(fires(change, { value: 150, sample: 5 }, { value: 100, sample: 5 })).toBe(false)
    expect(fires(change, { value: 49, sample: 5 }, { value: 100, sample: 5 })).toBe(true)
    expect(fires(change, { value: 49, sample: 5 }, { value: 0, sample: 5 })).toBe(false)
    expect(fires(change, { value: 49, sample: 5 })).toBe(false)
  })
  test('a place has one key, whatever the order it was said in', () => {
    expect([
      scopeKey({}),
      scopeKey({ city_id: 2 }),
      scopeKey({ store_id: 7, city_id: 2 }),
      scopeKey({ mid: 0 }),
    ]).toEqual(['all', 'city:2', 'city:2 store:7', 'mid:0'])
  })
})
describe('an alarm', () => {
  test('goes from open to acknowledged to handled; a recovered one can be handled but not ignored', () => {
    const can = (
      verb: 'ack' | 'handle' | 'ignore' | 'escalate',
      state: WarningState,
      level: 'warn' | 'serious' = 'warn',
    ) => warningCan(verb, { state, level }) === true
    expect(
      (Object.keys(warningStates) as WarningState[]).map(state => [
        can('ack', state),
        can('handle', state),
        can('ignore', state),
      ]),
    ).toEqual([
      [true, false, true],
      [false, true, true],
      [false, false, false],
      [false, true, false],
      [false, false, false],
    ])
    expect(can('escalate', 'open', 'serious')).toBe(false)
  })
})
describe('a roster', () => {
  const day: Shift = { weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '18:00', admin_id: 1 }
  const night: Shift = { weekdays: [1, 2, 3, 4, 5, 6, 7], from: '18:00', to: '09:00', admin_id: 2 }
  test('lists what nobody covers', () => {
    expect(rosterGaps([])).toEqual([])
    expect(rosterGaps([day, night])).toEqual([
      { weekday: 6, from: '09:00', to: '18:00' },
      { weekday: 7, from: '09:00', to: '18:00' },
    ])
    expect(
      rosterGaps([{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00', admin_id: 1 }]),
    ).toEqual([])
  })
  test('names who is on duty, over midnight and over the end of the week', () => {
    const at = (text: string) => Date.parse(`${text}+08:00`) / 1000
    expect(weekMinute(at('2026-11-16T00:00:00'))).toBe(0)
    expect(dutyOf([day, night], at('2026-11-20T10:00:00'))).toBe(1)
    expect(dutyOf([day, night], at('2026-11-21T02:00:00'))).toBe(2)
    expect(dutyOf([day, night], at('2026-11-21T12:00:00'))).toBeUndefined()
    expect(dutyOf([night], at('2026-11-16T03:00:00'))).toBe(2)
  })
  test('a gap has nobody on duty at any of its minutes, and every other minute has somebody', () => {
    const clock = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`)
    const shift = fc.record({
      weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      from: clock,
      to: clock,
      admin_id: fc.constant(1),
    })
    const monday = Date.parse('2026-11-16T00:00:00+08:00') / 1000
    fc.assert(
      fc.property(
        fc.array(shift, { minLength: 1, maxLength: 4 }),
        fc.nat(7 * 1440 - 1),
        (roster, minute) => {
          const [weekday, of] = [Math.floor(minute / 1440) + 1, minute % 1440]
          const inGap = rosterGaps(roster).some(
            gap =>
              gap.weekday === weekday &&
              of >= Number(gap.from.slice(0, 2)) * 60 + Number(gap.from.slice(3)) &&
              of < Number(gap.to.slice(0, 2)) * 60 + Number(gap.to.slice(3)),
          )
          expect(dutyOf(roster, monday + minute * 60) === undefined).toBe(inGap)
        },
      ),
      { numRuns: 60 },
    )
  })
  test('quiet hours run over midnight and know no serious alarm', () => {
    const quiet = { from: '22:00', to: '08:00' }
    const at = (text: string) => Date.parse(`2026-11-20T${text}:00+08:00`) / 1000
    expect([
      isQuiet(quiet, at('23:00'), 'warn'),
      isQuiet(quiet, at('07:59'), 'info'),
      isQuiet(quiet, at('08:00'), 'warn'),
      isQuiet(quiet, at('23:00'), 'serious'),
      isQuiet(null, at('23:00'), 'info'),
    ]).toEqual([true, true, false, false, false])
  })
})
test('a robot’s address is WeCom’s own, and is shown masked', () => {
  const url =
    'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=693a91f6-7xxx-4bc4-97a0-0ec2sifa5aaa'
  expect(robotFault(url)).toBeUndefined()
  expect(robotFault(url.replace('qyapi.weixin.qq.com', 'evil.example'))).toBeDefined()
  expect(robotFault(url.replace('https', 'http'))).toBeDefined()
  expect(maskedRobot(url)).toBe('https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=693a****5aaa')
})
