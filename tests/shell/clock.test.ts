// It is @drawn: what was told is kept in the browser’s storage.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tellOfClock } from '#src/shell/clock.ts'
import { toast } from '#src/shell/toasts.tsx'

vi.mock('#src/shell/toasts.tsx', () => ({ toast: vi.fn() }))
beforeEach(() => {
  sessionStorage.clear()
  vi.mocked(toast).mockClear()
})
afterEach(() => sessionStorage.clear())
const told = () => vi.mocked(toast).mock.calls

test.each([0, 90_000, -120_000])('a difference of %i ms is nobody’s concern', ahead => {
  tellOfClock(ahead)
  expect(told()).toEqual([])
})
test.each([
  [86_400_000, '本机时钟慢 1 天'],
  [-86_400_000, '本机时钟快 1 天'],
  [2 * 3_600_000, '本机时钟慢 2 小时'],
  [-121_000, '本机时钟快 2 分钟'],
])('%i ms are told as %s, once', (ahead, words) => {
  for (let n = 0; n < 3; n++) tellOfClock(ahead)
  expect(told()).toEqual([[`${words}。时间已按服务器显示，请校准本机时钟`, 'warning']])
})
