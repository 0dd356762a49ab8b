/** Eight times as much text may take this much more time; a quadratic reader takes 64 times. */
export const GROWTH_MAX = 24
const TIMES_LONGER = 8
/** Below this a run is too short to be measured against another. */
const MEASURED_US = 5000
const RUNS = 5

/** Time of the processor that some work took, in microseconds: what else the machine does is no part. */
const spentOn = (work: () => unknown): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
const least = (work: () => unknown): number =>
  Math.min(...Array.from({ length: RUNS }, () => spentOn(work)))

/**
 * How many times longer a reader takes for eight times as much text, by the quickest of some runs;
 * 1 where the long text takes too little time to be measured.
 */
export const growthOf = (
  read: (text: string) => unknown,
  shape: (length: number) => string,
  length = 4000,
): number => {
  const long = shape(length * TIMES_LONGER)
  if (spentOn(() => read(long)) < MEASURED_US) return 1
  const short = shape(length)
  return (
    least(() => read(long)) /
    Math.max(
      1,
      least(() => read(short)),
    )
  )
}
