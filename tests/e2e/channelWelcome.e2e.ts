import { expect, type Page } from '@playwright/test'
import { answered, complaints, enter, keyboardTest as test, settled, tabTo, write } from './desk.ts'

const no = String(Date.now()).slice(-6)
const pick = async (page: Page, label: RegExp) => {
  await tabTo(page, page.getByRole('dialog').getByRole('combobox', { name: label }).first())
  const listed = page.getByRole('listbox', { name: label }).getByRole('option')
  await expect(listed.first()).toBeVisible()
  await page.keyboard.press('Enter')
}

test('a message for new friends gets one for its nights, is checked, tried and deleted, by keys', async ({
  page,
}) => {
  const found = complaints(page)
  const name = `旅程好友${no}`
  await enter(page, 'admin', '/manage/channel/welcome')
  await settled(page)
  const list = page.getByRole('grid', { name: '好友欢迎语' })
  await tabTo(page, list)
  await page.keyboard.press('c')
  await write(page, /^名称/, name)
  await pick(page, /^员工/)
  await write(page, /^文字/, '您好，我是{员工姓名}')
  await write(page, /^优先级/, String(1 + (Number(no) % 40)))
  await page.keyboard.press('Control+Enter')
  await answered(page)

  await page.keyboard.press('/')
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(page.getByText('共 1 条')).toBeVisible()
  await tabTo(page, list)
  await page.keyboard.press('Home')
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  await page.keyboard.press('o')
  await expect(list.getByText('启用中')).toBeVisible()
  await tabTo(page, list)
  await page.keyboard.press('Home')

  // What it says at night stands right before it.
  await page.keyboard.press('b')
  await write(page, /^名称/, `${name}夜间`)
  await write(page, /^文字/, '夜里好，明早回复您')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(page.getByRole('cell', { name: `${name}夜间` })).toBeVisible()
  await page.keyboard.press('Shift+G')
  await expect(list.getByText(`${name}夜间`)).toBeVisible()
  await tabTo(page, list)
  await page.keyboard.press('End')
  await expect(page.getByRole('heading', { name: '分时段内容' })).toBeVisible()

  await page.keyboard.press('m')
  await answered(page)
  await expect(page.getByRole('heading', { name: '测试发送' })).toBeVisible()
  // WeCom has answered: nothing more is read of it once it is deleted.
  await expect(page.getByRole('cell', { name: /已发送|发送失败/ })).toBeVisible()
  await page.keyboard.press('t')
  await pick(page, /^员工/)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { name: '命中测试' })).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()

  for (const gone of [`${name}夜间`, name]) {
    await tabTo(page, list)
    await page.keyboard.press('Home')
    await expect(page.getByRole('heading', { name: gone, exact: true })).toBeVisible()
    await page.keyboard.press('d')
    await write(page, /^原因/, '旅程结束')
    await page.keyboard.press('Control+Enter')
    await answered(page)
    await expect(list.getByText(gone, { exact: true })).toBeHidden()
  }
  await expect(list.getByText(name)).toBeHidden()
  expect(found).toEqual([])
})
