import { del, get, set } from 'idb-keyval'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { nowMs } from '#src/domain/clock.ts'
import { usePane, useWorkbench } from './workbench.ts'

/**
 * State that stays with the pane through layout changes, reload and re-login. For small,
 * serialisable values.
 */
export const usePaneState = <T>(key: string, initial: T): [T, (next: T) => void] => {
  const { memo } = usePane()
  const [value, setValue] = useState<T>(() => (memo.get(key) as T | undefined) ?? initial)
  const change = useCallback(
    (next: T) => {
      setValue(next)
      memo.set(key, next)
    },
    [memo, key],
  )
  return [value, change]
}

/**
 * Something a person has set for themselves. It goes with the account, from machine to machine:
 * `useWorkbench().setting(…)` makes one.
 */
export type Setting<T> = {
  get: () => T
  set: (next: T | ((before: T) => T)) => void
  subscribe: (tell: () => void) => () => void
}
export const useSetting = <T>(setting: Setting<T>): [T, Setting<T>['set']] => [
  useSyncExternalStore(setting.subscribe, setting.get),
  setting.set,
]

const DRAFT_PAUSE_MS = 300
type Draft<T> = { saved_at: number; value: T }
const nameOf = (account: string, key: string) => `draft:${account}:${key}`
/**
 * Whether a draft may be there is known at once, so that a form without one need not wait: its
 * first key is heard. Where storage is denied there is none.
 */
const marks = {
  has: (name: string) => {
    try {
      return localStorage.getItem(name) !== null
    } catch {
      return false
    }
  },
  set: (name: string) => {
    try {
      localStorage.setItem(name, '1')
    } catch {
      /* the draft lives as long as its page */
    }
  },
  clear: (name: string) => {
    try {
      localStorage.removeItem(name)
    } catch {
      /* there is none */
    }
  },
}

/**
 * What was half written under this key by this person, kept on this machine until `clear`. `ready`
 * is false while one that is there is fetched.
 */
export const useDraft = <T>(
  key: string,
): { ready: boolean; found: T | undefined; keep: (value: T) => void; clear: () => void } => {
  const { me } = useWorkbench()
  const name = nameOf(me.account, key)
  const [state, setState] = useState<{ ready: boolean; found: T | undefined }>(() => ({
    ready: !marks.has(name),
    found: undefined,
  }))
  const waiting = useRef<{ timer: number; value: T } | undefined>(undefined)
  useEffect(() => {
    let live = true
    // Storage may be denied or full: then a draft lives as long as the page does.
    // The key may be another one than at first.
    if (!marks.has(name))
      setState(now =>
        now.ready && now.found === undefined ? now : { ready: true, found: undefined },
      )
    else
      get<Draft<T>>(name)
        .catch(() => undefined)
        .then(
          draft => {
            if (live) setState({ ready: true, found: draft?.value })
          },
          () => {},
        )
    return () => {
      live = false
      if (waiting.current) {
        clearTimeout(waiting.current.timer)
        void set(name, { saved_at: nowMs(), value: waiting.current.value }).catch(() => {})
        waiting.current = undefined
      }
    }
  }, [name])
  const keep = useCallback(
    (value: T) => {
      if (waiting.current) clearTimeout(waiting.current.timer)
      marks.set(name)
      const timer = window.setTimeout(() => {
        waiting.current = undefined
        void set(name, { saved_at: nowMs(), value }).catch(() => {})
      }, DRAFT_PAUSE_MS)
      waiting.current = { timer, value }
    },
    [name],
  )
  const clear = useCallback(() => {
    if (waiting.current) {
      clearTimeout(waiting.current.timer)
      waiting.current = undefined
    }
    marks.clear(name)
    void del(name).catch(() => {})
  }, [name])
  return { ...state, keep, clear }
}
