import { MOST_FLAKY, verdict } from './again.ts'
import type { Fault, FileTime, Flaky, Step } from './outcome.ts'

const SLOWEST = 10

const nameOf = ({ file, titles }: Fault) => [file || 'outside every test', ...titles].join(' › ')
const indented = (lines: readonly string[]) => lines.map(line => `    ${line}`)

/** Seconds as a column of one width. */
const seconds = (value: number) => `${value.toFixed(1).padStart(7)} s`
const lineOf = ({ name, passed, failed, flaky, why, seconds: took, busy }: Step) => {
  const counts = `${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed`
  const chance = flaky.length > 0 ? `${flaky.length} flaky` : ''
  const used = `${String(Math.round(busy * 100)).padStart(3)} % busy`
  const words = [failed ? '✗' : '✓', name.padEnd(9), counts, seconds(took), used, why, chance]
  return words.filter(Boolean).join(' ')
}
const faultLines = (fault: Fault) => [`  ${nameOf(fault)}`, ...indented(fault.why)]
const flakyLines = ({ fault, secondsAgain }: Flaky) => [
  `  ${nameOf(fault)}`,
  ...indented([
    `first, failed: ${fault.why[0] ?? 'no reason'}`,
    ...fault.why.slice(1),
    `then, by itself: passed in ${secondsAgain.toFixed(1)} s`,
  ]),
]
/** The files that took longest, the slowest first. */
const slowest = (files: readonly FileTime[]): FileTime[] =>
  [...files].sort((one, other) => other.seconds - one.seconds).slice(0, SLOWEST)

/**
 * The end of `npm test`, where a log that was cut short still shows it: what failed, what was flaky
 * with both its reports, seconds by step, the slowest files, the sums.
 */
export const summary = (steps: readonly Step[], took: number): string[] => {
  const { passed, failed, flaky, ok } = verdict(steps)
  const faults = steps.flatMap(({ name, faults }) =>
    faults.length > 0 ? [`${name}:`, ...faults.flatMap(faultLines)] : [],
  )
  const tooFlaky =
    flaky.length > MOST_FLAKY
      ? [`${flaky.length} flaky tests, more than ${MOST_FLAKY}: the run fails`]
      : []
  const slow = slowest(steps.flatMap(step => step.files))
  return [
    ...faults,
    ...(flaky.length > 0 ? ['flaky: mend them first', ...flaky.flatMap(flakyLines)] : []),
    ...(slow.length > 0 ? ['the slowest files:'] : []),
    ...slow.map(one => `  ${seconds(one.seconds)} ${one.file}`),
    ...steps.map(lineOf),
    ...tooFlaky,
    `${Math.round(took)} s`,
    `${passed} passed, ${failed} failed, ${flaky.length} flaky: ${ok ? 'passed' : 'failed'}`,
  ]
}
