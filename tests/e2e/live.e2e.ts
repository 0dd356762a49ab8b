import { expect, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import { command, complaints, enter, focusedRow, handsOver, job, settled, toTab } from './desk.ts'

/** Tab after Tab, until the control has the focus. */
const tabTo = async (page: Page, control: Locator) => {
  await expect(control).toBeVisible()
  for (let at = 0; at < 60; at++) {
    if (await control.evaluate(node => node === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(control).toBeFocused()
}
/** From the first row down to the one that says so. */
const toRow = async (page: Page, words: string) => {
  await tabTo(page, page.getByRole('grid', { name: '直播间' }))
  await page.keyboard.press('Home')
  for (let at = 0; at < 30 && !(await focusedRow(page).textContent())!.includes(words); at++)
    await page.keyboard.press('j')
  await expect(focusedRow(page)).toContainText(words)
}
const picture = async (width: number, height: number) => ({
  name: 'picture.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width, height, channels: 3, background: '#c0563b' } })
    .png()
    .toBuffer(),
})

job(
  'plan a live session with products, submit it, and cancel it with a reason',
  async ({ page }) => {
    const found = complaints(page)
    const hand = handsOver(page)
    await enter(page, 'admin', '/manage')
    await command(page, '直播间管理')
    await expect(page).toHaveURL(/\/manage\/system\/live$/)
    await expect(page.getByRole('grid', { name: '直播间' })).toBeFocused()

    // The plan: a title that is cut where it is too wide, a host, a place; the times are proposed.
    await page.keyboard.press('c')
    const form = page.getByRole('form', { name: '直播计划' })
    const title = form.getByRole('textbox', { name: /^标题/ })
    await expect(title).toBeFocused()
    await page.keyboard.type('键盘小队年终试吃大会直播专场第一回合超长')
    await expect(title).toHaveValue('键盘小队年终试吃大会直播专场第一回')
    await tabTo(page, form.getByRole('combobox', { name: /^主播微信/ }))
    await page.keyboard.type('甜点师')
    await expect(form.getByRole('listbox', { name: '主播微信' }).getByRole('option')).toHaveText([
      '甜点师可可 · wx_host_007',
    ])
    await page.keyboard.press('Enter')
    const city = form.getByRole('combobox', { name: /^城市/ })
    await tabTo(page, city)
    while ((await city.locator('option:checked').textContent()) !== '上海')
      await page.keyboard.press('ArrowDown')
    for (const [name, width, height] of [
      [/^封面图/, 400, 400],
      [/^分享图/, 500, 400],
      [/^背景图/, 450, 800],
    ] as const) {
      const button = form.getByRole('button', { name })
      await tabTo(page, button)
      hand(await picture(width, height))
      await page.keyboard.press('Enter')
      await expect(button).toHaveText('更换图片')
    }
    await page.keyboard.press('Control+s')
    await expect(page).toHaveURL(/\/manage\/system\/live\/edit\?id=\d+/)
    await settled(page)
    await expect(title).toBeFocused()
    await page.keyboard.press('Escape')

    // Two products, one of them at a price of the room's own, and in the other order.
    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('option').first()).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('list', { name: '已选' }).getByRole('listitem')).toHaveCount(1)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('list', { name: '已选' }).getByRole('listitem')).toHaveCount(2)
    await page.keyboard.press('Control+Enter')
    await expect(dialog).toHaveCount(0)
    const shelf = page.getByRole('grid', { name: '商品货架' })
    await expect(shelf.getByRole('row')).toHaveCount(2)
    await tabTo(page, shelf)
    await page.keyboard.press('p')
    await expect(dialog.getByRole('textbox', { name: '直播价' })).toBeFocused()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('9.90')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('12')
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    const first = (await shelf.getByRole('row').first().locator('.m-ellipsis').textContent())!
    await expect(shelf.getByRole('row').first()).toContainText('9.90')
    await page.keyboard.press('Alt+ArrowDown')
    await page.keyboard.press('s')
    await expect(page.getByText('顺序已保存')).toBeVisible()
    await expect(shelf.getByRole('row').nth(1)).toContainText(first)

    // Submitted: it is planned, and its stock reserved.
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('已提交到直播平台，直播库存已锁定')).toBeVisible()
    await expect(shelf.getByRole('row').nth(1)).toContainText('剩 12 / 12')

    // And called off, with a reason.
    await command(page, '直播间管理')
    await settled(page)
    await toRow(page, '键盘小队')
    await page.keyboard.press('Shift+C')
    await expect(dialog).toBeVisible()
    await page.keyboard.type('主播感冒，改到下周')
    await page.keyboard.press('Control+Enter')
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('grid', { name: '直播间' })).not.toContainText('键盘小队')
    await toTab(page, /已取消/)
    await expect(page.getByRole('grid', { name: '直播间' })).toContainText('键盘小队')
    await toRow(page, '键盘小队')
    await expect(page.getByRole('article')).toContainText('主播感冒，改到下周')
    expect(found).toEqual([])
  },
)
