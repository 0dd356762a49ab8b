import { expect, it } from 'vitest'
import { linksAt, placesOf, walked } from '#src/kit/graph-walk.ts'

const node = (id: string, kind: string) => ({ id, kind, name: id, note: '' })
const of = {
  nodes: [node('p', 'payer'), node('c1', 'card'), node('c2', 'card'), node('h', 'holder')],
  links: [
    { from: 'p', to: 'c1', what: '购买' },
    { from: 'p', to: 'c2', what: '购买' },
    { from: 'c2', to: 'h', what: '持有' },
  ],
}
it('keys follow the ties and go through a column, and stay where no way leads on', () => {
  expect(walked(of, undefined, 'ArrowDown')).toBe('p')
  expect(walked(of, 'p', 'ArrowRight')).toBe('c1')
  expect(walked(of, 'c1', 'ArrowDown')).toBe('c2')
  expect(walked(of, 'c2', 'ArrowDown')).toBe('c2')
  expect(walked(of, 'c2', 'ArrowRight')).toBe('h')
  expect(walked(of, 'h', 'ArrowRight')).toBe('h')
  expect(walked(of, 'h', 'ArrowLeft')).toBe('c2')
  expect(walked(of, 'h', 'Home')).toBe('p')
  expect(walked(of, 'p', 'End')).toBe('h')
})
it('every node is reached by keys from the first', () => {
  const seen = new Set<string>()
  const queue = [walked(of, undefined, 'Home')!]
  for (const at of queue) {
    if (seen.has(at)) continue
    seen.add(at)
    for (const step of ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown'] as const)
      queue.push(walked(of, at, step)!)
  }
  expect([...seen].toSorted()).toEqual(['c1', 'c2', 'h', 'p'])
})
it('nodes of a kind stand in one column, and ties are told by what they are', () => {
  const places = placesOf(of, ['payer', 'card', 'holder'])
  expect(places.get('c1')!.x).toBe(places.get('c2')!.x)
  expect(places.get('c1')!.y).not.toBe(places.get('c2')!.y)
  expect(linksAt(of, 'p')).toEqual([{ what: '购买', names: ['c1', 'c2'] }])
})
