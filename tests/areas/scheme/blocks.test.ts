import { describe, expect, it } from 'vitest'
import {
  addFault,
  blockFaults,
  blockKinds,
  changesOf,
  cleaned,
  newBlock,
  pageTypes,
  samePage,
  startOf,
  type Block,
  type BlockKind,
} from '#src/areas/scheme/blocks.ts'

const heading = (id: string, text = id): Block => ({ id, kind: 'text', props: { text } })
const kinds = Object.keys(blockKinds) as BlockKind[]

describe('a kind of block', () => {
  it.each(kinds)('%s begins with what it keeps, and lacks only what a person must give', kind => {
    const block = newBlock(kind, 'a')
    expect(cleaned(block)).toEqual(block)
    for (const { text } of blockFaults('home', [block])) expect(text[0]).toBe('必填')
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
it.each(Object.keys(pageTypes) as (keyof typeof pageTypes)[])(
  'what a %s page begins with is sound',
  type => expect(blockFaults(type, startOf(type))).toEqual([]),
)

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
