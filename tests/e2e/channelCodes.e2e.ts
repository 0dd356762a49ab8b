import { expect } from '@playwright/test'
import {
  answered,
  complaints,
  enter,
  keyboardTest as test,
  sayYes,
  settled,
  tabTo,
  toasts,
} from './desk.ts'

test('a live code is written, tried, published, paused and taken on again, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  const code = '旅程台卡活码'
  const dialog = page.getByRole('dialog')
  await enter(page, 'admin', '/manage/channel/code')
  await settled(page)
  await page.keyboard.press('c')
  await expect(page).toHaveURL(/channel\/code\/edit/)
  await settled(page)
  const form = page.getByRole('form', { name: '渠道活码' })
  // A form begins at its first field, where a letter is typed.
  await expect(form.getByRole('textbox', { name: /^活码名称/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('a')
  await expect(dialog.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(form.getByRole('spinbutton', { name: / 的权重$/ })).toHaveCount(1)
  // A shift leaves hours without anybody, which a backup takes.
  await page.keyboard.press('i')
  await expect(form.getByRole('group', { name: '班次 1' })).toBeVisible()
  await tabTo(page, form.getByRole('textbox', { name: /^活码名称/ }))
  await page.keyboard.type(code)
  await page.keyboard.press('Control+Enter')
  await expect(form.getByText(/无人接待，请补充班次或备用成员/)).toBeVisible()
  await tabTo(page, form.getByRole('button', { name: '删除班次 1' }))
  await page.keyboard.press('Enter')
  const replay = page.getByRole('status').filter({ hasText: '当班接待' })
  await expect(replay).toContainText('100%')
  await tabTo(page, form.getByRole('textbox', { name: /^活码名称/ }))
  await page.keyboard.press('Control+Enter')
  await expect(toasts(page).getByText('已提交企微，确认后生效')).toBeVisible()
  await expect(page).toHaveURL(/channel\/code\/edit\?id=\d+/)
  // It is live once WeCom has answered.
  await expect(page.getByText('启用中', { exact: true }).filter({ visible: true })).toBeVisible({
    timeout: 30_000,
  })
  await expect(page.getByText(/^1（当前）$/)).toBeVisible()

  await page.goto(`/manage/channel/code?keyword=${encodeURIComponent(code)}`)
  await settled(page)
  const detail = page.getByRole('article')
  await expect(detail.getByText('启用中').first()).toBeVisible()
  await expect(detail.getByRole('img', { name: `${code} 的二维码` })).toBeVisible()
  await page.keyboard.press('t')
  await expect(dialog.getByText('当班接待').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('p')
  await expect(dialog.getByText(/近 7 天扫码 0 次/)).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(detail.getByText('已暂停').first()).toBeVisible()
  await page.keyboard.press('u')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(detail.getByText('启用中').first()).toBeVisible()
  await page.keyboard.press('y')
  await sayYes(page)
  await answered(page)
  await expect(detail.getByText('与企微一致')).toBeVisible({ timeout: 30_000 })
  await page.keyboard.press('d')
  await expect(dialog.getByText('下载二维码').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect(found.filter(one => !one.includes('status of 400'))).toEqual([])
})
