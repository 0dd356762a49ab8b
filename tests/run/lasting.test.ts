import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isLasting, listed, RACE } from './lasting.ts'

const root = new URL('../..', import.meta.url).pathname
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const files = (readdirSync(join(root, 'tests'), { recursive: true }) as string[]).map(
  file => `tests/${file}`,
)
const tests = files.filter(file => /\.test\.tsx?$/.test(file) && !file.startsWith('tests/run/'))
/** Words in which the title of a test says that it is about a race. */
const speaksOfRace =
  /\b(?:it|test|job)\(\s*['"`][^\n]*(?:at the same (?:time|moment)|who save at once|colleagues at once|changes at once|panes is redeemed once|several processes|is killed)/

test('every file that is listed is there, and no sign of its own would do', () => {
  expect(listed.filter(file => !tests.includes(file))).toEqual([])
  expect(listed.filter(file => isLasting('', textOf(file)))).toEqual([])
})
test('every test of the server that speaks of a race lasts', () => {
  const speaking = tests.filter(
    file => file.startsWith('tests/server/') && speaksOfRace.test(textOf(file)),
  )
  expect(speaking.length).toBeGreaterThan(5)
  expect(speaking.filter(file => !isLasting(file, textOf(file)))).toEqual([])
})
test('every journey that speaks of a race carries its tag', () => {
  const journeys = files
    .filter(file => file.endsWith('.e2e.ts'))
    .flatMap(file => textOf(file).split(/^(?=(?:test|keyboardTest|job)\()/m))
  const racing = journeys.filter(journey =>
    /^\w+\(\s*'[^\n]*(?:redeemed once|change \S+ \S+ of an order at once|Enter twice)/.test(
      journey,
    ),
  )
  expect(racing).toHaveLength(3)
  expect(racing.filter(journey => !journey.includes(`tag: '${RACE}'`))).toEqual([])
})
test('a name, a sign or the list makes a file last; nothing else', () => {
  expect(isLasting('tests/server/undo-races.test.ts', '')).toBe(true)
  expect(isLasting('tests/a.test.ts', "import fc from 'fast-check'\n")).toBe(true)
  expect(isLasting('tests/a.test.ts', 'await Promise.all(Array.from({ length: 9 }, go))')).toBe(
    true,
  )
  expect(isLasting(listed[0]!, '')).toBe(true)
  expect(isLasting('tests/a.test.ts', "import { test } from 'vitest'\n")).toBe(false)
})
