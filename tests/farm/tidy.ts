import { afterAll, afterEach, vi } from 'vitest'
import { kept } from './idb-keyval.ts'

afterEach(() => kept.clear())
// The next file runs in the same process and begins with an empty page.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  if (!('document' in globalThis)) return
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
})
