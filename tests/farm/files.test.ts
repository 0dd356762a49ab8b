import { expect, test } from 'vitest'
import {
  filesOfEmbedded,
  filesOfServer,
  filesOfUnit,
  wantsAlone,
  wantsDocument,
  wantsEmbedded,
} from './files.ts'

/** A word is put together here, so that this file does not say it of itself. */
const said = (word: string) => `// It is @${word}, as its messages stay.`

test('a file that puts modules in the place of others has a process alone, or says that it wants one', () => {
  const replacing = ['mock', 'doMock', 'resetModules'].map(name => `  vi.${name}('./data.ts')`)
  for (const text of [...replacing, said('alone')]) expect(wantsAlone(text)).toBe(true)
  for (const text of ['vi.fn()', 'vi.mocked(fetch)', 'alone']) expect(wantsAlone(text)).toBe(false)
})
test('a file that draws has a document, or says that it wants one', () => {
  expect(wantsDocument('list.test.tsx', '')).toBe(true)
  expect(wantsDocument('tabs.test.ts', said('drawn'))).toBe(true)
  expect(wantsDocument('money.test.ts', "import { sum } from './drawn.ts'")).toBe(false)
})
test('every file without a server is in one of the four, and none with one is', () => {
  const { plain, drawn, plainAlone, drawnAlone } = filesOfUnit()
  const all = [...plain, ...drawn, ...plainAlone, ...drawnAlone]
  expect(new Set(all).size).toBe(all.length)
  expect(plain).toContain('tests/domain/money.test.ts')
  expect(drawn).toContain('tests/kit/list.test.tsx')
  expect(plainAlone).toContain('tests/shell/registry.test.ts')
  expect(drawnAlone).toContain('tests/shell/toasts.test.tsx')
  expect(plain.length).toBeGreaterThan(plainAlone.length)
  expect(drawn.length).toBeGreaterThan(drawnAlone.length)
  expect(all.filter(file => file.startsWith('tests/server/'))).toEqual([])
  expect(all).not.toContain('tests/fuzz.test.ts')
})
test('a file that leans on the embedded database runs there, and is a server’s', () => {
  for (const text of ["onlyOn('lite')('x', () => {})", 'flavour() === x', said('embedded')])
    expect(wantsEmbedded(text)).toBe(true)
  expect(wantsEmbedded("onlyOn('postgres')('embedded', () => {})")).toBe(false)
  const [all, embedded] = [filesOfServer(), filesOfEmbedded()]
  for (const name of ['contract', 'fuzz', 'server/crash', 'server/db/embedded'])
    expect(embedded).toContain(`tests/${name}.test.ts`)
  expect(embedded.filter(file => !all.includes(file))).toEqual([])
  expect(embedded).not.toContain('tests/matrix.test.ts')
})
