import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node'

/** What a run of vitest leaves; files stand from the project's folder, seconds are wall-clock. */
export type Report = {
  passed: number
  failed: number
  faults: {
    kind: 'test' | 'group' | 'file' | 'outside'
    /** The vitest project it ran in; none outside every test. */
    project?: string
    file: string
    titles: string[]
    why: string[]
  }[]
  files: { file: string; seconds: number }[]
  /** The projects that ran a test. */
  projects: string[]
}
type Failure = SerializedError & { cause?: SerializedError; detail?: string; diff?: string }
const LINE = 400
const DIFF_LINES = 6
/**
 * An error and what lies behind it, a line each: a database names what was wrong there, under a
 * message that is the whole query.
 */
const whyOf = (error: Failure | undefined): string[] =>
  error
    ? [
        [error.message.split('\n').find(line => line.trim()) ?? error.name, error.detail]
          .filter(Boolean)
          .join(' – ')
          .slice(0, LINE),
        ...whyOf(error.cause as Failure | undefined),
      ]
    : []
/** What differs: a message abbreviates what was found, such as a list of faults. */
const differences = ({ diff }: Failure): string[] =>
  stripVTControlCharacters(diff ?? '')
    .split('\n')
    .filter(line => /^[-+] (?!Expected|Received)/.test(line))
    .slice(0, DIFF_LINES)
    .map(line => line.slice(0, LINE))
const here = (path: string) => relative(process.cwd(), path)
const placesOf = (error: SerializedError | undefined) =>
  (error?.stacks ?? [])
    .map(at => `${here(at.file)}:${at.line}`)
    .join(' ← ')
    .slice(0, LINE)

/** Names from the outermost group to the test. */
const titlesOf = (of: TestCase | TestSuite): string[] => [
  ...(of.parent.type === 'suite' ? titlesOf(of.parent) : []),
  of.name,
]
const faultsOfTests = (tests: readonly TestCase[]): Report['faults'] =>
  tests.map(test => {
    const error = test.result().errors?.[0] as Failure | undefined
    return {
      kind: 'test',
      project: test.project.name,
      file: here(test.module.moduleId),
      titles: titlesOf(test),
      why: [...whyOf(error), ...(error ? differences(error) : []), placesOf(error)],
    }
  })
const faultsOfFile = (file: TestModule): Report['faults'] =>
  file.errors().map(error => ({
    kind: 'file',
    project: file.project.name,
    file: here(file.moduleId),
    titles: [],
    why: whyOf(error as Failure),
  }))
const faultsOfGroups = (file: TestModule): Report['faults'] =>
  [...file.children.allSuites()].flatMap(suite =>
    suite.errors().map(error => ({
      kind: 'group' as const,
      project: file.project.name,
      file: here(file.moduleId),
      titles: titlesOf(suite),
      why: whyOf(error as Failure),
    })),
  )
const secondsOf = (file: TestModule) => {
  const took = file.diagnostic()
  const parts = [
    took.environmentSetupDuration,
    took.prepareDuration,
    took.setupDuration,
    took.collectDuration,
    took.duration,
  ]
  return parts.reduce((sum, part) => sum + part, 0) / 1000
}

const hasRun = (test: TestCase) => ['passed', 'failed'].includes(test.result().state)

/** Leaves in TEST_REPORT_FILE how the tests went, for the sum at the end of `npm test`. */
export default class implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], outside: readonly SerializedError[]): void {
    const tests = modules.flatMap(file => [...file.children.allTests()])
    const failed = tests.filter(test => test.result().state === 'failed')
    const faults: Report['faults'] = [
      ...faultsOfTests(failed),
      ...modules.flatMap(faultsOfFile),
      ...modules.flatMap(faultsOfGroups),
      ...outside.map(error => ({
        kind: 'outside' as const,
        file: '',
        titles: [],
        why: [...whyOf(error as Failure), placesOf(error)],
      })),
    ]
    const report: Report = {
      passed: tests.filter(test => test.result().state === 'passed').length,
      failed: Math.max(failed.length, faults.length),
      faults,
      files: modules.map(file => ({ file: here(file.moduleId), seconds: secondsOf(file) })),
      projects: [...new Set(tests.filter(hasRun).map(test => test.project.name))],
    }
    writeFileSync(process.env.TEST_REPORT_FILE!, JSON.stringify(report))
  }
}
