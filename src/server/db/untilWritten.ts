import type { Db } from '#src/server/call/implement.ts'
import { Recent } from './memory.ts'

const KEPT_MAX = 1000
const KEPT_MS = 1000

type Kept = { value: unknown; at: number; until: number }
/** What is remembered of a database of which every write goes through this process. */
export class Memory {
  #writes = 0
  readonly #kept = new Recent<Kept>(KEPT_MAX)
  /** Anything may be other than before: said when a write is asked for, and when it was answered. */
  written(): void {
    this.#writes++
  }
  async read<T>(key: string, read: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(key)
    if (kept && kept.at === this.#writes && kept.until > performance.now()) return kept.value as T
    const at = this.#writes
    const value = await read()
    // What was read while something was written may be from before it.
    if (value !== undefined && at === this.#writes)
      this.#kept.set(key, { value, at, until: performance.now() + KEPT_MS })
    return value
  }
}
const memories = new WeakMap<Db, Memory>()
export const remembering = (db: Db, memory: Memory): void => void memories.set(db, memory)
/**
 * What `read` answers, remembered for a second of the embedded database, and only until anything at
 * all is written there. Of a PostgreSQL, which others may write to, nothing is remembered.
 */
export const untilWritten = <T>(db: Db, key: string, read: () => Promise<T>): Promise<T> =>
  memories.get(db)?.read(key, read) ?? read()

/** Whether a statement changes nothing: one select, and nothing behind it. */
export const onlyReads = (asked: unknown): boolean => {
  const text = typeof asked === 'string' ? asked : (asked as { text?: unknown } | undefined)?.text
  return typeof text === 'string' && /^\s*select\b/i.test(text) && !text.includes(';')
}
