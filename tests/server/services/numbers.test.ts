import { expect, it } from 'vitest'
import { numberOf } from '#src/server/services/numbers.ts'

it('no two numbers of a second are the same, however many there are', () => {
  const made = Array.from({ length: 20_000 }, () => numberOf('BU', 1_795_413_463))
  expect(new Set(made).size).toBe(made.length)
  expect(made.every(one => /^BU1795413463[1-9]\d{5}$/.test(one))).toBe(true)
})
it('the next second begins anew', () => { expect(numberOf('RF', 1_795_413_464)).toMatch(/^RF1795413464\d{6}$/) })
