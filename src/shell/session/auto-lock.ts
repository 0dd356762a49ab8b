import { unixNow } from '#src/domain/time.ts'
import { setting } from '../settings.ts'
import { stored } from '../stored.ts'
import { isLockedFor, lockScreen } from './lock.ts'

/** The choices of minutes without a key or a pointer until the screen locks itself; 0 is never. */
export const autoLockMinutes = [0, 5, 10, 15, 30] as const
type Minutes = (typeof autoLockMinutes)[number]
const isMinutes = (value: unknown): value is Minutes =>
  autoLockMinutes.some(minutes => minutes === value)
export const autoLock = setting<Minutes>('lock', isMinutes, 0)

/** When somebody was last at any window of this browser, in unix seconds. */
const SEEN = 'mallet.seen'
const NOTE_S = 5
const LOOK_MS = 5000
const SIGNS = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const

/** Locks the screen when nobody was there for as long as the person chose. Answers how to stop. */
export const lockWhenIdle = (person: number): (() => void) => {
  let seen = unixNow()
  const note = () => {
    const now = unixNow()
    if (now - seen >= NOTE_S) stored.set(SEEN, String(now))
    seen = now
  }
  const look = () => {
    const last = Math.max(seen, Number(stored.get(SEEN) ?? 0))
    const minutes = autoLock.get()
    if (minutes > 0 && !isLockedFor(person) && unixNow() - last >= minutes * 60) lockScreen(person)
  }
  const timer = setInterval(look, LOOK_MS)
  for (const sign of SIGNS) addEventListener(sign, note, { capture: true, passive: true })
  document.addEventListener('visibilitychange', look)
  return () => {
    clearInterval(timer)
    for (const sign of SIGNS) removeEventListener(sign, note, true)
    document.removeEventListener('visibilitychange', look)
  }
}
