import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { Grid } from '#src/kit/grid.tsx'

type Row = { id: number; name: string }
const rows: Row[] = Array.from({ length: 300 }, (_, i) => ({ id: i + 1, name: `第 ${i + 1} 行` }))
// happy-dom lays nothing out: give the scroller a height, so that the virtual list draws rows.
beforeAll(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(320)
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(320)
})
afterEach(cleanup)
const opened = vi.fn<(row: Row) => void>()
const Screen = () => {
  const [focused, setFocused] = useState<number | undefined>(1)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  return (
    <>
      <Grid label="行" rows={rows} idOf={row => row.id} columns={[{ key: 'name', title: ['名称', 'Name'], width: 100, cell: row => row.name }]} total={900} before={100} focused={focused} onFocus={setFocused}
        selected={selected} onSelect={(ids, on) => setSelected(now => { const next = new Set(now); for (const id of ids) { if (on) next.add(id); else next.delete(id) } return next })} onOpen={opened} />
      <output>{focused}|{[...selected].sort((a, b) => a - b).join()}</output>
    </>
  )
}
const state = () => document.querySelector('output')!.textContent
const press = (key: string, more: object = {}) => act(() => { fireEvent.keyDown(screen.getByRole('grid'), { key, ...more }) })

test('arrows move the one focused row, Space selects, Shift extends, Enter opens', () => {
  render(<Screen />)
  press('ArrowDown'); press('ArrowDown')
  expect(state()).toBe('3|')
  press(' ')
  expect(state()).toBe('3|3')
  press('ArrowDown', { shiftKey: true })
  expect(state()).toBe('4|3,4')
  press('End')
  expect(state()).toBe('300|3,4')
  press('Enter')
  expect(opened).toHaveBeenCalledWith(rows[299])
})
test('a key that commits a composition moves nothing', () => {
  render(<Screen />)
  press('ArrowDown', { isComposing: true })
  expect(state()).toBe('1|')
})
test('a screen reader hears the place in the whole list, and only the rows near are drawn', () => {
  render(<Screen />)
  const grid = screen.getByRole('grid')
  expect(grid.getAttribute('aria-rowcount')).toBe('901')
  expect(grid.getAttribute('aria-activedescendant')).toBe(screen.getAllByRole('row')[1]!.id)
  expect(screen.getAllByRole('row')[1]!.getAttribute('aria-rowindex')).toBe('102')
  expect(screen.getAllByRole('row').length).toBeLessThan(60)
})

test('a column whose word the glossary has says what it means there, on hover; elsewhere the word is left alone', async () => {
  const paid = { key: 'paid', title: ['实付', 'Paid'] as const, width: 100, cell: (row: Row) => row.name }
  const grid = (path: string) => (
    <Router hook={() => [path, () => {}]}><Grid label="单" rows={rows.slice(0, 2)} idOf={row => row.id} columns={[paid]} focused={1} onFocus={() => {}} selected={new Set()} onSelect={() => {}} onOpen={() => {}} /></Router>
  )
  const { unmount } = render(grid('/manage/order/bulks'))
  fireEvent.mouseEnter(screen.getByRole('columnheader', { name: '实付' }))
  await vi.waitFor(() => expect(screen.getByRole('columnheader', { name: '实付' }).title).toContain('真正付的钱'))
  unmount()
  render(grid('/manage/mall/hot'))
  fireEvent.mouseEnter(screen.getByRole('columnheader', { name: '实付' }))
  await act(() => import('#src/domain/glossary.ts'))
  expect(screen.getByRole('columnheader', { name: '实付' }).title).toBe('')
})
