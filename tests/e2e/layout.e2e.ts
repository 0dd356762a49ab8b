import { expect } from '@playwright/test'
import { command, complaints, focusedRow, job, keys, signIn, toasts } from './desk.ts'

job(
  'somebody who leads tiles four lists, links two of them by colour and gives the layout to the team; a colleague with fewer rights opens it',
  async ({ page, colleague }) => {
    const found = complaints(page)
    const name = '晨会 314159'
    await signIn(page, 'admin')
    const panes = page.locator('[data-pane]:visible')
    await keys(page, 'w o')
    await expect(panes).toHaveCount(1)
    await keys(page, 'g a b w v g a c w s g a p w h w s g l o')
    await expect(panes).toHaveCount(4)
    for (const list of ['团购审核', '卡券审核', '商品审核', '后台操作日志'])
      await expect(page.getByRole('grid', { name: list })).toBeVisible()

    // The log follows the row of the product queue, for as long as both are on one colour.
    const log = page.locator('[data-pane][aria-label="后台操作日志"]')
    // The list itself: what its pane showed before may still be about to go.
    const products = page.getByRole('grid', { name: '商品审核' })
    await keys(page, 'w 2 w l w j w 2')
    await expect(products).toBeFocused()
    await expect(page.getByRole('button', { name: /^已联动：通道 2/ })).toHaveCount(2)
    const number = async () =>
      (await focusedRow(page, products).getAttribute('id'))!.replace(/.*\D/, '')
    await expect(log.getByText(`#${await number()}`).first()).toBeAttached()
    const first = await number()
    await page.keyboard.press('j')
    await expect.poll(number).not.toBe(first)
    await expect(log.getByText(`#${await number()}`).first()).toBeAttached()

    await command(page, '发布为团队布局')
    await expect(page.getByRole('dialog').getByRole('textbox', { name: '布局名称' })).toBeFocused()
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await expect(toasts(page).filter({ hasText: '发布为团队布局' })).toBeVisible()

    const other = await colleague()
    await signIn(other, 'auditor')
    await keys(other, 'w g')
    const dialog = other.getByRole('dialog', { name: '布局列表' })
    const theirs = dialog
      .getByRole('region', { name: '团队' })
      .getByRole('button', { name: new RegExp(name) })
    await expect(theirs).toBeVisible()
    await expect(dialog.locator('.s-layout-open').first()).toBeFocused()
    for (
      let n = 0;
      n < 20 && !(await theirs.evaluate(node => node === document.activeElement));
      n++
    )
      await other.keyboard.press('ArrowDown')
    await other.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(other.locator('[data-pane]:visible')).toHaveCount(4)
    await expect(
      toasts(other).filter({ hasText: `已打开布局「${name}」；1 个窗格你不能打开` }),
    ).toBeVisible()
    await expect(other.getByRole('grid', { name: '商品审核' })).toBeVisible()
    expect(found).toEqual([])
  },
)
