import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chance, SEED } from './seed.ts'

const folder = join(import.meta.dirname, '..')
// What another test plants for the linter meanwhile is gone before it can be read.
const files = (readdirSync(folder, { recursive: true }) as string[]).filter(
  file => /\.tsx?$/.test(file) && !/^bench\/|\/planted-/.test(file) && file !== 'farm/seed.test.ts',
)
/** What draws differently each time and decides what a test does. */
const unseeded = /Math\.random\(|randomBytes\(\d{4,}|randomInt\(|Date\.now\(\) %|\bseed: Date\.now/

test('laws over generated inputs grow from the run’s seed', () => {
  expect(fc.readConfigureGlobal()).toMatchObject({ seed: SEED })
  expect(fc.sample(fc.nat(), 5)).toEqual(fc.sample(fc.nat(), { seed: SEED, numRuns: 5 }))
})
test('numbers drawn by chance are the same each time, and differ by the seed', () => {
  const five = (seed?: number) => Array.from({ length: 5 }, chance(seed))
  expect(five()).toEqual(five())
  expect(five(1)).not.toEqual(five(2))
  expect(five().every(one => one >= 0 && one < 1)).toBe(true)
  expect(new Set(five()).size).toBe(5)
})
test('no test draws without the seed', () => {
  expect(files.length).toBeGreaterThan(200)
  expect(files.filter(file => unseeded.test(readFileSync(join(folder, file), 'utf8')))).toEqual([])
})
test('what draws without the seed is seen', () => {
  const drawn = ['Math.random()', 'randomBytes(900 * 700 * 3)', 'Date.now() % 600']
  expect(drawn.map(line => unseeded.test(line))).toEqual([true, false, true])
})
