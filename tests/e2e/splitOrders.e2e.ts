import { expect } from '@playwright/test'
import {
  complaints,
  decide,
  enter,
  focusedRow,
  keyboardTest as test,
  settled,
  tabTo,
} from './desk.ts'
import { moneyRows } from './moneyRows.ts'

const PAGE = '/manage/distribution/splitOrders'

test('a split with one failure is mended and another is shared again, by keys alone', async ({
  page,
}, info) => {
  test.setTimeout(180_000)
  const found = complaints(page)
  const { partial: no, failed: again } = await moneyRows(info, 'splits')
  await enter(page, 'admin', `${PAGE}?status=partial&keyword=${no}`)
  await settled(page)
  await expect(focusedRow(page)).toContainText('部分成功')
  const file = page.getByRole('article')
  await expect(file.getByRole('table')).toContainText('失败')

  // The receiver that failed has its share in its balance instead.
  await page.keyboard.press('s')
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByRole('textbox', { name: '原因' }))
  await page.keyboard.type('账户已注销，转入余额')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await page.goto(`${PAGE}?status=finished&keyword=${no}`)
  await settled(page)
  await expect(focusedRow(page)).toContainText('已完成')
  await expect(file.getByRole('table')).toContainText('已转余额')

  // Another is asked for again, and the channel's answer comes by itself.
  await page.goto(`${PAGE}?status=failed&keyword=${again}`)
  await settled(page)
  await expect(focusedRow(page)).toContainText('失败')
  await decide(page, 't')
  await page.goto(`${PAGE}?status=finished&keyword=${again}`)
  await expect(focusedRow(page)).toContainText('已完成', { timeout: 90_000 })
  expect(found).toEqual([])
})
