import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hoursFault, hoursWords, type StoreHours } from '#src/areas/merchant/storeHours.ts'
import {
  hoursTyped,
  nameKey,
  priceTyped,
  samePlace,
  storeColumns,
} from '#src/areas/merchant/storeSheet.ts'

const wordsOf = (typed: string) => {
  const said = hoursTyped(typed)
  return 'fault' in said ? said.fault[0] : hoursWords(said)
}

describe('hours out of a cell', () => {
  it.each([
    ['', ''],
    ['10:00-22:00', '10:00-22:00'],
    ['9:00－21:30', '09:00-21:30'],
    ['10:00~次日02:00', '10:00-次日 02:00'],
    ['24 小时', '24 小时'],
    ['每天 10:00 至 22:00', '10:00-22:00'],
    [
      '周一至周五 10:00-21:00；周六、周日 10:00-22:00',
      '周一至周五 10:00-21:00；周六、周日 10:00-22:00',
    ],
    ['星期一 10:00-14:00、17:00-21:00', '周一 10:00-14:00、17:00-21:00'],
  ])('“%s” are “%s”', (typed, words) => expect(wordsOf(typed)).toBe(words))
  it.each([
    '看心情',
    '10:00',
    '25:00-26:00',
    '周八 10:00-12:00',
    '周五至周一 10:00-12:00',
    '10:00-22:00 除节假日',
  ])('“%s” can’t be read', typed => expect(wordsOf(typed)).toContain('“营业时间”'))
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`)
  it('that are sound are read again out of the words that customers read', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), {
              minLength: 1,
              maxLength: 7,
            }),
            from: time,
            to: time,
          }),
          { minLength: 1, maxLength: 4 },
        ),
        week => {
          const hours: StoreHours = { week, holidays: [] }
          fc.pre(hoursFault(hours) === undefined)
          expect(wordsOf(hoursWords(hours))).toBe(hoursWords(hours))
        },
      ),
    ))
  it('of any text are hours or a fault', () =>
    fc.assert(
      fc.property(fc.string(), typed => {
        const said = hoursTyped(typed)
        if (!('fault' in said)) expect(hoursFault(said)).toBeUndefined()
      }),
    ))
})

it('a price is cents of what is an amount', () => {
  expect([priceTyped(''), priceTyped('88.5'), priceTyped('¥1,200')]).toEqual([0, 8850, 120_000])
  expect(priceTyped('8.888')).toMatchObject({
    fault: [expect.stringContaining('不是金额'), expect.any(String)],
  })
})
it('names and places are compared as people read them', () => {
  expect(nameKey(' Ａ店  Ｂ ')).toBe('a店 b')
  const at = { mall_id: 3, floor: '1F', door: 'A1', address: '' }
  expect(samePlace(at, { ...at, floor: '１f' })).toBe(true)
  for (const other of [{ mall_id: 4 }, { door: 'A2' }, { address: '路 1 号' }])
    expect(samePlace(at, { ...at, ...other })).toBe(false)
})
it('each column has a title of its own', () => {
  for (const lang of [0, 1])
    expect(new Set(storeColumns.map(one => one.title[lang])).size).toBe(storeColumns.length)
})
