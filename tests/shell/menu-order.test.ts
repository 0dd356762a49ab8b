import { describe, expect, test } from 'vitest'
import { sections } from '#commands/contents.ts'
import { allOf, activeEntry, inWorkOrder, sectionOf, type MenuNode } from '#src/shell/menu-order.ts'

let made = 0
const entry = (redirect: string, title = redirect): MenuNode => ({
  id: ++made,
  title,
  redirect,
  children: [],
})
const group = (title: string, redirects: readonly string[]): MenuNode => ({
  ...entry('', title),
  children: redirects.map(redirect => entry(redirect)),
})
const listed = (key: string) =>
  sections
    .find(section => section.key === key)!
    .pages.filter(page => page.menu)
    .map(page => page.path)
const titles = (nodes: readonly MenuNode[]) => nodes.map(node => node.title)

describe('the modules of the menu', () => {
  test('come in the order of the rights they are made for, and what sets the house up comes last', () => {
    const nodes = [
      group('system', listed('system')),
      group('audit', listed('audit').slice(0, 1)),
      group('order', listed('order')),
    ]
    expect(titles(inWorkOrder(nodes))).toEqual(['order', 'audit', 'system'])
  })
  test('that one may do as much in keep the order of the menu', () => {
    const nodes = [group('mall', listed('mall')), group('order', listed('order'))]
    expect(titles(inWorkOrder(nodes))).toEqual(['mall', 'order'])
  })
  test('are told by the addresses below them', () => {
    expect(sectionOf(group('whatever', ['/manage/audit/bulks?city=1']))?.key).toBe('audit')
    expect(sectionOf(group('empty', []))).toBeUndefined()
  })
})

test('of 323 pages each is the active one at its own address and below it', () => {
  const modules = Array.from({ length: 17 }, (_, m) =>
    group(
      `m${m}`,
      Array.from({ length: 19 }, (_, p) => `/manage/m${m}/p${p}`),
    ),
  )
  const entries = allOf(modules).filter(node => node.redirect !== '')
  expect(entries).toHaveLength(323)
  expect(entries.filter(node => activeEntry(modules, node.redirect) !== node)).toEqual([])
  expect(
    entries.filter(node => activeEntry(modules, `${node.redirect}/detail?id=7`) !== node),
  ).toEqual([])
  expect(activeEntry(modules, '/manage/elsewhere')).toBeUndefined()
  expect(inWorkOrder(modules)).toEqual(modules)
})
