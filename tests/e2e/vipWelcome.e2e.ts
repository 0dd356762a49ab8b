import { expect, type Page } from '@playwright/test'
import { answered, complaints, enter, keyboardTest as test, settled, tabTo, write } from './desk.ts'

const no = String(Date.now()).slice(-6)
const pick = async (page: Page, label: RegExp) => {
  await tabTo(page, page.getByRole('dialog').getByRole('combobox', { name: label }).first())
  const listed = page.getByRole('listbox', { name: label }).getByRole('option')
  await expect(listed.first()).toBeVisible()
  await page.keyboard.press('Enter')
}

test('a welcome message is written, turned on, tried, turned off and deleted, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  const name = `旅程欢迎语${no}`
  await enter(page, 'admin', '/manage/vip/weChatWelcomingMessage')
  await settled(page)
  const list = page.getByRole('grid', { name: '会员欢迎语' })
  await tabTo(page, list)
  await page.keyboard.press('c')
  await write(page, /^名称/, name)
  await pick(page, /^员工/)
  await write(page, /^文字/, '您好，我是{员工姓名}')
  await write(page, /^优先级/, String(1 + (Number(no) % 40)))
  await page.keyboard.press('Control+Enter')
  await answered(page)

  // A search leaves the new one alone in the list.
  await page.keyboard.press('/')
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(page.getByText('共 1 条')).toBeVisible()
  await tabTo(page, list)
  await page.keyboard.press('Home')
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  await page.keyboard.press('o')
  await expect(list.getByText('启用中')).toBeVisible()
  await page.keyboard.press('t')
  await pick(page, /^员工/)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { name: '命中测试' })).toBeVisible()
  await expect(page.getByText('命中', { exact: true }).first()).toBeVisible()

  await expect(page.getByRole('dialog')).toBeHidden()
  await tabTo(page, list)
  await page.keyboard.press('Home')
  await page.keyboard.press('r')
  await write(page, /^原因/, '旅程结束')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(list.getByText('已停用')).toBeVisible()
  await page.keyboard.press('d')
  await expect(page.getByRole('dialog', { name: '删除欢迎语' })).toBeVisible()
  await page.keyboard.press('Enter')
  await answered(page)
  await expect(list.getByText(name)).toBeHidden()
  expect(found).toEqual([])
})
