type End = () => unknown
const ends: End[] = []

/**
 * Ends something when the file's tests are done, the latest first, wherever it began: vitest does
 * not hear an `afterAll` that is named while another hook runs.
 */
export const atEnd = (end: End): void => {
  ends.push(end)
}
/** Ends what is still there; what went wrong is told when all had its turn. */
export const endAll = async (): Promise<void> => {
  const faults: unknown[] = []
  for (let end = ends.pop(); end; end = ends.pop()) {
    try {
      await end()
    } catch (fault) {
      faults.push(fault)
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, String(faults[0]))
}
