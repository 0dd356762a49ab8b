// @vitest-environment node
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonBytes } from '#src/server/http/jsonBytes.ts'

const odd = fc.constantFrom(
  undefined,
  null,
  Number.NaN,
  new Date(0),
  () => 1,
  Symbol('s'),
  '“类”\u2028\ud800',
)
const entry = fc.oneof(odd, fc.jsonValue({ maxDepth: 2 }))
const list = fc
  .tuple(entry, entry, fc.integer({ min: 0, max: 100 }))
  .map(([one, other, n]) => Array.from({ length: n }, (_, at) => (at % 3 === 0 ? other : one)))

test('the bytes are those of JSON.stringify, however long a list and wherever it stands', () => {
  const data = fc.oneof(
    list,
    fc.record({ list, total: entry, 'a"b': fc.record({ below: fc.record({ deep: list }), odd }) }),
    fc.dictionary(fc.string(), list, { maxKeys: 4 }),
  )
  fc.assert(
    fc.property(data, odd, (held, beside) => {
      for (const value of [held, { status: 200, beside, data: held }])
        expect(jsonBytes(value).toString()).toBe(Buffer.from(JSON.stringify(value)).toString())
    }),
  )
})
test('a list is written whole at every length about the size of a part', () => {
  for (const length of [0, 1, 31, 32, 33, 63, 64, 65, 96, 97]) {
    const list = Array.from({ length }, (_, id) => ({ id, name: `第 ${id} 类` }))
    expect(JSON.parse(jsonBytes({ data: { list } }).toString())).toEqual({ data: { list } })
  }
})
