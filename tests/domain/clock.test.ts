import { afterEach, expect, test, vi } from 'vitest'
import { forgetTime, learnTime, nowMs, ownMs } from '#src/domain/clock.ts'
import { unixNow } from '#src/domain/time.ts'

const NOON = Date.UTC(2026, 10, 18, 4)
const DAY_MS = 86_400_000
/** A machine whose clock stands at noon. */
const atNoon = () => {
  vi.useFakeTimers({ now: NOON })
  forgetTime()
}
afterEach(() => {
  forgetTime()
  vi.useRealTimers()
})

test('before the first answer the time is this machine’s', () => {
  atNoon()
  expect([nowMs(), unixNow()]).toEqual([NOON, NOON / 1000])
})
test.each([DAY_MS, -DAY_MS, 90])('a server that is %i ms ahead has the time', ahead => {
  atNoon()
  // Asked 200 ms ago; the server had the question after half of them.
  expect(learnTime(NOON - 200, NOON, NOON - 100 + ahead)).toBe(ahead)
  expect([nowMs(), unixNow()]).toEqual([NOON + ahead, Math.floor((NOON + ahead) / 1000)])
  expect(ownMs()).toBe(NOON)
})
test('the quicker answer is believed, whichever comes first', () => {
  atNoon()
  learnTime(NOON - 3000, NOON, NOON - 100)
  expect(learnTime(NOON - 20, NOON, NOON - 10 + 500)).toBe(500)
  expect(learnTime(NOON - 3000, NOON, NOON - 2900)).toBe(500)
})
test('a clock that was set meanwhile is noticed, though the answer was slow', () => {
  atNoon()
  learnTime(NOON - 20, NOON, NOON - 10 + DAY_MS)
  vi.setSystemTime(NOON + DAY_MS)
  expect(learnTime(NOON + DAY_MS - 400, NOON + DAY_MS, NOON + DAY_MS - 200)).toBe(0)
  expect(nowMs()).toBe(NOON + DAY_MS)
})
test('nobody in the browser asks the machine itself for the time', () => {
  const sources = import.meta.glob<string>(
    [
      '../../src/{kit,shell,domain,contract,areas}/**/*.{ts,tsx}',
      '../../src/modules/**/*.{ts,tsx}',
      '../../src/main.tsx',
      '../../commands/**/*.ts',
      '!../../src/modules/*/server.ts',
      '!../../src/modules/*/server/**',
      '!../../src/areas/**/*.{server,channel,demo,table}.ts',
      '!../../src/domain/clock.ts',
    ],
    { eager: true, query: '?raw', import: 'default' },
  )
  const bare = /\bDate\.now\(|\bnew Date\(\s*\)|\bdayjs\(\s*\)|(?<!new )\bDate\(\)/
  expect(Object.keys(sources).length).toBeGreaterThan(300)
  expect(bare.test('const at = Date.now()')).toBe(true)
  expect(
    Object.entries(sources)
      .filter(([, text]) => bare.test(text))
      .map(([file]) => file),
  ).toEqual([])
})
