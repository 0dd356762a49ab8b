import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { movedTo, movesOf, rebased, sameOrder } from '#src/domain/moves.ts'

const list = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 2, maxLength: 12 })
const shuffled = list.chain(before =>
  fc.tuple(fc.constant(before), fc.shuffledSubarray(before, { minLength: before.length })),
)

describe('an order and what was moved in it', () => {
  it('names one entry when one was moved, with its old and new place', () => {
    expect(movesOf([1, 2, 3, 4, 5], [5, 1, 2, 3, 4])).toEqual([{ id: 5, from: 5, to: 1 }])
    expect(movesOf([1, 2, 3, 4, 5], movedTo([1, 2, 3, 4, 5], 2, 4))).toEqual([
      { id: 2, from: 2, to: 4 },
    ])
    expect(movesOf([1, 2, 3], [1, 2, 3])).toEqual([])
  })
  it('is explained in full by the moves named: the rest kept its order', () => {
    fc.assert(
      fc.property(shuffled, ([before, after]) => {
        const moved = new Set(movesOf(before, after).map(one => one.id))
        expect(before.filter(id => !moved.has(id))).toEqual(after.filter(id => !moved.has(id)))
        for (const { id, from, to } of movesOf(before, after))
          expect([before[from - 1], after[to - 1]]).toEqual([id, id])
      }),
    )
  })
  it('takes an entry to the place asked for, and to the nearest where there is none', () => {
    fc.assert(
      fc.property(list, fc.integer({ min: -5, max: 30 }), (order, place) => {
        const id = order[0]!
        expect(movedTo(order, id, place)[Math.max(0, Math.min(order.length - 1, place - 1))]).toBe(
          id,
        )
        expect([...movedTo(order, id, place)].sort()).toEqual([...order].sort())
      }),
    )
  })
})
describe('my order on a list that changed meanwhile', () => {
  it('has exactly what is there now, and mine keep the order I gave them', () => {
    fc.assert(
      fc.property(shuffled, list, ([, mine], now) => {
        const next = rebased(mine, now)
        expect([...next].sort()).toEqual([...now].sort())
        expect(
          sameOrder(
            next.filter(id => mine.includes(id)),
            mine,
          ),
        ).toBe(true)
      }),
    )
  })
  it('calls two lists the same when what they share stands alike', () => {
    expect(sameOrder([1, 2, 3], [9, 1, 3])).toBe(true)
    expect(sameOrder([1, 2, 3], [3, 1])).toBe(false)
  })
})
