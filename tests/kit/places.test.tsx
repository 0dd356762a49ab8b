import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { Provider } from 'react-redux'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import type { ListState } from '#src/kit/uselist.ts'
import { makeStore } from '#src/shell/store.ts'

const asked: string[] = []
const filtered: object[] = []
const shown = (input: object) =>
  render(
    <Provider store={makeStore()}>
      {[CityFilter, MallFilter].map(Filter => (
        <Filter
          key={Filter.name}
          of={
            { input, filter: (more: object) => filtered.push(more) } as unknown as ListState<object>
          }
        />
      ))}
    </Provider>,
  )
const box = (name: string) => screen.getByRole<HTMLSelectElement>('combobox', { name })
const offered = (name: string) => {
  act(() => box(name).focus())
  return within(box(name))
    .getAllByRole<HTMLOptionElement>('option')
    .map(one => [one.value, one.textContent])
}
beforeEach(() => {
  asked.length = 0
  filtered.length = 0
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string) => {
      asked.push(url.replace('/api/manageback/', ''))
      const data = url.includes('city/list')
        ? [{ id: 3, city_name: '杭州' }]
        : { list: [{ mid: 8, name: '万象汇', city_id: 3, city_name: '杭州' }], total: 1 }
      return new Response(JSON.stringify({ status: 200, data }))
    }),
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the cities and malls are asked for in the specification’s words', async () => {
  shown({})
  await waitFor(() =>
    expect(asked).toEqual(['city/list?simp=1&page=1&pageSize=100', 'mall/lst?page=1&limit=1000']),
  )
})
test('cities begin with 全部, malls with 全部 and 商场外', async () => {
  shown({})
  await waitFor(() => expect(offered('城市')).toHaveLength(2))
  expect(offered('城市')).toEqual([
    ['', '全部'],
    ['3', '杭州'],
  ])
  expect(offered('商场')).toEqual([
    ['', '全部'],
    ['0', '商场外'],
    ['8', '万象汇'],
  ])
})
test('malls are those of the city, and another city lets the mall go', async () => {
  shown({ city_id: 3, mid: 0 })
  await waitFor(() => expect(asked).toContain('mall/lst?page=1&limit=1000&city_id=3'))
  expect(box('商场').value).toBe('0')
  expect(offered('城市')[0]).toEqual(['', '全部'])
  fireEvent.change(box('城市'), { target: { value: '' } })
  fireEvent.change(box('商场'), { target: { value: '0' } })
  expect(filtered).toEqual([{ city_id: '', mid: undefined }, { mid: '0' }])
})
