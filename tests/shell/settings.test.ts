// It is @drawn: they are kept in the browser’s storage.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { connect } from '#src/kit/data.ts'
import {
  closeSettings,
  flushSettings,
  loadSettings,
  openSettings,
  setting,
} from '#src/shell/settings.ts'

/** The server's side of it, as tests/server/settings.test.ts proves it. */
type Kept = { name: string; value: unknown; version: number; updated_at: number }
let kept: Map<string, Kept>
let sent: { name: string; value: unknown; version: number; admin_id: number; keepalive: boolean }[]
let fault: number | 'lost' | undefined
const NOW = 1_795_000_000
const clock = () => Math.floor(Date.now() / 1000)
const elsewhere = (name: string, value: unknown) =>
  kept.set(name, { name, value, version: (kept.get(name)?.version ?? 0) + 1, updated_at: clock() })
const says = (status: number, data: unknown = null) =>
  new Response(JSON.stringify({ status, msg: '', message: 'no', data }))
beforeEach(() => {
  vi.useFakeTimers({ now: NOW * 1000 })
  localStorage.clear()
  kept = new Map()
  sent = []
  fault = undefined
  connect({ token: () => 't', region: () => 'pro', ended: () => {}, failed: () => {} })
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string, init: RequestInit) => {
      if (fault === 'lost') throw new TypeError('down')
      if (fault) return says(fault)
      if (url.endsWith('session/settings')) return says(200, [...kept.values()])
      const { name, value, version, admin_id } = JSON.parse(String(init.body)) as Kept & {
        admin_id: number
      }
      sent.push({ name, value, version, admin_id, keepalive: init.keepalive === true })
      const before = kept.get(name)
      if ((before?.version ?? 0) !== version) return says(409, { rule: 'stale', current: before })
      elsewhere(name, value)
      return says(200, kept.get(name))
    }),
  )
  openSettings(2)
})
afterEach(() => {
  closeSettings()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const isText = (value: unknown): value is string => typeof value === 'string'
const isList = (value: unknown): value is string[] => Array.isArray(value)
const none: string[] = []
let names = 0
const text = () => {
  const name = `text${++names}`
  return { name, it: setting(name, isText, 'initial') }
}
const list = () => {
  const name = `list${++names}`
  return {
    name,
    it: setting(name, isList, none, (mine, theirs, base = none) => [
      ...new Set([
        ...theirs.filter(one => !base.includes(one) || mine.includes(one)),
        ...mine.filter(one => !base.includes(one) || theirs.includes(one)),
      ]),
    ]),
  }
}
const pause = (ms = 700) => vi.advanceTimersByTimeAsync(ms)

describe('on this machine', () => {
  test('a setting is there at once, told of, and still there when the tab comes again', () => {
    const { it } = text()
    const heard = vi.fn()
    const stop = it.subscribe(heard)
    it.set('a')
    it.set(before => `${before}b`)
    stop()
    expect([it.get(), heard.mock.calls.length]).toEqual(['ab', 2])
    openSettings(2)
    expect(it.get()).toBe('ab')
  })
  test('another person has their own', () => {
    const { it } = text()
    it.set('mine')
    openSettings(3)
    expect(it.get()).toBe('initial')
    openSettings(2)
    expect(it.get()).toBe('mine')
  })
  test('what does not fit counts as nothing', async () => {
    const { name, it } = text()
    elsewhere(name, { an: 'older form' })
    await loadSettings()
    expect(it.get()).toBe('initial')
    localStorage.setItem('mallet.setting:2:rubbish', '{')
    expect(setting('rubbish', isText, 'initial').get()).toBe('initial')
  })
  test('where storage is denied it lasts as long as the tab', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('denied')
    })
    const { name, it } = text()
    await loadSettings()
    it.set('a')
    await pause()
    expect([it.get(), kept.get(name)?.value]).toEqual(['a', 'a'])
    vi.restoreAllMocks()
  })
  test('another tab’s change is this one’s', () => {
    const { name, it } = text()
    it.get()
    const key = `mallet.setting:2:${name}`
    localStorage.setItem(key, JSON.stringify({ value: 'theirs', version: 1, at: NOW }))
    dispatchEvent(new StorageEvent('storage', { key }))
    expect(it.get()).toBe('theirs')
  })
})

