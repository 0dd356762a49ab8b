/**
 * How a list differs from the one it began as: the ids moved, each with its old and new place (1 is
 * the first). The fewest that explain the rest.
 */
export const movesOf = (
  before: readonly number[],
  after: readonly number[],
): { id: number; from: number; to: number }[] => {
  const at = new Map(before.map((id, place) => [id, place]))
  const places = after.map(id => at.get(id) ?? -1)
  // The longest run that kept its order stays; what is not in it was moved.
  const tails: number[] = []
  const previous = places.map(() => -1)
  places.forEach((place, i) => {
    if (place < 0) return
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (places[tails[middle]!]! < place) low = middle + 1
      else high = middle
    }
    previous[i] = low > 0 ? tails[low - 1]! : -1
    tails[low] = i
  })
  const kept = new Set<number>()
  for (let i = tails.at(-1) ?? -1; i >= 0; i = previous[i]!) kept.add(i)
  return after.flatMap((id, i) =>
    kept.has(i) ? [] : [{ id, from: (at.get(id) ?? -1) + 1, to: i + 1 }],
  )
}

/** The list with one entry taken out and put at `place` (1 is the first). */
export const movedTo = (order: readonly number[], id: number, place: number): number[] => {
  const rest = order.filter(one => one !== id)
  rest.splice(Math.max(0, Math.min(rest.length, place - 1)), 0, id)
  return rest
}
/** Whether two lists have what they share in the same order. */
export const sameOrder = (a: readonly number[], b: readonly number[]): boolean => {
  const [inA, inB] = [new Set(a), new Set(b)]
  return a.filter(id => inB.has(id)).join() === b.filter(id => inA.has(id)).join()
}
/**
 * My order, of the entries there are now: what is gone is left out, what is new comes where the
 * newer list has it.
 */
export const rebased = (mine: readonly number[], now: readonly number[]): number[] => {
  const there = new Set(now)
  const known = new Set(mine)
  let next = mine.filter(id => there.has(id))
  now.forEach((id, at) => {
    if (!known.has(id)) next = movedTo(next, id, at + 1)
  })
  return next
}
