// The time a pattern takes grows with its text, not with the square of it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { GROWTH_MAX, growthOf } from './growth.ts'
import { bench, exactly, told } from './table.ts'

type Pattern = { file: string; source: string; flags: string }
const sources = ['commands', 'src']
  .flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  )
  // What grows the demo reads nothing from outside.
  .filter(file => /\.tsx?$/.test(file) && !file.endsWith('.demo.ts'))

/** Every regular expression that is written in a file. */
const patternsOf = (file: string, text: string): Pattern[] => {
  const found: Pattern[] = []
  new Visitor({
    Literal: node => {
      if ('regex' in node) found.push({ file, source: node.regex.pattern, flags: node.regex.flags })
    },
  }).visit(parseSync(file, text).program)
  return found
}
/** Only a pattern that repeats without end can take longer than its text is long. */
const repeats = ({ source }: Pattern) =>
  /[*+]|\{\d+,\}/.test(source.replace(/\\.|\[(?:\\.|[^\]])*\]/g, 'x'))

/** Read in no longer text than is said here: their readers cut it, or it is text of ours. */
const SHORT: Readonly<Record<string, string>> = {
  'src/areas/order/orderSearch.ts': '^[\\s[({<',
  'src/areas/sheet/cellText.server.ts': '"[^"]*"|\\\\.|',
  'src/domain/money.ts': '\\B(?=(\\d{3})+$)',
  'src/domain/phone.ts': '\\s*(?:-|转|分机|ext',
  'src/kit/fields.tsx': '\\s*[（(].*[)）]$',
}
const isShort = ({ file, source }: Pattern) => source.startsWith(SHORT[file] ?? '\0')

const usual = ['a', '1', ' ', '\n', '中']
/** The signs that a pattern speaks of, and some that it may not. */
const signsOf = (source: string): string[] => [
  ...new Set([
    ...usual,
    ...source.replace(/\\[pP]\{[^}]*\}|\\[a-zA-Z]|\(\?(?:[:=!]|<[=!])|[?^$|*+]/g, ''),
  ]),
]
/** Texts of one sign, of two in turn, and of one after or before another, which end unlike them. */
const shapesOf = (source: string): ((length: number) => string)[] => {
  const signs = signsOf(source)
  return signs.flatMap(one => [
    (length: number) => `${one.repeat(length)}\0`,
    ...signs
      .filter(other => other !== one)
      .flatMap(other => [
        (length: number) => `${(one + other).repeat(length / 2)}\0`,
        (length: number) => `${other}${one.repeat(length)}\0`,
        (length: number) => `${one.repeat(length)}${other}\0`,
      ]),
  ])
}
const matching = ({ source, flags }: Pattern) => {
  const pattern = new RegExp(source, flags)
  return (text: string) => {
    pattern.lastIndex = 0
    return flags.includes('g') ? text.replace(pattern, '') : pattern.test(text)
  }
}
const slow = (pattern: Pattern): boolean =>
  // A pattern that takes twice as long for one sign more is seen in few of them, or never ends.
  [3, 2000].some(length =>
    shapesOf(pattern.source).some(shape => growthOf(matching(pattern), shape, length) > GROWTH_MAX),
  )

await bench('patterns that read texts from outside', async note => {
  const patterns = sources.flatMap(file => patternsOf(file, readFileSync(file, 'utf8')))
  const open = patterns.filter(pattern => repeats(pattern) && !isShort(pattern))
  const found = open.filter(slow).map(({ file, source }) => `${file} /${source}/`)
  for (const one of found) console.log(`  slow: ${one}`)
  const planted = ['\\s+$', '<[^>]*>', '^\\s*-?\\s*(\\S+)-', '^(\\w+\\s?)*$']
  note(
    exactly('patterns that take the square of their text', found.length, 0),
    exactly(
      'planted ones that are caught',
      planted.filter(source => slow({ file: '', source, flags: 'g' })).length,
      planted.length,
    ),
    exactly(
      'excused ones that are still there',
      new Set(patterns.filter(isShort).map(({ file }) => file)).size,
      Object.keys(SHORT).length,
    ),
    told('patterns without an end', open.length, ''),
  )
})
