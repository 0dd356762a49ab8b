import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endAll } from '../farm/ends.ts'

/**
 * One figure beside its budget. A ratio is binding: missed by `CLEAR` or more, the benchmark fails.
 * A raw time or size on a shared machine only says so.
 */
export type Line = {
  what: string
  measured: string
  budget: string
  verdict: 'ok' | 'missed' | 'MISSED' | '-'
}

export const resultsFolder = join(
  dirname(dirname(dirname(fileURLToPath(import.meta.url)))),
  'test-results',
  'bench',
)
/** A ratio off its budget by less than this part is noise of the machine. */
const CLEAR = 0.2

export const median = (values: readonly number[]): number => quantile(values, 0.5)
/** The value below which the part `q` of the values lies. */
export const quantile = (values: readonly number[], q: number): number => {
  if (values.length === 0) throw new Error('no values were measured')
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - (q === 0 ? 0 : 1))]!
}
const shown = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1)

/** A figure that should be at most `budget`. */
export const atMost = (what: string, value: number, budget: number, unit: string): Line => ({
  what,
  measured: `${shown(value)} ${unit}`,
  budget: `≤ ${shown(budget)} ${unit}`,
  verdict: value <= budget ? 'ok' : 'missed',
})
/**
 * A time that should be at most `budget`, ms, on the machine that the budget was made on: on this
 * one, `pace` times slower just now, it may take so much longer.
 */
export const atMostAt = (pace: number, what: string, value: number, budget: number): Line => ({
  what,
  measured: `${shown(value)} ms`,
  budget: `≤ ${shown(budget)} ms × ${pace.toFixed(2)}`,
  verdict: value <= budget * pace ? 'ok' : 'missed',
})
export const atLeast = (what: string, value: number, budget: number, unit: string): Line => ({
  what,
  measured: `${shown(value)} ${unit}`,
  budget: `≥ ${shown(budget)} ${unit}`,
  verdict: value >= budget ? 'ok' : 'missed',
})
/** A clear miss of the budget fails the run; a narrow one is only told. */
const verdictOf = (isMet: boolean, isNear: boolean): Line['verdict'] => {
  if (isMet) return 'ok'
  return isNear ? 'missed' : 'MISSED'
}
/** Binding: how many times `bad` is of `good`, at least `budget`. */
export const timesBetter = (what: string, good: number, bad: number, budget: number): Line => {
  const ratio = bad / good
  return {
    what,
    measured: `× ${shown(ratio)}`,
    budget: `≥ × ${shown(budget)}`,
    verdict: verdictOf(ratio >= budget, ratio >= budget * (1 - CLEAR)),
  }
}
/** Binding: `value` is at most `budget` times `base`. */
export const within = (what: string, value: number, base: number, budget: number): Line => {
  const ratio = value / base
  return {
    what,
    measured: `× ${shown(ratio)}`,
    budget: `≤ × ${shown(budget)}`,
    verdict: verdictOf(ratio <= budget, ratio <= budget * (1 + CLEAR)),
  }
}
/** Binding: a count that must be exactly this. */
export const exactly = (what: string, value: number, wanted: number): Line => ({
  what,
  measured: String(value),
  budget: String(wanted),
  verdict: value === wanted ? 'ok' : 'MISSED',
})
/** A figure without a budget of its own, for comparison. */
export const told = (what: string, value: number, unit: string): Line => ({
  what,
  measured: `${shown(value)} ${unit}`,
  budget: '',
  verdict: '-',
})

/** Columns a text takes in a terminal: a Han character takes two. */
const wide = (text: string) =>
  [...text].reduce((sum, sign) => sum + (/[\u2e80-\u9fff\uff00-\uffef]/u.test(sign) ? 2 : 1), 0)
const pad = (text: string, to: number) => text + ' '.repeat(Math.max(0, to - wide(text)))
export const print = (lines: readonly Line[]) => {
  const width = (key: keyof Line) => Math.max(key.length, ...lines.map(line => wide(line[key])))
  const keys = ['what', 'measured', 'budget', 'verdict'] as const
  const row = (line: Record<(typeof keys)[number], string>) =>
    console.log(`  ${keys.map(key => pad(line[key], width(key))).join('  ')}`.trimEnd())
  row({ what: 'what', measured: 'measured', budget: 'budget', verdict: 'verdict' })
  for (const line of lines) row(line)
}
const machine = () =>
  `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, node ${process.version}, ${process.platform}`
const load = () =>
  loadavg()
    .map(one => one.toFixed(1))
    .join(' ')

/**
 * Runs a benchmark, prints its table and keeps it for the sum at the end; ends the process with 1
 * where a binding budget is clearly missed. What it began ends with it (`atEnd`), also where it
 * throws.
 */
export const bench = async (
  name: string,
  run: (note: (...lines: Line[]) => void) => Promise<void>,
): Promise<void> => {
  const before = load()
  const lines: Line[] = []
  try {
    await run((...more) => {
      lines.push(...more)
    })
  } finally {
    await endAll()
  }
  const order = ['MISSED', 'missed', 'ok', '-']
  const ratios = (line: Line) => (line.measured.startsWith('×') ? 0 : 1)
  lines.sort(
    (a, b) =>
      ratios(a) - ratios(b) ||
      (a.verdict === '-' || b.verdict === '-'
        ? order.indexOf(a.verdict) - order.indexOf(b.verdict)
        : 0),
  )
  const heading = `${name} · load average ${before} → ${load()}`
  console.log(`\n${heading}\n  ${machine()}`)
  print(lines)
  mkdirSync(resultsFolder, { recursive: true })
  writeFileSync(
    join(resultsFolder, `${basename(name).replace(/\W+/g, '-')}.json`),
    JSON.stringify({ heading, lines }),
  )
  process.exit(lines.some(line => line.verdict === 'MISSED') ? 1 : 0)
}

/** Every benchmark's table, one below the other: the end of `npm run bench`. */
const sum = () => {
  console.log(
    `\nmissed: a figure over its budget, on a machine others use too; MISSED: a ratio or count clearly off, which fails.\n${machine()}`,
  )
  for (const file of readdirSync(resultsFolder).sort()) {
    const { heading, lines } = JSON.parse(readFileSync(join(resultsFolder, file), 'utf8')) as {
      heading: string
      lines: Line[]
    }
    console.log(`\n${heading}`)
    print(lines)
  }
}
if (process.argv[1] === fileURLToPath(import.meta.url)) sum()
