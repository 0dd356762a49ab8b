import { expect, type Page } from '@playwright/test'
import {
  command,
  complaints,
  enter,
  focusedRow,
  keyboardTest as test,
  settled,
  tabTo,
  toTab,
} from './desk.ts'

const dialogOf = (page: Page) => page.getByRole('dialog')
const field = (page: Page, name: RegExp) => dialogOf(page).getByLabel(name)
test('a rate is tried, refused beyond the margin with its sum, and set, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/home')
  await command(page, '分销商品')
  await expect(page).toHaveURL(/distribution\/index\/product/)
  await settled(page)
  await toTab(page, /^分销中/)
  // What is tried is counted while it is written.
  await page.keyboard.press('t')
  const rate = page.getByRole('textbox', { name: '拟调佣金（%）' })
  await expect(rate).toBeFocused()
  await page.keyboard.type('99')
  await expect(page.getByRole('article').getByText(/超过售价减结算价/)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('1')
  await expect(page.getByRole('article').getByText(/超过售价减结算价/)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(rate).toHaveCount(0)

  await page.locator('.m-grid, [role=grid]').first().focus()
  await page.keyboard.press('e')
  await tabTo(page, field(page, /^计佣方式/))
  await page.keyboard.type('按比例')
  await tabTo(page, field(page, /^分销佣金/))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('99')
  await tabTo(page, field(page, /^原因/))
  await page.keyboard.type('季度调佣')
  await page.keyboard.press('Control+Enter')
  await expect(dialogOf(page).getByText(/超过售价减结算价/)).toBeVisible()
  await tabTo(page, field(page, /^分销佣金/), 'Shift+Tab')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('0.5')
  await page.keyboard.press('Control+Enter')
  await expect(dialogOf(page)).toHaveCount(0)
  await expect(focusedRow(page)).toContainText('0.5%')
  // The rate that was too much was refused by the server.
  expect(found.filter(one => !one.includes('status of 400'))).toEqual([])
})
test('a material is begun for the goods that are chosen, by keys alone', async ({ page }) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/distribution/index/product?status=on')
  await settled(page)
  await expect(focusedRow(page)).toBeVisible()
  const goods = await page.getByRole('article').getAttribute('aria-label')
  await page.keyboard.press('m')
  await expect(dialogOf(page).getByRole('textbox', { name: '标题' })).toBeVisible()
  await expect(dialogOf(page)).toContainText(goods!)
  expect(found).toEqual([])
})
