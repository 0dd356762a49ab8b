import { expect, type Page } from '@playwright/test'
import {
  complaints,
  enter,
  focusedRow,
  keyboardTest as test,
  sayYes,
  settled,
  tabTo,
} from './desk.ts'

const rows = (page: Page) => page.locator('.m-grid-row').filter({ visible: true })
/** The number that is found when it is searched for: the one row of the list then. */
const shownIn = (page: Page, view: RegExp) => page.getByRole('grid', { name: view })

test('where an order’s money is, a line to its account and back, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/settle/flow?biz=pay')
  await settled(page)
  await page.keyboard.press('j')
  const no = (await focusedRow(page).textContent())!.match(/[A-Z]{2}\d{12,}/)![0]
  await page.keyboard.press('t')
  await expect(page.getByRole('article', { name: no })).toBeVisible()
  const trace = page.getByRole('article', { name: no })
  await expect(trace.getByText('记账（按先后）')).toBeVisible()
  await expect(trace.getByRole('link', { name: /待核销款/ }).first()).toBeVisible()
  // From a line of the trace to the statement of its account, and from there to a transaction.
  await trace.focus()
  await tabTo(page, trace.getByRole('link', { name: /微信商户号/ }).first())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: '期初' })).toContainText('微信商户号')
  await settled(page)
  await page.keyboard.press('j')
  await expect(focusedRow(page)).toContainText('借')
  await page.keyboard.press('o')
  await expect(shownIn(page, /资金流水/)).toBeVisible()
  await settled(page)
  await expect(rows(page)).toHaveCount(1)
  // The accounts of its lines are a key away.
  await page.keyboard.press('j')
  await settled(page)
  await page.keyboard.press('a')
  await expect(page.locator('.m-inspector a:focus')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: '期末' })).toBeVisible()
  await page.keyboard.press('b')
  await expect(shownIn(page, /^账户/)).toBeVisible()
  expect(found).toEqual([])
})

test('an adjustment is written as a sheet, and another person posts it', async ({
  page,
  colleague,
}) => {
  const found = complaints(page)
  const why = `手续费差额${String(Date.now()).slice(-7)}`
  await enter(page, 'admin', '/manage/settle/flow?view=adjust')
  await settled(page)
  await page.keyboard.press('c')
  const sheet = page.getByRole('dialog', { name: '调账申请' })
  await expect(sheet.getByRole('combobox', { name: '第 1 行账户' })).toBeFocused()
  await tabTo(page, sheet.getByRole('textbox', { name: '第 1 行贷方（元）' }))
  await page.keyboard.type('12.34')
  await tabTo(page, sheet.getByRole('textbox', { name: '第 2 行借方（元）' }))
  await page.keyboard.type('12.3')
  await expect(sheet.getByRole('status')).toContainText('借方还差')
  await page.keyboard.type('4')
  await expect(sheet.getByRole('status')).toContainText('借贷平衡')
  await tabTo(page, sheet.getByRole('textbox', { name: '原因' }))
  await page.keyboard.type(why)
  await page.keyboard.press('Control+Enter')
  await expect(sheet).toBeHidden()
  await settled(page)
  const mine = rows(page).filter({ hasText: why })
  await expect(mine).toContainText('待复核')
  const other = await colleague()
  await enter(other, 'supervisor', '/manage/settle/flow?view=adjust&state=pending')
  await settled(other)
  await other.keyboard.press('j')
  while (!(await focusedRow(other).textContent())?.includes(why)) await other.keyboard.press('k')
  await expect(focusedRow(other)).toContainText(why)
  await other.keyboard.press('e')
  await sayYes(other)
  await expect(other.getByText(/已入账，凭证 \d+/)).toBeVisible()
  await expect(mine).toContainText('已入账')
  expect(found).toEqual([])
})

test('a bill of another day is refused, a whole one matched, and its differences resolved', async ({
  page,
}) => {
  const found = complaints(page)
  // A day before the house was open: all that the bill says is missing here.
  const serial = String(Date.now()).slice(-9)
  const day = `2012-0${1 + (Number(serial[0]) % 9)}-1${serial[8]}`
  const head =
    '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'
  const bill = (of: string) =>
    [
      `\uFEFF${head}`,
      `\`${of} 12:00:00,\`wx1,\`19,\`0,\`,\`42${serial}1,\`OT${serial},\`u,\`JSAPI,\`SUCCESS,\`OTHERS,\`CNY,\`80.00,\`0.00,\`0,\`0,\`0.00,\`0.00,\`,\`,\`奶茶,大杯,\`,\`0.48000,\`0.60%,\`80.00,\`0.00,\``,
      '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额',
      '`1,`80.00,`0.00,`0.00,`0.48000,`80.00,`0.00',
    ].join('\r\n')
  await enter(page, 'admin', '/manage/settle/flow?view=recon')
  await settled(page)
  // The list has all the room below what is told of the day, however many lines that is.
  const told = (await page.getByRole('status').filter({ hasText: '对账' }).boundingBox())!
  const list = (await page.locator('.m-list').boundingBox())!
  expect(list.y - told.y - told.height).toBeLessThan(60)
  await page.keyboard.press('i')
  const window = page.getByRole('dialog', { name: '导入账单' })
  await tabTo(page, window.getByRole('textbox', { name: '账单日' }))
  await page.keyboard.press('Control+a')
  await page.keyboard.type(day)
  const choose = (text: string) =>
    window.locator('input[type=file]').setInputFiles({
      name: 'bill.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    })
  await choose(bill('2012-01-01'))
  await expect(window.getByRole('alert')).toContainText('第 2 行')
  await choose(bill(day))
  await expect(window.getByRole('status')).toContainText('80.00')
  await expect(window.getByRole('button', { name: /^导入/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(window).toBeHidden()
  await settled(page)
  await expect(page.getByRole('status').filter({ hasText: `${day} 对账` })).toContainText(
    '1 项待处理',
  )
  await page.keyboard.press('j')
  await expect(focusedRow(page)).toContainText('平台缺记录')
  await page.keyboard.press('s')
  const asks = page.getByRole('dialog', { name: /处理差异/ })
  await expect(asks).toContainText('账单与平台相差 80.00 元')
  await tabTo(page, asks.getByRole('combobox'))
  await page.keyboard.press('ArrowDown')
  await tabTo(page, asks.getByRole('textbox', { name: /说明/ }))
  await page.keyboard.type('已与渠道核实')
  await page.keyboard.press('Enter')
  await expect(asks).toBeHidden()
  await expect(rows(page).first()).toContainText('已处理')
  await expect(page.getByRole('status').filter({ hasText: `${day} 对账` })).toContainText(
    '全部对平',
  )
  expect(found).toEqual([])
})
