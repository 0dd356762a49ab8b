import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const files = ['src', 'commands'].flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name))
    .map(name => join(folder, name)),
)
const CODE = /=>|\(\{|\{ \w+:|\bconst \w+ =|\}\)/
/** Comments with code that the formatter would fill up like words. */
const unfenced = (text: string): string[] =>
  [...text.matchAll(/^\s*\/\*\*.*?\*\//gms)]
    .map(([comment]) => comment)
    .filter(comment => CODE.test(comment.replace(/```.*?```|`[^`]*`/gs, '')))

test('code in a comment stands in a fence, as the formatter fills up all other lines', () => {
  expect(files.length).toBeGreaterThan(1000)
  const faults = files.flatMap(file =>
    unfenced(readFileSync(join(root, file), 'utf8')).map(comment => `${file}: ${comment}`),
  )
  expect(faults).toEqual([])
})
test('code that was filled up is found, and fenced code is none', () => {
  expect(
    unfenced('/**\n * Said once:\n * defineTimer(night, async ({ now }) => …)\n */'),
  ).toHaveLength(1)
  expect(unfenced('/**\n * ```ts\n * defineTimer(night, () => …)\n * ```\n */')).toEqual([])
})
