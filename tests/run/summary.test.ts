import { expect, test } from 'vitest'
import { nothing, type Fault, type Step } from './outcome.ts'
import { summary } from './summary.ts'

const fault = (why: string): Fault => ({
  kind: 'test',
  file: 'tests/kit/grid.test.tsx',
  titles: ['the grid', 'scrolls'],
  why: [why, 'tests/kit/grid.test.tsx:4'],
  lasting: false,
})
const step = (more: Partial<Step>): Step => ({
  ...nothing,
  name: 'unit',
  flaky: [],
  passed: 4,
  seconds: 12.34,
  busy: 0.934,
  ...more,
})

test('a flaky test is told by its name with both its reports, and the run passes', () => {
  const flaky = [{ fault: fault('expected 1 to be 2'), secondsAgain: 2.04 }]
  const lines = summary([step({ flaky })], 13)
  const at = lines.indexOf('  tests/kit/grid.test.tsx › the grid › scrolls')
  expect(lines.slice(at, at + 4)).toEqual([
    '  tests/kit/grid.test.tsx › the grid › scrolls',
    '    first, failed: expected 1 to be 2',
    '    tests/kit/grid.test.tsx:4',
    '    then, by itself: passed in 2.0 s',
  ])
  expect(lines.at(-1)).toBe('4 passed, 0 failed, 1 flaky: passed')
})
test('a fourth flaky test is told to fail the run', () => {
  const flaky = Array.from({ length: 4 }, () => ({ fault: fault('late'), secondsAgain: 1 }))
  const lines = summary([step({ flaky })], 13)
  expect(lines).toContain('4 flaky tests, more than 3: the run fails')
  expect(lines.at(-1)).toBe('4 passed, 0 failed, 4 flaky: failed')
})
test('what failed stands with its step; each step tells its seconds and how busy they were', () => {
  const lines = summary([step({ failed: 1, faults: [fault('broken')] })], 13)
  expect(lines.slice(0, 3)).toEqual([
    'unit:',
    '  tests/kit/grid.test.tsx › the grid › scrolls',
    '    broken',
  ])
  expect(lines).toContain('✗ unit          4 passed    1 failed    12.3 s  93 % busy')
})
test('the ten slowest files of all steps are told, the slowest first', () => {
  const files = (name: string) =>
    Array.from({ length: 8 }, (_, n) => ({ file: `${name}${n}`, seconds: n }))
  const lines = summary([step({ files: files('a') }), step({ files: files('b') })], 13)
  const at = lines.indexOf('the slowest files:')
  const told = lines.slice(at + 1, at + 11).map(line => line.trim().split(/ +/).at(-1))
  expect(told).toEqual(['a7', 'b7', 'a6', 'b6', 'a5', 'b5', 'a4', 'b4', 'a3', 'b3'])
  expect(lines[at + 11]).toMatch(/^✓ unit/)
})
