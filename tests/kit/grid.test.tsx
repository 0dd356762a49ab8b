import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import fc from 'fast-check'
import { useState } from 'react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { composingKeepsItsKeys } from '#src/kit/composing.ts'
import { Grid, placed, type Column } from '#src/kit/grid.tsx'
import { setLang } from '#src/kit/text.ts'

type Row = { id: number; name: string }
const rows: Row[] = Array.from({ length: 300 }, (_, i) => ({ id: i + 1, name: `第 ${i + 1} 行` }))
// happy-dom lays nothing out: give the scroller a height, so that the virtual list draws rows.
beforeAll(() => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(320)
})
afterEach(cleanup)
const opened = vi.fn<(row: Row) => void>()
const Screen = () => {
  const [focused, setFocused] = useState<number | undefined>(1)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  return (
    <>
      <Grid
        label="行"
        rows={rows}
        idOf={row => row.id}
        columns={[{ key: 'name', title: ['名称', 'Name'], width: 100, cell: row => row.name }]}
        total={900}
        before={100}
        focused={focused}
        onFocus={setFocused}
        selected={selected}
        onSelect={(ids, on) =>
          setSelected(now => {
            const next = new Set(now)
            for (const id of ids) {
              if (on) next.add(id)
              else next.delete(id)
            }
            return next
          })
        }
        onOpen={opened}
      />
      <output>
        {focused}|{[...selected].sort((a, b) => a - b).join()}
      </output>
    </>
  )
}
const state = () => document.querySelector('output')!.textContent
const press = (key: string, more: object = {}) =>
  act(() => {
    fireEvent.keyDown(screen.getByRole('grid'), { key, ...more })
  })

test('arrows move the one focused row, Space selects, Shift extends, Enter opens', () => {
  render(<Screen />)
  press('ArrowDown')
  press('ArrowDown')
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
  // As in the browser, where one guard holds for all keys (main.tsx).
  const end = composingKeepsItsKeys()
  render(<Screen />)
  press('ArrowDown', { isComposing: true })
  expect(state()).toBe('1|')
  end()
})
test('a screen reader hears the place in the whole list, and only the rows near are drawn', () => {
  render(<Screen />)
  const grid = screen.getByRole('grid')
  expect(grid.getAttribute('aria-rowcount')).toBe('901')
  expect(grid.getAttribute('aria-activedescendant')).toBe(screen.getAllByRole('row')[1]!.id)
  expect(screen.getAllByRole('row')[1]!.getAttribute('aria-rowindex')).toBe('102')
  expect(screen.getAllByRole('row').length).toBeLessThan(60)
})
test('a key asks the rows before it and those drawn who they are, not all of them', () => {
  const idOf = vi.fn((row: Row) => row.id)
  const Long = () => {
    const [focused, setFocused] = useState<number | undefined>(1)
    return (
      <Grid
        label="行"
        rows={rows}
        idOf={row => idOf(row)}
        columns={[]}
        focused={focused}
        onFocus={setFocused}
        selected={new Set()}
        onSelect={() => {}}
        onOpen={opened}
      />
    )
  }
  render(<Long />)
  idOf.mockClear()
  press('ArrowDown')
  expect(idOf.mock.calls.length).toBeLessThan(rows.length / 2)
})

