import { expect, type Locator, type Page } from '@playwright/test'
import { answered, complaints, enter, keyboardTest as test, settled, tabTo } from './desk.ts'
import { rowsBy } from './rows.ts'

type Made = { tag: string; nicknames: string[]; coupon: string; coupon_id: number }
const SCRIPT = 'memberRows.server.ts'
/** Finds one by its name in a field that offers what there is, and takes it. */
const choose = async (page: Page, where: Locator, label: RegExp, name: string) => {
  await tabTo(page, where.getByRole('combobox', { name: label }))
  await page.keyboard.type(name)
  const options = page.getByRole('listbox', { name: label }).getByRole('option')
  await expect(options).toHaveCount(1)
  await expect(options).toContainText(name)
  await page.keyboard.press('Enter')
}

test('an audience is built by its rule and gets a coupon, and who joins it later gets none, by keys alone', async ({
  page,
}, info) => {
  const found = complaints(page)
  const made = await rowsBy<Made>(info, SCRIPT, { what: 'audience' })
  const name = `旅程${made.tag}`
  const dialog = page.getByRole('dialog')
  await enter(page, 'admin', '/manage/customer/groups')
  await settled(page)
  await page.keyboard.press('c')
  const tree = page.getByRole('tree', { name: '规则' })
  await expect(tree).toBeFocused()
  await page.keyboard.press('a')
  const field = dialog.getByRole('combobox', { name: /^条件/ })
  await tabTo(page, field)
  await field.selectOption({ label: '会员标签' })
  await choose(page, dialog, /^会员标签/, made.tag)
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(tree.getByRole('treeitem', { name: new RegExp(made.tag) })).toBeVisible()
  const trial = page.locator('.cu-trial')
  for (const nickname of made.nicknames) await expect(trial).toContainText(nickname)
  await page.keyboard.press('s')
  await tabTo(page, dialog.getByRole('textbox', { name: /^名称/ }))
  await page.keyboard.type(name)
  await page.keyboard.press('Control+Enter')
  await answered(page)
  const row = page
    .getByRole('grid', { name: '客户分群' })
    .getByRole('row')
    .filter({ hasText: name })
  await expect(row).toBeVisible()
  await page.goto(`/manage/customer/groups?keyword=${encodeURIComponent(name)}`)
  await settled(page)
  await expect(row.getByText('可用')).toBeVisible({ timeout: 30_000 })
  const people = page.getByRole('article').getByRole('definition')
  await expect(people.filter({ hasText: /^2$/ })).toHaveCount(1)
  await page.keyboard.press('q')
  await expect(dialog.getByText('按当前名单 2 人执行，之后刷新不影响本次')).toBeVisible()
  await choose(page, dialog, /^优惠券/, made.coupon)
  await tabTo(page, dialog.getByRole('textbox', { name: /^原因/ }))
  await page.keyboard.type('旅程回馈')
  await page.keyboard.press('Control+Enter')
  await answered(page)

  // Each has a piece once the job is done.
  const use = page.getByRole('article').getByRole('row').filter({ hasText: made.coupon })
  const twos = use.getByRole('cell').filter({ hasText: /^2$/ })
  await expect(twos).toHaveCount(2, { timeout: 30_000 })
  const pieces = `/manage/coupon/index/data?coupon_id=${made.coupon_id}`
  await page.goto(pieces)
  await settled(page)
  const piece = page.getByRole('row').filter({ hasText: '未使用' })
  await expect(piece).toHaveCount(2)
  for (const nickname of made.nicknames)
    await expect(piece.filter({ hasText: nickname })).toHaveCount(1)

  // The list that was used stands, whoever is on it later.
  const late = await rowsBy<string>(info, SCRIPT, { what: 'joins', tag: made.tag })
  await page.goto(`/manage/customer/groups?keyword=${encodeURIComponent(name)}`)
  await settled(page)
  await page.keyboard.press('r')
  await expect(people.filter({ hasText: /^3$/ })).toHaveCount(1, { timeout: 30_000 })
  await expect(twos).toHaveCount(2)
  await page.goto(pieces)
  await settled(page)
  await expect(piece).toHaveCount(2)
  await expect(page.getByText(late)).toHaveCount(0)
  expect(found).toEqual([])
})
