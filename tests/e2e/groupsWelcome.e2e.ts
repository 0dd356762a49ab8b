import { expect } from '@playwright/test'
import { answered, complaints, enter, keyboardTest as test, settled, tabTo, write } from './desk.ts'

const no = String(Date.now()).slice(-6)

test('a group welcome is written, applied to a group, its owner reminded, taken back and deleted, by keys', async ({
  page,
}) => {
  const found = complaints(page)
  const name = `旅程入群${no}`
  await enter(page, 'admin', '/manage/channel/groupsWelcome')
  await settled(page)
  const list = page.getByRole('grid', { name: '入群欢迎语' })
  const dialog = page.getByRole('dialog')
  await tabTo(page, list)
  await page.keyboard.press('c')
  await write(page, /^名称/, name)
  await write(page, /^文字/, '欢迎{客户昵称}入群')
  await page.keyboard.press('Control+Enter')
  await answered(page)

  await page.keyboard.press('/')
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(page.getByText('共 1 条')).toBeVisible()
  await tabTo(page, list)
  await page.keyboard.press('Home')
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  // WeCom has it within seconds.
  await expect(list.getByText('已同步')).toBeVisible()

  await page.keyboard.press('a')
  await tabTo(page, dialog.getByRole('combobox', { name: /^客户群/ }).first())
  const listed = page.getByRole('listbox', { name: /^客户群/ }).getByRole('option')
  await expect(listed.first()).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(page.getByRole('heading', { name: '群主提醒' })).toBeVisible()
  // The row knows of it: until then it says that no group has the welcome.
  await expect(list.getByText('未应用')).toHaveCount(0)

  await tabTo(page, list)
  await page.keyboard.press('Home')
  await page.keyboard.press('n')
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(page.getByText(/^正在提醒 1 位群主/).first()).toBeVisible()
  await expect(page.getByRole('article').getByText('—')).toHaveCount(0)

  await tabTo(page, list)
  await page.keyboard.press('Home')
  await page.keyboard.press('u')
  await expect(dialog.getByRole('combobox', { name: /^客户群/ }).first()).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(page.getByText('还没有应用到群')).toBeVisible()
  await expect(list.getByText('未应用')).toBeVisible()

  await tabTo(page, list)
  await page.keyboard.press('Home')
  await page.keyboard.press('d')
  await write(page, /^原因/, '旅程结束')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(list.getByText(name)).toBeHidden()
  expect(found).toEqual([])
})
