import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { Provider } from 'react-redux'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { regionsFor } from '#src/areas/place/regions.server.ts'
import type { RegionLevel } from '#src/contract/regions.ts'
import { Region } from '#src/kit/region.tsx'
import { makeStore } from '#src/shell/store.ts'

// Letters are looked up in a table that is made once.
beforeAll(() => {
  regionsFor({ level: 'district', keyword: 'a' })
})
beforeEach(() => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: unknown) => {
      const asked = Object.fromEntries(new URL(String(url), 'http://here').searchParams)
      const list = regionsFor({ ...asked, level: (asked['level'] ?? 'district') as RegionLevel })
      return new Response(JSON.stringify({ status: 200, data: { list } }))
    }),
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
const Kept = ({ first }: { first?: string }) => {
  const [value, change] = useState<string | undefined>(first)
  return (
    <>
      <label htmlFor="place">地区</label>
      <Region id="place" label="地区" value={value} change={change} />
      <output>{value ?? '无'}</output>
    </>
  )
}
const shown = (first?: string) => {
  render(
    <Provider store={makeStore()}>
      <Kept {...(first && { first })} />
    </Provider>,
  )
  const field = screen.getByRole('combobox')
  act(() => field.focus())
  return field
}
const chosen = () => screen.getByRole('status').textContent
const press = (field: HTMLElement, key: string) => fireEvent.keyDown(field, { key })
const pointAt = async (field: HTMLElement, name: string) => {
  await screen.findByRole('option', { name })
  const options = screen.getAllByRole('option')
  const at = options.findIndex(one => one.textContent === name)
  expect(at).toBeGreaterThanOrEqual(0)
  for (let n = 0; n < at; n++) press(field, 'ArrowDown')
  expect(screen.getByRole('option', { selected: true }).textContent).toBe(name)
}

test('step by step by keys: into a province, a city, a district, and back up', async () => {
  const field = shown()
  await pointAt(field, '浙江省')
  press(field, 'Enter')
  await screen.findByRole('option', { name: '宁波市' })
  press(field, 'Backspace')
  await screen.findByRole('option', { name: '北京市' })
  await pointAt(field, '浙江省')
  press(field, 'ArrowRight')
  await screen.findByRole('option', { name: '杭州市' })
  press(field, 'Enter')
  await screen.findByRole('option', { name: '西湖区' })
  await pointAt(field, '西湖区')
  press(field, 'Enter')
  expect([(field as HTMLInputElement).value, chosen()]).toEqual([
    '浙江省杭州市西湖区',
    '浙江省杭州市西湖区',
  ])
  expect(screen.queryByRole('listbox')).toBeNull()
})

test('by initials: what is found says where it is, and Enter waits for what was typed last', async () => {
  const field = shown()
  fireEvent.change(field, { target: { value: 'hpq' } })
  press(field, 'Enter')
  expect(chosen()).toBe('无')
  await pointAt(field, '上海市黄浦区')
  press(field, 'Enter')
  expect(chosen()).toBe('上海市黄浦区')
})

test('what is typed and not chosen is no answer: what stood before stands again; an emptied line is empty', async () => {
  const field = shown('上海市黄浦区')
  expect(screen.queryByRole('listbox')).toBeNull()
  fireEvent.change(field, { target: { value: '随便写写' } })
  await screen.findByText('没有匹配的地区')
  expect(chosen()).toBe('无')
  act(() => field.blur())
  expect([(field as HTMLInputElement).value, chosen()]).toEqual(['上海市黄浦区', '上海市黄浦区'])
  act(() => field.focus())
  fireEvent.change(field, { target: { value: '' } })
  act(() => field.blur())
  expect(chosen()).toBe('无')
})
