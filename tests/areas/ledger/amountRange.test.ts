import { expect, test } from 'vitest'
import { amountRange } from '#src/modules/settle/parts/AmountFilter.tsx'

test.each([
  ['', {}],
  ['100', { min_cents: 10_000, max_cents: 10_000 }],
  ['1,234.5', { min_cents: 123_450, max_cents: 123_450 }],
  ['100-200', { min_cents: 10_000, max_cents: 20_000 }],
  ['100 ~ 200', { min_cents: 10_000, max_cents: 20_000 }],
  ['100-', { min_cents: 10_000, max_cents: undefined }],
  ['-200', { min_cents: undefined, max_cents: 20_000 }],
  ['-', undefined],
  ['1e3', undefined],
  ['1.234', undefined],
  ['abc', undefined],
])('%s is a range of amounts', (typed, range) => {
  expect(amountRange(typed)).toEqual(range)
})
