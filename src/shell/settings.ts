import type { Result } from '#src/contract/call.ts'
import { isSessionCode } from '#src/contract/envelope.ts'
import { unixNow } from '#src/domain/time.ts'
import { send, type CallError } from '#src/kit/data.ts'
import type { Setting } from '#src/kit/memory.ts'
import type { Workbench } from '#src/kit/workbench.ts'
import { session as calls } from '#src/modules/session/contract.ts'
import { stored } from './stored.ts'
import { toast } from './toasts.tsx'

type Kept = Result<typeof calls.saveSetting>
/**
 * A setting on this machine: `version` is the server's that it follows, `at` when it was set;
 * `unsent`, with what it was before, until the server has it.
 */
type Local = { value: unknown; version: number; at: number; unsent?: true; base?: unknown }
type Known = {
  fits: (value: unknown) => boolean
  merge: ((mine: unknown, theirs: unknown, base: unknown) => unknown) | undefined
  listeners: Set<() => void>
}

const PAUSE_MS = 600
const AGAIN_MS = 4000
const LONGEST_MS = 60_000
const isLocal = (value: unknown): value is Local =>
  typeof value === 'object' &&
  value !== null &&
  'value' in value &&
  Number.isInteger((value as Local).version) &&
  Number.isFinite((value as Local).at)

const known = new Map<string, Known>()
const made = new Map<string, unknown>()

/**
 * One person's settings on this machine. Local storage is what all tabs share; the memory stands in
 * where it is denied.
 */
class Book {
  readonly id: number
  readonly #read = new Map<string, { text: string | null; local: Local | undefined }>()
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  readonly #sending = new Set<string>()
  #again = AGAIN_MS
  /** Nothing is sent before it is known what the server has. */
  #loaded: 'no' | 'asking' | 'yes' = 'no'

  constructor(id: number) {
    this.id = id
  }
  get prefix() {
    return `mallet.setting:${this.id}:`
  }

