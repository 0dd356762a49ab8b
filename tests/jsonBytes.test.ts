import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joined } from '#src/domain/text.ts'
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
        expect(jsonBytes(value, 'zh').toString()).toBe(
          Buffer.from(JSON.stringify(value)).toString(),
        )
    }),
  )
})
test('a list is written whole at every length about the size of a part', () => {
  for (const length of [0, 1, 31, 32, 33, 63, 64, 65, 96, 97]) {
    const list = Array.from({ length }, (_, id) => ({ id, name: `第 ${id} 类` }))
    expect(JSON.parse(jsonBytes({ data: { list } }, 'zh').toString())).toEqual({ data: { list } })
  }
})
test('a text that is kept in both languages is in that of its reader, whatever stands beside it', () => {
  // A backslash before what only looks like the mark is the reader's own.
  const any = fc.oneof(fc.string(), fc.constantFrom('\\u001f', '"', '\\', '类', ''))
  const text = any.filter(one => !one.includes('\u001f'))
  fc.assert(
    fc.property(text, text, text, fc.integer({ min: 1, max: 70 }), (zh, en, beside, n) => {
      const of = (note: string) =>
        Array.from({ length: n }, () => ({ beside, note, after: [beside, note] }))
      const said = (lang: 'zh' | 'en'): unknown =>
        JSON.parse(jsonBytes({ data: of(joined([zh, en])) }, lang).toString())
      expect(said('zh')).toEqual({ data: of(zh) })
      expect(said('en')).toEqual({ data: of(en) })
    }),
  )
})
