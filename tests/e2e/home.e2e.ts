import { expect, type Page } from '@playwright/test'
import { complaints, keyboardTest, settled, signIn } from './desk.ts'

const panel = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const blue = (page: Page) => page.locator('.h-page .bp6-button.bp6-intent-primary')
const claim = (page: Page) => page.getByRole('button', { name: '领取下一条审核' })
/** Presses a control that the keyboard has reached. */
const press = async (page: Page, name: string, key = 'Enter') => {
  const button = page.getByRole('button', { name })
  await button.focus()
  await expect(button).toBeFocused()
  await page.keyboard.press(key, { delay: 40 })
}

keyboardTest('a newcomer begins with three steps into practice', async ({ page }) => {
  const found = complaints(page)
  await signIn(page, 'newcomer')
  const steps = panel(page, /新人上手/)
  await expect(steps.getByRole('listitem')).toHaveCount(3)
  await expect(steps.getByRole('progressbar', { name: '判完一轮' })).toBeVisible()
  await expect(claim(page)).toHaveCount(0)
  await expect(blue(page)).toHaveCount(1)
  await press(page, '开始练习')
  await expect(page).toHaveURL(/\/manage\/audit\/practice$/)
  expect(found).toEqual([])
})

keyboardTest('an auditor sees what runs out first, and claims by one key', async ({ page }) => {
  const found = complaints(page)
  await signIn(page, 'auditor')
  await expect(panel(page, '我的队列').getByRole('row')).toHaveCount(5)
  await expect(panel(page, '最先到时限').getByRole('link').first()).toBeVisible()
  await expect(panel(page, '我的进度')).toContainText('今日已审')
  await expect(blue(page)).toHaveCount(1)
  await page.keyboard.press('n', { delay: 40 })
  await expect(page).toHaveURL(/\/manage\/audit\/\w+/)
  const held = page.getByRole('tab', { name: /我领取的/ })
  await expect(held).toContainText('1')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  // Given back, so that the queue is as it was.
  await page.keyboard.press('Shift+C', { delay: 40 })
  await expect(held).toContainText('0')
  expect(found).toEqual([])
})

keyboardTest('a supervisor reads the queues as charts and as tables', async ({ page }) => {
  const found = complaints(page)
  await signIn(page, 'supervisor')
  const ageing = panel(page, '各队列积压')
  await expect(ageing.getByRole('application', { name: /各队列积压/ })).toBeVisible()
  await press(page, '各队列积压：表格', ' ')
  await expect(ageing.getByRole('table')).toBeVisible()
  await expect(ageing.getByRole('rowheader', { name: '团购审核' })).toBeVisible()
  await press(page, '各队列积压：表格', ' ')
  await expect(ageing.getByRole('application')).toBeVisible()
  await expect(panel(page, '今日每小时审核量').getByRole('application')).toBeVisible()
  const look = panel(page, '抽检分歧').getByRole('link', { name: '抽检结果' })
  await look.focus()
  await page.keyboard.press('Enter', { delay: 40 })
  await expect(page).toHaveURL(/\/manage\/audit\/look\/figures$/)
  expect(found).toEqual([])
})

keyboardTest('customer service goes to the case that is due first', async ({ page }) => {
  const found = complaints(page)
  await signIn(page, 'service')
  await expect(claim(page)).toHaveCount(0)
  await expect(blue(page)).toHaveCount(0)
  await expect(panel(page, '超 24 小时未发货')).toBeVisible()
  await expect(panel(page, '即将失败的拼团')).toBeVisible()
  await page.keyboard.press('n', { delay: 40 })
  await expect(page).toHaveURL(/\/manage$/)
  const first = panel(page, '售后与退款：按时限').getByRole('link').first()
  await first.focus()
  await page.keyboard.press('Enter', { delay: 40 })
  await expect(page).toHaveURL(/\/manage\/order\/(eRefund\/detail|combo\/refund)\?/)
  expect(found).toEqual([])
})

keyboardTest(
  'an administrator sees the day by the hour and the worst alarm first',
  async ({ page }) => {
    const found = complaints(page)
    await signIn(page, 'admin')
    await expect(page.getByText('今日交易额')).toBeVisible()
    const hours = panel(page, '今日分时')
    await expect(hours.getByRole('application', { name: /今日每小时交易额/ })).toBeVisible()
    await hours
      .getByRole('radio', { name: '退款额' })
      .or(hours.getByRole('button', { name: '退款额' }))
      .first()
      .focus()
    await page.keyboard.press('Enter', { delay: 40 })
    await expect(hours.getByRole('application', { name: /今日每小时退款额/ })).toBeVisible()
    const levels = panel(page, '待确认的预警').getByRole('listitem')
    const words = await levels.allInnerTexts()
    const ranks = words.map(text =>
      ['严重', '警告', '提示'].findIndex(level => text.includes(level)),
    )
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b))
    expect(found).toEqual([])
  },
)

keyboardTest('figures and the home of the house fill a screen of 2560 pixels', async ({ page }) => {
  await page.setViewportSize({ width: 2560, height: 1440 })
  await signIn(page, 'admin')
  const charts = page.locator('.s-pane .m-chart-box svg')
  /** The part of the pane's height at which the last chart ends. */
  const ending = async (address: string, least: number) => {
    if (new URL(page.url()).pathname !== address) await page.goto(address)
    await expect.poll(() => charts.count()).toBeGreaterThanOrEqual(least)
    await settled(page)
    return page.evaluate(() => {
      const pane = document.querySelector('.s-pane')!.getBoundingClientRect()
      const ends = [...document.querySelectorAll('.s-pane .m-chart-box')].map(
        box => box.getBoundingClientRect().bottom,
      )
      return (Math.max(...ends) - pane.top) / pane.height
    })
  }
  expect(await ending('/manage', 4)).toBeGreaterThan(0.8)
  expect(await ending('/manage/system/dataIndex', 5)).toBeGreaterThan(0.8)
})
