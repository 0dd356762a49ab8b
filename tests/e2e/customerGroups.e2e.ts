import { expect } from '@playwright/test'
import { answered, complaints, enter, keyboardTest as test, settled, tabTo } from './desk.ts'

const no = String(Date.now()).slice(-6)

test('an audience is written, tried, saved and counted by keys alone', async ({ page }) => {
  const found = complaints(page)
  const name = `旅程分群${no}`
  await enter(page, 'admin', '/manage/customer/groups')
  await settled(page)
  await page.keyboard.press('c')
  const tree = page.getByRole('tree', { name: '规则' })
  await expect(tree).toBeFocused()
  await expect(page.getByText('全部会员精确计数')).toBeVisible()

  // The first condition that is offered is the level.
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByRole('combobox').first())
  await page.keyboard.press('ArrowDown')
  await tabTo(page, dialog.getByRole('checkbox', { name: 'V0' }))
  await page.keyboard.press('Space')
  await page.keyboard.press('Control+Enter')
  await expect(tree.getByRole('treeitem', { name: '会员等级为 V0' })).toBeVisible()

  // A group takes the condition in, and turns with a key.
  await page.keyboard.press('Shift+a')
  await expect(tree.getByRole('treeitem', { name: '满足以下任一条件' })).toBeVisible()
  await page.keyboard.press('o')
  await expect(tree.getByRole('treeitem', { name: '满足以下全部条件' })).toHaveCount(2)
  await page.keyboard.press('n')
  await expect(tree.getByRole('treeitem', { name: /^不满足/ })).toBeVisible()
  await expect(page.locator('.cu-trial').getByText('不满足「会员等级为 V0」')).toBeVisible()

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
  await expect(row.getByText('可用')).toBeVisible({ timeout: 30_000 })
  expect(found).toEqual([])
})
