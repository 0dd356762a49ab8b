import { expect, test } from 'vitest'
import { CONFIRM_CENTS, CONFIRM_ROWS, needsCount, saysCount } from '#src/areas/export/dryRun.ts'

test('a count is typed for more rows than a page shows, and for much money of several rows', () => {
  expect([
    needsCount(CONFIRM_ROWS, undefined),
    needsCount(CONFIRM_ROWS + 1, undefined),
    needsCount(2, CONFIRM_CENTS - 1),
    needsCount(2, CONFIRM_CENTS),
  ]).toEqual([false, true, false, true])
  // A single row shows its own amount.
  expect(needsCount(1, 100 * CONFIRM_CENTS)).toBe(false)
})
test('it may be typed in either width, with separators, and with what is counted behind it', () => {
  for (const typed of ['1200', '１２００', ' 1,200 ', '1，200', '1200 项', '1200条'])
    expect([typed, saysCount(typed, 1200)]).toEqual([typed, true])
  for (const typed of ['', '120', '12000', '一千二百', '1200.0', '项'])
    expect([typed, saysCount(typed, 1200)]).toEqual([typed, false])
})
