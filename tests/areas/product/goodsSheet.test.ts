import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  groupEdits,
  productId,
  shippedEdits,
  shownValue,
  valueTyped,
} from '#src/areas/product/goodsSheet.ts'

it('a value that is shown is typed again as it was, whatever its column', () =>
  fc.assert(
    fc.property(
      fc.constantFrom(...groupEdits, ...shippedEdits),
      fc.integer({ min: 1, max: 999 }),
      (key, value) => {
        expect(valueTyped(key, shownValue(key, value))).toBe(value)
      },
    ),
  ))
it('an empty cell sets nothing; what is no number, or out of bounds, is told', () => {
  expect(valueTyped('price_cents', '')).toBeUndefined()
  expect(valueTyped('price_cents', '12.5')).toBe(1250)
  expect(valueTyped('stock_left', '0')).toBe(0)
  const faults = [
    valueTyped('price_cents', '0'),
    valueTyped('price_cents', '12.345'),
    valueTyped('stock_left', '1.0'),
    valueTyped('stock_left', '1.2E+3'),
    valueTyped('sort', '1000000'),
  ]
  for (const said of faults) expect(said).toMatchObject({ fault: { length: 2 } })
})
it('a number of a product has its digits alone', () => {
  expect(productId('123')).toBe(123)
  for (const typed of ['', '0', '1.2E+5', '12.0', '1234567890', '-1'])
    expect(productId(typed)).toBeUndefined()
})
