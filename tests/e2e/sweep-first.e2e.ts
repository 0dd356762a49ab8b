import { expect } from '@playwright/test'
import { enter, settled } from './desk.ts'
import { cutCells, sweep, test } from './sweep.ts'

sweep(0, 2)

test('a number that a list cuts is found', async ({ page, token }) => {
  await enter(page, 'admin', '/manage/order/voucher', { token })
  await settled(page)
  expect(await cutCells(page)).toEqual([])
  await page.addStyleTag({ content: '.m-grid-cell[data-align=end] { width: 12px }' })
  expect((await cutCells(page)).join('\n')).toMatch(/^\w+: \S*\d+\.\d\d$/m)
})
