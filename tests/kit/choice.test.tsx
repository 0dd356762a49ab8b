import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { Choice } from '#src/kit/filters.tsx'
import type { ListState } from '#src/kit/uselist.ts'

afterEach(cleanup)
afterEach(cleanup)
const cities = ['长春', '北京', '上海'].map((label, at) => ({ value: at + 1, label }))
const Screen = ({ city_id }: { city_id?: string }) => {
  const [input, filter] = useState<object>({ city_id })
  return (
    <Choice
      of={{ input, filter } as unknown as ListState<unknown>}
      by="city_id"
      label="城市"
      options={cities}
    />
  )
}
const city = () => screen.getByRole<HTMLSelectElement>('combobox', { name: '城市' })
const offered = () =>
  within(city())
    .getAllByRole('option')
    .map(option => option.textContent)

test.each([
  ['the focus', () => act(() => city().focus())],
  [
    'the pointer',
    () => {
      fireEvent.pointerDown(city())
    },
  ],
])('a filter holds what is chosen alone, until %s comes to it', (_, come) => {
  render(<Screen city_id="2" />)
  expect(offered()).toEqual(['北京'])
  come()
  expect(offered()).toEqual(['城市', '长春', '北京', '上海'])
  expect(city().value).toBe('2')
})
test('what is chosen stays when the focus goes, and “any” is named by the filter', () => {
  render(<Screen />)
  expect(offered()).toEqual(['城市'])
  act(() => city().focus())
  fireEvent.change(city(), { target: { value: '3' } })
  act(() => city().blur())
  expect([city().value, offered()]).toEqual(['3', ['上海']])
})
test('a value that is not among the options leaves them all there', () => {
  render(<Screen city_id="99" />)
  expect(offered()).toEqual(['城市', '长春', '北京', '上海'])
})
