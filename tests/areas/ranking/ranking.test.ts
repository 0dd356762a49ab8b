import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  maskedName,
  periodBefore,
  placed,
  prizesFor,
  prizesOf,
  rankCan,
  valueOf,
} from '#src/areas/ranking/ranking.ts'
import { DAY } from '#src/domain/time.ts'

const row = (id: number, net_cents: number) => ({
  id,
  name: `达人${id}`,
  paid_cents: net_cents,
  net_cents,
  orders: 1,
  customers: 0,
  commission_cents: 0,
})

describe('places', () => {
  it('are shared by equal values, and the next is skipped', () => {
    const rows = placed([row(1, 500), row(2, 900), row(3, 500), row(4, 100)], 'net')
    expect(rows.map(one => [one.id, one.place])).toEqual([
      [2, 1],
      [1, 2],
      [3, 2],
      [4, 4],
    ])
  })
  it('are those of how many are better, for any values; nobody without any has one', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 9 })), values => {
        const rows = placed(
          values.map((value, id) => row(id, value)),
          'net',
        )
        expect(rows.length).toBe(values.filter(value => value > 0).length)
        for (const one of rows)
          expect(one.place).toBe(
            1 + rows.filter(other => valueOf(other, 'net') > valueOf(one, 'net')).length,
          )
      }),
    )
  })
})
describe('prizes', () => {
  it('are read line by line, for a place or for several', () => {
    expect(prizesOf('1 500\n2-5：200.50\n')).toEqual([
      { from: 1, to: 1, amount_cents: 50_000 },
      { from: 2, to: 5, amount_cents: 20_050 },
    ])
    const rows = placed([row(1, 9), row(2, 8), row(3, 8), row(4, 1)], 'net')
    const prizes = [
      { from: 1, to: 1, amount_cents: 5 },
      { from: 2, to: 3, amount_cents: 2 },
    ]
    expect(prizesFor(rows, prizes).map(one => [one.row.id, one.amount_cents])).toEqual([
      [1, 5],
      [2, 2],
      [3, 2],
    ])
  })
  it.each([
    '',
    '第一名 500',
    '1 500\n1-3 200',
    '3-1 5',
    '1 0',
    '1 -5',
    '1 1e3',
    '1 5.001',
    '1 99999',
  ])('are refused with the line that is wrong: %j', text => {
    expect(prizesOf(text)).toHaveProperty('fault')
  })
})
it('the period before is as long and ends right before', () => {
  const from = 1_700_000_000
  expect(periodBefore({ from, to: from + 7 * DAY - 1 })).toEqual({
    from: from - 7 * DAY,
    to: from - 1,
  })
})
it('a published name shows its first and last sign', () => {
  expect(['王', '王五', '欧阳小美'].map(maskedName)).toEqual(['*', '王*', '欧**美'])
})
it('a list is published once, taken back once published, and goods get no prizes', () => {
  const of = (status: 'frozen' | 'published', who: 'expert' | 'product' = 'expert') => ({
    status,
    who,
  })
  expect(rankCan('publish', of('frozen'))).toBe(true)
  expect(rankCan('publish', of('published'))).not.toBe(true)
  expect(rankCan('unpublish', of('frozen'))).not.toBe(true)
  expect(rankCan('grantPrize', of('frozen', 'product'))).not.toBe(true)
  expect(rankCan('exclude', of('frozen', 'product'))).not.toBe(true)
})
