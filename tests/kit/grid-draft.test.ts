import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cellText,
  filledDown,
  pasted,
  placesIn,
  rangeOf,
  readBlock,
  readCell,
  writeBlock,
  type GridColumn,
} from '#src/kit/grid-cells.ts'
import {
  apply,
  caughtUp,
  changesOf,
  faultOf,
  isCrossed,
  onPresent,
  revert,
  sumsOf,
  textOf,
  typing,
  withTheirs,
  type GridDraft,
  type Patch,
} from '#src/kit/grid-draft.ts'

type Row = { id: number; version: number; name: string; price: number; stock: number }
const columns: readonly GridColumn<Row>[] = [
  { key: 'name', title: ['名称', 'Name'], width: 100, kind: 'text', of: row => row.name },
  {
    key: 'price',
    title: ['售价', 'Price'],
    width: 100,
    kind: 'money',
    min: 1,
    max: 100_000,
    of: row => row.price,
    edits: () => true,
    check: (value, _, at) =>
      Number(value) > Number(at('stock')) * 1000 ? ['太贵', 'Too dear'] : undefined,
  },
  {
    key: 'stock',
    title: ['库存', 'Stock'],
    width: 100,
    kind: 'integer',
    min: 0,
    of: row => row.stock,
    edits: row => row.id !== 9 || ['已锁定', 'Locked'],
  },
]
const rows: readonly Row[] = Array.from({ length: 9 }, (_, at) => ({
  id: at + 1,
  version: 1,
  name: `第 ${at + 1} 行`,
  price: 1000 + at,
  stock: 10 + at,
}))
const of = { rows, columns }
const type = (draft: GridDraft, row: number, column: number, text: string): GridDraft =>
  apply(draft, typing(draft, of, [{ row, column, text }]).patch)

describe('a block of cells', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '价', '"', '\t', '\n', ' ', '1', ',') })
  const block = fc.integer({ min: 1, max: 4 }).chain(wide =>
    fc.array(fc.array(cell, { minLength: wide, maxLength: wide }), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  test('is read as it was written, whatever its cells hold', () => {
    fc.assert(
      fc.property(block, cells => {
        // An empty cell at the end of a block looks like the end of its last line.
        fc.pre(cells.length === 1 || cells.at(-1)!.some(Boolean))
        expect(readBlock(writeBlock(cells))).toEqual(cells)
      }),
    )
  })
  test('is read as Excel copies it: lines end in CR LF, also the last', () => {
    expect(readBlock('19.90\t100\r\n"a ""b""\tc"\t\r\n')).toEqual([
      ['19.90', '100'],
      ['a "b"\tc', ''],
    ])
    expect(readBlock('')).toEqual([['']])
    expect(readBlock('"open')).toEqual([['open']])
  })
  test('is pasted from the corner on, as often as it fits in whole, and never beyond the grid', () => {
    const size = { rows: 4, columns: 3 }
    const one = pasted([['x']], { top: 0, left: 1, bottom: 2, right: 1 }, size)
    expect(one.typed).toHaveLength(3)
    const twice = pasted([['a', 'b']], { top: 1, left: 1, bottom: 2, right: 2 }, size)
    expect(twice.typed.map(({ text }) => text)).toEqual(['a', 'b', 'a', 'b'])
    const over = pasted([['a'], ['b'], ['c']], { top: 2, left: 2, bottom: 2, right: 2 }, size)
    expect(over).toEqual({
      typed: [
        { row: 2, column: 2, text: 'a' },
        { row: 3, column: 2, text: 'b' },
      ],
      beyond: 1,
    })
  })
  test('every cell that is pasted lies in the grid, and none twice', () => {
    const at = fc.record({ row: fc.nat(8), column: fc.nat(2) })
    fc.assert(
      fc.property(block, at, at, (cells, a, b) => {
        const { typed } = pasted(cells, rangeOf(a, b), { rows: 9, columns: 3 })
        expect(typed.every(({ row, column }) => row < 9 && column < 3)).toBe(true)
        expect(new Set(typed.map(({ row, column }) => `${row} ${column}`)).size).toBe(typed.length)
      }),
    )
  })
  test('is filled down from its first row; one row alone from the row above', () => {
    const textAt = ({ row, column }: { row: number; column: number }) => `${row}${column}`
    expect(filledDown({ top: 1, left: 0, bottom: 3, right: 1 }, textAt)).toEqual(
      placesIn({ top: 2, left: 0, bottom: 3, right: 1 }).map(at => ({
        ...at,
        text: `1${at.column}`,
      })),
    )
    expect(filledDown({ top: 2, left: 1, bottom: 2, right: 1 }, textAt)[0]!.text).toBe('11')
    expect(filledDown({ top: 0, left: 1, bottom: 0, right: 1 }, textAt)).toEqual([])
  })
})

