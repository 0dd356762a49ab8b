import { expect } from '@playwright/test'
import { command, complaints, focusedRow, job, settled, signIn, tabTo } from './desk.ts'

job(
  'a colleague’s phone is seen for a reason, their record is changed, and a key at the field tells who changed it and what stood there',
  async ({ page }) => {
    const found = complaints(page)
    await signIn(page, 'admin')
    await command(page, 'ygzh')
    const grid = page.getByRole('grid', { name: '员工账号' })
    await expect(grid).toBeFocused()
    await settled(page)
    await page.keyboard.press('/')
    await page.keyboard.type('newcomer')
    await page.keyboard.press('Enter')
    await expect(grid.locator('.m-grid-row')).toHaveCount(1)
    await expect(grid).toBeFocused()
    await expect(focusedRow(page)).toContainText(/\d{3}\*{4}\d{4}/)
    await page.keyboard.press('v')
    const asking = page.getByRole('dialog')
    await expect(asking.getByRole('textbox')).toBeFocused()
    await page.keyboard.type('通知到岗时间')
    await page.keyboard.press('Enter')
    const revealed = page.getByRole('dialog', { name: /手机号 ·/ })
    await expect(revealed.locator('.m-revealed')).toHaveText(/^1\d{10}$/)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(grid).toBeFocused()
    await expect(page.locator('body')).not.toContainText(/(?<!\d)1[3-9]\d{9}(?!\d)/)

    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog', { name: '编辑资料' })
    const name = dialog.getByRole('textbox', { name: '姓名' })
    await tabTo(page, name)
    const before = await name.inputValue()
    const after = '新人3141'
    await page.keyboard.press('Control+a')
    await page.keyboard.type(after)
    await page.keyboard.press('Control+Enter')
    await expect(dialog).toBeHidden()
    await expect(focusedRow(page)).toContainText(after)
    await page.keyboard.press('e')
    await tabTo(page, name)
    await page.keyboard.press('Alt+h')
    await expect(page).toHaveURL(/\/system\/logs\?.*field=name/)
    const log = page.locator('[data-pane][aria-label="后台操作日志"]')
    // Beside the list the log is narrow: what changed stands behind its row, a key away.
    await expect(log.getByRole('grid')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(
      log.getByText(before, { exact: true }).filter({ visible: true }).first(),
    ).toBeVisible()
    await expect(
      log.getByText(after, { exact: true }).filter({ visible: true }).first(),
    ).toBeVisible()
    await expect(log.getByText('林知远').filter({ visible: true }).first()).toBeVisible()
    expect(found).toEqual([])
  },
)
