import { expect } from '@playwright/test'
import { complaints, enter, focusedRow, keyboardTest as test, settled } from './desk.ts'

test('material is copied, renamed, looked at, published and taken off, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  const dialog = page.getByRole('dialog')
  const name = `素材旅程${String(Date.now()).slice(-8)}`
  // The goods of this material are on sale.
  await enter(page, 'admin', '/manage/distribution/material?kind=poster&status=on')
  await settled(page)
  await expect(page.getByRole('grid', { name: '推广素材' })).toBeFocused()
  const copied = page.waitForResponse(said => said.url().endsWith('/material/copy'))
  await page.keyboard.press('d')
  expect((await copied).status()).toBe(200)

  await page.goto(`/manage/distribution/material?kind=poster&keyword=${encodeURIComponent('副本')}`)
  await settled(page)
  await expect(page.getByRole('grid', { name: '推广素材' })).toBeFocused()
  await expect(focusedRow(page)).toContainText('副本')
  await page.keyboard.press('e')
  const title = dialog.getByRole('textbox', { name: '标题' })
  await expect(title).toBeVisible()
  await title.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(`全网最低${name}`)
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText(/含禁用词/).first()).toBeVisible()
  await title.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(name)
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)

  await page.keyboard.press('/')
  await page.keyboard.press('Control+a')
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await settled(page)
  await expect(focusedRow(page)).toContainText(name)
  await page.keyboard.press('t')
  await expect(dialog.getByRole('combobox', { name: '分销员' })).toBeFocused()
  await expect(dialog.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByRole('img', { name: /的推广码/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await page.keyboard.press('p')
  await expect(dialog.getByLabel(/价格已核对/)).toBeFocused()
  // Whichever poster it is: what its text says may differ from today's price.
  await page.keyboard.press('Space')
  await expect(dialog.getByLabel(/价格已核对/)).toBeChecked()
  await page.keyboard.press('Control+Enter')
  await expect(focusedRow(page)).toContainText('已发布')
  await page.keyboard.press('o')
  await expect(dialog.getByRole('textbox', { name: '原因' })).toBeFocused()
  await page.keyboard.type('换新素材')
  await page.keyboard.press('Control+Enter')
  await expect(focusedRow(page)).toContainText('已下线')
  // The banned word was refused, as it had to be.
  expect(found.filter(one => !one.includes('400 (Bad Request)'))).toEqual([])
})
