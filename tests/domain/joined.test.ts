import { expect, test } from 'vitest'
import { joined } from '#src/domain/joined.ts'

test('parts are one object in their order, and its type holds the keys of all', () => {
  const row = joined({ id: 1 }, { name: '甲' }, { at: null as number | null })
  const read: { id: number; name: string; at: number | null } = row
  expect(Object.entries(read)).toEqual([
    ['id', 1],
    ['name', '甲'],
    ['at', null],
  ])
})
test('parts that come later are left as they were', () => {
  const place = { city: 1 }
  expect(joined({ id: 1 }, place)).toEqual({ id: 1, city: 1 })
  expect(place).toEqual({ city: 1 })
})
