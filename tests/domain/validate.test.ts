import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutToWidth, widthOf } from '#src/domain/validate.ts'

describe('the width of a text', () => {
  test('a double-byte character counts as two', () => {
    expect([widthOf('ab'), widthOf('商场'), widthOf('a商'), widthOf('😀'), widthOf('')]).toEqual([
      2, 4, 3, 2, 0,
    ])
  })
  test('a cut is the longest beginning that fits, and never half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, max) => {
        const cut = cutToWidth(text, max)
        expect(text.startsWith(cut)).toBe(true)
        expect(widthOf(cut)).toBeLessThanOrEqual(max)
        const next = text.slice(cut.length)[Symbol.iterator]().next().value
        if (next !== undefined) expect(widthOf(cut + next)).toBeGreaterThan(max)
      }),
    )
  })
})
