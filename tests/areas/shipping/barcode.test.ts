import fc from 'fast-check'
import { expect, it } from 'vitest'
import { barsOf } from '#src/areas/shipping/barcode.ts'

const signsOf = (bars: number[]) => {
  const body = bars.slice(0, -7).join('')
  return body.match(/.{6}/g)!
}
const sum = (of: readonly number[]) => of.reduce((all, one) => all + one, 0)

it('a barcode of Code 128 is what the standard says: “PJJ123C” by its known signs, check sign and stop', () => {
  const signs = signsOf(barsOf('PJJ123C')!)
  expect(signs).toEqual([
    '211214',
    '313121',
    '112133',
    '112133',
    '123221',
    '223211',
    '221132',
    '131321',
    '311321',
  ])
  expect(barsOf('PJJ123C')!.slice(-7).join('')).toBe('2331112')
})
it('digits go in pairs, so that a long number stays narrow', () => {
  expect(sum(barsOf('78651203498817')!)).toBe(11 * (1 + 7 + 1) + 13)
  expect(barsOf('快递')).toBeUndefined()
})
it('every sign is 11 modules wide with an even number of dark ones, whatever is written', () =>
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z0-9]{1,40}$/), text => {
      for (const sign of signsOf(barsOf(text)!)) {
        const widths = [...sign].map(Number)
        expect([sum(widths), sum(widths.filter((_, at) => at % 2 === 0)) % 2]).toEqual([11, 0])
      }
    }),
  ))
