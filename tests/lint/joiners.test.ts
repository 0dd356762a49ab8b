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

type Node = {
  type?: string
  start: number
  value?: unknown
  key?: { name?: string }
  callee?: { property?: { name?: string } }
  arguments?: Node[]
  elements?: Node[]
  quasis?: { value: { raw: string } }[]
}
const WIDE = /[、；，：（）。]/
const JOINED = new RegExp(`\\bjoin\\(\\s*['"\`][^'"\`]*${WIDE.source}`)
const SIGNED = new RegExp(`${JOINED.source}|memo: \`[^\`]*${WIDE.source}`)
const han = /\p{Script=Han}/u
const childrenOf = (node: object): unknown[] => (Array.isArray(node) ? node : Object.values(node))
const isJoin = ({ callee }: Node): boolean => callee?.property?.name === 'join'
/** Whether it joins with signs of English, as the second half of a pair does. */
const joinsInEnglish = (node: unknown): boolean => {
  if (typeof node !== 'object' || node === null) return false
  const [by] = (isJoin(node as Node) && (node as Node).arguments) || []
  return (
    (typeof by?.value === 'string' && /^[,;]/.test(by.value)) ||
    childrenOf(node).some(joinsInEnglish)
  )
}
/** The Chinese half that a node has: the first of a pair, or of two arguments that are one. */
const halfOf = ({ elements, arguments: given }: Node): Node | undefined => {
  if (elements?.length === 2) return elements[0]
  return given?.length === 2 && joinsInEnglish(given[1]) ? given[0] : undefined
}
/** What is Chinese alone: a template with Chinese in it, and what a field holds as somebody typed it. */
const isChinese = ({ type, quasis, key }: Node): boolean =>
  (quasis?.some(({ value }) => han.test(value.raw)) ?? false) ||
  (type === 'Property' && key?.name === 'initial')
/** The text that a page draws as it stands. */
const drawnBy = ({ type, value }: Node): string => {
  if (type === 'TemplateElement') return (value as { raw: string }).raw
  return type === 'JSXText' ? (value as string) : ''
}
/** A memo that has no language but its signs: what changed, and why somebody says it did. */
const memoOf = ({ type, key, value }: Node): string =>
  type === 'Property' && key?.name === 'memo'
    ? ((value as Node).quasis ?? []).map(one => one.value.raw).join('')
    : ''
const signOf = (node: Node, inPage: boolean): string | undefined => {
  const [by] = (isJoin(node) && node.arguments) || []
  if (typeof by?.value === 'string' && WIDE.test(by.value)) return by.value
  const memo = memoOf(node)
  if (WIDE.test(memo) && !han.test(memo)) return WIDE.exec(memo)?.[0]
  if (!inPage) return undefined
  const drawn = drawnBy(node)
  return han.test(drawn) ? undefined : WIDE.exec(drawn)?.[0]
}
const inBothLanguages = (node: unknown, inPage: boolean): string[] => {
  if (typeof node !== 'object' || node === null) return []
  const own = Array.isArray(node) ? undefined : signOf(node as Node, inPage)
  if (own !== undefined) return [own]
  if (isChinese(node as Node)) return []
  const half = halfOf(node as Node)
  return childrenOf(node)
    .flatMap(child => (Array.isArray(child) ? child : [child]))
    .filter(child => child !== half)
    .flatMap(child => inBothLanguages(child, inPage))
}
/**
 * Chinese signs that a reader of English would see: `.join('、')` outside of a Chinese half, and in a
 * page a text or a template that has no language. `comma`, `colon`, `aside` … of domain/text.ts say
 * them in the reader's.
 */
const strays = (files: readonly Source[]) =>
  files
    .filter(({ file, text }) => (file.endsWith('.tsx') ? WIDE : SIGNED).test(text))
    .flatMap(({ file, text }) =>
      inBothLanguages(parseSync(file, text).program.body, file.endsWith('.tsx')).map(
        sign => `${file}: ${sign}`,
      ),
    )

test('lists, labels and asides are joined in the language of the reader', () => {
  expect(files.length).toBeGreaterThan(500)
  expect(strays(files)).toEqual([])
})
test('a list that is joined in Chinese for everybody; not in a Chinese half', () => {
  const plant = (text: string) => strays([{ file: 'src/areas/x/x.ts', text }])
  expect(plant("const names = of.map(one => one.name).join('、')")).toEqual([
    'src/areas/x/x.ts: 、',
  ])
  expect(plant("const why = say(['没有 {a}', 'No {a}'], lang, { a: of.join('；') })")).toHaveLength(
    1,
  )
  expect(plant("toast(of.join('；'), 'warning')")).toHaveLength(1)
  expect(plant("const of = [a.join('、'), b.join('、'), c]")).toHaveLength(2)
  expect(plant("const text = [`没有${of.join('、')}`, `No ${of.join(', ')}`]")).toEqual([])
  expect(plant("const text = [zh.join('；'), en.join('; ')]")).toEqual([])
  expect(plant("throw fault(zh.join('；'), en.join('; '))")).toEqual([])
  expect(plant("const text = `您的券码：${codes.join('、')}`")).toEqual([])
  expect(plant("const asks = { tags: { initial: rows => rows[0]?.tags.join('、') } }")).toEqual([])
  expect(plant('const names = of.join(say(comma, lang))')).toEqual([])
})
test('a memo of values and a reason, with a sign of Chinese between them', () => {
  const plant = (text: string) => strays([{ file: 'src/areas/x/x.ts', text }])
  expect(plant('await note({ memo: `${was} → ${now}：${of.reason}` })')).toHaveLength(1)
  expect(plant('await note({ memo: `${of.reason}（${until}）` })')).toHaveLength(1)
  expect(plant('await note({ memo: explained(`${was} → ${now}`, of.reason) })')).toEqual([])
})
test('a colon or brackets that a page draws in Chinese for everybody', () => {
  const plant = (text: string) => strays([{ file: 'src/modules/x/pages/x.tsx', text }])
  expect(plant('const Name = () => <p>{name}（{n}）</p>')).toHaveLength(2)
  expect(plant('const title = `${name}：${why}`')).toHaveLength(1)
  expect(plant("const title = say(['{a}：{b}', '{a}: {b}'], { a, b })")).toEqual([])
  expect(plant('const Name = () => <p>{name}{say(aside, { it: n })}</p>')).toEqual([])
})
