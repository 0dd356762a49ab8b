import { Menu } from '@blueprintjs/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { MenuEntry, PressButton } from '#src/kit/pressable.tsx'

afterEach(cleanup)

test('a button that can’t be had keeps the focus, says why, and does nothing when it is pressed', () => {
  const does = vi.fn<() => void>()
  const { rerender } = render(<PressButton why="请先选择一行" text="通过" onClick={does} />)
  const button = screen.getByRole('button', { name: '通过', description: '请先选择一行' })
  button.focus()
  expect(document.activeElement).toBe(button)
  expect([button.getAttribute('aria-disabled'), button.hasAttribute('disabled')]).toEqual([
    'true',
    false,
  ])
  fireEvent.click(button)
  fireEvent.keyDown(button, { key: 'Enter' })
  fireEvent.keyUp(button, { key: 'Enter' })
  expect(does).not.toHaveBeenCalled()

  rerender(<PressButton why={undefined} text="通过" title="A" onClick={does} />)
  fireEvent.click(button)
  expect(does).toHaveBeenCalledTimes(1)
  expect([button.getAttribute('aria-disabled'), button.title]).toEqual([null, 'A'])
})
test('a submit button that can’t be had submits no form', () => {
  const submitted = vi.fn<(event: Event) => void>(event => event.preventDefault())
  render(
    <form onSubmit={event => submitted(event.nativeEvent)}>
      <PressButton type="submit" why="没有修改" text="保存" />
    </form>,
  )
  fireEvent.click(screen.getByRole('button', { name: '保存' }))
  expect(submitted).not.toHaveBeenCalled()
})
test('an entry of a menu that can’t be had is reached by keys, says why, and leaves the menu open', () => {
  const does = vi.fn<() => void>()
  render(
    <Menu>
      <MenuEntry why="一次只能处理一行" text="驳回" onClick={does} />
      <MenuEntry why={undefined} text="通过" onClick={does} />
    </Menu>,
  )
  const [off, on] = screen.getAllByRole('menuitem')
  expect([off!.getAttribute('aria-disabled'), off!.tabIndex, off!.title]).toEqual([
    'true',
    0,
    '一次只能处理一行',
  ])
  expect(off!.classList.contains('bp6-popover-dismiss')).toBe(false)
  fireEvent.click(off!)
  expect(does).not.toHaveBeenCalled()
  fireEvent.click(on!)
  expect([does.mock.calls.length, on!.getAttribute('aria-disabled')]).toEqual([1, null])
})
