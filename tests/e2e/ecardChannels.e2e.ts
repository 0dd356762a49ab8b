import { expect, type Page } from '@playwright/test'
import {
  complaints,
  enter,
  focusedRow,
  keyboardTest as test,
  sayYes,
  settled,
  write,
} from './desk.ts'

/** A credit code of this very moment, its check sign right (GB 32100). */
const creditCodeNow = (): string => {
  const signs = '0123456789ABCDEFGHJKLMNPQRTUWXY'
  const first = `91310000${String(Date.now()).slice(-9)}`
  const sum = [...first].reduce((all, sign, at) => all + signs.indexOf(sign) * (3 ** at % 31), 0)
  return first + signs[(31 - (sum % 31)) % 31]!
}
const find = async (page: Page, words: string) => {
  await page.keyboard.press('/')
  await page.keyboard.press('Control+a')
  await page.keyboard.type(words)
  await page.keyboard.press('Enter')
  const rows = page.locator('.m-grid-row').filter({ visible: true })
  await expect(rows.filter({ hasNotText: words })).toHaveCount(0)
  await expect(rows.first()).toBeVisible()
  await settled(page)
  await page.keyboard.press('j')
  await expect(focusedRow(page)).toContainText(words)
}
/** A picture of one point, for a contract and a proof. */
const picture = {
  name: 'proof.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
}

test('a channel is opened, topped up by two people, given cards from a file with one bad line, and billed, by keys alone', async ({
  page,
  colleague,
}) => {
  test.setTimeout(150_000)
  const found = complaints(page)
  const name = `渠道旅程${String(Date.now()).slice(-7)}`
  await enter(page, 'admin', '/manage/ecard/channel')
  await settled(page)
  await page.keyboard.press('c')
  const form = page.getByRole('form', { name: '新增电子卡渠道' })
  await expect(form).toBeVisible()
  await write(page, /^渠道名称/, name, form)
  await write(page, /^公司名称/, '某某实业有限公司', form)
  await write(page, /^统一社会信用代码/, creditCodeNow(), form)
  await expect(page.getByText('没有其他合作中的渠道使用')).toBeVisible()
  await write(page, /^联系人/, '王经理', form)
  await write(page, /^联系电话/, '13800138000', form)
  await write(page, /^合同开始/, '2020-01-01 00:00', form)
  await write(page, /^合同结束/, '2030-01-01 00:00', form)
  await form.locator('input[type=file]').setInputFiles(picture)
  await expect(form.locator('img').first()).toBeVisible()
  // A field takes letters; outside of it they are keys.
  await page.keyboard.press('Escape')
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('combobox', { name: /^面值/ })).toBeFocused()
  await page.keyboard.type('商场礼品卡')
  await expect(dialog.getByRole('option').first()).toContainText('商场礼品卡 ¥100.00')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(/可领 1 种面值共 100 张，按售价的 95% 结算/)).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/ecard\/channel$/)
  await settled(page)

  await find(page, name)
  await page.keyboard.press('p')
  await expect(dialog).toBeVisible()
  await page.keyboard.type('1000')
  await dialog.locator('input[type=file]').setInputFiles(picture)
  await expect(dialog.locator('img').first()).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(focusedRow(page)).toContainText('待复核')

  const other = await colleague()
  await enter(other, 'supervisor', '/manage/ecard/channel')
  await settled(other)
  await find(other, name)
  await other.keyboard.press('a')
  await sayYes(other)
  await expect(focusedRow(other)).toContainText('1,000.00')

  await expect(focusedRow(page)).toContainText('1,000.00')
  await page.keyboard.press('i')
  const issuing = page.getByRole('dialog', { name: /^批量发卡/ })
  await issuing.locator('input[type=file]').setInputFiles({
    name: '收卡人.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      '姓名,手机号,数量\n张三,13800138000,2\n李四,1380013,1\n王五,13900139000,\n',
    ),
  })
  await expect(issuing.getByRole('region', { name: '有误的行' })).toContainText('手机号不正确')
  await expect(issuing.getByText(/3 张 × 95.00 元 = 285.00 元/)).toBeVisible()
  await expect(issuing.getByRole('button', { name: /^发 3 张/ })).toBeFocused()
  await page.keyboard.press('Enter')
  const file = page.getByRole('dialog', { name: '加密文件与密码' })
  await expect(file.getByText(/^[2-9A-HJKMNP-Z]{20}$/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(file).toHaveCount(0)
  await expect(focusedRow(page)).toContainText('715.00')
  await expect(page.getByRole('article')).toContainText('3 / 100')

  await page.keyboard.press('b')
  const bill = page.getByRole('dialog', { name: new RegExp(name) })
  await expect(bill.getByText('期末余额')).toBeVisible()
  await expect(bill).toContainText('-285.00')
  await expect(bill).toContainText('715.00')
  await page.keyboard.press('Escape')
  await expect(bill).toHaveCount(0)
  expect(found).toEqual([])
})
