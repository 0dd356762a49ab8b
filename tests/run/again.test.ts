import { expect, test } from 'vitest'
import { MOST_AGAIN, MOST_FLAKY, runAgain, seen, settle, verdict, wasChance } from './again.ts'
import { nothing, type Fault, type Outcome, type Step } from './outcome.ts'
import { outcomeOfPlaywright, outcomeOfVitest, type Journeys } from './reports.ts'

const root = new URL('../..', import.meta.url).pathname
const fault = (more: Partial<Fault> = {}): Fault => ({
  kind: 'test',
  file: 'tests/kit/grid.test.tsx',
  titles: ['the grid', 'scrolls'],
  why: ['expected 1 to be 2'],
  lasting: false,
  ...more,
})
const outcome = (faults: Fault[], passed = 5): Outcome => ({
  ...nothing,
  passed,
  failed: faults.length,
  faults,
})
const passes = () => Promise.resolve(outcome([], 1))
const fails = (of: Fault) => Promise.resolve(outcome([of], 0))
const step = async (first: Outcome, again: (of: Fault) => Promise<Outcome>): Promise<Step> =>
  seen({ ...(await settle(first, again)), name: 'unit', seconds: 1, busy: 1 })

test('what fails once and passes by itself is flaky, and the run passes with its name and reason', async () => {
  const done = await step(outcome([fault()]), passes)
  expect(done).toMatchObject({ passed: 6, failed: 0, faults: [] })
  expect(done.flaky.map(one => one.fault)).toEqual([fault()])
  expect(verdict([done])).toMatchObject({ ok: true, passed: 6, failed: 0 })
})
test('what fails twice has failed', async () => {
  const done = await step(outcome([fault()]), fails)
  expect(done).toMatchObject({ passed: 5, failed: 1, flaky: [] })
  expect(verdict([done]).ok).toBe(false)
})
test('a race or an invariant that fails is never run again', async () => {
  const asked: Fault[] = []
  const race = fault({ lasting: true })
  const done = await step(outcome([race, fault()]), of => {
    asked.push(of)
    return passes()
  })
  expect(asked).toEqual([fault()])
  expect(done.faults).toEqual([race])
  expect(verdict([done]).ok).toBe(false)
})
test('an error outside every test is never run again, as nobody knows what it is of', () => {
  expect(runAgain(outcome([fault({ kind: 'outside', file: '' })]))).toEqual([])
})
test('three flaky tests pass, a fourth fails the run, whatever steps they are in', async () => {
  const flaky = await step(outcome(Array.from({ length: MOST_FLAKY }, () => fault())), passes)
  expect(verdict([flaky]).ok).toBe(true)
  const another = await step(outcome([fault()]), passes)
  expect(verdict([flaky, another])).toMatchObject({ ok: false, failed: 0 })
})
test('where very many fail none is run again', () => {
  const many = (length: number) => runAgain(outcome(Array.from({ length }, () => fault())))
  expect(many(MOST_AGAIN)).toHaveLength(MOST_AGAIN)
  expect(many(MOST_AGAIN + 1)).toEqual([])
})
test('a second run that saw no test excuses nothing, nor one that broke off', () => {
  expect(wasChance(nothing)).toBe(false)
  expect(wasChance({ ...nothing, passed: 1, failed: 1 })).toBe(false)
  expect(wasChance({ ...nothing, passed: 1 })).toBe(true)
})
test('a step that saw nothing fails, and so does a run without steps', async () => {
  expect(await step(nothing, passes)).toMatchObject({ failed: 1, why: 'nothing ran' })
  expect(verdict([]).ok).toBe(false)
})
test('a runner that broke off fails: without a report, or with one that names no fault', async () => {
  const green = { passed: 3, failed: 0, faults: [], files: [], projects: [] }
  const journeys: Journeys = { stats: { expected: 3, flaky: 0, unexpected: 0 }, suites: [] }
  const broken = [
    outcomeOfVitest(root, undefined, { code: 0 }),
    outcomeOfVitest(root, green, { code: 1 }),
    outcomeOfPlaywright(undefined, 0),
    outcomeOfPlaywright(journeys, 1),
  ]
  for (const first of broken) {
    expect(first.failed).toBe(1)
    expect(verdict([await step(first, passes)]).ok).toBe(false)
  }
  expect(outcomeOfVitest(root, green, { code: 0 }).failed).toBe(0)
  expect(outcomeOfPlaywright(journeys, 0).failed).toBe(0)
})
