import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { signs } from '#src/kit/show.tsx'

const css = readFileSync('src/kit/tokens.css', 'utf8')
type Tokens = Readonly<Record<string, string>>
const block = (selector: string): Tokens => {
  // A rule may stand for more selectors than the one that is looked for, which comes first.
  const heads = [' {', ',\n'].map(end => css.indexOf(`${selector}${end}`)).filter(at => at >= 0)
  const at = Math.min(...heads)
  if (heads.length === 0) throw new Error(`tokens.css has no ${selector}`)
  return Object.fromEntries(
    [...css.slice(at, css.indexOf('}', at)).matchAll(/(--m-[\w-]+):\s*(#[0-9a-f]{6});/g)].map(
      ([, name, value]) => [name!, value!],
    ),
  )
}
const light = block(':root')
const dark = { ...light, ...block('.bp6-dark') }
const more = block("\n[data-contrast='more']")
const themes: Readonly<Record<string, { tokens: Tokens; least: number }>> = {
  light: { tokens: light, least: 4.5 },
  dark: { tokens: dark, least: 4.5 },
  'light, more contrast': { tokens: { ...light, ...more }, least: 7 },
  'dark, more contrast': {
    tokens: { ...dark, ...more, ...block(".bp6-dark[data-contrast='more']") },
    least: 7,
  },
}
/** Relative luminance and contrast as WCAG 2.2 has them. */
const luminance = (hex: string): number => {
  const [r, g, b] = [1, 3, 5]
    .map(at => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map(c => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (a: string, b: string): number => {
  const [x, y] = [luminance(a), luminance(b)].sort((m, n) => n - m) as [number, number]
  return (x + 0.05) / (y + 0.05)
}
const grounds = ['--m-bg', '--m-canvas', '--m-raised', '--m-hover']
/** What is written on what. */
const pairs = [
  ...['--m-text', '--m-muted', '--m-good', '--m-warn', '--m-bad', '--m-info'].flatMap(word =>
    grounds.map(ground => [word, ground] as const),
  ),
  ...['--m-text', '--m-muted'].map(word => [word, '--m-accent-soft'] as const),
  ...['good', 'warn', 'bad', 'info'].map(tone => [`--m-${tone}`, `--m-${tone}-soft`] as const),
]

describe.each(Object.entries(themes))('%s', (_, { tokens, least }) => {
  test('writes every word at the contrast it owes', () => {
    const poor = pairs.flatMap(([word, ground]) => {
      const at = contrast(tokens[word]!, tokens[ground]!)
      return at < least ? [`${word} on ${ground}: ${at.toFixed(2)}`] : []
    })
    expect(poor).toEqual([])
  })
  test('draws focus and selection so that they are seen', () => {
    expect(grounds.filter(ground => contrast(tokens['--m-accent']!, tokens[ground]!) < 3)).toEqual(
      [],
    )
  })
})
test('the theme of more contrast says every colour of words and grounds itself', () => {
  const named = new Set(pairs.flat())
  expect([...named].filter(name => name !== '--m-raised' && more[name] === undefined)).toEqual([])
  expect(
    [...named].filter(name => block(".bp6-dark[data-contrast='more']")[name] === undefined),
  ).toEqual([])
})

describe('without colours', () => {
  test('each tone of a state has a sign of its own', () => {
    expect(Object.keys(signs).sort()).toEqual(['bad', 'good', 'info', 'warn'])
    expect(new Set(Object.values(signs)).size).toBe(4)
  })
  test('the states of one thing are told apart by their words, in both languages', async () => {
    const seen: string[] = []
    const facts = readdirSync('src/areas', { recursive: true, encoding: 'utf8' })
    for (const file of facts.filter(name => /[/\\][\w-]+\.ts$/.test(name))) {
      const module = (await import(join(process.cwd(), 'src/areas', file))) as Record<
        string,
        unknown
      >
      for (const [name, table] of Object.entries(module)) {
        if (
          !/(States|Statuses|Results|Levels)$/.test(name) ||
          typeof table !== 'object' ||
          table === null ||
          Array.isArray(table)
        )
          continue
        const texts = Object.values(table).filter(
          (text): text is [string, string] =>
            Array.isArray(text) &&
            text.length === 2 &&
            text.every(word => typeof word === 'string'),
        )
        if (texts.length < 2) continue
        seen.push(name)
        for (const at of [0, 1] as const)
          expect([name, new Set(texts.map(text => text[at])).size]).toEqual([name, texts.length])
      }
    }
    expect(seen.length).toBeGreaterThan(15)
  })
})
