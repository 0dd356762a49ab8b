import { expect } from '@playwright/test'
import { DAY, dateOf, unixNow } from '../../src/domain/time.ts'
import { answered, enter, focusedRow, keyboardTest as test, keys, settled } from './desk.ts'

const grid = (page: Parameters<typeof settled>[0], name: string) => page.getByRole('grid', { name })

test('a figure opens the rows that make it, and a day is opened again by two people', async ({
  page,
  colleague,
}) => {
  await enter(page, 'admin', '/manage/settle/data')
  await settled(page)
  await expect(grid(page, '资金指标')).toBeFocused()
  await keys(page, 'j j j')
  await expect(focusedRow(page)).toContainText('未结算')
  const sum = (await focusedRow(page).textContent())!.match(/[\d,]+\.\d\d/)![0]
  await page.keyboard.press('o')
  await expect(grid(page, '未结算明细')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: '合计' })).toContainText(sum)
  await settled(page)
  await expect(page.locator('.m-grid-row').first()).toBeVisible()

  // Yesterday has differences in the demo's bill: it can't be closed, and says why.
  await page.keyboard.press('3')
  await settled(page)
  await expect(grid(page, '日结')).toBeFocused()
  await page.keyboard.press('j')
  const now = unixNow()
  await expect(focusedRow(page)).toContainText(dateOf(now - DAY))
  await page.keyboard.press('c')
  await expect(focusedRow(page)).toContainText('未通过')
  await page.keyboard.press('d')
  await expect(page.getByRole('dialog').getByRole('button', { name: /日结/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/还不能日结，未通过/).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await answered(page)

  const last = dateOf(now - 2 * DAY)
  const other = await colleague()
  await enter(other, 'supervisor', '/manage/settle/data?view=days')
  await settled(other)
  await keys(other, 'j j')
  await expect(focusedRow(other)).toContainText(last)
  await other.keyboard.press('r')
  await answered(other)
  await expect(focusedRow(other)).not.toContainText('待复核反日结')

  await page.keyboard.press('F5')
  await settled(page)
  await expect(grid(page, '日结')).toBeFocused()
  while (!(await focusedRow(page).textContent())!.includes(last)) await page.keyboard.press('j')
  await expect(focusedRow(page)).not.toContainText('待复核反日结')
  await page.keyboard.press('Shift+O')
  await expect(page.getByRole('textbox', { name: '原因' })).toBeFocused()
  await page.keyboard.type('漏记一笔手续费')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(focusedRow(page)).toContainText('待复核反日结')

  await other.keyboard.press('F5')
  await settled(other)
  await expect(grid(other, '日结')).toBeFocused()
  while (!(await focusedRow(other).textContent())!.includes(last)) await other.keyboard.press('j')
  // What was asked for stands in the row before it is decided.
  await expect(focusedRow(other)).toContainText('待复核反日结')
  await other.keyboard.press('a')
  await expect(other.getByRole('dialog').getByRole('button', { name: /反日结/ })).toBeFocused()
  await other.keyboard.press('Enter')
  await answered(other)
  await expect(focusedRow(other)).toContainText('已反日结')
})
