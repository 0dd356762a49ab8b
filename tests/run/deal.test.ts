import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import timings from '../e2e/timings.json' with { type: 'json' }
import { deal } from './deal.ts'

const journeys = readdirSync(join(import.meta.dirname, '../e2e')).filter(file =>
  file.endsWith('.e2e.ts'),
)
const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}\.e2e\.ts$/), { maxLength: 30 })
const took = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}\.e2e\.ts$/), fc.nat(100))

test('every file is dealt to one server, whatever was measured', () => {
  fc.assert(
    fc.property(names, took, fc.integer({ min: 1, max: 4 }), (files, seconds, servers) => {
      const hands = deal(files, seconds, servers)
      expect(hands).toHaveLength(servers)
      expect(hands.flat().sort()).toEqual([...files].sort())
    }),
  )
})
test('no server has more to do than another by more than its longest file', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(100), { maxLength: 30 }), lengths => {
      const seconds = Object.fromEntries(lengths.map(length => [`${length}.e2e.ts`, length]))
      const sums = deal(Object.keys(seconds), seconds, 2).map(hand =>
        hand.reduce((sum, file) => sum + seconds[file]!, 0),
      )
      expect(Math.abs(sums[0]! - sums[1]!)).toBeLessThanOrEqual(Math.max(0, ...lengths))
    }),
  )
})
test('a file that was never measured counts as the mean', () => {
  expect(deal(['a', 'b', 'new'], { a: 10, b: 2 }, 2)).toEqual([['a'], ['b', 'new']])
})
test('what was measured is there still: a file that went leaves the timings', () => {
  expect(journeys.length).toBeGreaterThan(20)
  expect(Object.keys(timings).filter(file => !journeys.includes(file))).toEqual([])
})
