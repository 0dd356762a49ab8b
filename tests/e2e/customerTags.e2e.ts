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

type Customer = { id: number; live_count: number; waiting_count: number; advisers: object[] }
/** A customer whom one adviser in service follows. */
const someone = async (page: Page): Promise<number> => {
  const answer = await page
    .context()
    .request.get('/api/manageback/customer/list/lst?rel=following&bound=no&page=1&pageSize=50', {
      headers: { 'Authori-zation': `Bearer ${await tokenIn(page)}` },
    })
  const { list } = ((await answer.json()) as { data: { list: Customer[] } }).data
  return list.find(
    one => one.live_count === 1 && one.advisers.length === 1 && one.waiting_count === 0,
  )!.id
}

const stamp = () => Date.now().toString(36)

test('a group of tags is made, and a customer is noted, tagged and kept as a segment, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/customer/tags')
  await settled(page)
  const dialog = page.getByRole('dialog')
  const detail = page.getByRole('article')
  await page.keyboard.press('Shift+C')
  await expect(dialog).toBeVisible()
  const group = `旅程组 ${stamp()}`
  await page.keyboard.type(group)
  await page.keyboard.press('Tab')
  await page.keyboard.type('旅程标签')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(toasts(page).getByText('已提交企微，完成后自动更新').first()).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type(group)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tree').getByText(group)).toBeVisible()

  await page.goto(`/manage/customer/list?id=${await someone(page)}`)
  await settled(page)
  await expect(detail.getByText('跟进关系')).toBeVisible()
  await page.keyboard.press('a')
  await expect(dialog.getByText('家庭结构')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await page.keyboard.press('t')
  await expect(dialog.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(toasts(page).getByText(/已提交 1 位客户，企微确认后生效/)).toBeVisible()

  await page.goto('/manage/customer/list?rel=following')
  await settled(page)
  await page.keyboard.press('Shift+S')
  await expect(dialog.getByText(/当前筛选.*客户/)).toBeVisible()
  await page.keyboard.type(`旅程分群 ${stamp()}`)
  await page.keyboard.press('Control+Enter')
  await answered(page)
  expect(found).toEqual([])
})
