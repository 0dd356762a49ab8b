import { expect, type Locator, type Page } from '@playwright/test'
import {
  complaints,
  enter,
  focusedRow,
  keyboardTest as test,
  settled,
  tabTo,
  write,
} from './desk.ts'
import { rowsBy } from './rows.ts'

type Goods = {
  maker: string
  product_id: number
  title: string
  member_id: number
  nickname: string
}
const SCRIPT = 'benefitRows.server.ts'
/** Types what an open question asks for in words, and says yes. */
const because = async (page: Page, words: string) => {
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByRole('textbox', { name: /原因|意见/ }))
  await page.keyboard.type(words)
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
}
/** Finds one by its beginning in a field that offers what there is, and takes it. */
const choose = async (page: Page, where: Locator, label: RegExp, name: string) => {
  await tabTo(page, where.getByRole('combobox', { name: label }))
  await page.keyboard.type(name)
  const options = page.getByRole('listbox', { name: label }).getByRole('option')
  await expect(options).toHaveCount(1)
  await expect(options).toContainText(name)
  await page.keyboard.press('Enter')
}
/** Opens a list of which one row is left: it has the focus and says so. */
const only = async (page: Page, address: string, says: readonly (RegExp | string)[]) => {
  await page.goto(address)
  await settled(page)
  for (const one of says) await expect(focusedRow(page)).toContainText(one)
}

test('a coupon is written, approved by two, given, used, and comes back with its refund, by keys alone', async ({
  page,
  colleague,
}, info) => {
  test.setTimeout(180_000)
  const found = complaints(page)
  const goods = await rowsBy<Goods>(info, SCRIPT, { what: 'goods' })
  const name = `旅程券${String(Date.now()).slice(-9)}`
  const listed = `?keyword=${encodeURIComponent(name)}`

  await enter(page, goods.maker, '/manage/coupon/index/add')
  await settled(page)
  const form = page.getByRole('form', { name: '优惠券' })
  await write(page, /^券名称/, name, form)
  await write(page, /^使用门槛/, '100', form)
  await write(page, /^减免金额/, '10', form)
  const kind = form.getByRole('combobox', { name: /^适用范围/ })
  await tabTo(page, kind)
  await kind.selectOption({ label: '商品' })
  await choose(page, form, /^适用商品/, goods.title)
  const begins = form.getByRole('textbox', { name: /^领取开始/ })
  await write(page, /^发放总量/, '5000', form)
  await tabTo(page, begins)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('2026-01-01 00:00')
  await write(page, /^预算/, '50000', form)
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/\/manage\/coupon\/index$/)

  // So much can it cost that one person alone may not approve it; nor may its maker.
  const auditor = await colleague()
  await enter(auditor, 'auditor', '/')
  await only(auditor, `/manage/coupon/audit${listed}`, [name, '待审核', '须财务复审'])
  await auditor.keyboard.press('a')
  await expect(focusedRow(auditor).filter({ hasText: '待审核' })).toHaveCount(0)
  const finance = await colleague()
  await enter(finance, 'admin', '/')
  await only(finance, `/manage/coupon/audit${listed}&state=second_audit`, [name])
  await finance.keyboard.press('f')
  await because(finance, '预算内，同意')
  await expect(focusedRow(finance).filter({ hasText: name })).toHaveCount(0)

  await only(page, `/manage/coupon/index${listed}`, [name, '发放中'])
  await page.keyboard.press('m')
  await choose(page, page.getByRole('dialog'), /^会员/, goods.nickname)
  await because(page, '老客回馈')
  await page.keyboard.press('v')
  await expect(page).toHaveURL(/\/manage\/coupon\/index\/data\?coupon_id=\d+$/)
  await settled(page)
  const pieces = page.url()
  await expect(focusedRow(page)).toContainText(goods.nickname)
  await expect(focusedRow(page)).toContainText('未使用')
  const good = await focusedRow(page).getByRole('gridcell').nth(5).textContent()

  const order_no = await rowsBy<string>(info, SCRIPT, { what: 'buy', ...goods, coupon: name })
  await only(page, pieces, [goods.nickname, '已使用', '10.00'])
  await expect(page.getByText(order_no).first()).toBeVisible()
  await only(page, `/manage/order/bulks?q=${order_no}`, [order_no, '110.00'])
  await page.keyboard.press('r')
  await because(page, '行程取消')
  await expect(focusedRow(page)).toContainText('已退款', { timeout: 60_000 })

  // It is the member's again, for as long as it was, and may be used another time.
  await only(page, pieces, [goods.nickname, '未使用', good!])
  await expect(focusedRow(page)).not.toContainText('10.00')
  expect(found).toEqual([])
})
