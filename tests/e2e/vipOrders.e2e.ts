import { expect, type Page } from '@playwright/test'
import {
  answered,
  complaints,
  enter,
  focusedRow,
  keyboardTest as test,
  settled,
  write,
} from './desk.ts'

const because = async (page: Page, reason: string) => {
  await write(page, /^原因/, reason)
  await page.keyboard.press('Control+Enter')
  await answered(page)
}

test('a paid member is given more than a year by two people and stops renewing, and a purchase is given back in part, by keys alone', async ({
  page,
  colleague,
}) => {
  test.setTimeout(150_000)
  const found = complaints(page)
  await enter(page, 'admin', '/manage/vip/payment?status=active&auto_renew=on')
  await settled(page)
  await expect(
    page.getByRole('group', { name: '付费会员概览' }).or(page.locator('.vp-figures')),
  ).toContainText('生效会员')
  const detail = page.getByRole('article')
  // The first of the demo wait for a second person already.
  for (let n = 0; n < 4; n++) await page.keyboard.press('j')
  await expect(detail.getByText('会员期')).toBeVisible()
  const name = (await detail.getByRole('heading').first().textContent())!.trim()
  await page.keyboard.press('t')
  await write(page, /^延长天数/, '400')
  await because(page, '故障补偿')
  await expect(page.locator('.s-toast').filter({ hasText: '等待另一人复核' })).toBeVisible()
  await expect(detail.getByText('故障补偿')).toBeVisible()

  const other = await colleague()
  await enter(other, 'supervisor', '/manage/vip/payment?asked=1')
  await settled(other)
  const asked = other.getByRole('article').getByText('故障补偿').first()
  while (!(await asked.isVisible())) {
    await other.keyboard.press('j')
    await settled(other)
  }
  await expect(other.getByRole('article').getByRole('heading').first()).toContainText(name)
  await other.keyboard.press('a')
  await expect(other.getByRole('dialog').or(other.getByRole('alertdialog')).first()).toBeVisible()
  const sent = other.waitForResponse(said => said.url().endsWith('/approveExtend'))
  await other.keyboard.press('Control+Enter')
  expect((await sent).status()).toBe(200)

  await page.reload()
  await settled(page)
  await page.keyboard.press('o')
  await because(page, '会员要求解约')

  // The newest renewal of a plan that is refunded by whole days.
  await page.goto('/manage/vip/card/order?status=paid&kind=renew&card_id=2')
  await settled(page)
  await page.keyboard.press('b')
  await write(page, /^备注/, '已电话核实')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(detail.getByText('已电话核实').first()).toBeVisible()
  const no = (await detail.getByRole('heading').first().textContent())!.trim()
  await page.keyboard.press('r')
  await expect(page.getByRole('dialog').getByText(/按退款规则最多可退/)).toBeVisible()
  await write(page, /^退款金额/, '1')
  await because(page, '服务投诉')
  await page.goto(`/manage/vip/card/order?keyword=${no}`)
  await settled(page)
  await expect(focusedRow(page)).toContainText(/退款中|部分退款/)
  await expect(detail.getByText('服务投诉').first()).toBeVisible()
  expect(found).toEqual([])
})
