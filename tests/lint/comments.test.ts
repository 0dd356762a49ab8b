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

/** Ends of the paths of all files, by which a comment names one. */
const ends = new Set(
  [
    ...files,
    ...readdirSync(join(root, 'tests'), { recursive: true, encoding: 'utf8' }),
    ...readdirSync(root),
  ].flatMap(path => path.split('/').map((_, at, parts) => parts.slice(at).join('/'))),
)
/** Files that comments name and that are not there. */
const lost = (text: string): string[] =>
  [...text.matchAll(/\/\*.*?\*\/|(?<![:'"`])\/\/[^\n]*/gs)]
    .flatMap(([comment]) => comment.match(/(?<![\w/.#@-])(?:[\w-]+\/)*\w[\w.-]*\.tsx?\b/g) ?? [])
    .filter(name => !ends.has(name))

test('a file that a comment names is there', () => {
  const faults = files.flatMap(file =>
    lost(readFileSync(join(root, file), 'utf8')).map(name => `${file}: ${name}`),
  )
  expect(faults).toEqual([])
  expect(lost('// The steps are in domain/noSuch.ts.')).toEqual(['domain/noSuch.ts'])
})
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
