import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { fromQuery, toQuery } from '#src/contract/query.ts'
import { text } from '#src/contract/shapes.ts'

const schema = z.object({
  page: z.int().default(1),
  id: z.int().optional(),
  on: z.boolean().optional(),
  ids: z.array(z.int()).optional(),
  word: z.string().optional(),
  words: z.array(z.string()).optional(),
})
const read = (query: string) => fromQuery(schema, Object.fromEntries(new URLSearchParams(query)))

test('what a client sends as a query arrives as it was', () =>
  fc.assert(
    fc.property(
      fc.record({
        page: fc.nat(),
        id: fc.option(fc.integer(), { nil: undefined }),
        on: fc.option(fc.boolean(), { nil: undefined }),
        ids: fc.option(fc.array(fc.integer(), { minLength: 1 }), { nil: undefined }),
        word: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
      }),
      sent => {
        expect(schema.parse(read(toQuery(sent)))).toEqual(
          Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
        )
      },
    ),
  ))
test('a number that is none stays text, so that the schema names the field', () => {
  const parsed = schema.safeParse(read('id=1e3'))
  expect(parsed.success).toBe(false)
  expect(parsed.error!.issues[0]!.path).toEqual(['id'])
})
test('an empty parameter means absent', () => expect(read('id=&word=')).toEqual({}))

test('text refuses what the database would refuse or change', () => {
  expect(text(10).safeParse('a\0b').success).toBe(false)
  expect(text(10).safeParse('a\ud800b').success).toBe(false)
  expect(text(10).parse('  好的 ')).toBe('好的')
  expect(text(10).safeParse('   ').success).toBe(false)
  expect(text(2).safeParse('三个字').success).toBe(false)
})
test('limit is another name of pageSize, unless a call has both', () => {
  const paged = z.object({ pageSize: z.int().default(20) })
  expect([
    fromQuery(paged, { limit: '5' }),
    fromQuery(paged, { limit: '5', pageSize: '6' }),
    fromQuery(schema, { limit: '5' }),
  ]).toEqual([{ pageSize: 5 }, { limit: '5', pageSize: 6 }, { limit: '5' }])
  expect(
    fromQuery(z.object({ pageSize: z.int().default(20), limit: z.int().optional() }), {
      limit: '5',
    }),
  ).toEqual({ limit: 5 })
})
