import { expect } from '@playwright/test'
import {
  complaints,
  decide,
  enter,
  focusedRow,
  keyboardTest as test,
  settled,
  tabTo,
} from './desk.ts'
import { moneyRows } from './moneyRows.ts'

const PAGE = '/manage/film/refund'
test('tickets go back though their provider refuses, by keys alone', async ({ page }, info) => {
  test.setTimeout(180_000)
  const found = complaints(page)
  const no = await moneyRows(info, 'refusedFilm')
  await enter(page, 'admin', `${PAGE}?state=applied&kind=user&keyword=${no}`)
  await settled(page)
  await expect(page.getByRole('article').getByText('预计亏损').first()).toBeVisible()
  await decide(page, 'a')

  // The provider is asked by itself, and the money leaves whatever it says.
  await page.goto(`${PAGE}?state=done&keyword=${no}`)
  await settled(page)
  await expect(focusedRow(page)).toContainText('已退款', { timeout: 60_000 })
  const file = page.getByRole('article')
  await expect(file.getByText('影院不支持退票').first()).toBeVisible()
  await expect(file.getByText('渠道拒绝').first()).toBeVisible()

  // On the phone the provider gives some of it back after all.
  await page.keyboard.press('p')
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByRole('textbox').first())
  await page.keyboard.press('Control+a')
  await page.keyboard.type('10')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(file.getByText('人工登记渠道退回 ¥10.00')).toBeVisible()

  // What came back is written down once.
  await page.keyboard.press('p')
  await expect(dialog).toHaveCount(0)
  expect(found).toEqual([])
})
/** A request with its statement is opened from the queue. */
test('a film withdrawal shows the statement that it is made of', async ({ page }) => {
  const found = complaints(page)
  await enter(page, 'supervisor', '/manage/film/withdrawal?status=paid')
  await settled(page)
  await expect(page.getByRole('region', { name: '影票账户' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText('已核平')).toBeVisible()
  await page.keyboard.press('c')
  await expect(page.getByText('流水已核平')).toBeVisible()
  expect(found).toEqual([])
})
