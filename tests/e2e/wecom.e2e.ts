import { expect, type Page } from '@playwright/test'
import {
  answered,
  complaints,
  enter,
  keyboardTest as test,
  settled,
  toasts,
  tokenIn,
} from './desk.ts'

type Customer = { id: number; live_count: number; waiting_count: number; tags: object[] }
/** A customer without a member, whom an adviser in service follows and nobody has tagged. */
const someone = async (page: Page): Promise<number> => {
  const answer = await page
    .context()
    .request.get(
      '/api/manageback/vip/weChatCustomerList/lst?quick=unmatched&state=following&page=1&pageSize=50',
      { headers: { 'Authori-zation': `Bearer ${await tokenIn(page)}` } },
    )
  const { list } = ((await answer.json()) as { data: { list: Customer[] } }).data
  return list.find(one => one.live_count > 0 && one.waiting_count === 0 && one.tags.length === 0)!
    .id
}

test('a directory is synced, a leaver’s customers are handed over, and a customer is matched, tagged and let go, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/vip/weChatDepartment')
  await settled(page)
  const dialog = page.getByRole('dialog')
  const detail = page.getByRole('article')
  /** Takes the first that is found for the question in focus, and sends. */
  const first = async () => {
    await expect(dialog.getByRole('option').first()).toBeVisible()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')
  }
  await page.keyboard.press('s')
  // Once in ten minutes: whoever was here a moment ago has synced already.
  await expect(toasts(page).getByText(/已开始同步|每 10 分钟最多同步一次/)).toBeVisible()
  const state = page.getByRole('status').filter({ hasText: '上次同步' })
  await expect(state).not.toContainText('同步中', { timeout: 30_000 })
  await page.keyboard.press('d')
  await expect(dialog.getByText('最近一次同步的差异')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await page.goto('/manage/vip/weChatContacts?quick=handover')
  await settled(page)
  await expect(detail.getByText('已离职').first()).toBeVisible()
  await page.keyboard.press('i')
  await expect(dialog.getByText(/有 \d+ 位跟进中的客户/)).toBeVisible()
  await first()
  await answered(page)
  await expect(toasts(page).getByText(/^已提交 \d+ 项转接，企业微信确认后生效/)).toBeVisible()
  // WeCom has it: no customer is asked for again while the first hand-over waits.
  await page.keyboard.press('i')
  await first()
  await expect(dialog.getByText(/^\d+ 项未提交$/)).toBeVisible()
  await expect(dialog.getByText('转接未满 24 小时，等待客户确认').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(detail.getByText('离职继承').first()).toBeAttached()

  await page.goto(`/manage/vip/weChatCustomerList?id=${await someone(page)}`)
  await settled(page)
  await expect(detail.getByText('未关联').first()).toBeVisible()
  await page.keyboard.press('m')
  await first()
  await answered(page)
  await expect(detail.getByText('人工')).toBeVisible()
  await page.keyboard.press('t')
  await expect(dialog.getByRole('option').first()).toBeVisible()
  const tag = (await dialog.getByRole('option').first().textContent())!.split(' / ')[1]!.trim()
  await first()
  await answered(page)
  await expect(toasts(page).getByText('已提交企微，完成后自动更新')).toBeVisible()
  // The tag is there once WeCom has it.
  await expect(detail.getByText(tag, { exact: true }).first()).toBeVisible({ timeout: 30_000 })
  await page.keyboard.press('d')
  await dialog.getByRole('textbox', { name: /^原因/ }).focus()
  await page.keyboard.type('旅程：关联有误')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(detail.getByText('未关联').first()).toBeVisible()
  expect(found).toEqual([])
})
