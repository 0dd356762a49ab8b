import { expect, type Page } from '@playwright/test'
import { complaints, enter, keyboardTest as test, settled } from './desk.ts'

type Row = { id: number; name: string; live_no: number | null; has_draft: boolean }
const blocks = (page: Page) => page.getByRole('grid', { name: /页面，共/ })
const chosen = (page: Page) => blocks(page).getByRole('row', { selected: true })
/** What a designer offers to design. */
const offered = async (page: Page, token: string, address: string): Promise<Row[]> => {
  const answer = await page.request.get(`/api/manageback/${address}`, {
    headers: { 'Authori-zation': `Bearer ${token}` },
  })
  return ((await answer.json()) as { data: { list: Row[] } }).data.list
}
/** Leaves nothing on the page but one heading of these words. */
const onlyHeading = async (page: Page, words: string) => {
  await expect(blocks(page)).toBeFocused()
  const n = await blocks(page).getByRole('row').count()
  for (let left = n; left > 0; left--) {
    await page.keyboard.press('Delete')
    await expect(blocks(page).getByRole('row')).toHaveCount(left - 1)
  }
  const dialog = page.getByRole('dialog')
  await page.keyboard.press('a')
  await dialog.getByRole('combobox', { name: '组件' }).selectOption('text')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await blocks(page).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: '标题' })).toBeFocused()
  await page.keyboard.type(words)
  await expect(chosen(page)).toHaveAccessibleName(`1 标题栏 · ${words}`)
  await blocks(page).focus()
}
const publish = async (page: Page, note: string) => {
  const dialog = page.getByRole('dialog')
  await page.keyboard.press('p')
  await dialog.getByRole('textbox', { name: '发布说明' }).fill(note)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/^线上版本 \d+$/)).toBeVisible()
}

test('a brand’s page and a channel are designed by keys alone, one from another', async ({
  page,
}) => {
  const found = complaints(page)
  const words = `好牌${String(Date.now()).slice(-5)}`
  const token = await enter(page, 'admin', '/manage/brand/index?state=on&recommended=false')
  await settled(page)
  const fresh = (rows: Row[]) => rows.filter(row => row.live_no === null && !row.has_draft)

  // A row of the list of brands opens the page of the brand.
  const list = page.getByRole('grid', { name: '品牌' })
  await expect(list).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('y')
  await settled(page)
  await expect(page).toHaveURL(/brand_id=\d+/)
  const brand = Number(/brand_id=(\d+)/.exec(page.url())![1])
  await onlyHeading(page, words)
  await publish(page, words)
  expect(await (await page.request.get(`/p/brand/${brand}`)).text()).toContain(words)

  // A channel that nobody has designed is published, and becomes the draft of another.
  const path = 'config/entry/categoryHome/lst?pageSize=200&city_id=1'
  // The first is the one that no other's name holds: typing it finds it alone.
  const [first, second] = fresh(await offered(page, token, path)).sort(
    (a, b) => b.name.length - a.name.length,
  )
  await page.goto(`/manage/config/entry/categoryHome?city_id=1&category_id=${first!.id}`)
  await settled(page)
  await onlyHeading(page, `${words}频道`)
  await publish(page, words)
  expect(await (await page.request.get(`/p/categoryHome/1/${first!.id}`)).text()).toContain(words)
  await page.goto(`/manage/config/entry/categoryHome?city_id=1&category_id=${second!.id}`)
  await settled(page)
  await expect(blocks(page)).toBeFocused()
  await page.keyboard.press('f')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: '频道' }).fill(first!.name)
  await expect(dialog.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await expect(blocks(page).getByRole('row')).toHaveCount(1)
  await expect(blocks(page).getByRole('row')).toHaveAccessibleName(`1 标题栏 · ${words}频道`)
  await blocks(page).focus()
  await page.keyboard.press('Control+z')
  await expect(blocks(page).getByRole('row').first()).not.toHaveAccessibleName(/标题栏/)
  expect(found).toEqual([])
})