test('a column whose word the glossary has says what it means there, on hover; elsewhere the word is left alone', async () => {
  const paid = {
    key: 'paid',
    title: ['实付', 'Paid'] as const,
    width: 100,
    cell: (row: Row) => row.name,
  }
  const grid = (path: string) => (
    <Router hook={() => [path, () => {}]}>
      <Grid
        label="单"
        rows={rows.slice(0, 2)}
        idOf={row => row.id}
        columns={[paid]}
        focused={1}
        onFocus={() => {}}
        selected={new Set()}
        onSelect={() => {}}
        onOpen={() => {}}
      />
    </Router>
  )
  const { unmount } = render(grid('/manage/order/bulks'))
  fireEvent.mouseEnter(screen.getByRole('columnheader', { name: '实付' }))
  // The glossary is fetched then, for which a busy machine takes more than a second.
  await vi.waitFor(
    () => expect(screen.getByRole('columnheader', { name: '实付' }).title).toContain('真正付的钱'),
    10_000,
  )
  // Under the pointer it speaks another language at once.
  act(() => setLang('en'))
  const paidHead = screen.getAllByRole('columnheader').at(-1)!
  expect(paidHead.title).toMatch(/^[^\p{Script=Han}]+$/u)
  act(() => setLang('zh'))
  expect(paidHead.title).toContain('真正付的钱')
  unmount()
  render(grid('/manage/mall/hot'))
  fireEvent.mouseEnter(screen.getByRole('columnheader', { name: '实付' }))
  await act(() => import('#src/areas/workbench/glossary.ts'))
  expect(screen.getByRole('columnheader', { name: '实付' }).title).toBe('')
})

test('of a list scrolled aside, whatever is in sight is drawn, in its own column; what stays is drawn always', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 40, max: 900 }), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 1, max: 2600 }),
      fc.nat(20_000),
      (widths, stay, width, to) => {
        const columns: Column<Row>[] = widths.map((wide, at) => ({
          key: `${at}`,
          title: ['列', 'Column'],
          width: wide,
          cell: row => row.name,
          ...(at < stay && { left: 36 + widths.slice(0, at).reduce((sum, one) => sum + one, 0) }),
        }))
        const least = widths.reduce((sum, one) => sum + one, 36)
        const aside = Math.max(0, Math.min(to, least - width))
        const drawn = placed(columns, width - (width % 120) + 120, aside - (aside % 120))
        let at = 1
        // Where a cell stands: in its own column where it says so, else behind the one before.
        const stands = drawn.map(({ style, column }) => {
          at = typeof style?.gridColumn === 'number' ? style.gridColumn : at + 1
          return [Number(column.key), at - 2]
        })
        expect(stands.every(([key, place]) => key === place)).toBe(true)
        const keys = new Set(stands.map(([key]) => key))
        let left = 36
        widths.forEach((wide, one) => {
          if (one < stay || (left + wide > aside && left < aside + width))
            expect(keys.has(one)).toBe(true)
          left += wide
        })
      },
    ),
  )
  expect(
    placed(
      [
        { key: 'a', title: ['列', 'Column'], width: 9000, cell: () => '' },
        { key: 'b', title: ['列', 'Column'], width: 90, cell: () => '' },
      ],
      0,
      0,
    ),
  ).toHaveLength(2)
})
test('a list narrower than the columns a person drew draws those in sight, says which they are, and the others when it is scrolled to them', () => {
  const columns = Array.from({ length: 12 }, (_, i) => ({
    key: `c${i}`,
    title: [`列 ${i}`, `Column ${i}`] as const,
    width: 150,
    fixed: true,
    cell: (row: Row) => `${row.name} ${i}`,
  }))
  render(
    <Grid
      label="行"
      rows={rows}
      idOf={row => row.id}
      columns={columns}
      focused={1}
      onFocus={() => {}}
      selected={new Set()}
      onSelect={() => {}}
      onOpen={() => {}}
    />,
  )
  const cells = () =>
    [...screen.getAllByRole('row')[1]!.querySelectorAll('[aria-colindex]')].map(
      cell => Number(cell.getAttribute('aria-colindex')) - 2,
    )
  expect(cells()).toEqual([0, 1, 2, 3, 4, 5])
  expect(screen.getAllByRole('columnheader')).toHaveLength(13)
  const grid = screen.getByRole('grid')
  grid.scrollLeft = 1200
  act(() => {
    fireEvent.scroll(grid)
  })
  expect(cells()).toEqual([6, 7, 8, 9, 10, 11])
})
test('columns that have no room are folded, and their keys told', () => {
  const onFold = vi.fn<(keys: readonly string[]) => void>()
  render(
    <Grid
      label="行"
      rows={rows}
      idOf={row => row.id}
      columns={['name', 'note', 'sum', 'place', 'also'].map(key => ({
        key,
        title: [key, key],
        width: 200,
        cell: () => key,
        ...(key === 'sum' && { align: 'end' }),
        ...(key === 'also' && { priority: 4 }),
      }))}
      focused={1}
      onFocus={() => {}}
      selected={new Set()}
      onSelect={() => {}}
      onOpen={() => {}}
      onFold={onFold}
    />,
  )
  // 600 pixels hold the name, the sum and one text of 140 at least.
  expect(onFold).toHaveBeenLastCalledWith(['place', 'also'])
  expect(screen.getAllByRole('columnheader').map(head => head.textContent)).toEqual([
    '',
    'name',
    'note',
    'sum',
  ])
})
test('main text, and the number that rows are put in order by, stay while others go', () => {
  const onFold = vi.fn<(keys: readonly string[]) => void>()
  render(
    <Grid
      label="行"
      rows={rows}
      idOf={row => row.id}
      columns={['name', 'title', 'count', 'deadline', 'also'].map(key => ({
        key,
        title: [key, key],
        width: 200,
        cell: () => key,
        ...(key === 'title' && { grow: true }),
        ...(['count', 'deadline'].includes(key) && { align: 'end', width: 180 }),
        ...(key === 'deadline' && { sort: 'deadline' }),
      }))}
      focused={1}
      onFocus={() => {}}
      selected={new Set()}
      onSelect={() => {}}
      onOpen={() => {}}
      onFold={onFold}
    />,
  )
  // 600 pixels hold the name, the main text of 180 at least, and one number.
  expect(onFold).toHaveBeenLastCalledWith(['count', 'also'])
})
test('all rows are drawn while the browser prints, and those near again after it', () => {
  render(<Screen />)
  const drawn = () => screen.getAllByRole('row').length - 1
  expect(drawn()).toBeLessThan(rows.length)
  act(() => void dispatchEvent(new Event('beforeprint')))
  expect(drawn()).toBe(rows.length)
  expect(screen.getByRole('columnheader', { name: '名称' }).style.width).toBe('100%')
  act(() => void dispatchEvent(new Event('afterprint')))
  expect(drawn()).toBeLessThan(rows.length)
})

