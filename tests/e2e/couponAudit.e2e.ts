import { expect, type Page } from '@playwright/test'
import { complaints, enter, focusedRow, keyboardTest as test, settled } from './desk.ts'

/** Goes from row to row until the one in focus says all of these. */
const toRow = async (page: Page, ...words: readonly string[]) => {
  const row = focusedRow(page)
  const isThere = async () => {
    const told = (await row.textContent())!
    return words.every(word => told.includes(word))
  }
  while (!(await isThere())) {
    const id = (await row.getAttribute('id'))!
    await page.keyboard.press('j')
    await expect(row).not.toHaveAttribute('id', id)
  }
}
const nameOf = async (page: Page) =>
  (await page.getByRole('article').first().getAttribute('aria-label'))!

test('a large coupon is claimed, remarked on, handed to finance and approved by keys alone', async ({
  page,
  colleague,
}) => {
  const found = complaints(page)
  const remark = `旅程${String(Date.now()).slice(-6)}`
  await enter(page, 'auditor', '/manage/coupon/audit?sort=exposure&flagged=true&second=false')
  await settled(page)
  await toRow(page, '待审核', '须财务复审')
  await page.keyboard.press('c')
  await expect(page.getByText(/已领取，保留 \d 分钟/)).toBeVisible()
  const name = await nameOf(page)
  await page.keyboard.press('i')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox', { name: '意见' })).toBeFocused()
  await page.keyboard.type(remark)
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('a')
  await expect(page.getByText(/已领取，保留 \d 分钟/)).toHaveCount(0)

  // Whoever decided first can't decide it again: somebody of finance does.
  const desk = await colleague()
  await enter(desk, 'admin', '/manage/coupon/audit?sort=exposure&second=true')
  await settled(desk)
  await toRow(desk, name)
  await desk.keyboard.press('o')
  await settled(desk)
  await expect(desk.getByText(remark)).toBeVisible()
  await desk.keyboard.press('f')
  const opinion = desk.getByRole('dialog')
  await expect(opinion.getByRole('textbox', { name: '复审意见' })).toBeFocused()
  await desk.keyboard.type(remark)
  await desk.keyboard.press('Control+Enter')
  await expect(opinion).toHaveCount(0)
  await desk.goto(`/manage/coupon/audit?state=approved&keyword=${encodeURIComponent(name)}`)
  await settled(desk)
  await toRow(desk, name)
  await expect(desk.getByRole('article', { name }).first()).toContainText(remark)
  expect(found).toEqual([])
})
