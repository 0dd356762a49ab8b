import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import fc from 'fast-check'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import type { Look } from '#src/areas/workbench/view.ts'
import { arranged, ColumnsButton, isLook, lookOf } from '#src/kit/columns.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { WorkbenchContext, type Workbench } from '#src/kit/workbench.ts'

afterEach(cleanup)
const column = (key: string, more: Partial<Column<object>> = {}): Column<object> => ({
  key,
  title: [key, key],
  width: 100,
  cell: () => key,
  ...more,
})
const columns = [
  column('a', { grow: true }),
  column('b'),
  column('c', { optional: true }),
  column('d'),
]
const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'gone'))
const look: fc.Arbitrary<Look> = fc.record({
  order: keys,
  shown: keys,
  pinned: keys,
  dense: fc.boolean(),
  widths: fc.dictionary(fc.constantFrom('a', 'b', 'gone'), fc.integer({ min: -5, max: 5000 })),
})

test('whatever was kept, every column of the page is there once, in the order chosen; a new one is shown as the page has it', () => {
  fc.assert(
    fc.property(look, kept => {
      expect(isLook(JSON.parse(JSON.stringify(kept)))).toBe(true)
      const { all, shown } = arranged(columns, kept)
      expect(all.map(one => one.key).sort()).toEqual(['a', 'b', 'c', 'd'])
      const known = kept.order.filter(key => key !== 'gone')
      expect(all.map(one => one.key).filter(key => known.includes(key))).toEqual(known)
      for (const one of columns)
        expect(shown.some(each => each.key === one.key)).toBe(
          known.includes(one.key) ? kept.shown.includes(one.key) : !one.optional,
        )
      // What is pinned stands first, each right of the one before.
      const pinned = shown.filter(one => one.left !== undefined)
      expect(shown.slice(0, pinned.length)).toEqual(pinned)
      pinned.reduce((left, one) => {
        expect(one.left).toBe(left)
        return left + one.width
      }, 36)
      expect(shown.every(one => one.width >= 40 && one.width <= 900)).toBe(true)
    }),
  )
})
test('where nobody chose, what a row is known by stays in sight and grows; of several that stay only the last one does', () => {
  const of = (look: Look | null) =>
    arranged(columns, look).shown.map(({ key, left, grow }) => [key, left, grow ?? false])
  expect(of(null)).toEqual([
    ['a', 36, true],
    ['b', undefined, false],
    ['d', undefined, false],
  ])
  expect(of({ ...lookOf(columns, null), pinned: ['a', 'd'] })).toEqual([
    ['a', 36, false],
    ['d', 136, false],
    ['b', undefined, false],
  ])
  expect(of({ ...lookOf(columns, null), pinned: [] })).toEqual([
    ['a', undefined, true],
    ['b', undefined, false],
    ['d', undefined, false],
  ])
})
test('nothing else is taken for a look', () => {
  expect(
    [
      undefined,
      3,
      'x',
      {},
      { order: ['a'], shown: [1], widths: {}, pinned: [], dense: true },
      { order: [], shown: [], widths: { a: 'x' }, pinned: [], dense: true },
    ].map(isLook),
  ).toEqual([false, false, false, false, false, false])
})
test('a column is shown, moved, widened and pinned by keys, the last one shown stays, and R is as it was', () => {
  let now: Look | null = null
  const Bench = () => {
    const [of, set] = useState<Look | null>(null)
    now = of
    return (
      <WorkbenchContext
        value={{ keysOf: () => undefined, ariaKeysOf: () => undefined } as unknown as Workbench}
      >
        <ColumnsButton columns={columns} look={of} change={set} open setOpen={() => {}} />
      </WorkbenchContext>
    )
  }
  render(<Bench />)
  const press = (key: string, more: object = {}) =>
    act(() => {
      fireEvent.keyDown(document.activeElement!, { key, ...more })
    })
  const option = (name: string) => screen.getByRole('option', { name: new RegExp(name) })
  act(() => option('a').focus())
  press('ArrowDown')
  press('ArrowDown', { altKey: true })
  expect(lookOf(columns, now).order).toEqual(['a', 'c', 'b', 'd'])
  press(' ')
  expect(lookOf(columns, now).shown).toEqual(['a', 'd'])
  act(() => option('d').focus())
  press('ArrowRight')
  press('p')
  expect([now!.widths, now!.pinned]).toEqual([{ d: 116 }, ['a', 'd']])
  expect(arranged(columns, now).shown.map(one => one.key)).toEqual(['a', 'd'])
  press(' ')
  act(() => option('a').focus())
  press(' ')
  expect(arranged(columns, now).shown.map(one => one.key)).toEqual(['a'])
  press('r')
  expect(now).toBeNull()
})
