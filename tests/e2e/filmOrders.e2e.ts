import { expect, type Page } from '@playwright/test'
import { answered, complaints, enter, focusedRow, keyboardTest as test, settled } from './desk.ts'
import { moneyRows } from './moneyRows.ts'

const giveReason = async (page: Page, words: string) => {
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  const field = dialog.getByRole('textbox', { name: '原因' })
  for (let n = 0; n < 8 && !(await field.evaluate(one => one === document.activeElement)); n++)
    await page.keyboard.press('Tab')
  await expect(field).toBeFocused()
  await page.keyboard.type(words)
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(dialog).toHaveCount(0)
}

test('a stuck film order is asked about and issued anew before its show, and its seats are walked through, by keys alone', async ({
  page,
}, info) => {
  const found = complaints(page)
  const { issued, failed } = await moneyRows(info, 'stuckFilms')
  const stuck = (no: string) => `/manage/film/index?stage=pending_tickets&keyword=${no}`
  await enter(page, 'admin', stuck(issued))
  await settled(page)
  await expect(focusedRow(page)).toContainText('待出票')
  await page.keyboard.press('q')
  await expect(page.getByText(/取票码已发给顾客/).first()).toBeVisible()
  await page.goto(stuck(failed))
  await settled(page)
  await expect(focusedRow(page)).toContainText('出票失败')
  await page.keyboard.press('t')
  await giveReason(page, '临近开场，顾客在影院等候')
  await expect(page.getByText(/已改由/).first()).toBeVisible()
  await page.goto(`/manage/film/index?keyword=${failed}`)
  await settled(page)
  await expect(focusedRow(page)).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/film\/index\/detail\?.*id=/)
  const hall = page.getByRole('grid', { name: /座位图/ })
  await expect(hall).toBeVisible()
  await settled(page)
  const own = hall.getByRole('gridcell', { name: /本单/ }).first()
  for (let n = 0; n < 40 && !(await own.evaluate(one => one === document.activeElement)); n++)
    await page.keyboard.press('Tab')
  await expect(own).toBeFocused()
  await page.keyboard.press('Home')
  await expect(
    hall.getByRole('gridcell', { name: /排1座/ }).and(page.locator(':focus')),
  ).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect(
    hall.getByRole('gridcell', { name: /排2座/ }).and(page.locator(':focus')),
  ).toHaveCount(1)
  expect(found).toEqual([])
})
test('the seats of an order are shown whole or not at all', async ({ page }) => {
  await enter(page, 'admin', '/manage/film/index')
  await settled(page)
  const seats = page.locator('.m-grid-row [data-column=seats]')
  expect(
    await seats.evaluateAll(cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth)),
  ).toEqual([])
  await page.setViewportSize({ width: 2560, height: 1440 })
  await expect(seats.first()).toContainText('座')
})
