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

type Group = {
  id: number
  name: string
  status: string
  mass_count: number
  customer_count: number
  owner: { status: string } | null
  join: object | null
}
/** A chat whose owner is in service, which no code leads to yet. */
const someGroup = async (page: Page): Promise<Group> => {
  const answer = await page
    .context()
    .request.get('/api/manageback/vip/weChatGroupManage/lst?status=normal&page=1&pageSize=100', {
      headers: { 'Authori-zation': `Bearer ${await tokenIn(page)}` },
    })
  const { list } = ((await answer.json()) as { data: { list: Group[] } }).data
  return list.find(
    one => one.owner?.status === 'active' && one.join === null && one.customer_count > 3,
  )!
}

test('an unwell chat is handed down, another gets a code and a text, and its owner is asked to remove somebody, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/vip/weChatGroupManage?quick=owner_left')
  await settled(page)
  const dialog = page.getByRole('dialog')
  const detail = page.getByRole('article')
  await expect(detail.getByText('群主已离职').first()).toBeVisible()
  // What mends it comes first.
  await expect(detail.getByRole('toolbar').getByRole('button').first()).toContainText('离职群继承')
  await page.keyboard.press('i')
  await expect(dialog.getByText(/现群主/)).toBeVisible()
  await expect(dialog.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(toasts(page).getByText('已提交企微，完成后自动更新').first()).toBeVisible()

  const group = await someGroup(page)
  await page.goto(`/manage/vip/weChatGroupManage?id=${group.id}`)
  await settled(page)
  await expect(detail.getByRole('heading', { name: group.name })).toBeVisible()
  await page.keyboard.press('q')
  await expect(dialog.getByText(/本群还可加入 \d+ 人/)).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(detail.getByText('打开二维码')).toBeVisible({ timeout: 20_000 })
  await page.keyboard.press('p')
  await expect(dialog.getByText(/本月已群发 \d+ 次/)).toBeVisible()
  await page.keyboard.type('周五会员日，群友到店有礼')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(toasts(page).getByText(/等待群主在企微确认/)).toBeVisible()

  await page.keyboard.press('o')
  await expect(page).toHaveURL(/weChatGroupManage\/detail\?id=/)
  await settled(page)
  await expect(detail.getByText('每日进退群')).toBeVisible()
  await page.keyboard.press('d')
  await answered(page)
  await expect(toasts(page).getByText(/位成员同时在其他群/)).toBeVisible()
  await page.keyboard.press('r')
  await expect(dialog.getByText(/后台不能移除群成员/)).toBeVisible()
  await expect(dialog.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await dialog.getByRole('textbox', { name: /^原因/ }).focus()
  await page.keyboard.type('在群内发广告')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(
    toasts(page)
      .getByText(/位成员|位待移除成员/)
      .last(),
  ).toBeVisible()
  await expect(detail.getByText('未移除').first()).toBeVisible()
  await page.keyboard.press('e')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('本周六会员日')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(detail.getByText('待群主发布')).toBeVisible()
  expect(found).toEqual([])
})

test('a customer is opened from the list, noted and read anew, by keys alone', async ({ page }) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/vip/weChatCustomerList?state=following')
  await settled(page)
  const dialog = page.getByRole('dialog')
  const detail = page.getByRole('article')
  await expect(detail.getByRole('heading').first()).toBeVisible()
  await page.keyboard.press('o')
  await expect(page).toHaveURL(/weChatCustomerList\/detail\?id=/)
  await settled(page)
  await expect(detail.getByText('跟进关系')).toBeVisible()
  await expect(detail.getByText('时间线')).toBeVisible()
  await page.keyboard.press('n')
  await expect(dialog).toBeVisible()
  await page.keyboard.type('旅程：周末到店看亲子活动')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(detail.getByText('旅程：周末到店看亲子活动').first()).toBeVisible()
  await page.keyboard.press('s')
  await answered(page)
  await expect(toasts(page).getByText('已提交企微，完成后自动更新')).toBeVisible()
  expect(found).toEqual([])
})
