import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Keyword } from '#src/kit/filters.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  cleanup()
})
/** A list whose address takes its time to say what was asked for. */
const search = () => {
  const asked: string[] = []
  const drawn = (keyword: string) => (
    <Keyword
      of={
        {
          input: { keyword },
          filter: (of: { keyword: string }) => void asked.push(of.keyword),
        } as never
      }
      placeholder="搜索"
    />
  )
  const { rerender } = render(drawn(''))
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: '搜索' })
  return {
    asked,
    field,
    type: (text: string) => fireEvent.change(field, { target: { value: text } }),
    rest: () => act(() => void vi.advanceTimersByTime(1000)),
    answer: (keyword: string) => rerender(drawn(keyword)),
  }
}

test('what is typed while an earlier search is on its way is not lost', () => {
  const { asked, field, type, rest, answer } = search()
  type('+')
  rest()
  type('+86')
  answer('+')
  expect(field.value).toBe('+86')
  rest()
  type('+86 138')
  rest()
  answer('+86')
  answer('+86 138')
  expect(field.value).toBe('+86 138')
  expect(asked).toEqual(['+', '+86', '+86 138'])
})
test('a search that comes from elsewhere, such as a view or the way back, is taken', () => {
  const { field, type, rest, answer } = search()
  type('火锅')
  rest()
  answer('火锅')
  answer('')
  expect(field.value).toBe('')
  answer('烧烤')
  expect(field.value).toBe('烧烤')
})
