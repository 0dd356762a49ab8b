import { expect } from '@playwright/test'
import {
  answered,
  complaints,
  enter,
  focusedRow,
  keyboardTest as test,
  sayYes,
  settled,
  write,
} from './desk.ts'
import { rowsBy } from './rows.ts'

test('a level of the draft is changed and tried on all members, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  const points = String(Date.now()).slice(-5).replace(/^0+/, '1')
  await enter(page, 'admin', '/manage/vip/rules?status=draft')
  await settled(page)
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await write(page, '升级赠送积分', points)
  await page.keyboard.press('Control+Enter')
  await answered(page)
  const detail = page.getByRole('article')
  const told = Number(points).toLocaleString('en-US')
  await expect(detail.getByText(told, { exact: true })).toBeVisible()
  await page.keyboard.press('t')
  await expect(page.locator('.s-toast').filter({ hasText: '到保级日降级' })).toBeVisible()
  expect(found).toEqual([])
})
test('a member is protected from a row of the records, by keys alone', async ({ page }) => {
  const found = complaints(page)
  const why = `住院保级${String(Date.now()).slice(-7)}`
  await enter(page, 'admin', '/manage/vip/record')
  await settled(page)
  await page.keyboard.press('p')
  await write(page, '原因', why)
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(page.getByRole('article').getByText(why)).toBeVisible()
  expect(found).toEqual([])
})
test('a ladder of levels is published by two people and moves who has reached it, by keys alone', async ({
  page,
  colleague,
}, info) => {
  const found = complaints(page)
  const made = await rowsBy<{
    maker: string
    nickname: string
    at: number
    name: string
    growth_min: number
  }>(info, 'memberRows.server.ts', { what: 'nearly' })
  const { nickname, name } = made
  const dialog = page.getByRole('dialog')
  await enter(page, made.maker, '/manage/vip/rules?status=live')
  await settled(page)
  await page.keyboard.press('Home')
  for (let at = 0; at < made.at; at++) await page.keyboard.press('j')
  await expect(focusedRow(page)).toContainText(name)

  // The first change begins a draft; its trial counts the member who lacked one.
  await page.keyboard.press('e')
  await expect(dialog).toBeVisible()
  await write(page, '成长值门槛', String(made.growth_min - 1))
  await write(page, '保级成长值', String(Math.floor(made.growth_min / 2)))
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await page.goto('/manage/vip/rules?status=draft')
  await settled(page)
  await page.keyboard.press('t')
  await expect(
    page.locator('.s-toast').filter({ hasText: /：[1-9]\d* 人升级，\d+ 人到保级日降级/ }),
  ).toBeVisible()
  await page.keyboard.press('p')
  await expect(dialog).toBeVisible()
  await write(page, '原因', `旅程放宽「${name}」`)
  await page.keyboard.press('Control+Enter')
  await answered(page)

  // Its maker does not approve it: somebody else does, and reads why.
  await page.goto('/manage/vip/rules?status=waiting')
  await settled(page)
  await page.keyboard.press('a')
  await expect(
    page.locator('.s-toast').filter({ hasText: '须由提交人以外的另一人复核' }),
  ).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await page.goto(`/manage/vip/record?keyword=${encodeURIComponent(nickname)}`)
  await settled(page)
  await expect(focusedRow(page)).not.toContainText('规则变更')
  const other = await colleague()
  await enter(other, 'admin', '/manage/vip/rules?status=waiting')
  await settled(other)
  await expect(other.getByRole('article').getByText(`旅程放宽「${name}」`)).toBeVisible()
  await other.keyboard.press('a')
  await sayYes(other)
  await answered(other)

  // The open page hears who moves, and holds the row back while a hand is in its list.
  await expect(page.getByRole('button', { name: /有 1 条新内容/ })).toBeVisible({ timeout: 30_000 })
  await page.keyboard.press('Shift+g')
  const moved = page.getByRole('row').filter({ hasText: '规则变更' })
  await expect(moved).toContainText(`→ ${name}`)
  await expect(moved).toContainText(nickname)
  expect(found).toEqual([])
})
