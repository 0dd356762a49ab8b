import { expect, type Page } from '@playwright/test'
import {
  answered,
  complaints,
  enter,
  focusedRow,
  keyboardTest as test,
  sayYes,
  settled,
  tabTo,
  write,
} from './desk.ts'
import { rowsBy } from './rows.ts'

type Goods = { maker: string; product_id: number; member_id: number; nickname: string }
const CAP = 5000
const shown = (n: number) => n.toLocaleString('en-US')
/** Sends the open question, and waits until its write was answered. */
const sent = async (page: Page, call: string) => {
  const done = page.waitForResponse(one => one.url().includes(call))
  await page.keyboard.press('Control+Enter')
  expect((await done).status()).toBe(200)
  await answered(page)
}
/** Goes down the ledger to the row that says these. */
const toRow = async (page: Page, ...says: string[]) => {
  const rows = page.getByRole('grid', { name: '积分流水' }).getByRole('row')
  const row = says.reduce((of, hasText) => of.filter({ hasText }), rows)
  await expect(row).toHaveCount(1)
  await page.keyboard.press('Home')
  for (let at = 0; at < 30 && (await row.getAttribute('data-focused')) === null; at++)
    await page.keyboard.press('j')
  await expect(row).toHaveAttribute('data-focused', 'true')
}

test('points that a member misses are explained from the order to the ledger and put right by two people, by keys alone', async ({
  page,
  colleague,
}, info) => {
  const found = complaints(page)
  const goods = await rowsBy<Goods>(info, 'benefitRows.server.ts', { what: 'goods' })
  const order_no = await rowsBy<string>(info, 'memberRows.server.ts', { what: 'capped', ...goods })

  await enter(page, goods.maker, `/manage/order/bulks?q=${order_no}`)
  await settled(page)
  await expect(focusedRow(page)).toContainText(order_no)
  await expect(focusedRow(page)).toContainText('30,000.00')

  // The order says what it earns step by step: a day's cap has cut it.
  await page.goto('/manage/vip/score/buy')
  await settled(page)
  await page.keyboard.press('t')
  await write(page, '订单号', order_no)
  await page.keyboard.press('Control+Enter')
  await answered(page)
  const steps = page.getByRole('row').filter({ hasText: /按单向下取整|倍率|当日上限/ })
  await expect(steps.filter({ hasText: `当日上限 ${CAP}，已得 0` })).toBeVisible()
  const earned = Math.max(
    ...(await steps.getByRole('cell').allTextContents()).map(
      text => Number(text.replaceAll(',', '')) || 0,
    ),
  )
  const missing = earned - CAP
  expect(missing).toBeGreaterThan(10_000)

  // On to the ledger of its member: that is all that was booked.
  await tabTo(page, page.getByRole('link', { name: '查看该会员流水' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`score/detail\\?member=${goods.member_id}$`))
  await settled(page)
  // What the order brought besides, for a level and badges, stands beside it.
  await toRow(page, '消费积分', `+${shown(CAP)}`)
  await expect(page.getByRole('article').getByRole('link', { name: order_no })).toBeVisible()
  await tabTo(page, page.getByRole('article').getByRole('link', { name: /^LCA\d+$/ }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`vip/index\\?member_id=${goods.member_id}$`))
  await settled(page)
  await expect(focusedRow(page)).toContainText(goods.nickname)

  // So many wait for another person, who reads why.
  await page.keyboard.press('p')
  await expect(page.getByRole('dialog').locator('.m-subject')).toContainText(goods.nickname)
  await write(page, '增减积分', String(missing))
  await write(page, '原因', `补足订单 ${order_no}`)
  await sent(page, '/vip/index/adjustPoints')
  const waits = page.getByRole('heading', { name: '待复核的调整' })
  await expect(waits).toBeVisible()
  const other = await colleague()
  await enter(other, 'admin', `/manage/vip/index?quick=adjusting&member_id=${goods.member_id}`)
  await settled(other)
  await expect(focusedRow(other)).toContainText(goods.nickname)
  const approved = other.waitForResponse(one => one.url().includes('/vip/index/approveAdjust'))
  await other.keyboard.press('a')
  await expect(other.getByRole('dialog').getByText(`补足订单 ${order_no}`)).toBeVisible()
  await sayYes(other)
  expect((await approved).status()).toBe(200)
  await expect(waits).toHaveCount(0)

  await page.goto(`/manage/vip/score/detail?member=${goods.member_id}`)
  await settled(page)
  await toRow(page, '人工调整', `+${shown(missing)}`)
  await expect(page.getByRole('article').getByText(`补足订单 ${order_no}`)).toBeVisible()
  expect(found).toEqual([])
})
