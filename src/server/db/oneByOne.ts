import { isAway } from './faults.ts'

/** Hears what could not be done, by its id: a fault of ours. */
export type Failed = (error: unknown, id: number) => void
const rethrown = (error: unknown): never => {
  throw error
}

/**
 * Does something to each, one after the other; answers to how many it was done; what answers false
 * does not count. One that fails holds up no other: `failed` is told of it; without it, all ends
 * there. Only while the database is away does nobody's turn come: then it throws.
 */
export const oneByOne = async <T extends { id: number }>(
  rows: readonly T[],
  act: (row: T) => Promise<unknown>,
  failed: Failed = rethrown,
): Promise<number> => {
  let n = 0
  for (const row of rows) {
    try {
      if ((await act(row)) !== false) n++
    } catch (error) {
      if (isAway(error)) throw error
      failed(error, row.id)
    }
  }
  return n
}
