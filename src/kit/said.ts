import { createContext } from 'react'

/** The facts that a detail shows, by name: what its list has no room for is not said twice. */
export type Said = {
  /** Notes a fact that is shown; what it answers takes the note back. */
  add: (name: string) => () => void
  /** Calls back when the names change; what it answers ends that. */
  hear: (heard: () => void) => () => void
  names: () => ReadonlySet<string>
}
export const openSaid = (): Said => {
  const times = new Map<string, number>()
  const hearers = new Set<() => void>()
  let names: ReadonlySet<string> = new Set()
  const count = (name: string, by: 1 | -1) => {
    const left = (times.get(name) ?? 0) + by
    if (left > 0) times.set(name, left)
    else times.delete(name)
    names = new Set(times.keys())
    for (const heard of hearers) heard()
  }
  return {
    add: name => {
      count(name, 1)
      return () => count(name, -1)
    },
    hear: heard => {
      hearers.add(heard)
      return () => void hearers.delete(heard)
    },
    names: () => names,
  }
}
const none: ReadonlySet<string> = new Set()
const nothing = () => {}
/** Where nobody asks what is shown: nothing is noted. */
export const unheard: Said = { add: () => nothing, hear: () => nothing, names: () => none }
export const SaidContext = createContext(unheard)
