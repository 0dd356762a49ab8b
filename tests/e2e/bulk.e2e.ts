import { expect, type Page } from '@playwright/test'
import {
  codes,
  command,
  complaints,
  countOf,
  job,
  keys,
  settled,
  signIn,
  toasts,
  toTab,
} from './desk.ts'

const grid = (page: Page) => page.getByRole('grid', { name: '团购审核' })
/** Rejects every row of the list that can be; answers how many were. */
const rejectAll = async (page: Page): Promise<number> => {
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Shift+R')
  const dialog = page.getByRole('dialog', { name: '批量驳回' })
  await expect(codes(page).first()).toBeFocused()
  const [, rows] = /共 (\d+) 项/.exec((await dialog.textContent())!)!
  await page.keyboard.press('4')
  await expect(page.getByRole('textbox', { name: '原因说明' })).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toBeHidden()
  await expect(toasts(page).filter({ hasText: `批量驳回：已完成 ${rows} 项` })).toBeVisible()
  return Number(rows)
}

job(
  'an auditor rejects a whole queue at once by mistake and takes it back in one step; once more, and takes it back after a reload',
  async ({ page }) => {
    const found = complaints(page)
    await signIn(page, 'auditor')
    await command(page, 'tgsh')
    await expect(grid(page)).toBeFocused()
    await settled(page)
    const open = await countOf(page, /待处理/)
    const before = await countOf(page, /已驳回/)

    const rows = await rejectAll(page)
    expect(rows).toBeGreaterThan(5)
    await expect.poll(() => countOf(page, /已驳回/)).toBe(before + rows)
    await page.keyboard.press('Control+z')
    await expect(toasts(page).filter({ hasText: `已撤销：批量驳回，${rows} 项` })).toBeVisible()
    await expect.poll(() => countOf(page, /待处理/)).toBe(open)
    await expect.poll(() => countOf(page, /已驳回/)).toBe(before)

    // The counts come before the rows.
    const listed = async () =>
      Number(/共 (\d+) 条/.exec((await page.locator('.m-foot').textContent())!)?.[1])
    await expect.poll(listed).toBeGreaterThanOrEqual(open)
    // What colleagues hold comes back to the queue by the clock, so there may be more by now.
    const again = await rejectAll(page)
    expect(again).toBeGreaterThanOrEqual(rows)
    await page.reload()
    await expect(grid(page)).toBeFocused()
    await keys(page, 'w u')
    const list = page.getByRole('dialog', { name: '可撤销的操作' })
    // All of it is one line, and what was taken back before is none.
    await expect(list.getByRole('button', { name: '撤销：批量驳回' })).toHaveCount(1)
    await expect(list.getByRole('listitem').first()).toContainText(`批量驳回 ${again} 项`)
    await expect(list.getByRole('button', { name: '撤销：批量驳回' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(toasts(page).filter({ hasText: `已撤销：批量驳回，${again} 项` })).toBeVisible()
    await expect(list.getByRole('button', { name: '撤销：批量驳回' })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(list).toBeHidden()
    await expect(grid(page)).toBeFocused()
    await expect.poll(() => countOf(page, /已驳回/)).toBe(before)

    // Whoever took a decision back holds it: what is not looked at any more goes back to the queue
    // for all.
    await toTab(page, /我领取的/)
    await expect.poll(() => countOf(page, /我领取的/)).toBe(again)
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Shift+C')
    const returning = page.getByRole('dialog', { name: '退回队列' })
    await expect(returning).toContainText(`共 ${again} 项`)
    await page.keyboard.press('Enter')
    await expect(returning).toBeHidden()
    await expect(toasts(page).filter({ hasText: `退回队列：已完成 ${again} 项` })).toBeVisible()
    await expect.poll(() => countOf(page, /我领取的/)).toBe(0)
    expect(found).toEqual([])
  },
)
