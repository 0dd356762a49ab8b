import { expect } from '@playwright/test'
import { enter, settled } from './desk.ts'
import { bareSums, blackIcons } from './looks.ts'
import { blueFaults, cutCells, darkened, sweep, test, toastFaults } from './sweep.ts'

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

test('an icon that stays black in the dark is found, and an amount without its sign', async ({
  page,
  token,
}) => {
  await enter(page, 'admin', '/manage/redeemCode/index', { token, 'theme:admin': 'system' })
  await settled(page)
  expect(await bareSums(page)).toEqual([])
  const sum = page.locator('.m-facts dd .m-num').filter({ hasText: /^¥[\d,]+\.\d\d$/ })
  await sum.first().evaluate(one => one.replaceChildren(one.textContent!.slice(1)))
  expect(await bareSums(page)).toHaveLength(1)
  await darkened(page)
  expect(await blackIcons(page)).toEqual([])
  await page.addStyleTag({ content: '.m-badge svg { fill: black }' })
  expect((await blackIcons(page)).length).toBeGreaterThan(0)
})

// After what must find a fault, as it turns pages to other views, which are remembered.
sweep(0, 2)
