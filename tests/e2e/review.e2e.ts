import { expect } from '@playwright/test'
import {
  answered,
  command,
  complaints,
  focusedRow,
  job,
  keys,
  rejectBy,
  settled,
  signIn,
  tabTo,
} from './desk.ts'

job(
  'a supervisor has every card drawn for a second look, judges one otherwise than the auditor did, and finds both in the figures',
  async ({ page, colleague }) => {
    const found = complaints(page)
    await signIn(page, 'supervisor')
    await command(page, '抽检结果')
    await expect(page.getByText(/^抽检比例：/)).toBeVisible()
    const setRate = async (rate: string) => {
      await page.keyboard.press('e')
      const dialog = page.getByRole('dialog', { name: '设置抽检比例' })
      await tabTo(page, dialog.getByRole('textbox', { name: /^卡券审核/ }))
      await page.keyboard.press('Control+a')
      await page.keyboard.type(rate)
      await page.keyboard.press('Enter')
      await expect(dialog).toBeHidden()
    }
    await setRate('10000')
    await expect(page.getByText(/^抽检比例：.*卡券审核 100%/)).toBeVisible()

    const other = await colleague()
    // The state of a row stands in it where the list has room.
    await other.setViewportSize({ width: 1920, height: 1080 })
    await signIn(other, 'auditor')
    await command(other, 'kqsh')
    await expect(other.getByRole('grid', { name: '卡券审核' })).toBeFocused()
    await settled(other)
    const row = focusedRow(other).filter({ visible: true })
    for (let n = 0; n < 8 && !/待审核/.test((await row.textContent())!); n++) {
      const id = (await row.getAttribute('id'))!
      await other.keyboard.press('j')
      await expect(row).not.toHaveAttribute('id', id)
    }
    const title = (await row.locator('[role=gridcell]').nth(1).textContent())!
    await expect(other.locator('article h2')).toHaveText(title)
    await rejectBy(other, '1')
    await answered(other)

    // The demo has others that wait, which come first: those are agreed with.
    const entry = page
      .getByRole('navigation', { name: '主菜单' })
      .getByRole('link', { name: /^抽检复看/ })
    await expect(entry.getByTitle(/^待处理 [1-9]/)).toBeVisible()
    await keys(page, 'g a l')
    // It stands among the recent pages too, from now on.
    await expect(page.locator('.s-menu-entry[aria-current="page"]')).toContainText('抽检复看')
    const heading = page.locator('article h2').filter({ visible: true })
    const left = page.getByText(/^待复看 \d+ 条$/)
    await expect(left).toBeVisible()
    for (let n = 0; n < 20 && (await heading.textContent()) !== title; n++) {
      const waiting = (await left.textContent())!
      await page.keyboard.press('a')
      await expect(left).not.toHaveText(waiting)
    }
    await expect(heading).toHaveText(title)
    await expect(page.getByText('原决定不显示')).toBeVisible()
    await page.keyboard.press('a')
    await expect(page.getByText('没有待复看的抽检').or(left)).toBeVisible()
    await command(page, '抽检结果')
    const line = page.getByRole('row').filter({ hasText: title }).filter({ visible: true }).first()
    await expect(line).toContainText('已驳回')
    await expect(line).toContainText('已通过')
    await setRate('500')
    await expect(page.getByText(/^抽检比例：.*卡券审核 5%/)).toBeVisible()
    expect(found).toEqual([])
  },
)