test('a column that rows can be sorted by says so, and which way they are', () => {
  const by: Column<Row>[] = [
    {
      key: 'name',
      title: ['名称', 'Name'],
      width: 100,
      sort: 'name',
      upwards: true,
      cell: row => row.name,
    },
    { key: 'id', title: ['编号', 'No.'], width: 80, sort: 'newest', cell: row => row.id },
    { key: 'rest', title: ['其他', 'Rest'], width: 80, cell: () => '' },
  ]
  const onSort = vi.fn()
  const drawn = (sort: string) => (
    <Grid
      label="行"
      rows={rows.slice(0, 3)}
      idOf={row => row.id}
      columns={by}
      focused={1}
      onFocus={vi.fn()}
      selected={new Set()}
      onSelect={vi.fn()}
      onOpen={opened}
      sort={sort}
      onSort={onSort}
    />
  )
  const told = () =>
    screen
      .getAllByRole('columnheader')
      .slice(1)
      .map(head => [head.getAttribute('aria-sort'), head.textContent])
  const { rerender } = render(drawn('newest'))
  expect(told()).toEqual([
    ['none', '名称↕'],
    ['descending', '编号↓'],
    [null, '其他'],
  ])
  fireEvent.click(screen.getByTitle('按“名称”排序'))
  expect(onSort).toHaveBeenCalledExactlyOnceWith('name')
  rerender(drawn('name'))
  expect(told()[0]).toEqual(['ascending', '名称↑'])
})
