import { expect, type Page } from '@playwright/test'
import {
  complaints,
  command,
  enter,
  focusedRow,
  keyboardTest as test,
  sayYes,
  settled,
  tabTo,
  toTab,
} from './desk.ts'
import { moneyRows } from './moneyRows.ts'

const dialogOf = (page: Page) => page.getByRole('dialog')
const because = async (page: Page, reason: string) => {
  await tabTo(page, dialogOf(page).getByRole('textbox', { name: /^原因/ }))
  await page.keyboard.type(reason)
  await page.keyboard.press('Control+Enter')
  await expect(dialogOf(page)).toHaveCount(0)
}
test('commission is explained, held, released, settled and clawed back by keys alone', async ({
  page,
}, info) => {
  const found = complaints(page)
  const no = await moneyRows(info, 'commission')
  await enter(page, 'admin', '/manage/home')
  await command(page, '佣金结算明细')
  await expect(page).toHaveURL(/settlementDetails/)
  await settled(page)
  await toTab(page, /^可结算/)
  await page.goto(`/manage/distribution/settlementDetails?status=settleable&order_no=${no}`)
  await settled(page)
  await page.keyboard.press('e')
  await expect(page.getByRole('article').getByText('公式')).toBeVisible()
  await expect(page.getByRole('article').getByText(/× .*% = ¥|固定金额/)).toBeVisible()
  await page.keyboard.press('f')
  await because(page, '买家投诉核实中')
  await expect(page.getByRole('article').getByText('买家投诉核实中')).toBeVisible()
  // What is held says who holds it instead of settling.
  await page.keyboard.press('s')
  await expect(page.locator('.s-toast').filter({ hasText: '暂缓：买家投诉核实中' })).toBeVisible()
  await page.keyboard.press('u')
  await sayYes(page)
  await expect(dialogOf(page)).toHaveCount(0)
  await expect(page.getByRole('article').getByText('买家投诉核实中')).toHaveCount(0)
  const name = await page
    .getByRole('article')
    .getByRole('heading', { level: 3 })
    .first()
    .innerText()
  await page.keyboard.press('s')
  await because(page, '月底前结清')
  await page.goto(`/manage/distribution/settlementDetails?status=settled&order_no=${no}`)
  await settled(page)
  await expect(page.getByRole('article').getByRole('heading', { level: 3 }).first()).toHaveText(
    name,
  )
  await page.keyboard.press('b')
  await because(page, '刷单追回')
  await page.goto(`/manage/distribution/settlementDetails?status=clawed_back&order_no=${no}`)
  await settled(page)
  await expect(focusedRow(page)).toContainText('已追回')
  await expect(page.getByRole('article').getByText('佣金扣回').first()).toBeVisible()
  expect(found).toEqual([])
})
