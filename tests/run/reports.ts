import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Report } from '../farm/report.ts'
import { isLasting, RACE } from './lasting.ts'
import { nothing, type Fault, type FileTime, type Outcome } from './outcome.ts'

/** What a runner left in a file; undefined when it left none. */
export const read = <Shape>(file: string): Shape | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Shape) : undefined

/** A runner that broke off names no test that failed: its exit code knows. */
const failedBy = (named: number, code: number) => named || (code === 0 ? 0 : 1)

/**
 * The outcome of a vitest run, by what tests/farm/report.ts left of it. One of the projects
 * `wanted` of which nothing ran has failed, whatever the others did.
 */
export const outcomeOfVitest = (
  root: string,
  report: Report | undefined,
  { code, wanted = [] }: { code: number; wanted?: readonly string[] },
): Outcome => {
  if (!report) return { ...nothing, failed: 1, why: 'no report' }
  const missing = wanted.filter(name => !report.projects.includes(name))
  const lasting = (file: string) =>
    file !== '' && isLasting(file, readFileSync(join(root, file), 'utf8'))
  return {
    passed: report.passed,
    failed: failedBy(report.failed, code) + missing.length,
    faults: report.faults.map(fault => ({ ...fault, lasting: lasting(fault.file) })),
    files: report.files,
    why: missing.map(name => `${name}: nothing ran`).join(', '),
  }
}

/** The part of Playwright's JSON report that is read here. */
export type Suite = {
  title: string
  file: string
  specs?: Spec[]
  suites?: Suite[]
}
type Spec = {
  title: string
  ok: boolean
  tags: string[]
  tests: {
    projectName: string
    results: { duration: number; error?: { message?: string } }[]
  }[]
}
export type Journeys = {
  stats: { expected: number; flaky: number; unexpected: number }
  suites: Suite[]
  errors?: { message?: string }[]
}

const FOLDER = 'tests/e2e'
const LINES = 8
const firstLines = (text = '') =>
  stripVTControlCharacters(text)
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
    .slice(0, LINES)

/** A test with the file it runs in, which a helper may have declared, and the names around it. */
type Journey = { spec: Spec; file: string; titles: string[] }
const journeysIn = (suite: Suite, file: string, groups: string[] = []): Journey[] => [
  ...(suite.specs ?? []).map(spec => ({ spec, file, titles: [...groups, spec.title] })),
  ...(suite.suites ?? []).flatMap(inner => journeysIn(inner, file, [...groups, inner.title])),
]
const faultOf = ({ spec, file, titles }: Journey): Fault => ({
  kind: 'test',
  file,
  titles,
  why: firstLines(spec.tests[0]?.results.at(-1)?.error?.message),
  lasting: spec.tags.map(tag => `@${tag.replace(/^@/, '')}`).includes(RACE),
  project: spec.tests[0]?.projectName ?? '',
})
const secondsOf = (spec: Spec) =>
  spec.tests.flatMap(test => test.results).reduce((sum, { duration }) => sum + duration, 0) / 1000
const filesOf = (journeys: readonly Journey[]): FileTime[] => {
  const files = new Map<string, number>()
  for (const { spec, file } of journeys) files.set(file, (files.get(file) ?? 0) + secondsOf(spec))
  return [...files].map(([file, seconds]) => ({ file, seconds }))
}

/** The outcome of a run of journeys, by Playwright's JSON report. */
export const outcomeOfPlaywright = (report: Journeys | undefined, code: number): Outcome => {
  if (!report) return { ...nothing, failed: 1, why: 'no report' }
  const journeys = report.suites.flatMap(suite => journeysIn(suite, `${FOLDER}/${suite.file}`))
  const outside = (report.errors ?? []).map(({ message }): Fault => ({
    kind: 'outside',
    file: '',
    titles: [],
    why: firstLines(message),
    lasting: false,
  }))
  const faults = [...journeys.filter(({ spec }) => !spec.ok).map(faultOf), ...outside]
  return {
    passed: report.stats.expected,
    failed: failedBy(faults.length, code),
    faults,
    files: filesOf(journeys),
    why: '',
  }
}
