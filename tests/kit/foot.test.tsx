import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { PageJump } from '#src/kit/foot.tsx'

afterEach(cleanup)
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: '页码，共 26 页' })
test.each([
  ['7', 7],
  ['１２', 12],
  ['0', 1],
  ['999', 26],
  ['abc', undefined],
  ['3', undefined],
])('%s typed as a page and Enter goes to it, within those there are', (typed, to) => {
  const go = vi.fn()
  render(<PageJump page={3} pages={26} go={go} />)
  fireEvent.change(field(), { target: { value: typed } })
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(go.mock.calls).toEqual(to === undefined ? [] : [[to]])
})
test('Escape leaves the page as it was', () => {
  const go = vi.fn()
  render(<PageJump page={3} pages={26} go={go} />)
  fireEvent.change(field(), { target: { value: '9' } })
  fireEvent.keyDown(field(), { key: 'Escape' })
  expect([field().value, go.mock.calls]).toEqual(['3', []])
})
