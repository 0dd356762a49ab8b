import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { RevealDialog } from '#src/kit/reveal.tsx'
import { WorkbenchContext, type Workbench } from '#src/kit/workbench.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})
test('what was revealed says how long it stays and how often more, and goes by itself, by the clock', () => {
  vi.useFakeTimers()
  const close = vi.fn()
  render(
    <WorkbenchContext value={{ toast: () => {} } as unknown as Workbench}>
      <RevealDialog
        of={{
          label: ['完整手机号', 'The phone'],
          of: '张三',
          value: '13900001234',
          seconds: 60,
          left: 3,
        }}
        close={close}
      />
    </WorkbenchContext>,
  )
  expect(screen.getByRole('dialog').textContent).toContain('13900001234')
  expect(screen.getByRole('timer').textContent).toContain('60 秒后自动隐藏')
  expect(screen.getByRole('timer').textContent).toContain('还可查看 3 次')
  act(() => {
    vi.advanceTimersByTime(20_000)
  })
  expect(screen.getByRole('timer').textContent).toContain('40 秒')
  // A tab put aside runs no timers: the clock alone counts.
  vi.setSystemTime(Date.now() + 39_900)
  act(() => {
    vi.advanceTimersByTime(250)
  })
  expect(close).toHaveBeenCalled()
})
