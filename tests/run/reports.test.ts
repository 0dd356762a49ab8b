import { expect, test } from 'vitest'
import { outcomeOfPlaywright, outcomeOfVitest, type Journeys, type Suite } from './reports.ts'
import { chosenInPlaywright, chosenInVitest } from './runners.ts'

const root = new URL('../..', import.meta.url).pathname
const spec = (title: string, ok: boolean, tags: string[] = []) => ({
  title,
  ok,
  tags,
  tests: [
    {
      projectName: 'first',
      results: [{ duration: 1500, error: { message: '\u001b[31mno code\u001b[0m\n\n  at all' } }],
    },
  ],
})
const journeys = (suite: Suite, errors: { message: string }[] = []): Journeys => ({
  stats: { expected: 1, flaky: 0, unexpected: 2 },
  suites: [suite],
  errors,
})
const codes: Suite = {
  title: 'codes.e2e.ts',
  file: 'codes.e2e.ts',
  specs: [spec('one', false), spec('passes', true)],
  suites: [{ title: 'at once', file: 'codes.e2e.ts', specs: [spec('two', false, ['race'])] }],
}

test('a journey that failed is told with its file, its groups and its reason; a race by its tag', () => {
  const { passed, failed, faults, files } = outcomeOfPlaywright(journeys(codes), 1)
  expect([passed, failed]).toEqual([1, 2])
  expect(faults).toMatchObject([
    { file: 'tests/e2e/codes.e2e.ts', titles: ['one'], why: ['no code', 'at all'], lasting: false },
    { titles: ['at once', 'two'], lasting: true },
  ])
  expect(files).toEqual([{ file: 'tests/e2e/codes.e2e.ts', seconds: 4.5 }])
})
test('what failed outside every journey, such as a server that did not start, is a fault', () => {
  const { failed, faults } = outcomeOfPlaywright(
    journeys({ ...codes, specs: [], suites: [] }, [{ message: 'no server' }]),
    1,
  )
  expect([failed, faults[0]!.kind, faults[0]!.why]).toEqual([1, 'outside', ['no server']])
})
test('a test of vitest that failed in a file of races lasts', () => {
  const report = (file: string) => ({
    passed: 1,
    failed: 1,
    faults: [{ kind: 'test' as const, file, titles: ['a'], why: [] }],
    files: [],
    projects: ['unit'],
  })
  const lasting = (file: string) =>
    outcomeOfVitest(root, report(file), { code: 1 }).faults[0]!.lasting
  expect(lasting('tests/server/audit-races.test.ts')).toBe(true)
  expect(lasting('tests/server/order/histories.test.ts')).toBe(true)
  expect(lasting('tests/shell/toasts.test.tsx')).toBe(false)
  expect(lasting('')).toBe(false)
})
test('a database on which nothing ran has failed, whatever the other did', () => {
  const report = { passed: 7, failed: 0, faults: [], files: [], projects: ['postgres'] }
  const both = outcomeOfVitest(root, report, { code: 0, wanted: ['lite', 'postgres'] })
  expect(both).toMatchObject({ passed: 7, failed: 1, why: 'lite: nothing ran' })
  const one = outcomeOfVitest(root, report, { code: 0, wanted: ['postgres'] })
  expect(one).toMatchObject({ failed: 0, why: '' })
})
test('a fault is chosen by its file and its exact name', () => {
  const fault = {
    kind: 'test' as const,
    file: 'tests/e2e/codes.e2e.ts',
    titles: ['a group', 'costs 1.5 $ (or more)'],
    why: [],
    lasting: false,
    project: 'first',
  }
  const [file, , pattern] = chosenInVitest(fault)
  expect(file).toBe(fault.file)
  const chosen = new RegExp(pattern!)
  expect(chosen.test('a group costs 1.5 $ (or more)')).toBe(true)
  expect(chosen.test('a group costs 1.5 $ (or more) again')).toBe(false)
  expect(chosen.test('in a group costs 1.5 $ (or more)')).toBe(false)
  expect(chosenInVitest({ ...fault, kind: 'file', titles: [] })).toEqual([fault.file])
  const group = new RegExp(chosenInVitest({ ...fault, kind: 'group', titles: ['a group'] })[2]!)
  expect(group.test('a group of tests')).toBe(true)
  expect(group.test('a grouping')).toBe(false)
  const [name, , project, , grep] = chosenInPlaywright(fault)
  expect([name, project]).toEqual(['codes.e2e.ts', 'first'])
  const journey = new RegExp(grep!)
  expect(journey.test(' first codes.e2e.ts a group costs 1.5 $ (or more)')).toBe(true)
  expect(journey.test(' first codes.e2e.ts a group costs 1.5 $ (or more) @race')).toBe(true)
  expect(journey.test(' first codes.e2e.ts a group costs 1.5 $ (or more) again')).toBe(false)
})
