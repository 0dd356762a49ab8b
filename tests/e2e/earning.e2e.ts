import { expect, type Page } from '@playwright/test'
import {
  answered,
  complaints,
  enter,
  focusedRow,
  keyboardTest as test,
  sayYes,
  settled,
  write,
} from './desk.ts'

const send = async (page: Page) => {
  await page.keyboard.press('Control+Enter')
  await answered(page)
}
test('a ladder is changed, a day is made up for and voided again, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/vip/score/clocked')
  await settled(page)
  const detail = page.getByRole('article')
  await expect(detail.getByText('近 14 天参与')).toBeVisible()
  await page.keyboard.press('e')
  await write(page, /^连续签到阶梯/, '3，2')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('dialog').getByText('后一天的积分不能少于前一天')).toBeVisible()
  await write(page, /^连续签到阶梯/, '2，3，4')
  await send(page)
  await expect(focusedRow(page)).toContainText('2 · 3 · 4')

  await page.keyboard.press('2')
  await settled(page)
  await page.keyboard.press('m')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await write(page, /^原因/, '旅程补签')
  await send(page)
  await page.keyboard.press('Home')
  await expect(focusedRow(page)).toContainText('补签')
  await page.keyboard.press('Shift+D')
  await expect(dialog.getByText(/已用掉的记为欠分/)).toBeVisible()
  await write(page, /^原因/, '旅程作废')
  await send(page)
  await expect(focusedRow(page)).toContainText('已作废')

  await page.keyboard.press('3')
  await settled(page)
  await expect(page.getByRole('article').getByText('每次积分')).toBeVisible()
  expect(found).toEqual([])
})
test('points of a profile are previewed, tried and saved, by keys alone', async ({ page }) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/vip/score/userInfo')
  await settled(page)
  const detail = page.getByRole('article')
  await page.keyboard.press('v')
  await write(page, /^头像/, '99')
  await send(page)
  await expect(detail.getByText('任务卡预览（未保存）')).toBeVisible()
  await expect(detail.getByText('+99')).toBeVisible()
  await page.keyboard.press('t')
  await write(page, /^生日/, '66')
  await send(page)
  await expect(detail.getByText('积分成本测算')).toBeVisible()
  await page.keyboard.press('e')
  await write(page, /^头像/, '23')
  const saved = page.waitForResponse(one => one.url().endsWith('/userInfo/save'))
  await send(page)
  expect((await saved).status()).toBe(200)
  expect(found).toEqual([])
})
test('a review is featured and its points are taken back, by keys alone', async ({ page }) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/vip/score/comment')
  await settled(page)
  await expect(page.getByRole('article').getByText('奖励后被删除')).toBeVisible()
  await page.goto('/manage/vip/score/comment?view=rewards&state=paid&featured=0')
  await settled(page)
  const feature = page.getByRole('article').getByRole('button', { name: /设为精选并加奖/ })
  // One that its member deleted can't be featured.
  for (let at = 0; at < 20 && !(await feature.isEnabled()); at++) await page.keyboard.press('j')
  const featured = page.waitForResponse(one => one.url().endsWith('/comment/feature'))
  await page.keyboard.press('f')
  await sayYes(page)
  expect((await featured).status()).toBe(200)
  await page.goto('/manage/vip/score/comment?view=rewards&state=paid&featured=1')
  await settled(page)
  await expect(focusedRow(page)).toContainText('精选')
  await page.keyboard.press('Shift+R')
  await expect(page.getByRole('dialog').getByText(/已用掉的记为欠分/)).toBeVisible()
  await write(page, /^原因/, '旅程收回')
  const revoked = page.waitForResponse(one => one.url().endsWith('/comment/revoke'))
  await send(page)
  expect((await revoked).status()).toBe(200)
  expect(found).toEqual([])
})
test('balances are checked, tasks arranged and one opened, by keys alone', async ({ page }) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/vip/score')
  await settled(page)
  await expect(page.getByRole('status', { name: '合计' }).getByText('未用积分')).toBeVisible()
  await expect(page.getByText('未来 90 天到期（按周）').first()).toBeVisible()
  const checked = page.waitForResponse(one => one.url().endsWith('/vip/score/recalc'))
  await page.keyboard.press('c')
  const { data } = (await (await checked).json()) as { data: { wrong_n: number } }
  expect(data.wrong_n).toBe(0)
  await page.keyboard.press('s')
  const sorted = page.waitForResponse(one => one.url().endsWith('/vip/score/sortRules'))
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Alt+ArrowDown')
  await send(page)
  expect((await sorted).status()).toBe(200)
  await page.keyboard.press('Home')
  await page.keyboard.press('o')
  await expect(page).toHaveURL(/\/vip\/score\/\w+/)
  expect(found).toEqual([])
})
