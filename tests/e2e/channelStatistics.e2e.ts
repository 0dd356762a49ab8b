import { expect } from '@playwright/test'
import {
  answered,
  complaints,
  enter,
  focusedRow,
  keyboardTest as test,
  settled,
  toasts,
} from './desk.ts'

test('channels are compared, a cost is entered, and one code is opened and marked, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  const dialog = page.getByRole('dialog')
  await enter(page, 'admin', '/manage/channel/statistics')
  await settled(page)
  const totals = page.getByRole('status', { name: '合计' })
  await expect(totals).toContainText('含今日，未完')
  await page.keyboard.press('o')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(totals).toContainText(/对比 \d{4}-\d{2}-\d{2} 起/)
  await answered(page)
  await settled(page)
  // What came without a code, at whatever place it stands, has no cost.
  const row = focusedRow(page)
  if ((await row.textContent())!.includes('自然添加')) {
    await page.keyboard.press('j')
    await expect(row).not.toContainText('自然添加')
  }
  await page.keyboard.press('m')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('textbox', { name: /^成本/ }).focus()
  await page.keyboard.type('12')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await page.keyboard.press('d')
  await expect(page).toHaveURL(/statistics\/detail\?code_id=\d+/)
  await settled(page)
  await page.keyboard.press('m')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('textbox', { name: /^发生了什么/ }).focus()
  const note = `旅程：换了台卡位置 ${String(Date.now()).slice(-8)}`
  await page.keyboard.type(note)
  await page.keyboard.press('Control+Enter')
  await expect(toasts(page).getByText('已标注')).toBeVisible()
  await expect(page.getByRole('article').getByText(note)).toBeVisible()
  expect(found).toEqual([])
})
