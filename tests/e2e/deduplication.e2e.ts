import { expect, type Page } from '@playwright/test'
import {
  answered,
  complaints,
  enter,
  focusedRow,
  keyboardTest as test,
  settled,
  tabTo,
  toasts,
  tokenIn,
} from './desk.ts'

type Case = { id: number; no: string; names: string[]; member_n: number }
/** Cases of a kind that wait, the surest first. */
const casesOf = async (page: Page, kind: string): Promise<Case[]> => {
  const answer = await page
    .context()
    .request.get(
      `/api/manageback/customer/deduplication/lst?status=pending&kind=${kind}&page=1&pageSize=50`,
      { headers: { 'Authori-zation': `Bearer ${await tokenIn(page)}` } },
    )
  return ((await answer.json()) as { data: { list: Case[] } }).data.list
}

test('duplicates are kept, merged and taken back, and said to be none, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/customer/deduplication?kind=multi_follow')
  await settled(page)
  const dialog = page.getByRole('dialog')
  const detail = page.getByRole('article')
  /** The case stands so in its detail and in its row, whose actions go by it. */
  const stands = async (state: string) => {
    await expect(detail.getByText(state).first()).toBeVisible()
    await expect(focusedRow(page)).toContainText(state)
  }
  await expect(
    page.getByRole('region', { name: '重复添加统计' }).getByText('重复率', { exact: true }),
  ).toBeVisible()

  // A single key decides, and the next case opens.
  await page.keyboard.press('j')
  await expect(detail.getByText('最早添加').first()).toBeVisible()
  const grid = page.getByRole('grid', { name: '客户去重' })
  const before = await detail.getByRole('heading', { level: 3 }).first().innerText()
  await page.keyboard.press('a')
  await answered(page)
  await expect(toasts(page).getByText('已指定 1 位客户的主跟进人')).toBeVisible()
  await expect(detail.getByRole('heading', { level: 3 }).first()).not.toHaveText(before)
  await expect(grid.getByRole('row').nth(1)).toBeVisible()

  // Two members of one WeChat account become one, and two again.
  const pair = (await casesOf(page, 'same_unionid')).find(one => one.member_n > 1)
  await page.goto(`/manage/customer/deduplication?id=${pair!.id}`)
  await settled(page)
  await expect(detail.getByText(/属于同一微信/)).toBeVisible()
  await page.keyboard.press('m')
  await expect(dialog.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await tabTo(page, dialog.getByRole('combobox', { name: /^并入的会员/ }))
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByRole('option').nth(1)).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await tabTo(page, dialog.getByRole('textbox', { name: /^原因/ }))
  await page.keyboard.type('同一人重复注册')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await stands('已处理')
  await page.keyboard.press('u')
  await tabTo(page, dialog.getByRole('textbox', { name: /^原因/ }))
  await page.keyboard.type('家人账号，合并有误')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await stands('待处理')
  await page.keyboard.press('i')
  await tabTo(page, dialog.getByRole('textbox', { name: /^原因/ }))
  await page.keyboard.type('家人共用一个微信')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await stands('非重复')
  await page.keyboard.press('o')
  await answered(page)
  await stands('待处理')
  await page.keyboard.press('r')
  await answered(page)
  await expect(toasts(page).getByText(/检测完成/)).toBeVisible()
  expect(found).toEqual([])
})