describe('on the server', () => {
  test('what is set goes there once, after a pause', async () => {
    await loadSettings()
    const { name, it } = text()
    for (const letter of 'abc') {
      it.set(letter)
      await pause(200)
    }
    expect(sent).toEqual([])
    await pause()
    expect(sent).toEqual([{ name, value: 'c', version: 0, admin_id: 2, keepalive: false }])
    it.set('d')
    await pause()
    expect(kept.get(name)).toMatchObject({ value: 'd', version: 2 })
  })
  test('at sign-in the newer value is taken, and what was not sent yet is sent', async () => {
    const [one, other] = [text(), text()]
    elsewhere(one.name, 'set elsewhere')
    other.it.set('set here')
    await pause()
    expect(sent).toEqual([])
    await loadSettings()
    await pause()
    expect([one.it.get(), kept.get(other.name)?.value]).toEqual(['set elsewhere', 'set here'])
  })
  test('a lost line loses nothing: it is sent when the line is back, and by itself after a while', async () => {
    await loadSettings()
    const { name, it } = text()
    fault = 'lost'
    it.set('a')
    await pause()
    fault = undefined
    flushSettings()
    await pause(0)
    expect(kept.get(name)?.value).toBe('a')
    fault = 503
    it.set('b')
    await pause()
    fault = undefined
    await pause(60_000)
    expect(kept.get(name)?.value).toBe('b')
  })
  test('a tab that is closed sends it on its way out', async () => {
    await loadSettings()
    const { it } = text()
    it.set('a')
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    expect(sent).toMatchObject([{ value: 'a', keepalive: true }])
    vi.restoreAllMocks()
  })
  test('nothing of a person goes under another’s name', async () => {
    await loadSettings()
    const { name, it } = text()
    it.set('of 2')
    openSettings(3)
    await loadSettings()
    await pause(70_000)
    expect(sent).toEqual([])
    openSettings(2)
    await loadSettings()
    await pause()
    expect(sent).toMatchObject([{ name, value: 'of 2', admin_id: 2 }])
  })
  test('what the server will not take stays here, and is not sent for ever', async () => {
    await loadSettings()
    const { it } = text()
    fault = 422
    it.set('a')
    await pause(300_000)
    expect([
      it.get(),
      vi.mocked(fetch).mock.calls.filter(([url]) => String(url).endsWith('saveSetting')).length,
    ]).toEqual(['a', 1])
  })
})

describe('set on two machines', () => {
  test('the later one stays', async () => {
    await loadSettings()
    const [here, there] = [text(), text()]
    elsewhere(here.name, 'theirs')
    elsewhere(there.name, 'theirs')
    await pause(2000)
    here.it.set('mine, later')
    await pause(2000)
    expect(kept.get(here.name)).toMatchObject({ value: 'mine, later', version: 2 })
    fault = 'lost'
    there.it.set('mine, while the line was down')
    await pause(2000)
    elsewhere(there.name, 'theirs, later')
    fault = undefined
    await pause(20_000)
    expect([there.it.get(), kept.get(there.name)]).toMatchObject(['theirs, later', { version: 2 }])
  })
  test('what can be merged is: what either added is there, what either took away is not', async () => {
    const { name, it } = list()
    elsewhere(name, ['a', 'b', 'c'])
    await loadSettings()
    elsewhere(name, ['b', 'c', 'theirs'])
    it.set(before => [...before.filter(one => one !== 'b'), 'mine'])
    await pause(2000)
    expect([it.get(), kept.get(name)!.value]).toEqual([
      ['c', 'theirs', 'mine'],
      ['c', 'theirs', 'mine'],
    ])
  })
  test('an answer that was lost after it was kept is found kept', async () => {
    await loadSettings()
    const { name, it } = text()
    it.set('a')
    elsewhere(name, 'a')
    await pause(3000)
    it.set('b')
    await pause(3000)
    expect(kept.get(name)?.value).toBe('b')
  })
  test('a set-up that was emptied takes it as new', async () => {
    await loadSettings()
    const { name, it } = text()
    it.set('a')
    await pause()
    kept.clear()
    it.set('b')
    await pause(3000)
    expect(kept.get(name)).toMatchObject({ value: 'b', version: 1 })
  })
})
