import fc from 'fast-check'
import { expect, test } from 'vitest'
import { merged, same, threeWay } from '#src/kit/merge.ts'

const names = ['a', 'b', 'c', 'd']
const value = fc.constantFrom(undefined, '', 'x', 'y', 3, [], [1], ['1'])
const answers = fc.record({ a: value, b: value, c: value, d: value })
const side = fc.constantFrom('mine' as const, 'theirs' as const)

test('of each answer stands what the only one who changed it wrote, and of two the one chosen; nothing else, and nothing silently', () => {
  fc.assert(
    fc.property(
      answers,
      answers,
      fc.dictionary(fc.constantFrom(...names), value),
      fc.record({ a: side, b: side, c: side, d: side }),
      (before, now, changed, chosen) => {
        const of = {
          changed,
          based: Object.fromEntries(Object.keys(changed).map(name => [name, before[name as 'a']])),
        }
        const lines = threeWay(names, before, now, of)
        const after = merged(of, now, lines, chosen)
        for (const name of names as (keyof typeof before)[]) {
          const [was, theirs, mine] = [
            before[name],
            now[name],
            name in changed ? changed[name] : before[name],
          ]
          const stands = name in after.changed ? after.changed[name] : theirs
          if (same(was, theirs)) expect(same(stands, mine)).toBe(true)
          else if (same(was, mine)) expect(same(stands, theirs)).toBe(true)
          else if (!same(mine, theirs)) {
            expect(lines).toContainEqual(expect.objectContaining({ name, how: 'both' }))
            expect(same(stands, chosen[name] === 'mine' ? mine : theirs)).toBe(true)
          } else expect(same(stands, mine)).toBe(true)
        }
        // Settled once there is nothing left to settle.
        expect(threeWay(names, now, now, after).filter(line => line.how !== 'mine')).toEqual([])
      },
    ),
  )
})
test('a draft is held against what stood there when it was written, not against what stands there now', () => {
  const draft = { changed: { a: 'mine' }, based: { a: 'old' } }
  expect(threeWay(['a', 'b'], { a: 'new', b: 1 }, { a: 'new', b: 1 }, draft)).toEqual([
    { name: 'a', was: 'old', theirs: 'new', mine: 'mine', how: 'both' },
  ])
})
