import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '../../src')
const files = new Set(
  readdirSync(src, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.(tsx?|css)$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name)),
)
const texts = new Map([...files].map(file => [file, readFileSync(file, 'utf8')]))
const text = (file: string): string => texts.get(file)!
/** Answers once for each file. */
const once = <T>(answer: (file: string) => T) => {
  const known = new Map<string, T>()
  return (file: string): T => {
    if (!known.has(file)) known.set(file, answer(file))
    return known.get(file)!
  }
}
/** The files of the product that a file is loaded with. */
const imports = once((file: string): string[] =>
  [...text(file).matchAll(/^(?:import|export|\} from)\b[^'"]*['"]([^'"]+)['"]/gm)].flatMap(
    ([, name]) => {
      const at = name!.startsWith('#src/')
        ? join(src, name!.slice(5))
        : resolve(dirname(file), name!)
      return files.has(at) ? [at] : []
    },
  ),
)
const reach = (entry: string): Set<string> => {
  const found = new Set<string>()
  const visit = (file: string): void => {
    if (found.has(file)) return
    found.add(file)
    if (!file.endsWith('.css')) imports(file).forEach(visit)
  }
  visit(entry)
  return found
}
/** The sheets that draw each class. */
const drawnBy = new Map<string, string[]>()
for (const sheet of [...files].filter(file => file.endsWith('.css')))
  for (const [, name] of text(sheet).matchAll(/\.([a-z]+-[\w-]+)/g))
    drawnBy.set(name!, [...(drawnBy.get(name!) ?? []), sheet])
/** Words of the strings in a file that are classes of ours. */
const classesIn = once((file: string): string[] =>
  [...text(file).matchAll(/['"`]([^'"`\n]*)['"`]/g)]
    .flatMap(([, words]) => words!.split(/\s+/))
    .filter(word => drawnBy.has(word)),
)

// A sheet is loaded by who imports it: a page that leans on another's looks right only after it.
test('a page that is opened first loads what draws it', () => {
  const always = reach(join(src, 'main.tsx'))
  const pages = [...files].filter(file => /\/modules\/[^/]+\/pages\/.*\.tsx$/.test(file))
  expect(pages.length).toBeGreaterThan(200)
  const bare = pages.flatMap(page => {
    const loaded = reach(page)
    const isDrawn = (name: string) =>
      drawnBy.get(name)!.some(sheet => loaded.has(sheet) || always.has(sheet))
    return [...loaded]
      .filter(file => file.endsWith('.tsx'))
      .flatMap(file => classesIn(file).filter(name => !isDrawn(name)))
      .map(name => `${page.slice(src.length)}: .${name}`)
  })
  expect([...new Set(bare)]).toEqual([])
})
