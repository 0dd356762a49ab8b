import { expect } from '@playwright/test'
import { complaints, enter, focusedRow, keyboardTest as test, settled } from './desk.ts'

/** A courier of this try alone: one that failed half way may have left its own. */
const stamp = () => String(Date.now()).slice(-8)

test('a courier is made, tried and told by a number, by keys alone', async ({ page }) => {
  test.setTimeout(90_000)
  const found = complaints(page)
  const [own, name] = [stamp(), `星宇速运${stamp()}`]
  await enter(page, 'admin', '/manage/config/courierCompany')
  await settled(page)
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox', { name: '编码' })).toBeFocused()
  await page.keyboard.type(`xingyu${own}`)
  await page.keyboard.press('Tab')
  await page.keyboard.type(name)
  await page.keyboard.press('Tab')
  await page.keyboard.type(`XY${own}\\d{4}`)
  await page.keyboard.press('Tab')
  await page.keyboard.type('XY123')
  await page.keyboard.press('Control+Enter')
  // The sample does not fit: the field says so, and nothing that was typed is lost.
  await expect(dialog.getByText('示例单号与规则不符')).toBeVisible()
  await dialog.getByRole('textbox', { name: '示例单号' }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(`XY${own}5678`)
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)

  // A number of its form finds it.
  await page.keyboard.press('/')
  await page.keyboard.type(`xy ${own} 4321`)
  await page.keyboard.press('Enter')
  const rows = page.getByRole('grid', { name: '快递公司' })
  await expect(rows.getByText(name)).toBeVisible()
  await page.keyboard.press('j')
  await expect(focusedRow(page)).toContainText(name)
  await page.keyboard.press('t')
  await expect(dialog.getByRole('textbox', { name: '快递单号' })).toHaveValue(`XY${own}5678`)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(`测试查询 XY${own}5678`)).toBeVisible()
  expect(found).toEqual([])
})

test('a part of the channel is released further, and a member is asked after', async ({ page }) => {
  test.setTimeout(90_000)
  const found = complaints(page)
  await enter(page, 'admin', '/manage/config/goodiesSwitch?feature=goodies_feed&level=national')
  await settled(page)
  await page.keyboard.press('j')
  const was = await focusedRow(page)
    .getByText(/^\d+%$/)
    .textContent()
  const percent = was === '100%' ? '90' : '100'
  await page.keyboard.press('p')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(percent)
  await page.keyboard.press('Tab')
  await page.keyboard.type('数据平稳，继续放量')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(focusedRow(page)).toContainText(`${percent}%`)

  await page.keyboard.press('v')
  await expect(dialog).toBeVisible()
  await page.keyboard.type('1')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/的命中结果/)).toBeVisible()
  expect(found).toEqual([])
})

test('an issue category is made, moved with a look ahead and merged, by keys alone', async ({
  page,
}) => {
  test.setTimeout(90_000)
  const found = complaints(page)
  const own = stamp()
  await enter(page, 'admin', '/manage/config/issueCate')
  await settled(page)
  const dialog = page.getByRole('dialog')
  const tree = page.getByRole('tree', { name: '问题分类' })
  const go = async (name: string, end: 'Home' | 'End' = 'End') => {
    await page.keyboard.press('/')
    await page.keyboard.press('Control+a')
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await expect(tree).toBeFocused()
    await page.keyboard.press(end)
    await expect(tree.locator('[aria-selected=true]')).toContainText(name)
  }
  const make = async (name: string) => {
    await page.keyboard.press('c')
    await dialog.getByRole('textbox', { name: '名称' }).focus()
    await page.keyboard.type(name)
    await page.keyboard.press('Control+Enter')
    await expect(dialog).toHaveCount(0)
  }
  // A new one begins under the category in focus.
  await go('活动与优惠', 'Home')
  await make(`新问题${own}`)
  await make(`旧问题${own}`)

  // Out of its category by a key: where it comes to stand is told before it is done.
  await go(`旧问题${own}`)
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(dialog).toContainText('将移到：最上级')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(tree.locator('[aria-selected=true]')).toHaveAttribute('aria-level', '1')

  await page.keyboard.press('Shift+M')
  await expect(dialog).toContainText('将移走 0 张工单')
  await page.keyboard.type(`新问题${own}`)
  await expect(dialog.getByRole('option')).toHaveCount(1)
  await expect(dialog.getByRole('option')).toContainText(`新问题${own}（合并后 0 张工单`)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('两类重复')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await go(`新问题${own}`)
  await expect(page.getByText(`旧问题${own}`)).toBeVisible()
  expect(found).toEqual([])
})
