import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '../../src')
const sheets = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(file =>
  file.endsWith('.css'),
)
/** Whose a sheet is: a module's, or the kit's and the shell's. */
const ownerOf = (file: string) =>
  file
    .split(/[/\\]/)
    .slice(0, file.startsWith('modules') ? 2 : 1)
    .join('/')
/** The classes that rules of a sheet begin with. */
const begins = (css: string) =>
  [...css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]+)\{/g)].flatMap(([, selectors]) =>
    selectors!.split(',').flatMap(selector => /^\s*\.([a-z][\w-]*)/.exec(selector)?.[1] ?? []),
  )

// Sheets stay once they are loaded: a class that two modules draw would look one way before the
// other's page was seen, and another way after.
test('no two modules draw the same class', () => {
  const owners = new Map<string, Set<string>>()
  for (const file of sheets.filter(one => one.startsWith('modules')))
    for (const name of begins(readFileSync(join(src, file), 'utf8')))
      owners.set(name, (owners.get(name) ?? new Set()).add(ownerOf(file)))
  expect(owners.size).toBeGreaterThan(100)
  expect(
    [...owners]
      .filter(
        ([name, modules]) => modules.size > 1 && !name.startsWith('m-') && !name.startsWith('bp6-'),
      )
      .map(([name, modules]) => `.${name}: ${[...modules].join(', ')}`),
  ).toEqual([])
})
