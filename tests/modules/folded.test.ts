import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../src/modules')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.tsx'))
  .map(name => join(root, name))
/** A file with the parts of its module that it draws, and those that they draw. */
const withParts = (file: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(file) || !existsSync(file)) return seen
  seen.add(file)
  for (const [, from] of readFileSync(file, 'utf8').matchAll(/from '(\.{1,2}\/[^']+\.tsx)'/g))
    withParts(join(dirname(file), from!), seen)
  return seen
}
/** What is beside the list tells of the columns that the list has no room for. */
const tellsFolded = (texts: readonly string[]) =>
  texts.some(text => /<(?:Inspector|FoldedFacts|SubmissionFrame|WelcomeDetail)\b/.test(text))

test('every detail beside a list shows the columns that the list has no room for', () => {
  const lists = files.filter(file => readFileSync(file, 'utf8').includes('<ListDetail'))
  expect(lists.length).toBeGreaterThan(20)
  const silent = lists.filter(
    file => !tellsFolded([...withParts(file)].map(one => readFileSync(one, 'utf8'))),
  )
  expect(silent).toEqual([])
})
test('one that shows none of them is found', () =>
  expect(tellsFolded(['<ListDetail><List /><Person /></ListDetail>'])).toBe(false))
