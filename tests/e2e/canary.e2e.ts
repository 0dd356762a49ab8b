import { expect } from '@playwright/test'
import { answered, complaints, signIn, test } from './desk.ts'

const CANARY = `<img src=x onerror="window.canary=1"><b>粗</b>`

test('markup that a person typed is shown as they typed it, and never runs', async ({ page }) => {
  const found = complaints(page)
  await signIn(page, 'supervisor')
  await page.goto('/manage/audit/bulks?state=pending&sort=newest')
  await expect(page.locator('article h2')).toBeVisible()
  // One that no rule forbids: an approval of it goes through.
  for (let i = 0; i < 20 && (await page.getByText('不可通过', { exact: true }).count()) > 0; i++) {
    const before = await page.locator('article h2').textContent()
    await page.keyboard.press('j')
    await expect(page.locator('article h2')).not.toHaveText(before!)
  }
  await page.keyboard.press('Shift+M')
  await page.getByRole('textbox', { name: '标题' }).fill(CANARY)
  await page.getByRole('textbox', { name: '说明' }).fill('测试标记')
  await page.keyboard.press('Enter')
  await answered(page)
  await page.goto('/manage/audit/bulks?state=approved&sort=newest&keyword=onerror')
  await expect(page.getByRole('gridcell', { name: CANARY })).toBeVisible()
  await expect(page.locator('article h2')).toHaveText(CANARY)
  expect(
    await page.evaluate(() => (window as unknown as { canary?: number }).canary),
  ).toBeUndefined()
  expect(found).toEqual([])
})
