import type { Db } from '#src/server/call/implement.ts'

/** Holds at most `most` entries; what was asked for or set longest ago goes first. */
export class Recent<V> {
  readonly #kept = new Map<string, V>()
  readonly #most: number
  constructor(most: number) {
    this.#most = most
  }
  get(key: string): V | undefined {
    const value = this.#kept.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }
  set(key: string, value: V): V {
    this.#kept.delete(key)
    this.#kept.set(key, value)
    if (this.#kept.size > this.#most) this.#kept.delete(this.#kept.keys().next().value!)
    return value
  }
  delete(key: string): boolean {
    return this.#kept.delete(key)
  }
}

/** What a process remembers of a database; of another one, opened beside it or after it, nothing. */
export const ofDatabase = <T>(begin: () => T): ((db: Db) => T) => {
  const all = new WeakMap<Db, T>()
  return db => {
    const known = all.get(db)
    if (known !== undefined) return known
    const anew = begin()
    all.set(db, anew)
    return anew
  }
}
