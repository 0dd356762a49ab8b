import { expect } from '@playwright/test'
import { complaints, enter, keyboardTest as test, settled, tabTo } from './desk.ts'
import { rowsBy } from './rows.ts'

type Sold = { order_id: number; order_no: string; from_id: number; to_id: number; friend: string }
const SCRIPT = 'benefitRows.server.ts'

test('of three e-cards that were sold one is given away and spent twice, and the rest refunded, by keys alone', async ({
  page,
}, info) => {
  test.setTimeout(180_000)
  const found = complaints(page)
  const sold = await rowsBy<Sold>(info, SCRIPT, { what: 'cards' })
  await enter(page, 'admin', `/manage/ecard/order?q=${sold.order_no}`)
  await settled(page)
  await expect(page.getByRole('grid', { name: '电子卡订单' })).toBeFocused()
  await expect(page.locator('.m-grid-row[data-focused]')).toContainText(sold.order_no)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/ecard\/order\/detail\?.*id=/)
  const cards = page.getByRole('table').filter({ hasText: '持卡人' })
  await expect(cards.getByText('未绑定')).toHaveCount(3)

  // What its people do at their phones is seen at the desk when it is opened again.
  const again = async () => {
    await page.reload()
    await settled(page)
  }
  const code_id = await rowsBy<number>(info, SCRIPT, { what: 'give', ...sold })
  await again()
  await expect(cards.getByText(sold.friend)).toBeVisible()
  await expect(cards.getByText('已领取')).toHaveCount(1)
  for (const [cents, left] of [
    [30_00, 70_00],
    [45_50, 24_50],
  ])
    expect(await rowsBy<number>(info, SCRIPT, { what: 'spend', code_id, cents })).toBe(left)
  await again()
  await expect(cards.getByText('消费 75.50 + 余额 24.50 = 面值 100.00')).toBeVisible()

  // A refund leaves the used card with its holder, and pays back the other two at their price.
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByRole('textbox', { name: '原因' }))
  await page.keyboard.type('其余两张买多了')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(cards.getByText('已退款')).toHaveCount(2, { timeout: 60_000 })
  await expect(cards.getByText('已激活')).toHaveCount(1)
  await expect(page.getByText('200.00').first()).toBeVisible()
  expect(found).toEqual([])
})
