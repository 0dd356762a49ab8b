/** What one column asks of the width of its list, in pixels. */
export type Wish = {
  key: string
  /** The width below which it says something else: a number without its cents. */
  least: number
  /** The width it has where nothing is short. */
  usual: number
  /** Holds words, which end in … and are then still words: it grows and shrinks before others. */
  words: boolean
  /** The width that shows all of it. */
  whole: number
  /** 0 is always there; of the others the highest goes first, of equal ones the last. */
  rank: number
}
export type Fit = {
  widths: ReadonlyMap<string, number>
  /** The keys of the columns that have no room. */
  folded: readonly string[]
}

const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0)
/** Text that has more room than it needs stays near what follows it. */
const AIRY = 1.5

/** The columns that fit a room when each has the least it can do with; two stay in any room. */
const staying = (wishes: readonly Wish[], room: number): readonly Wish[] => {
  let kept = wishes
  while (kept.length > 2 && sum(kept.map(wish => wish.least)) > room) {
    const last = kept.reduce((worst, wish) => (wish.rank >= worst.rank ? wish : worst))
    if (last.rank === 0) break
    kept = kept.filter(wish => wish !== last)
  }
  return kept
}
/** Brings widths nearer to what is aimed at, each by the same part of what it lacks. */
const raised = (widths: number[], aims: readonly number[], room: number): number[] => {
  const lacks = widths.map((width, at) => Math.max(0, aims[at]! - width))
  const lack = sum(lacks)
  const spare = room - sum(widths)
  if (lack === 0 || spare <= 0) return widths
  const part = Math.min(1, spare / lack)
  return widths.map((width, at) => width + Math.floor(lacks[at]! * part))
}
/**
 * How wide each column is in a room of so many pixels, and which have no place in it. Where even
 * the least of those that stay is too wide, the list scrolls aside.
 */
export const fit = (wishes: readonly Wish[], room: number): Fit => {
  const kept = staying(wishes, room)
  const aim = (to: (wish: Wish) => number) => kept.map(to)
  const stages = [
    aim(wish => wish.usual),
    aim(wish => (wish.words ? wish.whole : wish.usual)),
    aim(wish => (wish.words ? Math.floor(Math.max(wish.whole, wish.usual) * AIRY) : wish.usual)),
  ]
  const widths = [
    ...stages.reduce(
      (now, stage) => raised(now, stage, room),
      aim(one => one.least),
    ),
  ]
  const spare = room - sum(widths)
  if (spare > 0) {
    const all = sum(widths)
    widths.forEach((width, at) => {
      widths[at] = width + Math.floor((spare * width) / all)
    })
    const words = kept.findIndex(wish => wish.words)
    widths[Math.max(0, words)]! += room - sum(widths)
  }
  return {
    widths: new Map(kept.map((wish, at) => [wish.key, widths[at]!])),
    folded: wishes.filter(wish => !kept.includes(wish)).map(wish => wish.key),
  }
}
