import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const files = ['src', 'commands'].flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(tsx?|css)$/.test(name) && !/\.(demo|server)\.ts$/.test(name))
    .map(name => join(folder, name)),
)
/** Signs of type that stand for a state: each font draws them otherwise, and a reader says them. */
const GLYPHS = /[✓✔✗✘✕✖●○◆◇▲△▼▽■□★☆⚠⛔✅❌🔴🟢]/u
/** A dollar before an amount: what is shown is yuan. */
const DOLLAR = /\$\$\{|[>'"`]\$[<'"`]|\bDollar\b/
const COMMENT = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g
const found = (text: string, dollars = true) =>
  text
    .replace(COMMENT, '')
    .split('\n')
    .filter(line => GLYPHS.test(line) || (dollars && DOLLAR.test(line)))

test('an amount in English begins with its sign, as it does in tables', () => {
  const amounts = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !name.endsWith('.demo.ts'))
    .map(name => join('src', name))
    .concat(files.filter(name => name.startsWith('commands')))
  const faults = amounts.flatMap(file =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter(line => /\} yuan\b/.test(line))
      .map(line => `${file}: ${line.trim()}`),
  )
  expect(faults).toEqual([])
})
describe('states are told by the icons of the kit', () => {
  test('no glyph of type stands for one, and no dollar for yuan', () => {
    expect(files.length).toBeGreaterThan(300)
    const faults = files.flatMap(file =>
      found(readFileSync(join(root, file), 'utf8'), file.endsWith('.tsx')).map(
        line => `${file}: ${line.trim()}`,
      ),
    )
    expect(faults).toEqual([])
  })
  test.each([
    ['<span>▲ {waited}</span>'],
    ["content: '✓' / '';"],
    ["icon: Dollar, tone: 'good'"],
    ['<b>$</b>'],
  ])('%s is found', line => expect(found(line)).toEqual([line]))
  test.each([['`¥${yuan(cents)}`'], ['// ▲ was a sign'], ['const at = `${name}`']])(
    '%s is none',
    line => expect(found(line)).toEqual([]),
  )
})
