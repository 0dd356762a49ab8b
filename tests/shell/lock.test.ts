// It is @drawn: the lock is kept in the browser’s storage.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { autoLock, lockWhenIdle } from '#src/shell/session/auto-lock.ts'
import { isLockedFor, keepLock, lockScreen, unlockScreen } from '#src/shell/session/lock.ts'
import { closeSettings, openSettings } from '#src/shell/settings.ts'

let stop: () => void
beforeEach(() => {
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  localStorage.clear()
  stop = keepLock()
})
afterEach(() => {
  unlockScreen()
  stop()
  vi.unstubAllGlobals()
})

describe('the lock', () => {
  const elsewhere = (newValue: string | null, key: string | null = 'mallet.locked') =>
    dispatchEvent(new StorageEvent('storage', { key, newValue }))
  test('is one person’s, and is there after a reload', () => {
    lockScreen(7)
    expect([isLockedFor(7), isLockedFor(8), isLockedFor(undefined)]).toEqual([true, false, false])
    stop()
    stop = keepLock()
    expect(isLockedFor(7)).toBe(true)
  })
  test('holds in all windows, and opens in all', () => {
    elsewhere('7')
    expect(isLockedFor(7)).toBe(true)
    elsewhere(null)
    expect(isLockedFor(7)).toBe(false)
  })
  test('a storage that is emptied opens nothing', () => {
    lockScreen(7)
    elsewhere(null, null)
    expect(isLockedFor(7)).toBe(true)
  })
  test('keeps the keys from what is behind it, and sends them to its field', () => {
    document.body.innerHTML =
      '<button id="work"></button><dialog class="s-lock" open><input id="field"></dialog>'
    const heard = vi.fn()
    document.addEventListener('keydown', heard)
    const press = (id: string) =>
      document
        .getElementById(id)!
        .dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true, cancelable: true }))
    expect([press('work'), heard.mock.calls.length]).toEqual([false, 0])
    expect(document.activeElement?.id).toBe('field')
    expect([press('field'), heard.mock.calls.length]).toEqual([true, 1])
    document.removeEventListener('keydown', heard)
    document.body.innerHTML = ''
  })
})

describe('by itself', () => {
  let end: () => void
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'Date'] })
    openSettings(7)
    end = lockWhenIdle(7)
  })
  afterEach(() => {
    end()
    closeSettings()
    vi.useRealTimers()
  })
  const pass = (minutes: number) => vi.advanceTimersByTime(minutes * 60_000)
  test('never, until the person says after how long', () => {
    pass(600)
    expect(isLockedFor(7)).toBe(false)
  })
  test('after so many minutes in which nobody was there', () => {
    autoLock.set(5)
    pass(4)
    dispatchEvent(new Event('pointermove'))
    pass(4)
    expect(isLockedFor(7)).toBe(false)
    pass(1.2)
    expect(isLockedFor(7)).toBe(true)
  })
  test('who is at another window of the browser is there', () => {
    autoLock.set(5)
    pass(4)
    localStorage.setItem('mallet.seen', String(Math.floor(Date.now() / 1000)))
    pass(4)
    expect(isLockedFor(7)).toBe(false)
  })
})
