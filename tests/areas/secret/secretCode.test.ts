import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  alphabets,
  checkSign,
  codesIn,
  codeSpace,
  groupedCode,
  isSound,
  normalCode,
  strengthOf,
  type Alphabet,
} from '#src/areas/secret/secretCode.ts'
import { drawCodes } from '#src/areas/secret/secrets.server.ts'

const all = Object.keys(alphabets) as Alphabet[]
/** A sound code of an alphabet. */
const coded = fc
  .constantFrom(...all)
  .chain(of =>
    fc
      .array(fc.constantFrom(...alphabets[of]), { minLength: 7, maxLength: 31 })
      .map(signs => ({ of, code: signs.join('') + checkSign(signs.join(''), of) })),
  )

describe('the check sign', () => {
  it('completes any code', () => {
    fc.assert(fc.property(coded, ({ of, code }) => isSound(code, of)))
  })
  it('catches every wrong sign', () => {
    fc.assert(
      fc.property(coded, fc.nat(), fc.nat(), ({ of, code }, place, other) => {
        const at = place % code.length
        const signs = alphabets[of].replace(code[at]!, '')
        const wrong = code.slice(0, at) + signs[other % signs.length] + code.slice(at + 1)
        expect(isSound(wrong, of)).toBe(false)
      }),
    )
  })
  it('catches every swap of two neighbours that differ', () => {
    fc.assert(
      fc.property(coded, fc.nat(), ({ of, code }, place) => {
        const at = place % (code.length - 1)
        fc.pre(code[at] !== code[at + 1])
        const swapped = code.slice(0, at) + code[at + 1] + code[at] + code.slice(at + 2)
        expect(isSound(swapped, of)).toBe(false)
      }),
    )
  })
})

describe('alphabets', () => {
  it.each(all)('%s has no signs that look alike, and a prime number of them', of => {
    expect(alphabets[of]).not.toMatch(/[0O1IL]/)
    const n = alphabets[of].length
    expect(Array.from({ length: n - 2 }, (_, at) => n % (at + 2)).every(Boolean)).toBe(true)
  })
})

describe('a typed code', () => {
  it.each([
    ['abcd-efgh', 'ABCDEFGH'],
    [' ab cd\t', 'ABCD'],
    ['ＡＢ２３－ｃｄ', 'AB23CD'],
    ['ab—cd–ef', 'ABCDEF'],
    ['AB\u200bCD', 'ABCD'],
  ])('%j is %s', (typed, code) => expect(normalCode(typed)).toBe(code))
  it('comes back from its print', () => {
    fc.assert(fc.property(coded, ({ code }) => normalCode(groupedCode(code)) === code))
  })
  it('is one of several that were pasted', () => {
    expect(codesIn('ab-12\r\ncd34，EF56；gh78\t ij90')).toEqual([
      'AB12',
      'CD34',
      'EF56',
      'GH78',
      'IJ90',
    ])
  })
})

describe('drawn codes', () => {
  it('have their form, a prefix and a sound end', () => {
    for (const alphabet of all) {
      const prefix = alphabets[alphabet].slice(0, 2)
      const codes = drawCodes({ alphabet, length: 14, prefix }, 300)
      for (const code of codes) {
        expect(code).toHaveLength(14)
        expect(code.startsWith(prefix)).toBe(true)
        expect(isSound(code, alphabet)).toBe(true)
      }
    }
  })
  it('favour no sign', () => {
    const n = 4000
    const drawn = drawCodes({ alphabet: 'mixed', length: 12, prefix: '' }, n)
    const counts = new Map<string, number>()
    for (const code of drawn)
      for (const sign of code.slice(0, -1)) counts.set(sign, (counts.get(sign) ?? 0) + 1)
    const expected = (n * 11) / alphabets.mixed.length
    // Eight standard deviations: a sign that 256 mod 31 favours would be twelve per cent ahead.
    for (const sign of alphabets.mixed)
      expect(Math.abs((counts.get(sign) ?? 0) - expected)).toBeLessThan(8 * Math.sqrt(expected))
  })
  it('are as many as their form allows', () => {
    const of = { alphabet: 'digits', length: 10, prefix: '23' } as const
    expect(codeSpace(of)).toBe(7 ** 7)
    expect(strengthOf(of, 7)).toBe(7 ** 6)
  })
})
