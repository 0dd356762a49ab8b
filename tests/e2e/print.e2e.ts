import { expect, type Page } from '@playwright/test'
import { enter, settled, test } from './desk.ts'

const paper = async (page: Page) => (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
const sheets = (pdf: string) => pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0
/** What the printer sees, with all that is drawn for it alone. */
const printed = async (page: Page) => {
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  const text = await page.locator('body').innerText()
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await page.emulateMedia({ media: null })
  return text
}

test('a page prints what it shows, with its head, also after the orders with their waybills were open', async ({
  page,
}) => {
  await enter(page, 'admin', '/manage/order/elist')
  await settled(page)
  const rows = Number(/共 ([\d,]+) 条/.exec(await page.locator('.m-foot').innerText())![1])
  const orders = await printed(page)
  expect(orders).toMatch(/电商订单/)
  expect(orders).toMatch(/打印于 \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/)
  // Every row of the page, and nothing of what is pressed.
  expect(orders.match(/(?:EL|RS)\d{10,}/g)!.length).toBeGreaterThanOrEqual(Math.min(50, rows))
  expect(orders).not.toMatch(/更多操作|条\/页/)
  expect(sheets(await paper(page))).toBeGreaterThan(1)
  for (const [at, words] of [
    ['/manage/system/staff', /员工账号[^]*林知远/],
    ['/manage/system/dataIndex', /经营数据总览[^]*成交额/],
  ] as const) {
    await page.goto(at)
    await settled(page)
    expect(await printed(page)).toMatch(words)
    expect((await paper(page)).length).toBeGreaterThan(20_000)
  }
})
