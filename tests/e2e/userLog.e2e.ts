import { expect } from '@playwright/test'
import { answered, complaints, enter, focusedRow, keyboardTest as test, settled } from './desk.ts'

test('whoever is told "it was not me" sees the timeline and who shares the device, and acts, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/user/log?kind=login&risk=high')
  await settled(page)
  await expect(focusedRow(page)).toContainText('登录')
  const detail = page.getByRole('article').first()
  await expect(detail.getByText('设备上有 8 个以上账号')).toBeVisible()

  await page.keyboard.press('d')
  const shared = page.getByRole('dialog', { name: '同设备账号' })
  await expect(shared.getByText(/近 180 天共 \d+ 个账号/)).toBeVisible()
  await expect(shared.getByText(/^dev-ring-/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(shared).toBeHidden()

  await page.keyboard.press('i')
  const address = page.getByRole('dialog', { name: '同 IP 账号' })
  await expect(address.getByText(/^203\.0\.113\./)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(address).toBeHidden()

  await page.keyboard.press('t')
  const timeline = page.getByRole('dialog', { name: /的时间线$/ })
  await expect(timeline.getByText('用过的设备')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(timeline).toBeHidden()

  await page.keyboard.press('b')
  await page.getByRole('dialog').getByRole('textbox', { name: /^原因/ }).focus()
  await page.keyboard.type('旅程核查')
  const sent = page.waitForResponse(said => said.url().endsWith('/user/log/sanction'))
  await page.keyboard.press('Control+Enter')
  expect((await sent).status()).toBe(200)
  await answered(page)
  expect(found).toEqual([])
})
