import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fit, type Wish } from '#src/kit/fit.ts'

const wish = (key: string, more: Partial<Wish> = {}): Wish => ({
  key,
  least: 60,
  usual: 100,
  whole: 140,
  words: false,
  rank: 3,
  ...more,
})
const wishes: fc.Arbitrary<Wish[]> = fc
  .array(
    fc.record({
      least: fc.integer({ min: 40, max: 160 }),
      more: fc.integer({ min: 0, max: 120 }),
      whole: fc.integer({ min: 40, max: 600 }),
      words: fc.boolean(),
      rank: fc.integer({ min: 1, max: 4 }),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map(all =>
    all.map(({ more, ...one }, at) => ({
      ...one,
      key: String(at),
      usual: one.least + more,
      rank: at === 0 ? 0 : one.rank,
    })),
  )
const total = (widths: ReadonlyMap<string, number>) =>
  [...widths.values()].reduce((sum, width) => sum + width, 0)

test('columns fill their room exactly, or have the least each and scroll; none has less than it needs', () => {
  fc.assert(
    fc.property(wishes, fc.integer({ min: 100, max: 2600 }), (all, room) => {
      const { widths, folded } = fit(all, room)
      for (const one of all) expect(widths.has(one.key)).toBe(!folded.includes(one.key))
      for (const [key, width] of widths)
        expect(width).toBeGreaterThanOrEqual(all[Number(key)]!.least)
      const least = [...widths.keys()].reduce((sum, key) => sum + all[Number(key)]!.least, 0)
      expect(total(widths)).toBe(Math.max(room, least))
    }),
  )
})
test('no column goes while a less important one stays, none goes that has room, and what a row is known by never does', () => {
  fc.assert(
    fc.property(wishes, fc.integer({ min: 100, max: 2600 }), (all, room) => {
      const { widths, folded } = fit(all, room)
      expect(widths.has('0')).toBe(true)
      const gone = folded.map(key => all[Number(key)]!)
      for (const kept of all.filter(one => widths.has(one.key)))
        for (const one of gone) {
          expect(one.rank).toBeGreaterThanOrEqual(kept.rank)
          if (one.rank === kept.rank) expect(Number(one.key)).toBeGreaterThan(Number(kept.key))
        }
      // The most important of those that went would not have fitted beside those that stayed.
      const first = gone.toSorted((a, b) => a.rank - b.rank || Number(a.key) - Number(b.key))[0]
      const least = [...widths.keys()].reduce((sum, key) => sum + all[Number(key)]!.least, 0)
      if (first) expect(least + first.least).toBeGreaterThan(room)
    }),
  )
})
test('numbers get no more than usual while a text is still cut', () => {
  fc.assert(
    fc.property(wishes, fc.integer({ min: 100, max: 2600 }), (all, room) => {
      const { widths } = fit(all, room)
      const cut = all.some(one => one.words && (widths.get(one.key) ?? one.whole) < one.whole)
      const first = all.find(one => widths.has(one.key))!.key
      for (const one of all)
        if (cut && !one.words && widths.has(one.key) && total(widths) <= room)
          // The pixels that no whole share is left of go to one column.
          expect(widths.get(one.key)! - one.usual).toBeLessThanOrEqual(
            one.key === first ? all.length * 3 : 1,
          )
    }),
  )
})
test('a narrow list shrinks its texts, then gives up the least important column; a wide one shows its texts whole', () => {
  const all = [
    wish('name', { words: true, rank: 0, whole: 300 }),
    wish('note', { words: true, rank: 4 }),
    wish('sum', { least: 90, usual: 90, rank: 2 }),
  ]
  expect([...fit(all, 240).widths]).toEqual([
    ['name', 75],
    ['note', 75],
    ['sum', 90],
  ])
  expect(fit(all, 200)).toEqual({
    widths: new Map([
      ['name', 110],
      ['sum', 90],
    ]),
    folded: ['note'],
  })
  expect([...fit(all, 530).widths]).toEqual([
    ['name', 300],
    ['note', 140],
    ['sum', 90],
  ])
})
