import { expect, type Page } from '@playwright/test'
import {
  answered,
  complaints,
  enter,
  keyboardTest as test,
  settled,
  toasts,
  tokenIn,
} from './desk.ts'

type Code = { id: number; name: string; status: string; chats: { closed: string | null }[] }
/** A code in use that may be turned from one chat to another. */
const someCode = async (page: Page): Promise<Code> => {
  const answer = await page
    .context()
    .request.get('/api/manageback/channel/customerGroup/lst?status=enabled&page=1&pageSize=100', {
      headers: { 'Authori-zation': `Bearer ${await tokenIn(page)}` },
    })
  const { list } = ((await answer.json()) as { data: { list: Code[] } }).data
  return list.find(one => one.chats.filter(chat => chat.closed === null).length > 1)!
}
/** Types into the question that has the focus and goes on to the next. */
const said = async (page: Page, words: string) => {
  await page.keyboard.type(words)
  await page.keyboard.press('Tab')
}

test('a join code is made, renamed, paused and taken up again, by keys alone', async ({ page }) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/channel/customerGroup')
  await settled(page)
  const dialog = page.getByRole('dialog')
  const detail = page.getByRole('article')

  // A code of one chat; what it leads to is there at once, its picture once WeCom has made it.
  await page.keyboard.press('c')
  await expect(dialog).toBeVisible()
  await said(page, '旅程入群码')
  await expect(dialog.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await page.keyboard.press('/')
  await page.keyboard.type('旅程入群码')
  await page.keyboard.press('Enter')
  await settled(page)
  await expect(detail.getByRole('heading', { name: '旅程入群码' })).toBeVisible()
  await expect(detail.getByText('没有异常')).toBeVisible()

  await page.keyboard.press('e')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('旅程入群码二')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(detail.getByRole('heading', { name: '旅程入群码二' })).toBeVisible()
  await expect(
    toasts(page)
      .getByText(/已提交企微/)
      .first(),
  ).toBeVisible()

  await page.keyboard.press('p')
  await expect(dialog.getByText(/暂停后扫码只看到/)).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(detail.getByText('已暂停').first()).toBeVisible()
  await page.keyboard.press('u')
  await answered(page)
  await expect(detail.getByText('使用中').first()).toBeVisible()
  expect(found).toEqual([])
})

test('the page of a code turns it, writes to its chats and marks who is in several, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/channel/customerGroup')
  const code = await someCode(page)
  await page.goto(`/manage/channel/customerGroup?id=${code.id}`)
  await settled(page)
  const dialog = page.getByRole('dialog')
  const detail = page.getByRole('article')
  await expect(detail.getByRole('heading', { name: code.name })).toBeVisible()
  await page.keyboard.press('o')
  await expect(page).toHaveURL(/customerGroup\/detail\?id=/)
  await settled(page)
  await expect(detail.getByText('轮换看板')).toBeVisible()
  await page.keyboard.press('t')
  await expect(dialog.getByText(/当前指向/)).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(detail.getByText('手动切换').first()).toBeVisible()
  await page.keyboard.press('m')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('textbox', { name: /^内容/ }).focus()
  await page.keyboard.type('周五会员日，群友到店有礼')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(toasts(page).getByText(/等待群主在企微确认/)).toBeVisible()
  await page.keyboard.press('r')
  await answered(page)
  await expect(toasts(page).getByText(/位成员同时在其他群/)).toBeVisible()
  expect(found).toEqual([])
})
