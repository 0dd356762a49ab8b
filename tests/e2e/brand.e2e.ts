import { expect } from '@playwright/test'
import { complaints, enter, focusedRow, keyboardTest as test, settled } from './desk.ts'

test('a brand that was entered twice is merged by keys alone, and leads to the other', async ({
  page,
}) => {
  test.setTimeout(90_000)
  const found = complaints(page)
  // The merged one of an earlier try is no duplicate any more: another one stands first.
  await enter(page, 'admin', '/manage/brand/index?alike=1&keyword=旗舰店')
  await settled(page)
  await page.keyboard.press('j')
  const name = await page.getByRole('article').first().getAttribute('aria-label')
  await page.keyboard.press('m')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/将转入目标品牌，不可撤销/)).toBeVisible()
  const reason = dialog.getByRole('textbox', { name: '原因' })
  await reason.focus()
  await page.keyboard.type('同一品牌录入两次')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(/已转入 \d+ 家门店、\d+ 件商品/)).toBeVisible()

  await page.goto(`/manage/brand/index?state=merged&keyword=${encodeURIComponent(name!)}`)
  await settled(page)
  await page.keyboard.press('j')
  await expect(focusedRow(page)).toContainText(name!)
  await expect(page.getByRole('article').first()).toContainText('已并入')
  expect(found).toEqual([])
})
