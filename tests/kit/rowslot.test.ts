import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joined, slotOf } from '#src/kit/rowslot.ts'

test('stretches that touch are one', () => {
  expect(
    joined([
      { from: 0, to: 100 },
      { from: 100.4, to: 180 },
      { from: 260, to: 300 },
    ]),
  ).toEqual([
    { from: 0, to: 180 },
    { from: 260, to: 300 },
  ])
})
type Ends = readonly (readonly [from: number, to: number])[]
test.each<[what: string, free: Ends, pointer: number, slot: object | undefined]>([
  [
    'farthest right where that holds all',
    [
      [0, 400],
      [500, 700],
    ],
    20,
    { right: 700, fewer: 0 },
  ],
  [
    'at the left where the right is short',
    [
      [0, 400],
      [500, 540],
    ],
    20,
    { right: 400, fewer: 0 },
  ],
  [
    'for fewer where no stretch holds all',
    [
      [0, 90],
      [500, 540],
    ],
    200,
    { right: 90, fewer: 1 },
  ],
  [
    'for the menu alone',
    [
      [0, 40],
      [500, 530],
    ],
    200,
    { right: 40, fewer: 2 },
  ],
  [
    'nowhere without room even for that',
    [
      [0, 20],
      [500, 510],
    ],
    200,
    undefined,
  ],
  [
    'not under the pointer',
    [
      [0, 400],
      [500, 700],
    ],
    640,
    { right: 400, fewer: 0 },
  ],
])('the place is %s', (...[, free, pointer, slot]) => {
  expect(
    slotOf(
      free.map(([from, to]) => ({ from, to })),
      pointer,
      [150, 80, 32],
    ),
  ).toEqual(slot)
})
test('whatever the row holds, the place is within what is free, and not under the pointer', () => {
  const length = fc.integer({ min: 0, max: 400 })
  fc.assert(
    fc.property(fc.array(fc.tuple(length, length), { maxLength: 8 }), length, (parts, pointer) => {
      let at = 0
      const free = parts.map(([gap, long]) => {
        const from = at + gap + 1
        at = from + long
        return { from, to: at }
      })
      const widths = [150, 80, 32]
      const slot = slotOf(free, pointer, widths)
      if (!slot) return
      const [from, to] = [slot.right - widths[slot.fewer]!, slot.right]
      expect(free.some(one => one.from <= from && to <= one.to)).toBe(true)
      expect(from >= pointer || to <= pointer).toBe(true)
    }),
  )
})