describe('the text of a cell', () => {
  test('money is yuan, exact to the cent, whatever amount', () => {
    const money = { kind: 'money' } as const
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 12 }), cents => {
        expect(readCell(money, cellText('money', cents))).toEqual({ value: cents })
      }),
    )
    expect(readCell(money, '￥１，２３４．５元')).toEqual({ value: 123_450 })
    for (const bad of ['abc', '1.234', '-1', '1e3']) expect(readCell(money, bad).fault).toBeTruthy()
  })
  test('a whole number is within its bounds, and what is needed is not empty', () => {
    const stock = { kind: 'integer', min: 0, max: 99 } as const
    expect(readCell(stock, ' １2 ')).toEqual({ value: 12 })
    for (const bad of ['1.5', '-1', '100', '', '1 个'])
      expect(readCell(stock, bad).fault).toBeTruthy()
    expect(readCell({ ...stock, optional: true }, ' ')).toEqual({ value: null })
    expect(readCell({ kind: 'text', max: 2 }, '三个字').fault).toBeTruthy()
  })
})

describe('what is changed', () => {
  test('is typed, and none where it is typed as it stood; read-only cells stay', () => {
    const draft = type({}, 0, 1, '12.5')
    expect(draft).toEqual({ 1: { version: 1, cells: { price: { was: 1000, text: '12.5' } } } })
    expect(textOf(draft, rows[0]!, columns[1]!)).toBe('12.5')
    expect(type(draft, 0, 1, '10')).toEqual({})
    expect(typing({}, of, [{ row: 0, column: 0, text: 'x' }])).toEqual({ patch: [], kept: 1 })
    expect(typing({}, of, [{ row: 8, column: 2, text: '3' }]).kept).toBe(1)
  })
  test('every history is undone to where it began, and done again to where it ended', () => {
    const typed = fc.record({
      row: fc.nat(8),
      column: fc.nat(2),
      text: fc.constantFrom('', '10', '11.5', 'x', '10.00'),
    })
    fc.assert(
      fc.property(fc.array(fc.array(typed, { maxLength: 5 }), { maxLength: 6 }), steps => {
        const done: Patch[] = []
        const states: GridDraft[] = [{}]
        for (const step of steps) {
          // A command types each cell once.
          const once = [...new Map(step.map(one => [`${one.row} ${one.column}`, one])).values()]
          const { patch } = typing(states.at(-1)!, of, once)
          done.push(patch)
          states.push(apply(states.at(-1)!, patch))
        }
        let draft = states.at(-1)!
        for (const patch of done.toReversed()) draft = revert(draft, patch)
        expect(draft).toEqual({})
        for (const patch of done) draft = apply(draft, patch)
        expect(draft).toEqual(states.at(-1))
      }),
    )
  })
  test('has a fault at its cell, in words, and is sent by rows that have none', () => {
    let draft = type({}, 0, 1, 'abc')
    const at = (row: number, column: number) =>
      faultOf(draft, { row: rows[row]!, column: columns[column]!, columns }, 'zh')
    expect(at(0, 1)).toBe('请填写金额，如 19.90')
    draft = type(type(draft, 1, 1, '20'), 1, 2, '1')
    expect(at(1, 1)).toBe('太贵')
    draft = type(draft, 2, 2, '77')
    expect(changesOf(draft, of)).toEqual([{ id: 3, version: 1, fields: { stock: 77 } }])
    expect(sumsOf(draft, of).find(({ key }) => key === 'stock')).toEqual({
      key: 'stock',
      cells: 2,
      before: 11 + 12,
      after: 1 + 77,
    })
  })
})

describe('a row that somebody else changed', () => {
  const theirs = (more: Partial<Row>): Row => ({ ...rows[0]!, version: 2, ...more })
  const mine = type({}, 0, 1, '12.5')
  test('elsewhere goes on from what it holds now', () => {
    const row = theirs({ stock: 99 })
    expect(isCrossed(mine, row, columns[1]!)).toBe(false)
    expect(caughtUp(mine, [row], columns)[1]!.version).toBe(2)
  })
  test('in the same cell is sent by nobody until it is settled', () => {
    const row = theirs({ price: 900 })
    const now = { rows: [row], columns }
    expect(isCrossed(mine, row, columns[1]!)).toBe(true)
    expect(caughtUp(mine, [row], columns)).toEqual(mine)
    expect(changesOf(mine, now)).toEqual([])
    expect(withTheirs(mine, row, columns)).toEqual({})
    const kept = onPresent(mine, row, columns)
    expect(changesOf(kept, now)).toEqual([{ id: 1, version: 2, fields: { price: 1250 } }])
    expect(kept[1]!.cells['price']!.was).toBe(900)
  })
})
