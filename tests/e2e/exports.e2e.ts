import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import {
  command,
  complaints,
  focusedRow,
  handsOver,
  job,
  keys,
  settled,
  signIn,
  standIn,
  tabTo,
  toasts,
  toTab,
} from './desk.ts'

job(
  'orders that are filtered are exported, watched and fetched; the file that turns up later tells whose it is',
  async ({ page }) => {
    const found = complaints(page)
    const hand = handsOver(page)
    await signIn(page, 'admin')
    await command(page, 'tgdd')
    await settled(page)
    await expect(page.getByRole('grid', { name: '团购订单' })).toBeFocused()
    await toTab(page, /^部分使用/)
    await expect(page).toHaveURL(/status=part_used/)
    const total = /共 ([\d,]+) 条/.exec(
      (await page
        .getByText(/^共 [\d,]+ 条/)
        .first()
        .textContent())!,
    )![1]!
    // What has ended takes the place of what has begun, and nineteen rows may have before anybody
    // has read it: the console hears of that afterwards.
    let hear = () => {}
    const read = new Promise<void>(resolve => {
      hear = resolve
    })
    await standIn(page, '**/export/mine?*', async route => {
      await read
      await route.continue()
    })
    await page.keyboard.press('Shift+E')
    const asks = page.getByRole('dialog', { name: '导出订单' })
    await expect(asks.getByRole('radio', { name: `当前筛选 ${total} 行` })).toBeFocused()
    await expect(asks.getByRole('button', { name: `导出 ${total} 行` })).toBeEnabled()
    // The dialog begins with the row that is selected; the other choice is all rows.
    await page.keyboard.press('Escape')
    await expect(asks).toBeHidden()
    await expect(page.getByRole('grid', { name: '团购订单' })).toBeFocused()
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+E')
    await expect(asks.getByRole('radio', { name: '已选 1 行' })).toBeFocused()
    await expect(asks.getByRole('button', { name: '导出 1 行' })).toBeEnabled()
    await page.keyboard.press('ArrowDown')
    await expect(asks.getByRole('radio', { name: `当前筛选 ${total} 行` })).toBeChecked()
    await page.keyboard.press('Enter')
    await expect(asks).toBeHidden()
    await expect(toasts(page).filter({ hasText: `已开始导出 ${total} 行` })).toBeVisible()
    hear()
    await keys(page, 'w d')
    const mine = page.getByRole('region', { name: '我的任务与导出' })
    await expect(mine.getByRole('listitem').first()).toContainText(`已完成 · ${total} 行`)
    await page.keyboard.press('Escape')
    await expect(mine).toBeHidden()
    await expect(page.getByRole('grid', { name: '团购订单' })).toBeFocused()

    await command(page, '文件导出记录')
    await expect(page.getByRole('grid', { name: '文件导出记录' })).toBeFocused()
    await expect(focusedRow(page).filter({ visible: true })).toContainText('团购订单')
    const download = page.waitForEvent('download')
    await page.keyboard.press('d')
    const file = await readFile(await (await download).path())
    // Somebody found some rows of it on a stick.
    hand({ name: '捡到的表.csv', mimeType: 'text/csv', buffer: file })
    await page.keyboard.press('y')
    const dialog = page.getByRole('dialog', { name: '核对文件来源' })
    await expect(dialog.getByLabel('要核对的文件')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('status').first()).toContainText('林知远')
    await expect(dialog.getByRole('status').first()).toContainText('团购订单')
    await tabTo(page, dialog.getByRole('button', { name: '查看导出条件' }))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: '导出条件' })).toContainText('部分使用')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('grid', { name: '文件导出记录' })).toBeFocused()
    expect(found).toEqual([])
  },
)
