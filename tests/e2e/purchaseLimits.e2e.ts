import { expect } from '@playwright/test'
import { complaints, enter, keyboardTest as test, settled, toasts } from './desk.ts'

test('a limit is made, tried, enabled and disabled, and who was stopped is exempt, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/groupActivity/index')
  await settled(page)
  const dialog = page.getByRole('dialog')
  const name = `旅程限购${String(Date.now()).slice(-7)}`

  // What a member may buy now of the first rule's product, by every rule that is about it.
  await page.keyboard.press('t')
  await dialog.getByRole('combobox', { name: '会员' }).focus()
  await page.keyboard.type('王')
  await expect(dialog.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('heading', { name: '试算' })).toBeVisible()
  await expect(page.getByText(/现在还可购 \d+ 件/)).toBeVisible()

  await page.keyboard.press('c')
  await dialog.getByRole('textbox', { name: '名称' }).focus()
  await page.keyboard.type(name)
  await dialog.getByRole('combobox', { name: '商品类型' }).selectOption('bulks')
  await dialog.getByRole('combobox', { name: '范围' }).selectOption('all')
  await dialog.getByRole('combobox', { name: '限购维度' }).selectOption('member')
  await dialog.getByRole('combobox', { name: '周期' }).selectOption('week')
  await dialog.getByRole('textbox', { name: '限购件数' }).focus()
  await page.keyboard.type('500')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(toasts(page).filter({ hasText: '限购' }).first()).toBeVisible()

  // It is found by its name, and stands disabled at the end.
  await page.keyboard.press('/')
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await settled(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  await page.keyboard.press('o')
  await expect(page.getByRole('article').getByText('启用', { exact: true }).first()).toBeVisible()
  await page.keyboard.press('d')
  await dialog.getByRole('textbox', { name: '原因' }).focus()
  await page.keyboard.type('演练结束')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('演练结束')).toBeVisible()

  // The log tells the rule that stopped somebody, and exempts them from it.
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await page.keyboard.press('b')
  await settled(page)
  // Only rules that were set up count by phone.
  await page.goto('/manage/groupActivity/record?dimension=phone')
  await settled(page)
  await page.keyboard.press('j')
  await page.keyboard.press('v')
  await expect(page.getByRole('heading', { name: /命中规则/ })).toBeVisible()
  await expect(page.getByRole('heading', { name: '已购订单' })).toBeVisible()
  await page.keyboard.press('m')
  await dialog.getByRole('textbox', { name: '原因' }).focus()
  await page.keyboard.type('已核实为企业采购')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('豁免至').first()).toBeVisible()
  await page.keyboard.press('p')
  await expect(page.getByRole('heading', { name: '限购排行' })).toBeVisible()
  expect(found).toEqual([])
})
