import { expect, type Page } from '@playwright/test'
import { answered, complaints, enter, keyboardTest as test, settled } from './desk.ts'

const write = async (page: Page, label: string, value: string) => {
  await page.getByRole('dialog').getByRole('textbox', { name: label }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(value)
}
test('a level of the draft is changed and tried on all members, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  const points = String(Date.now()).slice(-5).replace(/^0+/, '1')
  await enter(page, 'admin', '/manage/vip/rules?status=draft')
  await settled(page)
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await write(page, '升级赠送积分', points)
  await page.keyboard.press('Control+Enter')
  await answered(page)
  const detail = page.getByRole('article')
  await expect(detail.getByText(points, { exact: true })).toBeVisible()
  await page.keyboard.press('t')
  await expect(page.locator('.s-toast').filter({ hasText: '到保级日降级' })).toBeVisible()
  expect(found).toEqual([])
})
test('a member is protected from a row of the records, by keys alone', async ({ page }) => {
  const found = complaints(page)
  const why = `住院保级${String(Date.now()).slice(-7)}`
  await enter(page, 'admin', '/manage/vip/record')
  await settled(page)
  await page.keyboard.press('p')
  await write(page, '原因', why)
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(page.getByRole('article').getByText(why)).toBeVisible()
  expect(found).toEqual([])
})
