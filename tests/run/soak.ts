import { nothing, type Outcome } from './outcome.ts'
import { title } from './process.ts'
import { vitest } from './runners.ts'

const SHANGHAI = '+08:00'
const FIRST_SEED = 1
const ALL = ['unit', 'lite', 'postgres']

/** Every hour of a day, and the ends of months and years, as TEST_CLOCK reads them. */
export const clocks: readonly string[] = [
  ...Array.from({ length: 24 }, (_, hour) => `2026-11-18T${String(hour).padStart(2, '0')}:30:00`),
  '2026-11-30T23:58:00',
  '2026-12-31T23:58:00',
  '2027-01-01T00:00:00',
  '2027-02-28T23:58:00',
  '2027-03-01T00:00:00',
  '2028-02-29T12:00:00',
].map(moment => `${moment}${SHANGHAI}`)

/** One round of a soak: everything begins at this clock and draws from this seed. */
export type Round = { clock: string; seed: number }
/** So many rounds, spread evenly over the clocks, each with a seed of its own. */
export const rounds = (count = clocks.length, firstSeed = FIRST_SEED): Round[] =>
  Array.from({ length: count }, (_, at) => ({
    clock: clocks[Math.floor((at * clocks.length) / count) % clocks.length]!,
    seed: firstSeed + at,
  }))
/** The command that repeats a step of a round. */
export const repeat = ({ clock, seed }: Round, step: string): string =>
  `TEST_SEED=${seed} TEST_CLOCK=${clock} npm test -- --only=${step}`

/** What a step of a round told, and how to have it told again. */
const told = (round: Round, step: string, { faults, why }: Outcome): string[] => [
  repeat(round, step),
  ...faults.map(({ file, titles, why: reason }) =>
    [`  ${[file, ...titles].join(' › ')}`, ...reason.map(line => `    ${line}`)].join('\n'),
  ),
  ...(why ? [`  ${why}`] : []),
]
const valueOf = (args: readonly string[], name: string) =>
  args.find(each => each.startsWith(`--${name}=`))?.slice(name.length + 3)
const numberOf = (args: readonly string[], name: string) => {
  const value = valueOf(args, name)
  return value === undefined ? undefined : Number(value)
}

/**
 * `npm run soak`: the tests over seeds and clocks, none of them run again. `--rounds=3` does so
 * many, `--seed=7` begins at a seed, `--only=unit,lite` does some of the steps,
 * `--file=tests/fuzz.test.ts` one file of them. Answers the exit code; what failed is printed with
 * the command that repeats it.
 */
export const soak = async (
  args: readonly string[],
  run: (step: string, files: string[]) => Promise<Outcome> = vitest,
): Promise<number> => {
  const steps = valueOf(args, 'only')?.split(',') ?? ALL
  const file = valueOf(args, 'file')
  const failed: string[] = []
  let passed = 0
  for (const round of rounds(numberOf(args, 'rounds'), numberOf(args, 'seed'))) {
    process.env.TEST_CLOCK = round.clock
    process.env.TEST_SEED = String(round.seed)
    for (const step of steps) {
      title(`${step} · ${round.clock} · seed ${round.seed}`)
      const outcome = { ...nothing, ...(await run(step, file ? [file] : [])) }
      passed += outcome.passed
      if (outcome.failed > 0 || outcome.passed === 0) failed.push(...told(round, step, outcome))
    }
  }
  title('soak')
  for (const line of failed) console.log(line)
  console.log(`${passed} passed, ${failed.length > 0 ? 'not all' : 'none failed'}`)
  return failed.length > 0 || passed === 0 ? 1 : 0
}
