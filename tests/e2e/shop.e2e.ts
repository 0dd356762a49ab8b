import { expect } from '@playwright/test'
import { complaints, enter, focusedRow, keyboardTest as test, settled } from './desk.ts'

test('a merchant is frozen and thawed by keys alone, told before what it takes off sale', async ({
  page,
}) => {
  test.setTimeout(90_000)
  const found = complaints(page)
  await enter(page, 'admin', '/manage/shop/index?status=active')
  await settled(page)
  await page.keyboard.press('j')
  const name = await page.getByRole('article').first().getAttribute('aria-label')
  await page.keyboard.press('f')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/件在售商品将下架，解冻后恢复/)).toBeVisible()
  await page.keyboard.type('资质造假调查')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(/已冻结，下架 \d+ 件商品/)).toBeVisible()

  // It is among the frozen now, where it is found by its name.
  await page.keyboard.press('/')
  await page.keyboard.type(name!)
  await page.keyboard.press('Enter')
  await page.keyboard.press(']')
  await page.keyboard.press('j')
  await expect(focusedRow(page)).toContainText('已冻结')
  await page.keyboard.press('u')
  await expect(dialog.getByText(/件因冻结下架的商品恢复在售/)).toBeVisible()
  await page.keyboard.type('调查结束，未发现问题')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(/已解冻，\d+ 件商品恢复在售/)).toBeVisible()
  expect(found).toEqual([])
})
