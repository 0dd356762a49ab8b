/** How long a file of journeys took when it was last measured, in seconds. */
export type Timings = Readonly<Record<string, number>>

const mean = (values: readonly number[]) =>
  values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : 1

/**
 * Deals files out to so many servers, so that all take about as long: the longest first, each to
 * the server with the least to do. One that was never measured counts as the mean of the others.
 */
export const deal = (files: readonly string[], seconds: Timings, servers: number): string[][] => {
  const usual = mean(files.flatMap(file => seconds[file] ?? []))
  const takes = (file: string) => seconds[file] ?? usual
  const hands = Array.from({ length: servers }, () => ({ files: [] as string[], seconds: 0 }))
  const longestFirst = [...files].sort(
    (one, other) => takes(other) - takes(one) || (one < other ? -1 : 1),
  )
  for (const file of longestFirst) {
    const least = hands.reduce((best, hand) => (hand.seconds < best.seconds ? hand : best))
    least.files.push(file)
    least.seconds += takes(file)
  }
  return hands.map(hand => hand.files.sort())
}
