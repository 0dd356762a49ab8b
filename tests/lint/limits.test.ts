import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { countByFile, grownRules, lint, newFaults, staleEntries, totalsOf } from './limits.mjs'

const excused = { 'a.ts': { complexity: 2 }, 'b.ts': { 'max-lines': 1 } }

test('a fault beyond what the baseline excuses in a file is named', () => {
  expect(newFaults({ 'a.ts': { complexity: 3 } }, excused)).toEqual([
    'a.ts: complexity 3, excused 2',
  ])
  expect(newFaults({ 'c.ts': { complexity: 1 } }, excused)).toHaveLength(1)
  expect(newFaults(excused, excused)).toEqual([])
})
test('what was mended leaves the baseline, so that it cannot come back', () => {
  expect(staleEntries({ 'a.ts': { complexity: 2 } }, excused)).toHaveLength(1)
  expect(staleEntries(excused, excused)).toEqual([])
})
test('a baseline may be moved between files and never grow', () => {
  expect(totalsOf(excused)).toEqual({ complexity: 2, 'max-lines': 1 })
  expect(grownRules({ 'moved.ts': { complexity: 2 } }, excused)).toEqual([])
  expect(grownRules({ 'a.ts': { complexity: 3 } }, excused)).toEqual(['complexity: 3, before 2'])
})
test('each limit bites', () => {
  // Inside the project, as the linter reads nothing outside it.
  const folder = mkdtempSync(join(import.meta.dirname, 'planted-'))
  const plant = (name: string, text: string) => writeFileSync(join(folder, name), text)
  plant('params.ts', 'export const f = (a: 1, b: 1, c: 1, d: 1, e: 1) => [a, b, c, d, e]\n')
  plant('ternary.ts', 'export const f = (a: 1, b: 1) => (a ? 1 : b ? 2 : 3)\n')
  plant('lines.ts', Array.from({ length: 401 }, (_, n) => `export const a${n} = 1\n`).join(''))
  const ifs = Array.from({ length: 21 }, (_, n) => `  if (a === ${n}) return\n`).join('')
  plant('complexity.ts', `export const f = (a: number) => {\n${ifs}}\n`)
  const nested = `${'if (a) {'.repeat(5)}g()${'}'.repeat(5)}`
  plant('depth.ts', `declare const g: () => void\nexport const f = (a: 1) => { ${nested} }\n`)
  try {
    const found = countByFile(lint([relative(join(import.meta.dirname, '../..'), folder)]))
    expect(Object.values(found).flatMap(Object.keys).sort()).toEqual([
      'complexity',
      'max-depth',
      'max-lines',
      'max-params',
      'no-nested-ternary',
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
