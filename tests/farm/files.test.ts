// @vitest-environment node
import { expect, test } from 'vitest'
import { filesOfEmbedded, filesOfServer, filesOfUnit, wantsAlone, wantsEmbedded } from './files.ts'

test('a file that puts modules in the place of others has a process alone, or says that it wants one', () => {
  const replacing = ['mock', 'doMock', 'resetModules'].map(name => `  vi.${name}('./data.ts')`)
  for (const text of [...replacing, '// It stands @alone, as its messages stay.'])
    expect(wantsAlone(text)).toBe(true)
  for (const text of ['vi.fn()', 'vi.mocked(fetch)', 'alone']) expect(wantsAlone(text)).toBe(false)
})
test('every file without a server is in one of the two, and none with one is', () => {
  const { together, alone } = filesOfUnit()
  const all = [...together, ...alone]
  expect(new Set(all).size).toBe(all.length)
  expect(together).toContain('tests/domain/money.test.ts')
  expect(alone).toContain('tests/shell/toasts.test.tsx')
  expect(together.length).toBeGreaterThan(alone.length)
  expect(all.filter(file => file.startsWith('tests/server/'))).toEqual([])
  expect(all).not.toContain('tests/fuzz.test.ts')
})
test('a file that leans on the embedded database runs there, and is a server’s', () => {
  for (const text of ["onlyOn('lite')('x', () => {})", 'flavour() === x', '// Run @embedded: why.'])
    expect(wantsEmbedded(text)).toBe(true)
  expect(wantsEmbedded("onlyOn('postgres')('embedded', () => {})")).toBe(false)
  const [all, embedded] = [filesOfServer(), filesOfEmbedded()]
  for (const name of ['contract', 'fuzz', 'server/crash', 'server/db/embedded'])
    expect(embedded).toContain(`tests/${name}.test.ts`)
  expect(embedded.filter(file => !all.includes(file))).toEqual([])
  expect(embedded).not.toContain('tests/matrix.test.ts')
})
