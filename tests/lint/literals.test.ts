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

/** Fields of rows and of the log that staff read, whose words the server may write itself. */
const KEPT = /^(?:\w+_)?(?:reason|memo|note|fault|error|label|source)$|^(?:admin|decider)_name$/
const han = /\p{Script=Han}/u
type Node = { type?: string; value?: unknown; key?: { name?: string } }
const childrenOf = (node: object): unknown[] => (Array.isArray(node) ? node : Object.values(node))
/** Whether Chinese stands in it outside a pair, which `joined` and its kin are made of. */
const isChineseAlone = (node: unknown): boolean => {
  if (typeof node !== 'object' || node === null) return false
  const { type, value } = node as Node
  if (type === 'ArrayExpression' || type === 'ObjectExpression') return false
  if (type === 'Literal') return typeof value === 'string' && han.test(value)
  if (type === 'TemplateElement') return han.test((value as { raw: string }).raw)
  return childrenOf(node).some(isChineseAlone)
}
const keptAlone = (node: unknown): string[] => {
  if (typeof node !== 'object' || node === null) return []
  const { type, value, key } = node as Node
  const name = type === 'Property' ? (key?.name ?? '') : ''
  const own = KEPT.test(name) && isChineseAlone(value) ? [name] : []
  return [...own, ...childrenOf(node).flatMap(keptAlone)]
}
/** What a server writes into rows in Chinese alone; the notes of goods are the shoppers’ pages’. */
const inOneLanguage = (files: readonly Source[]) =>
  files
    .filter(({ file }) => /^src\/(?:server\/|modules\/\w+\/server)|\.server\.ts$/.test(file))
    .filter(({ file, text }) => han.test(text) && !file.startsWith('src/areas/scheme/'))
    .flatMap(({ file, text }) =>
      keptAlone(parseSync(file, text).program.body).map(name => `${file}: ${name}`),
    )

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
test('what a server writes for staff to read is kept in both languages', () =>
  expect(inOneLanguage(files)).toEqual([]))
test('a reason, a memo or a name in Chinese alone, however it is made', () => {
  const plant = (text: string) => inOneLanguage([{ file: 'src/areas/x/x.server.ts', text }])
  expect(plant("const set = { reason: '已到期' }")).toEqual(['src/areas/x/x.server.ts: reason'])
  expect(plant('const set = { pause_reason: `群组「${name}」已停用` }')).toHaveLength(1)
  expect(plant("const set = { memo: late ? '补记' : memo }")).toHaveLength(1)
  expect(plant("const set = { admin_name: by || '系统' }")).toHaveLength(1)
  expect(plant('const set = { label: row => `会员 ${row.id}` }')).toHaveLength(1)
  expect(plant("const set = { reason: joined(['已到期', 'Over']), memo: of.memo }")).toEqual([])
  expect(plant("const set = { reason: 'over', title: '已到期' }")).toEqual([])
})
