import { expect } from '@playwright/test'
import {
  answered,
  complaints,
  enter,
  focusedRow,
  keyboardTest as test,
  sayYes,
  settled,
  tabTo,
  toasts,
  write,
} from './desk.ts'
import { moneyRows } from './moneyRows.ts'

test('a campaign of first tickets is written, approved by another, started and paused, by keys alone', async ({
  page,
  colleague,
}) => {
  const found = complaints(page)
  const n = Date.now()
  const name = `旅程首票${String(n).slice(-7)}`
  // Campaigns of one place never overlap: each run has a day of its own.
  const from = new Date(Date.UTC(2031, 0, 1) + (Math.floor(n / 1000) % 3000) * 86_400_000)
  const day = (after: number) =>
    new Date(from.getTime() + after * 43_200_000).toISOString().slice(0, 16).replace('T', ' ')
  await enter(page, 'admin', '/manage/film/pullNew')
  await settled(page)
  await page.keyboard.press('c')
  await write(page, '活动名称', name)
  await write(page, '新客价', '9.9')
  await write(page, '每张最多补贴', '30')
  await write(page, '每位新客奖励', '5')
  await write(page, '总名额', '100')
  await write(page, '每日名额', '20')
  await write(page, '开始时间', day(0))
  await write(page, '结束时间', day(1))
  await page.keyboard.press('Control+Enter')
  await answered(page)

  await page.goto(`/manage/film/pullNew?keyword=${encodeURIComponent(name)}`)
  await settled(page)
  const detail = page.getByRole('article')
  await expect(detail.getByText(/最多花费 3,500.00 元/)).toBeVisible()
  await page.keyboard.press('s')
  await sayYes(page)
  await answered(page)
  await expect(detail.getByText('待审核').first()).toBeVisible()
  // Its maker does not decide it.
  await page.keyboard.press('a')
  await expect(page.locator('.s-toast').filter({ hasText: '须由另一人' })).toBeVisible()

  const other = await colleague()
  await enter(other, 'supervisor', `/manage/film/pullNew?keyword=${encodeURIComponent(name)}`)
  await settled(other)
  await other.keyboard.press('a')
  await expect(other.getByRole('dialog').getByText(/最多花费 3,500.00 元/)).toBeVisible()
  await sayYes(other)
  await answered(other)
  await expect(other.getByRole('article').getByText('待开始').first()).toBeVisible()

  await page.reload()
  await settled(page)
  await page.keyboard.press('b')
  await expect(detail.getByText('进行中').first()).toBeVisible()
  await page.keyboard.press('p')
  await write(page, '原因', '核对补贴口径')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(detail.getByText('已暂停').first()).toBeVisible()
  expect(found).toEqual([])
})
test('promoters of a campaign are rewarded for a period, and the figures tell it, by keys alone', async ({
  page,
}, info) => {
  const found = complaints(page)
  const { id, name } = await moneyRows(info, 'campaign')
  await enter(page, 'admin', `/manage/film/pullNewStat?activity_id=${id}`)
  await settled(page)
  const sums = page.getByRole('status', { name: '合计' })
  await expect(sums).toContainText(/待结奖励\s*¥10\.00/)
  await expect(sums).toContainText(/已结奖励\s*¥0\.00/)
  await page.keyboard.press('s')
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByRole('combobox', { name: /^活动/ }))
  await page.keyboard.type(name)
  await expect(dialog.getByRole('option').first()).toContainText(name)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(toasts(page).filter({ hasText: '已结算 2 位新客的奖励' })).toBeVisible()
  await expect(sums).toContainText(/待结奖励\s*¥0\.00/)
  await expect(sums).toContainText(/已结奖励\s*¥10\.00/)
  await expect(focusedRow(page)).toContainText(name)

  // Each record says that it was rewarded.
  await page.goto(`/manage/film/pullNewStat?view=records&activity_id=${id}`)
  await settled(page)
  await expect(focusedRow(page)).toContainText('已奖励')
  expect(found).toEqual([])
})
test('figures are opened finer and compared with before, by keys alone', async ({ page }) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/film/datastat?by=film')
  await settled(page)
  await page.keyboard.press('o')
  await expect(page).toHaveURL(/compare=/)
  await settled(page)
  await page.keyboard.press('j')
  await page.keyboard.press('d')
  await expect(page).toHaveURL(/by=cinema/)
  await expect(page).toHaveURL(/film_id=/)
  await settled(page)
  expect(found).toEqual([])
})
