/**
 * The screen lock of a person in this browser. It hides the work of all its windows and takes their
 * keys until the person's own password was right, and it survives a reload. It is a curtain and no
 * wall: the session goes on behind it, its token stays in the storage, and whoever opens the
 * browser's tools can take both. Who leaves the machine to others signs out.
 */
import { useSyncExternalStore } from 'react'
import { stored } from '../stored.ts'

const LOCKED = 'mallet.locked'
/** Where storage is denied, this window alone is locked. */
let here: string | null = null
const listeners = new Set<() => void>()
const tell = () => listeners.forEach(one => one())
const set = (person: string | null) => {
  here = person
  stored.set(LOCKED, person)
  tell()
}
/** Locks all windows of this person. */
export const lockScreen = (person: number): void => set(String(person))
/** Opens them again: whoever asks has proved who they are, or is nobody any more. */
export const unlockScreen = (): void => set(null)
/** Whether the screen of this person is locked, asked outside a component. */
export const isLockedFor = (person: number | undefined): boolean =>
  here !== null && here === String(person)

const onStorage = ({ key, newValue }: StorageEvent) => {
  // Rubbed out with everything else it is no password given: only its own key opens.
  if (key !== LOCKED) return
  here = newValue
  tell()
}
const field = () => document.querySelector<HTMLElement>('.s-lock input')
/** While it is locked no key reaches the work, whatever had the focus when it was. */
const keepKeys = (event: KeyboardEvent) => {
  const lock = document.querySelector('.s-lock')
  const at = event.target
  if (!lock || (at instanceof Element && at.closest('.s-lock, .s-dialog'))) return
  event.preventDefault()
  event.stopImmediatePropagation()
  field()?.focus()
}
const KEYS = ['keydown', 'keypress', 'keyup'] as const
/** Keeps the lock of this window that of all others. Answers how to stop. */
export const keepLock = (): (() => void) => {
  here = stored.get(LOCKED)
  addEventListener('storage', onStorage)
  for (const kind of KEYS) addEventListener(kind, keepKeys, true)
  return () => {
    removeEventListener('storage', onStorage)
    for (const kind of KEYS) removeEventListener(kind, keepKeys, true)
  }
}
const subscribe = (by: () => void) => (listeners.add(by), () => void listeners.delete(by))
/** Whether the screen of this person is locked. */
export const useLocked = (person: number | undefined): boolean =>
  useSyncExternalStore(subscribe, () => isLockedFor(person))
