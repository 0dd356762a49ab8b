import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

export type Report = {
  passed: number
  failed: number
  faults: { file: string; test: string; why: string[] }[]
}
type Failure = SerializedError & { cause?: SerializedError; detail?: string }
const LINE = 400
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
/**
 * Leaves in TEST_REPORT_FILE how many tests passed and failed and why, for the sum at the end of
 * `npm test`.
 */
export default class implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], outside: readonly SerializedError[]): void {
    const tests = modules.flatMap(file => [...file.children.allTests()])
    const failed = tests.filter(test => test.result().state === 'failed')
    const faults = [
      ...failed.map(test => ({
        file: test.module.moduleId,
        test: test.fullName,
        why: [
          ...whyOf(test.result().errors?.[0] as Failure),
          test
            .result()
            .errors?.[0]?.stacks?.map(at => `${relative(process.cwd(), at.file)}:${at.line}`)
            .join(' ← ')
            .slice(0, LINE) ?? '',
        ],
      })),
      ...modules.flatMap(file =>
        file.errors().map(error => ({
          file: file.moduleId,
          test: 'the file itself',
          why: whyOf(error as Failure),
        })),
      ),
      ...modules.flatMap(file =>
        [...file.children.allSuites()].flatMap(suite =>
          suite.errors().map(error => ({
            file: file.moduleId,
            test: suite.fullName,
            why: whyOf(error as Failure),
          })),
        ),
      ),
      ...outside.map(error => ({
        file: '',
        test: 'outside every test',
        why: whyOf(error as Failure),
      })),
    ]
    const report: Report = {
      passed: tests.filter(test => test.result().state === 'passed').length,
      failed: Math.max(failed.length, faults.length),
      faults,
    }
    writeFileSync(process.env.TEST_REPORT_FILE!, JSON.stringify(report))
  }
}
