import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
/** The house's own rules that some texts break. */
const broken = (name: string, text: string): string[] => {
  // Inside the project, as the linter reads nothing outside it.
  const folder = mkdtempSync(join(import.meta.dirname, 'planted-'))
  try {
    writeFileSync(join(folder, name), text)
    const oxlint = join(root, 'node_modules/oxlint/bin/oxlint')
    const args = [oxlint, '--format=json', relative(root, folder)]
    const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] }
    return diagnostics.map(({ code }) => code).filter(code => code.startsWith('own'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a comment that begins with half a sentence is refused, wherever it stands', () => {
  const half = ['// Of rubbish.', '/** Who knows. */', '/**\n * Told of it.\n */']
  for (const comment of half)
    expect([comment, broken('a.ts', `${comment}\nexport const a = 1\n`)]).toEqual([
      comment,
      ['own(plain-comments)'],
    ])
  expect(broken('a.ts', '// Often it is one.\nexport const a = 1 // one of two\n')).toEqual([])
})
test('a field that may be wrong without saying what is refused', () => {
  expect(broken('a.tsx', 'export const a = <input aria-invalid={true} />\n')).toEqual([
    'own(described-faults)',
  ])
  expect(
    broken('a.tsx', 'export const a = <input aria-invalid={true} aria-describedby="a-fault" />\n'),
  ).toEqual([])
})
test('an icon by its name is refused', () => {
  expect(broken('a.tsx', 'export const a = <Button icon="add" />\n')).toEqual(['own(icon-names)'])
})
test('a name of a test that holds the number of its process is refused', () => {
  expect(broken('a.ts', 'export const a = `T${process.pid}`\n')).toEqual(['own(steady-names)'])
})
