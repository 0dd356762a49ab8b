import { expect, type Page } from '@playwright/test'
import { answered, complaints, enter, focusedRow, keyboardTest as test, settled } from './desk.ts'

/** Walks down until a row says all of this. */
const walkTo = async (page: Page, says: readonly RegExp[]): Promise<void> => {
  await page.keyboard.press('Home')
  for (let n = 0; n < 60; n++) {
    const row = focusedRow(page)
    const [text, id] = [(await row.textContent())!, (await row.getAttribute('id'))!]
    if (says.every(one => one.test(text))) return
    await page.keyboard.press('j')
    await expect(row).not.toHaveAttribute('id', id)
  }
  throw new Error(`no row like ${says.join()}`)
}
const giveReason = async (page: Page, words: string) => {
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  const field = dialog.getByRole('textbox', { name: '原因' })
  for (let n = 0; n < 8 && !(await field.evaluate(one => one === document.activeElement)); n++)
    await page.keyboard.press('Tab')
  await expect(field).toBeFocused()
  await page.keyboard.type(words)
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(dialog).toHaveCount(0)
}

test('a card that was sold, given away and spent twice is looked up, and the rest of its order refunded, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/ecard/order')
  await settled(page)
  await expect(page.getByRole('grid', { name: '电子卡订单' })).toBeFocused()
  await walkTo(page, [/已领取/, /×?3/, /已完成/, /商场礼品卡|美食通用储值卡/])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/ecard\/order\/detail\?.*id=/)
  const cards = page.getByRole('table').filter({ hasText: '持卡人' })
  await expect(cards.getByText('已领取')).toBeVisible()
  await expect(cards.getByText('消费')).toHaveCount(3)
  await expect(page.getByText(/赠出尾号/).first()).toBeVisible()
  await page.keyboard.press('r')
  await giveReason(page, '其余两张买多了')
  await expect(cards.getByText(/退款中|已退款/)).toHaveCount(2)
  await expect(cards.getByText('已激活')).toHaveCount(1)
  expect(found).toEqual([])
})

test('cards that a supplier failed to issue are issued again from the list', async ({ page }) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/ecard/order?quick=issue_failed')
  await settled(page)
  await page.keyboard.press('j')
  await page.keyboard.press('Home')
  const no = (await focusedRow(page).textContent())!
  expect(no).toMatch(/发放失败|部分失败/)
  await page.keyboard.press('a')
  await giveReason(page, '供应商已补货')
  // It was issued after all, or is asked for again: either way it has not failed any more.
  await expect(page.locator('.m-grid-row').filter({ hasText: no })).toHaveCount(0)
  expect(found).toEqual([])
})
