import { expect } from '@playwright/test'
import { complaints, enter, keyboardTest as test, sayYes, settled } from './desk.ts'

test('a subsidy is asked for, granted by another person, tried and raised, by keys alone', async ({
  page,
  colleague,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/settle/subsidy')
  await settled(page)
  const dialog = page.getByRole('dialog')
  const name = `旅程补贴${String(Date.now()).slice(-7)}`

  await page.keyboard.press('c')
  const field = async (label: string, value: string) => {
    await dialog.getByRole('textbox', { name: label }).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(value)
  }
  await field('名称', name)
  await dialog.getByRole('combobox', { name: '商品类型' }).selectOption('voucher')
  await dialog.getByRole('combobox', { name: '范围' }).selectOption('all')
  await dialog.getByRole('combobox', { name: '补贴方式' }).selectOption('fixed')
  await field('金额', '1.50')
  await field('总预算', '300')
  await field('优先级', String(Date.now()).slice(-3))
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)

  const find = async () => {
    await page.keyboard.press('/')
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await settled(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  }
  await find()
  await expect(page.getByRole('article').getByText('每件补贴 1.50 元').first()).toBeVisible()
  await page.keyboard.press('s')
  await sayYes(page)
  await expect(page.getByRole('article').getByText('待审批').first()).toBeVisible()

  // Another person grants it.
  const other = await colleague()
  await enter(other, 'supervisor', `/manage/settle/subsidy?keyword=${encodeURIComponent(name)}`)
  await settled(other)
  await other.keyboard.press('j')
  await expect(other.getByRole('heading', { name, exact: true })).toBeVisible()
  await other.keyboard.press('a')
  const asked = other.getByRole('dialog')
  await expect(asked.getByText(/预算 300.00 元/)).toBeVisible()
  await other.keyboard.press('Control+Enter')
  await expect(asked).toHaveCount(0)
  await expect(other.getByRole('article').getByText('进行中').first()).toBeVisible()
  await other.keyboard.press('b')
  await asked.getByRole('textbox', { name: '金额' }).focus()
  await other.keyboard.type('50')
  await asked.getByRole('textbox', { name: '原因' }).focus()
  await other.keyboard.type('效果好于预期')
  await other.keyboard.press('Control+Enter')
  await expect(asked).toHaveCount(0)
  await expect(other.getByText('¥350.00').first()).toBeVisible()

  // Its budget is in the log.
  await other.keyboard.press('g')
  await other.keyboard.press('f')
  await other.keyboard.press('l')
  await settled(other)
  await expect(other.getByRole('gridcell', { name: '追加预算' }).first()).toBeVisible()
  await other.keyboard.press('s')
  await expect(other.getByRole('heading', { name: '汇总' })).toBeVisible()
  expect(found).toEqual([])
})
