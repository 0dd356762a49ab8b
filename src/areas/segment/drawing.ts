const GOLDEN = 0.618_033_988_749_895
/** Ids of members to look at, of all up to the last: spread evenly and the same each time. */
export const drawnIds = (last: number, n: number): number[] => {
  const ids = Array.from({ length: n }, (_, at) => 1 + Math.floor((((at + 1) * GOLDEN) % 1) * last))
  return [...new Set(ids)]
}
