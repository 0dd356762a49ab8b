// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

type Source = { file: string; text: string }
const files: Source[] = ['commands', 'src']
  .flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  )
  .filter(file => /\.tsx?$/.test(file))
  .map(file => ({ file, text: readFileSync(file, 'utf8') }))

/**
 * Addresses of pages that are written out: `to()` makes them of the page itself, so that one which
 * moves or goes is found. `commands/` declares them, and the
 * gallery its only one; facts may not import it, and the glossary says
 * where each word stands (tests/shell/answers.test.ts asks that there is such a page); the shell
 * knows the one that all others lie below.
 */
const writtenOut = (files: readonly Source[]) =>
  files
    .filter(
      ({ file }) =>
        !/^(?:commands\/|src\/gallery\/actions\.ts$)|^src\/areas\/[\w-]+\/terms\.ts$|^src\/shell\/address\.ts$/.test(
          file,
        ),
    )
    .filter(({ text }) => text.includes('/manage'))
    .filter(({ file, text }) => {
      const { comments } = parseSync(file, text)
      const code = comments.reduceRight(
        (left, { start, end }) => left.slice(0, start) + left.slice(end),
        text,
      )
      return /['"`]\/manage(?:['"`?#]|\/\w|\/\$)/.test(code)
    })
    .map(({ file }) => file)

/** Files that say how long a day is: `DAY` of domain/time.ts does. Text of SQL can't take it. */
const ownDays = (files: readonly Source[]) => {
  const says = (node: unknown): boolean =>
    Array.isArray(node)
      ? node.some(says)
      : typeof node === 'object' &&
        node !== null &&
        ((node as { value?: unknown }).value === 86_400 ||
          (node as { value?: unknown }).value === 86_400_000 ||
          Object.values(node).some(says))
  return files
    .filter(({ text }) => /86_?400/.test(text))
    .filter(({ file, text }) => says(parseSync(file, text).program.body))
    .map(({ file }) => file)
}

test('addresses of pages are made by to()', () => {
  expect(files.length).toBeGreaterThan(500)
  expect(writtenOut(files)).toEqual([])
})
test('an address that is written out, in a link or a template; not in a comment', () => {
  const plant = (text: string) => writtenOut([{ file: 'src/modules/home/server.ts', text }])
  expect(plant("const at = '/manage/order/bulks'")).toHaveLength(1)
  expect(plant('const at = `/manage/audit/${queue}?state=open`')).toHaveLength(1)
  expect(plant('const at = `/manage/${module}`')).toHaveLength(1)
  expect(plant("const home = '/manage'")).toHaveLength(1)
  expect(plant('/** The page: `/manage/order/bulks`. */\nconst at = to(bulks)')).toEqual([])
  expect(plant("const management = '/manager/x'")).toEqual([])
})
test('a day is as long as domain/time.ts says', () => expect(ownDays(files)).toEqual([]))
test('a day’s length that is written out; not in SQL', () => {
  const plant = (text: string) => ownDays([{ file: 'src/domain/x.ts', text }])
  expect(plant('const DAY = 86400')).toHaveLength(1)
  expect(plant('const at = () => now - 3 * 86_400')).toHaveLength(1)
  expect(plant('const ms = [86_400_000]')).toHaveLength(1)
  expect(plant('const day = sql`${at} / 86400`')).toEqual([])
})
