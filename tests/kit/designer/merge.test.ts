import { expect, it } from 'vitest'
import type { Block } from '#src/areas/scheme/blocks.ts'
import { mergedBlocks, mergeLines } from '#src/kit/designer/merge.ts'

const block = (id: string, text = id): Block => ({ id, kind: 'text', props: { text } })
const told = (blocks: readonly Block[]) =>
  blocks.map(({ id, props }) => `${id}=${String(props['text'])}`)
const base = [block('a'), block('b'), block('c')]

it('what one alone changed, added or removed is taken without a question', () => {
  const theirs = [block('a', '他'), block('b'), block('c'), block('x')]
  const mine = [block('y'), block('b'), block('a'), block('c', '我')]
  const three = { base, theirs, mine }
  expect(mergeLines(three).map(line => line.how)).not.toContain('both')
  expect(told(mergedBlocks(three, {}))).toEqual(['y=y', 'b=b', 'a=他', 'c=我', 'x=x'])
})
it('of what both changed the chosen one stays, also where one of them removed it', () => {
  const theirs = [block('a', '他'), block('c')]
  const mine = [block('a', '我'), block('b', '我'), block('c')]
  const three = { base, theirs, mine }
  expect(
    mergeLines(three)
      .filter(line => line.how === 'both')
      .map(line => line.name),
  ).toEqual(['a', 'b'])
  expect(told(mergedBlocks(three, { a: 'mine', b: 'theirs' }))).toEqual(['a=我', 'c=c'])
  expect(told(mergedBlocks(three, { a: 'theirs', b: 'mine' }))).toEqual(['a=他', 'b=我', 'c=c'])
})
it('pages that became alike ask nothing', () => {
  const both = [block('a', '同'), block('b'), block('c')]
  expect(mergeLines({ base, theirs: both, mine: both })).toEqual([])
  expect(mergedBlocks({ base, theirs: both, mine: both }, {})).toEqual(both)
})
