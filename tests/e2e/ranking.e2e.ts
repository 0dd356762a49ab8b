import { expect } from '@playwright/test'
import { dateOf } from '../../src/domain/time.ts'
import { answered, enter, focusedRow, keyboardTest as test, keys, settled } from './desk.ts'
import { moneyRows } from './moneyRows.ts'

test('a ranking is frozen, published and its prizes are given, by keys alone', async ({
  page,
}, info) => {
  const { from, to, names } = await moneyRows(info, 'contest')
  await enter(
    page,
    'admin',
    `/manage/distribution/ranking?measure=commission&from=${from}&to=${to}`,
  )
  await settled(page)
  await expect(page.getByRole('grid', { name: '分销排行榜' })).toBeFocused()
  await expect(focusedRow(page)).toContainText(names[0]!)
  await page.keyboard.press('f')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox', { name: '原因' })).toBeFocused()
  await page.keyboard.type('月度佣金榜')
  await page.keyboard.press('Control+Enter')
  await answered(page)

  await page.keyboard.press('2')
  await settled(page)
  await expect(page.getByRole('grid', { name: '冻结的榜单' })).toBeFocused()
  await expect(focusedRow(page)).toContainText(dateOf(from))
  await page.keyboard.press('p')
  await expect(focusedRow(page)).toContainText('已发布')
  await keys(page, 'a')
  await expect(dialog.getByRole('textbox', { name: '奖励规则' })).toBeFocused()
  await page.keyboard.type('第一名 500')
  await page.keyboard.press('Tab')
  await page.keyboard.type('七月榜单奖励')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText(/第 1 行/)).toBeVisible()
  await dialog.getByRole('textbox', { name: '奖励规则' }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('1-3 88')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(page.getByRole('article').getByText('88.00').first()).toBeVisible()
})
