import { expect } from '@playwright/test'
import {
  answered,
  complaints,
  decide,
  enter,
  focusedRow,
  keyboardTest as test,
  sayYes,
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
test('several refunds are agreed to at once, one of which its provider refuses, by keys alone', async ({
  page,
}, info) => {
  test.setTimeout(180_000)
  const found = complaints(page)
  const { mall_id, order_nos } = await moneyRows(info, 'someFilms')
  await enter(page, 'admin', `${PAGE}?state=applied&mall_id=${mall_id}`)
  await settled(page)
  const rows = page.locator('.m-grid-row').filter({ visible: true })
  await expect(rows).toHaveCount(3)
  for (const key of ['Space', 'j', 'Space', 'j', 'Space']) await page.keyboard.press(key)
  await page.keyboard.press('Shift+A')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/3 单，退 ¥232\.20；渠道退票后亏损 ¥/)).toBeVisible()
  await sayYes(page)
  await answered(page)

  // Each tells by itself what its provider said; the money left of all three.
  for (const [at, no] of order_nos.entries()) {
    await page.goto(`${PAGE}?state=done&keyword=${no}`)
    await settled(page)
    await expect(focusedRow(page)).toContainText('已退款', { timeout: 60_000 })
    const file = page.getByRole('article')
    await expect(
      file.getByText(at === 1 ? '影院不支持退票' : '已退票，退回成本 ¥70.00').first(),
    ).toBeVisible()
    await expect(file.getByText(at === 1 ? '渠道拒绝' : '已退票', { exact: true })).toBeVisible()
  }
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
