import { expect, type Page } from '@playwright/test'
import { answered, complaints, enter, keyboardTest as test, settled, tabTo } from './desk.ts'

const no = String(Date.now()).slice(-6)
const write = async (page: Page, label: RegExp, value: string) => {
  await tabTo(page, page.getByRole('dialog').getByRole('textbox', { name: label }).first())
  await page.keyboard.press('Control+a')
  await page.keyboard.type(value)
}
const wall = (page: Page) => page.getByRole('grid', { name: '勋章' })

test('a badge is made, turned on, granted, looked up and taken back, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  const badge = `旅程勋章${no}`
  await enter(page, 'admin', '/manage/vip/achieve')
  await settled(page)
  await tabTo(page, wall(page))
  await page.keyboard.press('l')
  await expect(wall(page).getByText('本季新客')).toBeVisible()
  await page.keyboard.press('p')
  await expect(wall(page).getByText('初次下单')).toBeVisible()
  await page.keyboard.press('c')
  await write(page, /^名称/, badge)
  await write(page, /^门槛/, '99999')
  await page.keyboard.press('Control+Enter')
  await answered(page)

  // The new badge stands last in its group.
  await expect(wall(page).getByText(badge)).toBeVisible()
  await tabTo(page, wall(page))
  await page.keyboard.press('End')
  await expect(page.getByRole('heading', { name: badge, exact: true })).toBeVisible()
  await page.keyboard.press('u')
  await answered(page)
  await expect(page.getByText('已上线', { exact: true })).toBeVisible()
  await page.keyboard.press('a')
  const member = page.getByRole('dialog').getByRole('combobox', { name: /^会员/ })
  await tabTo(page, member)
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await write(page, /^原因/, '旅程授予')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(page.getByRole('grid', { name: '会员' }).getByRole('row')).toHaveCount(1)

  // The member’s own progress names the badge; back at the badge it is taken away.
  await page.keyboard.press('m')
  await tabTo(page, page.getByRole('dialog').getByRole('combobox', { name: /^会员/ }))
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  const progress = page.getByRole('grid', { name: '会员进度' })
  await expect(progress.getByText(badge)).toBeVisible()
  await tabTo(page, wall(page))
  await page.keyboard.press('b')
  const owners = page.getByRole('grid', { name: '会员' })
  await expect(owners.getByRole('row')).toHaveCount(1)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Home')
  await page.keyboard.press('v')
  await write(page, /^原因/, '旅程收回')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(page.getByText('没有会员')).toBeVisible()

  await tabTo(page, wall(page))
  await page.keyboard.press('End')
  await page.keyboard.press('r')
  await write(page, /^原因/, '旅程结束')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  expect(found).toEqual([])
})
