import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '../../src')
const sheets = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.css'))
  .map(file => readFileSync(join(src, file), 'utf8'))
  .join('\n')

test('every container that a rule asks for by name is one', () => {
  const names = (pattern: RegExp) => new Set([...sheets.matchAll(pattern)].map(one => one[1]!))
  const asked = names(/@container\s+([\w-]+)\s*\(/g)
  expect(asked.size).toBeGreaterThan(2)
  expect([...asked].filter(name => !names(/container:\s*([\w-]+)\s*\//g).has(name))).toEqual([])
})
