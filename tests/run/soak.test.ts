import { afterEach, expect, test, vi } from 'vitest'
import { nothing } from './outcome.ts'
import { clocks, repeat, rounds, soak } from './soak.ts'

const { TEST_CLOCK, TEST_SEED } = process.env
const back = (name: string, value: string | undefined) => {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}
afterEach(() => {
  back('TEST_CLOCK', TEST_CLOCK)
  back('TEST_SEED', TEST_SEED)
  vi.restoreAllMocks()
})
const printed = () => {
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  return lines
}

test('rounds cover every hour of a day and the ends of months, each with a seed of its own', () => {
  const all = rounds()
  expect(new Set(all.map(({ clock }) => clock))).toEqual(new Set(clocks))
  expect(new Set(clocks.map(clock => clock.slice(11, 13))).size).toBe(24)
  expect(new Set(all.map(({ seed }) => seed)).size).toBe(all.length)
  expect(all.length).toBeGreaterThanOrEqual(24)
  expect(clocks.every(clock => !Number.isNaN(Date.parse(clock)))).toBe(true)
})
test('fewer rounds spread over the day and the months', () => {
  expect(rounds(3).map(({ clock }) => clocks.indexOf(clock))).toEqual([0, 10, 20])
  expect(rounds(2, 7).map(({ seed }) => seed)).toEqual([7, 8])
})
test('what fails is told with the seed and the clock that repeat it', async () => {
  const lines = printed()
  const fault = {
    kind: 'test' as const,
    file: 'tests/domain/time.test.ts',
    titles: ['a day'],
    why: ['one short'],
    lasting: true,
  }
  const fails = () => Promise.resolve({ ...nothing, passed: 2, failed: 1, faults: [fault] })
  expect(await soak(['--rounds=1', '--seed=9', '--only=unit'], fails)).toBe(1)
  expect(lines).toContain(repeat({ clock: clocks[0]!, seed: 9 }, 'unit'))
  expect(lines.join('\n')).toContain('tests/domain/time.test.ts › a day\n    one short')
})
test('each round runs at its clock and seed; one that saw nothing fails', async () => {
  printed()
  const seen: string[] = []
  const passes = (step: string, files: string[]) => {
    seen.push(`${[step, ...files].join(' ')} ${process.env.TEST_CLOCK} ${process.env.TEST_SEED}`)
    return Promise.resolve({ ...nothing, passed: 1 })
  }
  expect(await soak(['--rounds=2', '--only=unit'], passes)).toBe(0)
  expect(seen).toEqual(rounds(2).map(({ clock, seed }) => `unit ${clock} ${seed}`))
  expect(await soak(['--rounds=1', '--only=lite', '--file=tests/fuzz.test.ts'], passes)).toBe(0)
  expect(seen.at(-1)).toMatch(/^lite tests\/fuzz\.test\.ts /)
  expect(await soak(['--rounds=1', '--only=unit'], () => Promise.resolve(nothing))).toBe(1)
})
