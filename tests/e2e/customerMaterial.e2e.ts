import { expect } from '@playwright/test'
import { answered, complaints, enter, keyboardTest as test, settled, tabTo, write } from './desk.ts'

const no = String(Date.now()).slice(-6)

test('a link is put into the library, turned on, looked at, edited, moved and deleted, by keys', async ({
  page,
}) => {
  const found = complaints(page)
  const name = `旅程素材${no}`
  await enter(page, 'admin', '/manage/customer/material')
  await settled(page)
  const list = page.getByRole('grid', { name: '企微素材库' })
  const dialog = page.getByRole('dialog')
  const onRow = async () => {
    await tabTo(page, list)
    await page.keyboard.press('Home')
  }
  await tabTo(page, list)
  await page.keyboard.press('c')
  await dialog.getByRole('combobox', { name: '类型' }).selectOption({ label: '链接' })
  await write(page, /^名称/, name)
  await write(page, /^链接标题/, '国家级优惠')
  await write(page, /^链接地址/, 'https://m.mallet.example/trip')
  await write(page, /^分类/, '旅程')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('链接标题含广告禁用词「国家级」')).toBeVisible()
  await write(page, /^链接标题/, '周末市集')
  await page.keyboard.press('Control+Enter')
  await answered(page)

  await page.keyboard.press('/')
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(page.getByText('共 1 条')).toBeVisible()
  await onRow()
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  await page.keyboard.press('o')
  await answered(page)
  await expect(list.getByText('启用中')).toBeVisible()

  await onRow()
  await page.keyboard.press('p')
  await expect(dialog.getByText('周末市集')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await onRow()
  await page.keyboard.press('e')
  await write(page, /^链接标题/, '夜市开街')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(page.getByRole('article').getByText('V2')).toBeVisible()

  await onRow()
  await page.keyboard.press('m')
  await write(page, /^分类/, '归档')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(list.getByText('归档')).toBeVisible()

  await tabTo(page, list)
  await page.keyboard.press('v')
  await expect(page.getByRole('listbox', { name: '企微素材库' }).getByText(name)).toBeVisible()
  await page.keyboard.press('v')

  await onRow()
  await page.keyboard.press('d')
  await write(page, /^原因/, '旅程结束')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(list.getByText(name)).toBeHidden()
  expect(found).toEqual([])
})
