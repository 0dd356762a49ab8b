import { describe, expect, it } from 'vitest'
import { pages } from '#commands/contents.ts'
import { changesOf, samePage } from '#src/areas/scheme/blockChanges.ts'
import {
  addFault,
  addressOf,
  blockFaults,
  blockKinds,
  cleaned,
  newBlock,
  pageType,
  pageTypes,
  startOf,
  type Block,
  type BlockKind,
  type PageType,
} from '#src/areas/scheme/blocks.ts'
import { keyFrom, keyParts } from '#src/areas/scheme/pageKey.ts'

const heading = (id: string, text = id): Block => ({ id, kind: 'text', props: { text } })
const types = Object.keys(pageTypes) as PageType[]
const kinds = Object.keys(blockKinds) as BlockKind[]

describe('a kind of block', () => {
  it.each(kinds)('%s begins with what it keeps, and lacks only what a person must give', kind => {
    const block = newBlock(kind, 'a')
    expect(cleaned(block)).toEqual(block)
    const [type] = types.filter(one => pageType(one).holds.includes(kind))
    for (const { text } of blockFaults(type!, [block])) expect(text[0]).toBe('必填')
  })
  it('that a page has once can’t be added again, and nothing beyond forty', () => {
    expect(addFault('home', 'search', [newBlock('search', 'a')])?.[0]).toBe('每页只能放一个')
    expect(addFault('home', 'product', [newBlock('product', 'a')])).toBeUndefined()
    const full = Array.from({ length: 40 }, (_, at) => heading(`b${at}`))
    expect(addFault('home', 'text', full)?.[0]).toContain('40')
  })
  it('asks for products only where they are picked by hand', () => {
    const product = newBlock('product', 'a')
    const picked = { ...product, props: { ...product.props, from: 'picked' } }
    expect(blockFaults('home', [product])).toEqual([])
    expect(blockFaults('home', [picked])).toMatchObject([{ field: 'product_ids' }])
  })
})
describe.each(types)('a page of type %s', type => {
  it('begins soundly, with kinds that it holds', () =>
    expect(blockFaults(type, startOf(type))).toEqual([]))
  it('refuses what only other pages take, and more than it has room for', () => {
    const { holds, most } = pageType(type)
    const [foreign] = kinds.filter(kind => !holds.includes(kind))
    expect(addFault(type, foreign!, [])?.[0]).toBe('此页面不支持该组件')
    const full = Array.from({ length: most }, (_, at) => heading(`b${at}`))
    expect(addFault(type, 'text', full.slice(1))).toBeUndefined()
    expect(addFault(type, 'text', full)?.[0]).toContain(String(most))
  })
  it('is opened by consumers at an address of its own key, which leads back to it', () => {
    const { of } = pageType(type)
    const numbers = of.map((_, at) => at + 7)
    const key = keyFrom(of, numbers)
    expect(addressOf(type, key)).toBe(`/p/${type}/${numbers.join('/')}`)
    expect(keyFrom(of, addressOf(type, key).split('/').slice(3).map(Number))).toEqual(key)
    for (const part of keyParts) expect(key[part] > 0).toBe((of as string[]).includes(part))
  })
})
it('of each page the designer stands where the menu has one', () => {
  const paths = pages.map(page => page.path)
  for (const type of types) expect(paths).toContain(`/manage/${pageType(type).at}`)
})

describe('two states of a page', () => {
  it('differ by what was added, removed, changed and moved, and by the fewest moves', () => {
    const was = ['a', 'b', 'c', 'd'].map(id => heading(id))
    const is = [heading('d'), heading('a'), heading('b', '改'), heading('e')]
    expect(
      changesOf(was, is).map(({ block, how, moved, fields }) => [block, how, moved, fields]),
    ).toEqual([
      ['c', 'removed', false, []],
      ['d', 'changed', true, []],
      ['b', 'changed', false, ['text']],
      ['e', 'added', false, []],
    ])
  })
  it('are one however the database orders the keys', () => {
    const link = (link_params: Record<string, number>): Block => ({
      id: 'a',
      kind: 'notice',
      props: { text: '公告', link: { page_link_id: 1, link_params } },
    })
    expect(samePage([link({ id: 1, mid: 2 })], [link({ mid: 2, id: 1 })])).toBe(true)
    expect(samePage([link({ id: 1 })], [link({ id: 2 })])).toBe(false)
  })
})
