import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  MARK_ENOUGH,
  marking,
  markWord,
  readMark,
  readMarkWord,
} from '#src/areas/export/fileMark.ts'
import { csvField } from '#src/domain/csv.ts'

const hex = fc.stringMatching(/^[0-9a-f]{16}$/)
const table = (mark: string, firsts: readonly string[]) => {
  const first = marking(mark)
  return firsts.map((text, at) =>
    [first(csvField(text)), csvField(`第 ${at} 行, "${text}"`)].join(','),
  )
}
const numbers = (n: number, from: number) =>
  Array.from(
    { length: n },
    (_, at) => `BU${1_761_000_000 + (from + at) * 37}${String(at).padStart(6, '0')}`,
  )

it('a mark is read again, from any rows in any order', () => {
  fc.assert(
    fc.property(
      hex,
      fc.integer({ min: 0, max: 1e6 }),
      fc.integer({ min: 60, max: 400 }),
      fc.func(fc.boolean()),
      (mark, from, n, kept) => {
        const lines = table(mark, ['订单号', ...numbers(n, from)])
          .filter((line, at) => at < 60 || kept(line))
          .toReversed()
        const found = readMark(`\uFEFF${lines.join('\r\n')}\r\n`)
        const [known, read, wanted] = [found.known, found.mark, mark].map(text =>
          BigInt(`0x${text}`),
        ) as [bigint, bigint, bigint]
        expect(found.bits).toBeGreaterThanOrEqual(MARK_ENOUGH)
        expect((read ^ wanted) & known).toBe(0n)
      },
    ),
    { numRuns: 60 },
  )
})
it('whatever stands in the first column, every reader reads the same table', () => {
  fc.assert(
    fc.property(
      hex,
      fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 20 }),
      (mark, firsts) => {
        const rows = (lines: readonly string[]): unknown =>
          parse(lines.join('\r\n'), { relax_column_count: true, skip_empty_lines: false })
        expect(rows(table(mark, firsts))).toEqual(
          rows(
            firsts.map((text, at) =>
              [csvField(text), csvField(`第 ${at} 行, "${text}"`)].join(','),
            ),
          ),
        )
      },
    ),
    { numRuns: 200 },
  )
})
it('a table of nobody has no mark that fits', () => {
  const { mark, bits } = readMark(
    numbers(200, 5)
      .map(no => `${no},x`)
      .join('\n'),
  )
  expect([mark, bits > 50]).toEqual(['0'.repeat(16), true])
})
it('a workbook’s properties tell it whole', () => {
  fc.assert(
    fc.property(hex, mark => {
      expect(readMarkWord(`<cp:keywords>${markWord(mark)}</cp:keywords>`)?.mark).toBe(mark)
    }),
    { numRuns: 20 },
  )
  expect(readMarkWord('<cp:keywords>mallet:zz</cp:keywords>')).toBeUndefined()
})
