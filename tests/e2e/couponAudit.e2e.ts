import { expect } from '@playwright/test'
import { complaints, enter, focusedRow, keyboardTest as test, settled } from './desk.ts'

test('a large coupon is claimed, remarked on, handed to finance and approved by keys alone', async ({
  page,
  colleague,
}) => {
  test.setTimeout(120_000)
  const found = complaints(page)
  const remark = `旅程${String(Date.now()).slice(-6)}`
  await enter(page, 'auditor', '/manage/coupon/audit?sort=exposure&flagged=true')
  await settled(page)
  const list = page.getByRole('grid', { name: '待审优惠券' })
  const row = list.getByRole('row').filter({ hasText: '待审核' }).filter({ hasText: '须财务复审' })
  await expect(row).toHaveCount(1)
  while (
    (await focusedRow(page).count()) === 0 ||
    !(await focusedRow(page).textContent())!.includes('待审核')
  )
    await page.keyboard.press('j')
  const name = (await page.getByRole('article').first().getAttribute('aria-label'))!
  await page.keyboard.press('c')
  await expect(page.getByText(/已领取，保留 \d 分钟/)).toBeVisible()
  await page.keyboard.press('i')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox', { name: '意见' })).toBeFocused()
  await page.keyboard.type(remark)
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('a')
  await expect(focusedRow(page)).not.toContainText('须财务复审 待审核')

  const desk = await colleague()
  await enter(desk, 'finance', '/manage/coupon/audit?second=true&sort=exposure')
  await settled(desk)
  await desk.keyboard.press('j')
  while ((await desk.getByRole('article').first().getAttribute('aria-label')) !== name)
    await desk.keyboard.press('j')
  await desk.keyboard.press('o')
  await expect(desk.getByText(remark)).toBeVisible()
  await desk.keyboard.press('f')
  const opinion = desk.getByRole('dialog')
  await expect(opinion.getByRole('textbox', { name: '复审意见' })).toBeFocused()
  await desk.keyboard.type('预算充足，同意')
  await desk.keyboard.press('Control+Enter')
  await expect(opinion).toHaveCount(0)
  await desk.goto(`/manage/coupon/audit?state=approved&keyword=${encodeURIComponent(name)}`)
  await settled(desk)
  await expect(
    desk.getByRole('grid').getByRole('row').filter({ hasText: name }).first(),
  ).toBeVisible()
  expect(found).toEqual([])
})
