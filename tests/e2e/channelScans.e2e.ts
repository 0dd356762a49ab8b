import { expect, type Page } from '@playwright/test'
import {
  answered,
  complaints,
  enter,
  focusedRow,
  keyboardTest as test,
  settled,
  tabTo,
  toasts,
} from './desk.ts'
import { rowsBy } from './rows.ts'

const SCRIPT = 'channelRows.server.ts'
/** Takes colleagues by their names in the question that has the focus, and sends. */
const add = async (page: Page, key: string, names: readonly string[]) => {
  const dialog = page.getByRole('dialog')
  await page.keyboard.press(key)
  const options = dialog.getByRole('option')
  await expect(options.first()).toBeVisible()
  for (const name of names) {
    await page.keyboard.type(name)
    await expect(options).toHaveCount(1)
    await expect(options).toContainText(name)
    await page.keyboard.press('Enter')
  }
  await page.keyboard.press('Control+Enter')
  await answered(page)
  // A shift begins with who stands in the form by then.
  for (const name of names)
    await expect(page.getByRole('form').getByRole('button', { name: `移除 ${name}` })).toBeVisible()
}
/** Counts the last days anew; answers the row of the figures after that. */
const countAnew = async (page: Page, scans: string): Promise<string> => {
  await page.keyboard.press('Shift+r')
  await expect(page.getByRole('dialog')).toBeVisible()
  const done = page.waitForResponse(one => one.url().includes('/channel/statistics/rebuild'))
  await page.keyboard.press('Control+Enter')
  expect((await done).status()).toBe(200)
  await answered(page)
  await expect(focusedRow(page)).toContainText(scans)
  return (await focusedRow(page).textContent())!
}

test('a code with shifts is scanned two hundred times, and counted anew comes to the same, by keys alone', async ({
  page,
}, info) => {
  const found = complaints(page)
  const n = String(Date.now()).slice(-9)
  const [name, group] = [`旅程班次码${n}`, `旅程组${n}`]
  const people = await rowsBy<string[]>(info, SCRIPT, { what: 'advisers' })
  await enter(page, 'admin', '/manage/channel/code/edit')
  await settled(page)
  const form = page.getByRole('form', { name: '渠道活码' })
  // Off the first field, where a letter is typed.
  await tabTo(page, page.getByRole('button', { name: /^添加班次/ }), 'Shift+Tab')
  await add(page, 'a', people.slice(0, 2))
  await page.keyboard.press('i')
  await expect(form.getByRole('group', { name: '班次 1' })).toBeVisible()
  await add(page, 'b', people.slice(2))

  // Within the shift its two, outside the backup.
  const replay = page.getByRole('status').filter({ hasText: people[0]! })
  await page.keyboard.press('t')
  const clock = page.getByRole('textbox', { name: '时刻' })
  await tabTo(page, clock)
  for (const [time, says] of [
    ['21:30', [`${people[0]} 50%`, `${people[1]} 50%`]],
    ['23:00', [`${people[2]} 100%`, '不在班次内']],
  ] as const) {
    await page.keyboard.press('Control+a')
    await page.keyboard.type(time)
    for (const one of says) await expect(replay).toContainText(one)
  }
  await tabTo(page, form.getByRole('textbox', { name: /^活码名称/ }))
  await page.keyboard.type(name)
  await tabTo(page, form.getByRole('textbox', { name: /^分组/ }))
  await page.keyboard.type(group)
  await page.keyboard.press('Control+Enter')
  await expect(toasts(page).getByText('已提交企微，确认后生效')).toBeVisible()
  await expect(page.getByText('启用中', { exact: true }).filter({ visible: true })).toBeVisible({
    timeout: 30_000,
  })

  const scan = (scans: number, adds: number, days_ago: number) =>
    rowsBy<number>(info, SCRIPT, { what: 'scans', name, scans, adds, days_ago })
  expect(await scan(120, 40, 1)).toBe(120)
  expect(await scan(80, 20, 0)).toBe(80)
  await page.goto(`/manage/channel/statistics?by=code&group=${encodeURIComponent(group)}`)
  await settled(page)
  await expect(focusedRow(page)).toContainText(name)
  const first = await countAnew(page, '200')
  expect(first).toContain('60')
  expect(await countAnew(page, '200')).toBe(first)

  // The rows of the people come to the figures of the code.
  await page.keyboard.press('d')
  await expect(page).toHaveURL(/statistics\/detail\?code_id=\d+/)
  await settled(page)
  const detail = page.getByRole('article')
  const sums = detail.getByRole('definition')
  await expect(sums.filter({ hasText: /^200$/ })).toHaveCount(1)
  await expect(sums.filter({ hasText: /^60$/ })).not.toHaveCount(0)
  const received = detail.getByRole('row').filter({ hasText: '旅程顾问' })
  const each = await received.evaluateAll(rows =>
    rows.map(row => Number(row.querySelectorAll('td')[1]?.textContent ?? 0)),
  )
  expect(each.reduce((sum, one) => sum + one, 0)).toBe(60)
  await expect(page.getByText('旅程客户0').first()).toBeVisible()
  expect(found).toEqual([])
})
