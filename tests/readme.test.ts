import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * What readers copy out of the documents compiles and runs: each block of code names its file, and
 * is that file of the planted module, which `npm run check` type-checks and
 * tests/server/planted.test.ts runs in a copy of the source.
 */
const HOUSE = 'tests/planted/house'
const documents = ['README.md', 'docs/pages.md']
/** Blocks that are only a part of something are marked `fragment`. This number only falls. */
const FRAGMENTS = 0

type Block = { info: string; code: string }
const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/^```tsx?\b(.*)\n([\s\S]*?)^```$/gm)].map(([, info, code]) => ({
    info: info!.trim(),
    code: code!,
  }))
const isFragment = ({ info }: Block): boolean => info === 'fragment'
/** What is wrong with a block, if anything is. */
const faultOf = (block: Block): string | undefined => {
  const file = /^file=(\S+)$/.exec(block.info)?.[1]
  if (isFragment(block)) return undefined
  if (!file) return `names no file: ${block.code.split('\n')[0]!}`
  if (!existsSync(join(HOUSE, file))) return `${file} is no file of ${HOUSE}`
  return readFileSync(join(HOUSE, file), 'utf8') === block.code ? undefined : `${file} differs`
}
const blocks = documents.flatMap(document => blocksOf(readFileSync(document, 'utf8')))

test('every block of code is a file that compiles', () => {
  expect(blocks.flatMap(block => faultOf(block) ?? [])).toEqual([])
  expect(blocks.filter(isFragment).length).toBe(FRAGMENTS)
})
test('the steps show a page, its table, its call and its action', () => {
  const shown = blocks.map(({ info }) => info)
  for (const part of [
    'commands/pages/',
    '.table.ts',
    '/contract.ts',
    '/server.ts',
    'commands/kiosk/',
  ])
    expect(shown.some(info => info.includes(part))).toBe(true)
})
test('what every call says of its rows is said in the steps', () =>
  expect(readFileSync('README.md', 'utf8')).toContain('Every call declares `scope`'))
test('a block that differs, names nothing or names no file is found', () => {
  const faults = (text: string) => blocksOf(text).map(faultOf)
  expect(faults('```ts file=commands/kiosk/machine.ts\nconst x = 1\n```')).toEqual([
    'commands/kiosk/machine.ts differs',
  ])
  expect(faults('```ts\nconst x = 1\n```')).toEqual(['names no file: const x = 1'])
  expect(faults('```tsx file=gone.ts\n```')).toEqual([`gone.ts is no file of ${HOUSE}`])
  expect(faults('```ts fragment\nx\n```\n```sh\nls\n```')).toEqual([undefined])
})
