// It stands @alone, as messages that other files said would still be shown.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dismiss, isShown, toast, Toasts } from '#src/shell/toasts.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})
const Screen = () => (
  <>
    <input aria-label="list" />
    <Toasts />
  </>
)
const say = (...of: Parameters<typeof toast>) => {
  let id = 0
  act(() => {
    id = toast(...of)
  })
  return id
}
const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })

test('a message that is closed gives the focus back to where it came from', () => {
  render(<Screen />)
  const list = screen.getByLabelText('list')
  for (const press of ['关闭', '撤销']) {
    say('已保存', 'success', { text: '撤销', does: () => {} })
    act(() => {
      list.focus()
    })
    act(() => {
      screen.getByText(press === '撤销' ? press : '×').focus()
    })
    fireEvent.click(document.activeElement!)
    expect([document.activeElement, screen.queryByText('已保存')]).toEqual([list, null])
  }
})

test('a message with the focus in it stays until the focus has gone', () => {
  render(<Screen />)
  const id = say('网络连接中断', 'danger')
  act(() => {
    screen.getByText('×').focus()
  })
  pass(60_000)
  expect(isShown(id)).toBe(true)
  act(() => {
    screen.getByLabelText('list').focus()
  })
  pass(5000)
  expect(isShown(id)).toBe(false)
})

test('a message stands five seconds, one with a button ten', () => {
  render(<Screen />)
  const ids = [
    say('已保存', 'success'),
    say('驳回：已完成', 'none', { text: '撤销', does: () => {} }),
  ]
  pass(5000)
  expect(ids.map(isShown)).toEqual([false, true])
  pass(5000)
  expect(ids.map(isShown)).toEqual([false, false])
  for (const id of ids) dismiss(id)
})