  /** As it stands in this browser, whichever tab wrote it. */
  #now(name: string): Local | undefined {
    const text = stored.get(this.prefix + name)
    const before = this.#read.get(name)
    if (before && (text === null || text === before.text)) return before.local
    const local = stored.json(this.prefix + name, isLocal) ?? before?.local
    this.#read.set(name, { text, local })
    return local
  }
  /** The same, without looking for what another tab wrote: that is told of. */
  local(name: string): Local | undefined {
    return this.#read.get(name)?.local ?? this.#now(name)
  }
  heard(name: string) {
    this.#now(name)
    this.#tell(name)
  }
  #put(name: string, local: Local) {
    const text = JSON.stringify(local)
    this.#read.set(name, { text, local })
    stored.set(this.prefix + name, text)
    this.#tell(name)
  }
  #tell(name: string) {
    for (const tell of known.get(name)?.listeners ?? []) tell()
  }

  set(name: string, value: unknown) {
    const before = this.#now(name)
    const base = before?.unsent ? before.base : before?.value
    this.#put(name, {
      value,
      version: before?.version ?? 0,
      at: unixNow(),
      unsent: true,
      ...(known.get(name)?.merge && base !== undefined ? { base } : {}),
    })
    this.#later(name)
  }
  #later(name: string, ms = PAUSE_MS) {
    clearTimeout(this.#timers.get(name))
    this.#timers.set(
      name,
      setTimeout(() => void this.#send(name), ms),
    )
  }
  #repeat(does: () => void) {
    setTimeout(() => {
      if (book === this) does()
    }, this.#again)
    this.#again = Math.min(LONGEST_MS, this.#again * 2)
  }
  async #send(name: string, keepalive = false) {
    clearTimeout(this.#timers.get(name))
    this.#timers.delete(name)
    const local = this.#now(name)
    if (book !== this || this.#loaded !== 'yes' || !local?.unsent || this.#sending.has(name)) return
    this.#sending.add(name)
    try {
      this.#settle(
        name,
        local,
        (await send(
          calls.saveSetting,
          { admin_id: this.id, name, value: local.value, version: local.version },
          { keepalive },
        )) as Kept,
      )
      this.#again = AGAIN_MS
    } catch (fault) {
      const { status, message, lost, data } = fault as CallError
      if (status === 409) this.#reconcile(name, data?.current as Kept | undefined)
      else if (lost || (status >= 500 && !isSessionCode(status)) || status === 429)
        this.#repeat(() => void this.#send(name))
      // A session that is over sends it at the next sign-in; what the server will never take stays
      // on this machine, and that is said.
      else if (!isSessionCode(status) && data?.rule !== 'other_account') toast(message, 'warning')
    } finally {
      this.#sending.delete(name)
    }
  }
  /** The server has it; what was set meanwhile goes next. */
  #settle(name: string, sent: Local, { version, updated_at, value }: Kept) {
    const now = this.#now(name) ?? sent
    if (JSON.stringify(now.value) === JSON.stringify(sent.value))
      this.#put(name, { value: now.value, version, at: updated_at })
    else if (now.unsent) {
      this.#put(name, { ...now, version, ...('base' in now ? { base: value } : {}) })
      this.#later(name)
    }
  }
  /** Set here and elsewhere: both go together where it is known how, else the later one stays. */
  #reconcile(name: string, theirs: Kept | undefined) {
    const now = this.#now(name)
    if (!now?.unsent) return
    const { fits, merge } = known.get(name) ?? {}
    const together = () => {
      if (!theirs || !(fits?.(theirs.value) ?? true)) return now.value
      if (merge && fits?.(now.value)) return merge(now.value, theirs.value, now.base)
      return now.at >= theirs.updated_at ? now.value : theirs.value
    }
    const use = together()
    if (theirs && use === theirs.value) {
      this.#put(name, { value: use, version: theirs.version, at: theirs.updated_at })
      return
    }
    this.#put(name, {
      value: use,
      version: theirs?.version ?? 0,
      at: now.at,
      unsent: true,
      ...(merge && theirs ? { base: theirs.value } : {}),
    })
    this.#later(name)
  }
  /** Takes what the server has, and sends what it has not. */
  async load(): Promise<void> {
    if (this.#loaded === 'asking') return
    this.#loaded = 'asking'
    try {
      const all = (await send(calls.settings, {})) as Kept[]
      if (book !== this) return
      this.#loaded = 'yes'
      for (const theirs of all) {
        const local = this.#now(theirs.name)
        if (
          local?.unsent ? local.version !== theirs.version : (local?.version ?? 0) < theirs.version
        ) {
          if (local?.unsent) this.#reconcile(theirs.name, theirs)
          else
            this.#put(theirs.name, {
              value: theirs.value,
              version: theirs.version,
              at: theirs.updated_at,
            })
        }
      }
      this.flush()
    } catch (fault) {
      const { status, lost } = fault as CallError
      this.#loaded = 'no'
      if (lost || status === 429 || (status >= 500 && !isSessionCode(status)))
        this.#repeat(() => void this.load())
    }
  }
  /** Sends at once what waits; asks again for what could not be read. */
  flush(keepalive = false) {
    if (this.#loaded === 'no' && !keepalive) {
      void this.load()
      return
    }
    for (const name of new Set([
      ...stored.keys(this.prefix).map(key => key.slice(this.prefix.length)),
      ...this.#read.keys(),
    ]))
      if (this.#now(name)?.unsent) void this.#send(name, keepalive)
  }
  close() {
    for (const timer of this.#timers.values()) clearTimeout(timer)
  }
}

let book: Book | undefined
const onStorage = ({ key }: StorageEvent) => {
  if (book && key?.startsWith(book.prefix)) book.heard(key.slice(book.prefix.length))
}
// A tab that is closed, or put away on a phone: what waits for its pause goes out now. What does
// not get there is sent at the next sign-in.
const onHide = () => {
  if (document.visibilityState === 'hidden') book?.flush(true)
}

/** From now on settings are this person's. Nothing of the one before is sent any more. */
export const openSettings = (id: number): void => {
  closeSettings()
  book = new Book(id)
  addEventListener('storage', onStorage)
  document.addEventListener('visibilitychange', onHide)
  for (const name of known.keys()) book.heard(name)
}
export const closeSettings = (): void => {
  book?.close()
  book = undefined
  removeEventListener('storage', onStorage)
  document.removeEventListener('visibilitychange', onHide)
}
/** Asks the server what was set elsewhere. */
export const loadSettings = async (): Promise<void> => {
  await book?.load()
}
/** The line is back, or somebody leaves: what waits is sent at once. */
export const flushSettings = (): void => book?.flush()

/**
 * A setting of the person who is here; the same name is the same setting. Before anyone has signed
 * in it is `initial`, and can't be set.
 */
export const setting: Workbench['setting'] = <T>(
  name: string,
  fits: (value: unknown) => value is T,
  initial: T,
  merge?: (mine: T, theirs: T, base: T | undefined) => T,
): Setting<T> => {
  const before = made.get(name) as Setting<T> | undefined
  if (before) return before
  const listeners = new Set<() => void>()
  let last: { local: Local | undefined; value: T } | undefined
  const get = (): T => {
    const local = book?.local(name)
    // The same local copy, the same value: whoever draws it may compare.
    if (!last || last.local !== local)
      last = { local, value: local && fits(local.value) ? local.value : initial }
    return last.value
  }
  const one: Setting<T> = {
    get,
    set: next =>
      book?.set(name, typeof next === 'function' ? (next as (before: T) => T)(get()) : next),
    subscribe: tell => (listeners.add(tell), () => void listeners.delete(tell)),
  }
  known.set(name, {
    fits,
    merge: merge && ((mine, theirs, base) => merge(mine as T, theirs as T, base as T | undefined)),
    listeners,
  })
  made.set(name, one)
  return one
}
