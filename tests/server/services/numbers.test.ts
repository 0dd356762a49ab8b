import { expect, it } from 'vitest'
import { numberOf } from '#src/areas/order/numbers.server.ts'

it('no two numbers of a second are the same, however many there are and whatever other seconds come between', () => {
  const made = Array.from({ length: 20_000 }, (_, i) => {
    numberOf('RF', 1_795_413_400 + (i % 7))
    return numberOf('BU', 1_795_413_463)
  })
  expect(new Set(made).size).toBe(made.length)
  expect(made.every(one => /^BU1795413463[1-9]\d{5}$/.test(one))).toBe(true)
})
