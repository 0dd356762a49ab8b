import { expect, it } from 'vitest'
import type { Db } from '#src/server/call/implement.ts'
import { ofDatabase, Recent } from '#src/server/db/memory.ts'

it('what was asked for or set longest ago is forgotten first', () => {
  const recent = new Recent<number>(2)
  recent.set('a', 1)
  recent.set('b', 2)
  expect(recent.get('a')).toBe(1)
  expect(recent.set('c', 3)).toBe(3)
  expect([recent.get('a'), recent.get('b'), recent.get('c')]).toEqual([1, undefined, 3])
  expect([recent.delete('a'), recent.delete('a'), recent.get('a')]).toEqual([
    true,
    false,
    undefined,
  ])
})

it('another database in the same process is not answered from the memory of the first', () => {
  const [first, second] = [{}, {}] as [Db, Db]
  const memory = ofDatabase(() => new Recent<number>(2))
  memory(first).set('rows', 7)
  expect([memory(first).get('rows'), memory(second).get('rows')]).toEqual([7, undefined])
})
