import { expect, type Page } from '@playwright/test'
import { command, complaints, job, settled, signIn, tabTo, toasts, toTab } from './desk.ts'

const popover = (page: Page) => page.getByRole('listbox', { name: '视图' })

job(
  'somebody who leads keeps a search of the last seven days as a view of the team; a colleague opens it by its name',
  async ({ page, colleague }) => {
    const found = complaints(page)
    const name = '本周待使用 314159'
    // The filters have room beside whatever the detail of the first order is as wide as.
    const roomy = { width: 1920, height: 1080 }
    await page.setViewportSize(roomy)
    await signIn(page, 'admin')
    await command(page, 'tgdd')
    await settled(page)
    await expect(page.getByRole('grid', { name: '团购订单' })).toBeFocused()
    await toTab(page, /^待使用/)
    await expect(page).toHaveURL(/status=pending_use/)
    await tabTo(page, page.getByRole('button', { name: /^时间范围/ }).first(), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('group', { name: '时间范围' })).toBeVisible()
    await page.keyboard.press('2')
    await expect(page).toHaveURL(/=7d/)
    await settled(page)

    await page.keyboard.press('Shift+W')
    await expect(popover(page)).toBeFocused()
    await page.keyboard.press('s')
    await expect(page.getByRole('textbox', { name: '视图名称' })).toBeFocused()
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: `视图：${name}` })).toBeVisible()
    await page.keyboard.press('Shift+W')
    await expect(popover(page)).toBeFocused()
    await page.keyboard.press('p')
    const dialog = page.getByRole('dialog', { name: '发布视图' })
    await expect(dialog).toBeVisible()
    await tabTo(page, dialog.getByRole('combobox', { name: '共享给' }))
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Control+Enter')
    await expect(dialog).toBeHidden()
    await expect(toasts(page).filter({ hasText: '发布视图：已完成' })).toBeVisible()

    const other = await colleague()
    await other.setViewportSize(roomy)
    await signIn(other, 'service')
    await command(other, name)
    await expect(other).toHaveURL(/status=pending_use.*=7d|=7d.*status=pending_use/)
    await settled(other)
    await expect(other.getByRole('button', { name: `视图：${name}` })).toBeVisible()
    await expect(other.getByRole('button', { name: '时间范围：近 7 天' })).toBeVisible()
    expect(found).toEqual([])
  },
)
