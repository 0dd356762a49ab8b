import { expect, type Page } from '@playwright/test'
import { timeFull } from '#src/domain/time.ts'
import { command, complaints, job, settled, signIn, tabTo, toasts, tokenOf, toTab } from './desk.ts'

const ROWS = 51
/** Between the ends of the orders that the list begins with: some of them end later. */
const amidst = async (page: Page): Promise<number> => {
  const answer = await (
    await page
      .context()
      .request.get(`/api/manageback/order/bulks/lst?status=pending_use&pageSize=100`, {
        headers: { 'Authori-zation': `Bearer ${await tokenOf(page, 'admin')}` },
      })
  ).json()
  const ends = (answer.data.list as { valid_until: number }[])
    .slice(0, ROWS)
    .map(row => row.valid_until)
  return Math.round((Math.min(...ends) + Math.max(...ends)) / 2)
}
const DAY = 86_400

job(
  'more orders than one page holds are extended at once: counted by typing, told which failed and why, and only those tried again',
  async ({ page }) => {
    const found = complaints(page)
    const some = await amidst(page)
    await signIn(page, 'admin')
    await command(page, 'tgdd')
    await expect(page.getByRole('grid', { name: '团购订单' })).toBeFocused()
    await toTab(page, /^待使用/)
    await expect(page).toHaveURL(/status=pending_use/)
    await page.keyboard.press('Control+a')
    await expect(page.getByText('已选 50 项')).toBeVisible()
    await page.keyboard.press('Shift+N')
    await expect(page).toHaveURL(/page=2/)
    await settled(page)
    await page.keyboard.press('x')
    await expect(page.getByText(`已选 ${ROWS} 项`)).toBeVisible()

    const dialog = page.getByRole('dialog', { name: '批量延期' })
    const extend = async (
      until: number,
      count?: (field: ReturnType<Page['getByRole']>) => Promise<void>,
    ) => {
      await page.keyboard.press('Shift+D')
      await expect(dialog).toBeVisible()
      await tabTo(page, dialog.getByRole('textbox', { name: '新的有效期' }))
      await page.keyboard.press('Control+a')
      await page.keyboard.type(timeFull(until).slice(0, 16))
      await tabTo(page, dialog.getByRole('textbox', { name: '原因', exact: true }))
      await page.keyboard.type('商户装修停业')
      await count?.(dialog.getByRole('textbox', { name: /^输入项数/ }))
      await page.keyboard.press('Control+Enter')
    }
    await extend(some, async field => {
      await expect(dialog).toContainText(`共 ${ROWS} 项`)
      await tabTo(page, field)
      await page.keyboard.type('50')
      await page.keyboard.press('Enter')
      await expect(dialog.getByRole('alert')).toContainText(`本次共 ${ROWS} 项`)
      await expect(field).toBeFocused()
      await page.keyboard.press('Control+a')
      await page.keyboard.type(String(ROWS))
    })
    const told = toasts(page).filter({ hasText: /^批量延期：\d+ 项完成，\d+ 项失败：只能延长/ })
    await expect(told).toBeVisible()
    const [, done, failed] = /(\d+) 项完成，(\d+) 项失败/
      .exec((await told.textContent())!)!
      .map(Number)
    expect([done! + failed!, done! > 0, failed! > 0]).toEqual([ROWS, true, true])
    // More than one call takes: what failed and why is told by itself.
    const report = page.getByRole('dialog', { name: '批量操作结果' })
    await expect(report).toContainText(`共 ${ROWS} 项：完成 ${done} 项，失败 ${failed} 项`)
    await page.keyboard.press('Escape')
    await expect(report).toBeHidden()
    // Only what failed is still chosen, and is tried again as it stands.
    await expect(page.getByText(`已选 ${failed} 项`)).toBeVisible()
    await expect(page.getByRole('grid', { name: '团购订单' })).toBeFocused()
    await extend(some + 90 * DAY)
    await expect(dialog).toBeHidden()
    await expect(toasts(page).filter({ hasText: '批量延期：' }).last()).toContainText('已完成')
    await expect(page.getByText(/^已选 \d+ 项$/)).toBeHidden()
    expect(found).toEqual([])
  },
)
