import { expect, type Page } from '@playwright/test'
import { complaints, enter, keyboardTest as test, settled, tabTo, focusedRow } from './desk.ts'

type Row = {
  id: number
  title: string
  store_id: number
  store_name: string
  list_price_cents: number
  lock: string | null
  audit_state: string | null
}
const ask = (page: Page, token: string, path: string) =>
  page.evaluate(
    async ([key, at]) => {
      const answer = await fetch(`/api/manageback/${at}`, {
        headers: { 'authori-zation': `Bearer ${key}` },
      })
      return (await answer.json()).data
    },
    [token, path] as const,
  )

test('prices are tried before they are changed, and a shop is given its own, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  const token = await enter(page, 'admin', '/manage/stores/goods?state=on_sale')
  await settled(page)
  const { list } = await ask(page, token, 'stores/goods/lst?state=on_sale&pageSize=100')
  const one = (list as Row[]).find(
    row => row.lock === null && row.audit_state === null && row.store_id > 0,
  )!
  await page.goto(`/manage/stores/goods?keyword=${one.id}`)
  await settled(page)
  await page.keyboard.press('j')
  await page.keyboard.press('Shift+M')
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByRole('textbox', { name: /^数值/ }))
  await page.keyboard.type('99.5')
  await tabTo(page, dialog.getByRole('textbox', { name: /^原因/ }))
  await page.keyboard.type('试算改价')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('可改 1 件，须审核 0 件，不可改 0 件')).toBeVisible()
  await expect(dialog.getByRole('button', { name: '确认改价 1 件' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('已改 1 件，0 件待审核，0 件未改')).toBeVisible()
  await expect(dialog).toHaveCount(0)

  await page.goto(`/manage/stores/stores?keyword=${one.store_id}`)
  await settled(page)
  // Names of other journeys may hold the digits of its number.
  while ((await focusedRow(page).getAttribute('data-row')) !== String(one.store_id))
    await page.keyboard.press('j')
  await page.keyboard.press('l')
  await expect(page).toHaveURL(/\/manage\/stores\/linkGoods\?store_id=\d+/)
  const shelf = page.getByRole('grid', { name: '本店货架', exact: true })
  await expect(shelf.getByRole('row').first()).toBeVisible()
  await tabTo(page, shelf)
  await page.keyboard.press('m')
  const price = dialog.getByRole('textbox', { name: /^店铺价/ })
  await tabTo(page, price)
  const { list: goods } = await ask(page, token, `stores/linkGoods/linked?store_id=${one.store_id}`)
  const yuan = ((goods as Row[])[0]!.list_price_cents / 100).toFixed(2)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(yuan)
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(shelf.getByRole('row').first()).toContainText('店铺价')
  expect(found).toEqual([])
})
