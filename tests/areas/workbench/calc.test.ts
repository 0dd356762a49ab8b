import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calculate } from '#src/areas/workbench/calc.ts'

const cents = (typed: string) => {
  const of = calculate(typed)
  return of && (of.exact ? of.cents : [of.cents])
}
test('yuan are added up as a till does', () => {
  expect([
    cents('12.5*3+0.8'),
    cents('(99-20)/4'),
    cents('1,299×2'),
    cents('１２＋３'),
    cents('100*15%'),
    cents('-5+2'),
    cents('.5+.25'),
    cents('0.1+0.2'),
    cents('¥99 - 9.9元'),
  ]).toEqual([3830, 1975, 259800, 1500, 1500, -300, 75, 30, 8910])
})
test('yuan are counted as people say them: in ten thousands, and in cents', () => {
  expect([
    cents('1万'),
    cents('1.2万'),
    cents('１００分'),
    cents('3角'),
    cents('2千+5百'),
    cents('1亿'),
    cents('1百万'),
    cents('5万元 - 100分'),
    cents('10万*6%'),
    cents('12元'),
  ]).toEqual([
    1_000_000, 1_200_000, 100, 30, 250_000, 10_000_000_000, 100_000_000, 4_999_900, 600_000, 1200,
  ])
  expect(['万', '1万2', '3元5角', '3元5', '分5', '5%2'].map(calculate)).toEqual(
    Array<undefined>(6).fill(undefined),
  )
})
test('cents that had to be rounded say so, half away from zero', () => {
  expect([cents('100/3'), cents('0.01/2'), cents('-0.01/2'), cents('2/3')]).toEqual([
    [3333],
    [1],
    [-1],
    [67],
  ])
})
test('what is no sum is none', () => {
  expect(
    [
      '',
      'abc',
      '1+',
      '(1',
      '1)',
      '1/0',
      '1..2',
      '1 2a',
      '*3',
      `${'9'.repeat(16)}`,
      Array(70).fill('1').join('+'),
    ].map(cents),
  ).toEqual(Array(11).fill(undefined))
})
test('sums and products of cents are exact, whatever they are', () => {
  const amount = fc.integer({ min: 0, max: 10_000_00 })
  const said = (n: number) => (n / 100).toFixed(2)
  fc.assert(
    fc.property(amount, amount, fc.nat(99), (a, b, n) => {
      expect(cents(`${said(a)}+${said(b)}*${n}-${said(b)}`)).toBe(a + b * n - b)
    }),
  )
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), typed => {
      expect(() => calculate(typed)).not.toThrow()
    }),
  )
})
