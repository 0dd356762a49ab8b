import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  beginOf,
  relativeTime,
  usualDays,
  viewAddress,
  viewSearch,
} from '#src/areas/workbench/view.ts'
import { dateOf, dayStart } from '#src/domain/time.ts'

const moment = fc.integer({ min: 1_577_836_800, max: 1_893_456_000 })
test('days that end today begin at a Shanghai midnight, move with the day, and are as many as they are called', () => {
  fc.assert(
    fc.property(moment, now => {
      for (const { key } of usualDays) {
        const from = beginOf(key, now)
        expect(from).toBe(dayStart(from))
        const days = (dayStart(now) - from) / 86_400 + 1
        if (key === 'month')
          expect([dateOf(from).slice(8), dateOf(from).slice(0, 7)]).toEqual([
            '01',
            dateOf(now).slice(0, 7),
          ])
        else expect(days).toBe({ '0d': 1, '7d': 7, '30d': 30 }[key])
        if (key !== 'month') expect(beginOf(key, now + 86_400)).toBe(from + 86_400)
      }
    }),
  )
})
test('only the words of usual days are relative times; a moment is itself', () => {
  expect(
    ['0d', '7d', '30d', 'month', '8d', '1795000000', '', 'constructor'].map(
      word => relativeTime(word, 1_795_000_000) !== undefined,
    ),
  ).toEqual([true, true, true, true, false, false, false, false])
})
test('the filters of a view are the same text however they were asked, without page and view', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.stringMatching(/^[a-z_]{1,8}$/),
        fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
      ),
      of => {
        const pairs = Object.entries(of)
        const asked = new URLSearchParams([...pairs, ['page', '3'], ['view', '7']])
        const turned = new URLSearchParams([['view', '1'], ...pairs.reverse()])
        expect(viewSearch(`${asked}`)).toBe(viewSearch(`${turned}`))
        const { page: _, view: __, ...kept } = of
        expect(Object.fromEntries(new URLSearchParams(viewSearch(`${asked}`)))).toEqual(kept)
      },
    ),
  )
  expect(viewAddress({ id: 4, page: '/manage/audit/bulks', search: 'from=7d' })).toBe(
    '/manage/audit/bulks?from=7d&view=4',
  )
})
