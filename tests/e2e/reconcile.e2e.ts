import { expect, type Page } from '@playwright/test'
import { diffs } from '#src/areas/reconcile/reconcile.ts'
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
} from './desk.ts'
import { moneyRows } from './moneyRows.ts'

const rows = (page: Page) => page.locator('.m-grid-row').filter({ visible: true })

test('the bill of a day is fetched, what it lacks is found, and another person posts the adjustment, by keys alone', async ({
  page,
  colleague,
}, info) => {
  test.setTimeout(150_000)
  const found = complaints(page)
  const { day, there, missing } = await moneyRows(info, 'billed')
  const one = (no: string) => `/manage/settle/flow?view=recon&day=${day}&no=${no}`
  await enter(page, 'admin', `/manage/settle/flow?view=recon&day=${day}`)
  await settled(page)
  await page.keyboard.press('f')
  await expect(toasts(page).filter({ hasText: `正在获取 ${day} 的账单` })).toBeVisible()
  const fetched = page.getByRole('status', { name: '账单获取' })
  await expect(fetched).toContainText(
    /资金账单\s*已获取.*交易账单\s*已获取|交易账单\s*已获取.*资金账单\s*已获取/,
    {
      timeout: 60_000,
    },
  )
  // What is there is not asked for twice.
  await page.keyboard.press('f')
  await expect(page.getByText('这一天的账单都已获取，无需再取').first()).toBeVisible()

  // The bill holds one payment and lacks the other.
  await page.goto(one(there))
  await settled(page)
  await expect(focusedRow(page)).toContainText('一致')
  await page.goto(one(missing))
  await settled(page)
  await expect(focusedRow(page)).toContainText('账单缺记录')
  await expect(page.getByRole('article').getByText('账单多出')).toBeVisible()
  await page.keyboard.press('s')
  const asks = page.getByRole('dialog', { name: /处理差异/ })
  await expect(asks).toContainText('账单与平台相差 -86.00 元')
  await tabTo(page, asks.getByRole('combobox'))
  for (const _ of ['note', 'adjust']) await page.keyboard.press('ArrowDown')
  await tabTo(page, asks.getByRole('textbox', { name: /说明/ }))
  const why = `渠道未收到 ${missing}`
  await page.keyboard.type(why)
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(focusedRow(page)).toContainText('调账复核中')

  const other = await colleague()
  await enter(other, 'supervisor', '/manage/settle/flow?view=adjust&state=pending')
  await settled(other)
  await expect(rows(other).filter({ hasText: why })).toBeVisible()
  await other.keyboard.press('Home')
  for (let n = 0; n < 40 && !(await focusedRow(other).textContent())?.includes(why); n++)
    await other.keyboard.press('j')
  await expect(focusedRow(other)).toContainText(why)
  await other.keyboard.press('e')
  await sayYes(other)
  await expect(other.getByText(/已入账，凭证 \d+/)).toBeVisible()

  await expect(focusedRow(page)).toContainText('已处理')
  const item = page.getByRole('article')
  await expect(item.getByText('申请调账')).toBeVisible()
  await expect(item.getByText(/^\d{12,}$/).last()).toBeVisible()
  // The second asking was refused.
  expect(found).toEqual([expect.stringContaining('422')])
})

test('a bill with each of four differences is imported, and every one is closed, by keys alone', async ({
  page,
}, info) => {
  test.setTimeout(150_000)
  const found = complaints(page)
  const { day, bill, nos } = await moneyRows(info, 'differing')
  await enter(page, 'admin', `/manage/settle/flow?view=recon&day=${day}`)
  await settled(page)
  await page.keyboard.press('i')
  const window = page.getByRole('dialog', { name: '导入账单' })
  await tabTo(page, window.getByRole('textbox', { name: '账单日' }))
  await page.keyboard.press('Control+a')
  await page.keyboard.type(day)
  await window
    .locator('input[type=file]')
    .setInputFiles({ name: 'bill.csv', mimeType: 'text/csv', buffer: Buffer.from(bill) })
  await expect(window.getByRole('button', { name: /^导入/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(window).toBeHidden()
  await settled(page)
  const told = page.getByRole('status').filter({ hasText: `${day} 对账` })
  await expect(told).toContainText('4 项待处理')

  for (const kind of ['amount', 'status', 'missing_ours', 'missing_channel'] as const) {
    await page.goto(`/manage/settle/flow?view=recon&day=${day}&no=${nos[kind]}`)
    await settled(page)
    await expect(focusedRow(page)).toContainText(diffs[kind][0])
    await page.keyboard.press('s')
    const asks = page.getByRole('dialog', { name: /处理差异/ })
    await tabTo(page, asks.getByRole('combobox'))
    await page.keyboard.press('ArrowDown')
    await tabTo(page, asks.getByRole('textbox', { name: /说明/ }))
    await page.keyboard.type('已与渠道核实')
    await page.keyboard.press('Control+Enter')
    await expect(asks).toBeHidden()
    await expect(focusedRow(page)).toContainText('已处理')
  }
  await page.goto(`/manage/settle/flow?view=recon&day=${day}`)
  await expect(told).toContainText('全部对平')
  expect(found).toEqual([])
})
