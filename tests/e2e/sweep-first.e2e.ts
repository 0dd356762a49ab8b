import { expect } from '@playwright/test'
import { enter, settled } from './desk.ts'
import { blueFaults, cutCells, sweep, test, toastFaults } from './sweep.ts'

test('a number that a list cuts is found', async ({ page, token }) => {
  await enter(page, 'admin', '/manage/order/voucher', { token })
  await settled(page)
  expect(await cutCells(page)).toEqual([])
  await page.addStyleTag({ content: '.m-grid-cell[data-align=end] { width: 12px }' })
  expect((await cutCells(page)).join('\n')).toMatch(/^\w+: \S*\d+\.\d\d$/m)
})

test('a second blue button is found, and one that can’t be pressed', async ({ page, token }) => {
  await enter(page, 'admin', '/manage/system/staff', { token })
  await settled(page)
  expect(await blueFaults(page)).toEqual([])
  const main = page.locator('.m-toolbar .bp6-intent-primary')
  await main.evaluate(button => button.after(button.cloneNode(true)))
  expect(await blueFaults(page)).toHaveLength(2)
  await main.nth(1).evaluate(button => button.remove())
  await main.evaluate(button => button.classList.add('bp6-disabled'))
  expect(await blueFaults(page)).toEqual([expect.stringMatching(/^off: /)])
})

test('a message that stands on the name of an item is found', async ({ page, token }) => {
  await enter(page, 'admin', '/manage/order/voucher', { token })
  await settled(page)
  expect(await toastFaults(page)).toEqual([])
  await page.addStyleTag({
    content: '.s-toasts { left: auto !important; right: 16px !important; top: 70px !important }',
  })
  expect((await toastFaults(page)).join('\n')).toMatch(/^1440×900 /m)
})

// After what must find a fault, as it turns pages to other views, which are remembered.
sweep(0, 2)
