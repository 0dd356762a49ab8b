import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inMemory } from '../farm/inMemory.ts'
import type { Report } from '../farm/report.ts'
import type { Fault, Outcome } from './outcome.ts'
import { bin, node, results, root } from './process.ts'
import { outcomeOfPlaywright, outcomeOfVitest, read, type Journeys } from './reports.ts'

/** A file for the report of one run, which no earlier run has left there. */
let reports = 0
const reportFile = (name: string) => {
  const file = join(results, `${name}${reports++ === 0 ? '' : `-${reports}`}.json`)
  rmSync(file, { force: true })
  return file
}

const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
/**
 * Arguments that choose the tests of a fault in vitest, whose names for this are joined by spaces.
 * A group stands for all its tests, a file for the whole file.
 */
export const chosenInVitest = ({ kind, file, titles }: Fault): string[] => {
  if (titles.length === 0) return [file]
  const end = kind === 'group' ? ' ' : '$'
  return [file, '-t', `^${literally(titles.join(' '))}${end}`]
}
/**
 * Arguments that choose the test of a fault in Playwright, which knows a test by its file, its
 * groups and its name, joined by spaces, and its tags.
 */
export const chosenInPlaywright = ({ project, file, titles }: Fault): string[] => {
  const name = file.replace('tests/e2e/', '')
  const whole = literally([name, ...titles].join(' '))
  return [name, '--project', project ?? '', '--grep', ` ${whole}(?: @\\w+)*$`]
}

/** How many files of a step's projects run at once. */
const workersOf = (projects: readonly string[]): number =>
  // Tests on a database wait for timers and for what others hold: a third file runs meanwhile.
  projects.some(one => databases.includes(one)) ? 3 : 2
/** The projects that test on a database: `vitest` runs both at once, so that none waits at an end. */
export const databases: readonly string[] = ['lite', 'postgres']

/**
 * Runs projects of vitest by how their names begin (`unit` is also `unit-drawn`): all of them, or
 * what more arguments choose.
 */
export const vitest = async (
  projects: string | readonly string[],
  more: string[] = [],
): Promise<Outcome> => {
  const names = [projects].flat()
  const file = reportFile(names.join('-'))
  const workers = more.some(each => each.startsWith('--maxWorkers'))
    ? []
    : [`--maxWorkers=${workersOf(names)}`]
  const reporters = ['--reporter=default', '--reporter=./tests/farm/report.ts']
  const chosen = names.flatMap(name => ['--project', `${name}*`])
  const code = await node(
    [bin('vitest/vitest.mjs'), 'run', ...chosen, ...reporters, ...workers, ...more],
    { TEST_REPORT_FILE: file },
  )
  return outcomeOfVitest(root, read<Report>(file), {
    code,
    wanted: more.length === 0 ? names : [],
  })
}
/** Runs the tests of one fault again, in a fresh process on a fresh database. */
export const vitestAgain = (projects: readonly string[], fault: Fault): Promise<Outcome> =>
  vitest(fault.project ?? projects, [...chosenInVitest(fault), '--maxWorkers=1'])

/** Runs the journeys in a browser, each project against a fresh server. */
export const playwright = async (browser: string, more: string[] = []): Promise<Outcome> => {
  const file = reportFile('e2e')
  const data = mkdtempSync(join(inMemory(), 'mallet-e2e-'))
  const code = await node([bin('@playwright/test/cli.js'), 'test', ...more], {
    ...(browser && { TEST_CHROMIUM: browser }),
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    TEST_DATA: data,
  })
  rmSync(data, { recursive: true, force: true, maxRetries: 5 })
  return outcomeOfPlaywright(read<Journeys>(file), code)
}
/** Runs the journey of one fault again, against fresh servers. */
export const playwrightAgain = (browser: string, fault: Fault): Promise<Outcome> =>
  playwright(browser, chosenInPlaywright(fault))
