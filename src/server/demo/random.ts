/** Numbers that look random and are the same for the same seed. */
export type Random = {
  /** In [0, 1). */
  next: () => number
  /** A whole number from `low` to `high`, both included. */
  int: (low: number, high: number) => number
  chance: (share: number) => boolean
  pick: <T>(of: readonly T[]) => T
  /** One of the keys, as often as its weight says. */
  weighted: <K extends string>(of: Readonly<Record<K, number>>) => K
  shuffle: <T>(of: readonly T[]) => T[]
  /** A branch of its own: what one part draws never shifts what another gets. */
  branch: (name: string) => Random
}

const hash = (text: string): number => {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193) >>> 0
  return h
}
/** Mulberry32: small, fast and good enough for believable data. */
export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const random: Random = {
    next,
    int,
    chance: share => next() < share,
    pick: of => of[Math.floor(next() * of.length)]!,
    weighted: of => {
      // Asked half a million times: no lists are made of the keys.
      let sum = 0
      for (const key in of) sum += of[key]
      let left = next() * sum
      let last: keyof typeof of
      for (const key in of) if ((left -= of[(last = key)]) < 0) break
      return last!
    },
    shuffle: of => {
      const all = [...of]
      for (let i = all.length - 1; i > 0; i--) {
        const j = int(0, i)
        ;[all[i], all[j]] = [all[j]!, all[i]!]
      }
      return all
    },
    branch: name => randomFrom((seed ^ hash(name)) >>> 0),
  }
  return random
}
