import { expect, type Locator, type Page } from '@playwright/test'
import {
  complaints,
  enter,
  focusedRow,
  handsOver,
  keyboardTest as test,
  sayYes,
  settled,
  tabTo,
  toasts,
} from './desk.ts'
import { moneyRows } from './moneyRows.ts'

/** A picture of one point, as the proof that a merchant agreed. */
const picture = {
  name: 'proof.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
}
const dialogOf = (page: Page): Locator => page.getByRole('dialog')
/** Answers the question that is open, and waits until it is done. */
const answer = async (page: Page) => {
  await sayYes(page)
  await expect(dialogOf(page)).toHaveCount(0)
}
const because = async (page: Page, reason: string) => {
  await tabTo(page, dialogOf(page).getByRole('textbox', { name: /^原因/ }))
  await page.keyboard.type(reason)
  await answer(page)
}
/** Brings a draft as far as its merchant has confirmed it. */
const confirmed = async (page: Page) => {
  await expect(focusedRow(page)).toContainText('待发送')
  await page.keyboard.press('s')
  await expect(focusedRow(page)).toContainText('待商户确认')
  await page.keyboard.press('a')
  handsOver(page, picture)
  await expect(dialogOf(page).locator('button[data-autofocus]')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialogOf(page).locator('img').first()).toBeVisible()
  await tabTo(page, dialogOf(page).getByRole('button', { name: /^代商户确认/ }))
  await page.keyboard.press('Enter')
  await expect(dialogOf(page)).toHaveCount(0)
  await expect(focusedRow(page)).toContainText('待入账')
}
/** The batches of a merchant that stand so. */
const batchOf = (page: Page, asked: { token: string; merchant: string; status: string }) =>
  page.evaluate(async ({ token, merchant, status }) => {
    const headers = { 'authori-zation': `Bearer ${token}` }
    const path = `/api/manageback/settle/detail/lst?${new URLSearchParams({ status, keyword: merchant })}`
    const { data } = await (await fetch(path, { headers })).json()
    return (data.list as { no: string; refund_deduct_cents: number; payable_cents: number }[])[0]!
  }, asked)
/** Gives 10 yuan back of goods that their buyer keeps, and waits until the channel has paid them. */
const refundPart = async (page: Page, order_no: string) => {
  await page.goto(`/manage/order/elist?keyword=${order_no}`)
  await settled(page)
  await page.keyboard.press('r')
  const field = (name: RegExp) => dialogOf(page).getByRole('textbox', { name })
  await tabTo(page, field(/^退款金额/))
  await page.keyboard.type('10')
  await tabTo(page, field(/^无需退回的原因/))
  await page.keyboard.type('轻微磨损，买家留用')
  await because(page, '外包装磨损')
  await expect(focusedRow(page)).toContainText('已退款')
}
/** The sum that the batch's page tells under a name, in cents. */
const centsOf = async (page: Page, name: string) => {
  const label = page.getByRole('article').getByText(name, { exact: true })
  return Number((await label.locator('xpath=../dd').textContent())!.replace(/\D/g, ''))
}

test('a merchant’s week is generated, confirmed, kept from being posted by a refund after the freeze and a line on hold, and posted without them by another person, by keys alone', async ({
  page,
  colleague,
}, info) => {
  test.setTimeout(180_000)
  const found = complaints(page)
  const { merchant_name: merchant, goods_no } = await moneyRows(info, 'draft')
  const token = await enter(page, 'admin', '/manage/home')
  const { no } = await batchOf(page, { token, merchant, status: 'draft' })

  // The wrong batch goes, its lines are free for another.
  await page.goto(`/manage/settle/detail?keyword=${no}`)
  await settled(page)
  await page.keyboard.press('v')
  await because(page, '期间选错')
  await expect(focusedRow(page)).toContainText('已作废')
  await page.keyboard.press('c')
  await tabTo(page, dialogOf(page).getByRole('combobox', { name: /^商户/ }))
  await page.keyboard.type(merchant)
  await expect(dialogOf(page).getByRole('option').first()).toContainText(merchant)
  await page.keyboard.press('Enter')
  await answer(page)
  await expect(page.getByText('已生成 1 个批次')).toBeVisible()

  const { no: batch } = await batchOf(page, { token, merchant, status: 'draft' })
  await page.goto(`/manage/settle/detail?keyword=${batch}`)
  await settled(page)
  await confirmed(page)
  // Whoever generated it does not post it.
  await page.keyboard.press('p')
  await expect(toasts(page).filter({ hasText: '须由另一人入账' })).toBeVisible()

  // Staff question one of its lines and refund part of another: the confirmation is void then.
  await page.keyboard.press('l')
  await expect(page).toHaveURL(/view=lines/)
  await settled(page)
  await page.keyboard.press('f')
  await because(page, '用户投诉核实中')
  await expect(focusedRow(page)).toContainText('人工冻结')
  await refundPart(page, goods_no)

  const other = await colleague()
  await enter(other, 'supervisor', `/manage/settle/detail?keyword=${batch}`)
  await settled(other)
  await expect(other.getByRole('article').getByText('明细已变动，须重算')).toBeVisible()
  await other.keyboard.press('p')
  await sayYes(other)
  await expect(other.getByText(/请先重算/).first()).toBeVisible()
  await other.keyboard.press('Escape')
  await expect(dialogOf(other)).toHaveCount(0)

  await page.goto(`/manage/settle/detail?keyword=${batch}`)
  await settled(page)
  await page.keyboard.press('r')
  await answer(page)
  await confirmed(page)
  // What the refund took stands in the sums, and the rest is what is paid.
  const now = await batchOf(page, { token, merchant, status: 'confirmed' })
  expect(now.refund_deduct_cents).toBeGreaterThan(0)
  expect(now.refund_deduct_cents).toBeLessThanOrEqual(1000)
  await expect.poll(() => centsOf(other, '减退款扣减')).toBe(now.refund_deduct_cents)
  await expect.poll(() => centsOf(other, '应结金额')).toBe(now.payable_cents)
  await expect(focusedRow(other)).toContainText('待入账')
  await expect(other.getByRole('article').getByText('一致', { exact: true })).toBeVisible()
  await other.keyboard.press('p')
  await answer(other)
  await expect(focusedRow(other)).toContainText('已入账')
  await expect(other.getByRole('article').getByText(/^\d{18}$/)).toBeVisible()
  expect(found).toEqual([])
})
