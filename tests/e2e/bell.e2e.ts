import { expect, type Page } from '@playwright/test'
import { command, enter, keyboardTest, keys, settled, tokenOf } from './desk.ts'

const base = '/api/manageback/audit'
/** Passes audits on from one person to another, as their page would. */
const passOn = async (page: Page, token: string, account: string, why: readonly string[]) => {
  const headers = { 'Authori-zation': `Bearer ${token}` }
  const { request } = page.context()
  const read = async (url: string) =>
    (await (await request.get(`${base}/${url}`, { headers })).json()).data.list as {
      id: number
      version: number
      title: string
      account?: string
    }[]
  const to = (await read(`auditors?keyword=${account}`)).find(one => one.account === account)
  const free = await read('voucher/lst?state=pending&pageSize=20')
  expect(free.length).toBeGreaterThan(why.length)
  const passed: string[] = []
  for (const { id, version, title } of free) {
    if (passed.length === why.length) break
    const reason = why[passed.length]
    const data = { id, version, admin_id: to!.id, reason }
    const answer = await request.post(`${base}/voucher/transfer`, { headers, data })
    // Another journey may have taken it, or it is one that they submitted themselves.
    if (((await answer.json()) as { status: number }).status === 200) passed.push(title)
  }
  expect(passed.length).toBe(why.length)
  return passed
}

keyboardTest(
  'the bell counts what I was told, and leads to its place by keys alone',
  async ({ page }) => {
    await enter(page, 'auditor', '/manage')
    await settled(page)
    const bell = page.locator('[data-command="workbench.messages"]')
    const list = page.getByRole('region', { name: '我的消息' })
    // What others were told before is none of this journey's.
    await keys(page, 'w Shift+I')
    await expect(list).toBeVisible()
    await page.keyboard.press('Shift+M')
    await expect(bell).toHaveAccessibleName('我的消息')
    await page.keyboard.press('Escape')
    await expect(list).toBeHidden()

    // It comes by itself, while the page is open.
    const boss = await tokenOf(page, 'supervisor')
    const [, last] = await passOn(page, boss, 'auditor', ['请看第一条', '请看第二条'])
    await expect(bell).toHaveAccessibleName('我的消息，2 条未读')

    await command(page, '我的消息')
    const rows = list.getByRole('listitem')
    await expect(rows.first()).toContainText('请看第二条')
    await expect(rows.first().getByRole('button')).toBeFocused()
    await page.keyboard.press('j')
    await expect(rows.nth(1)).toContainText('请看第一条')
    await expect(rows.nth(1).getByRole('button')).toBeFocused()
    await page.keyboard.press('m')
    await expect(bell).toHaveAccessibleName('我的消息，1 条未读')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await expect(list).toBeHidden()
    await expect(page).toHaveURL(/\/manage\/audit\/voucher\?/)
    await settled(page)
    await expect(page.locator('.m-grid-row').filter({ visible: true }).first()).toContainText(
      last!.slice(0, 8),
    )
    await expect(bell).toHaveAccessibleName('我的消息')
  },
)
