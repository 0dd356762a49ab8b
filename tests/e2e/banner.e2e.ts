import { expect } from '@playwright/test'
import { command, complaints, enter, focusedRow, job, settled } from './desk.ts'

job('investigate who changed a banner and revert it', async ({ page }) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/system/banner?position=vip&city_id=1')
  await settled(page)
  const board = page.getByRole('grid', { name: '轮播图' })
  await expect(board).toBeFocused()
  const first = board.getByRole('row').first()
  const title = (await first.locator('b').textContent())!
  // Somebody gives it a wrong title.
  await page.keyboard.press('e')
  const field = page.getByRole('dialog').getByRole('textbox', { name: '标题' })
  await expect(field).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('写错的标题')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(first).toContainText('写错的标题')

  // The person, the time, and what stood there before.
  await command(page, '后台操作日志')
  await expect(page).toHaveURL(/\/manage\/system\/logs/)
  await settled(page)
  await expect(focusedRow(page)).toContainText('林知远')
  await expect(focusedRow(page)).toContainText('编辑轮播图')
  await expect(focusedRow(page)).toContainText('轮播图 写错的标题')
  await page.keyboard.press('d')
  await expect(page.getByText(title, { exact: true }).first()).toBeVisible()

  // Taken back, with a reason.
  await page.keyboard.press('z')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.type('标题写错了')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(focusedRow(page)).toContainText('林知远')
  await page.goto('/manage/system/banner?position=vip&city_id=1')
  await expect(board.getByRole('row').first()).toContainText(title)
  expect(found).toEqual([])
})
