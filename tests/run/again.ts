import type { Fault, Flaky, Outcome, Step } from './outcome.ts'

/** More flaky tests than this fail a run: then it is not chance any more that tests lean on it. */
export const MOST_FLAKY = 3
/** Where more fail in one step, the product is broken, and running them again only takes time. */
export const MOST_AGAIN = 10

/** The faults that may be chance, each to be run once more by itself. */
export const runAgain = ({ faults }: Outcome): Fault[] => {
  const chances = faults.filter(({ kind, lasting }) => kind !== 'outside' && !lasting)
  return faults.length > MOST_AGAIN ? [] : chances
}

/** Whether a second run shows that the first failed by chance: it saw the test, and that passed. */
export const wasChance = (second: Outcome): boolean => second.passed > 0 && second.failed === 0

/**
 * Runs what failed once more, one after the other, and answers the outcome without what passed
 * then. `again` runs the test of one fault in a fresh process on a fresh database.
 */
export const settle = async (
  first: Outcome,
  again: (fault: Fault) => Promise<Outcome>,
): Promise<Outcome & { flaky: Flaky[] }> => {
  const flaky: Flaky[] = []
  for (const fault of runAgain(first)) {
    const began = performance.now()
    if (wasChance(await again(fault)))
      flaky.push({ fault, secondsAgain: (performance.now() - began) / 1000 })
  }
  const excused = new Set(flaky.map(({ fault }) => fault))
  return {
    ...first,
    passed: first.passed + flaky.length,
    failed: first.failed - flaky.length,
    faults: first.faults.filter(fault => !excused.has(fault)),
    flaky,
  }
}

/** A step that saw nothing has failed: a green check that checks nothing is worse than none. */
export const seen = (step: Step): Step =>
  step.passed + step.failed > 0
    ? step
    : { ...step, failed: 1, why: `${step.why} nothing ran`.trim() }

/** Whether the run passes, with its sums. A run without a step saw nothing. */
export const verdict = (steps: readonly Step[]) => {
  const passed = steps.reduce((sum, step) => sum + step.passed, 0)
  const failed = steps.reduce((sum, step) => sum + step.failed, 0)
  const flaky = steps.flatMap(step => step.flaky)
  const ok = steps.length > 0 && failed === 0 && flaky.length <= MOST_FLAKY
  return { passed, failed, flaky, ok }
}
