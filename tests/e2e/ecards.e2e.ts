import { expect, type Page } from '@playwright/test'
import { complaints, enter, focusedRow, keyboardTest as test, settled, tabTo } from './desk.ts'

const find = async (page: Page, words: string) => {
  await page.keyboard.press('/')
  await page.keyboard.press('Control+a')
  await page.keyboard.type(words)
  await page.keyboard.press('Enter')
  const rows = page.locator('.m-grid-row').filter({ visible: true })
  await expect(rows.filter({ hasNotText: words })).toHaveCount(0)
  await expect(rows.first()).toBeVisible()
  await settled(page)
  await page.keyboard.press('j')
  await expect(focusedRow(page)).toContainText(words)
}

test('a card with two faces is written, put on sale, copied and taken off, by keys alone', async ({
  page,
}) => {
  test.setTimeout(150_000)
  const found = complaints(page)
  const name = `键盘卡${String(Date.now()).slice(-7)}`
  await enter(page, 'admin', '/manage/ecard/list')
  await settled(page)
  await page.keyboard.press('c')
  await expect(page).toHaveURL(/\/manage\/ecard\/list\/add$/)
  const form = page.getByRole('form', { name: '新增电子卡' })
  const field = async (label: RegExp) => {
    const at = form.getByRole('textbox', { name: label })
    await tabTo(page, at)
    return at
  }
  const choose = async (label: RegExp) => {
    await tabTo(page, form.getByRole('combobox', { name: label }))
    const found = page.getByRole('listbox', { name: label }).getByRole('option')
    await page.keyboard.press('ArrowDown')
    await expect(found.first()).toBeVisible()
    await page.keyboard.press('Enter')
  }
  await field(/^名称/)
  await page.keyboard.type(name)
  await choose(/^发卡门店/)
  await field(/^面值（面值/)
  await page.keyboard.type('100 98 90')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('2000')
  await choose(/^适用门店/)
  await page.keyboard.press('Escape')
  await field(/^购卡协议/)
  await page.keyboard.type('购卡即同意本协议')
  await page.keyboard.press('Control+Enter')
  // The law's cap stands at the faces, and nothing that was typed is lost.
  await expect(form.getByText(/不得超过 1000 元/)).toBeVisible()
  const faces = form.getByRole('textbox', { name: /^面值（面值/ })
  await tabTo(page, faces, 'Shift+Tab')
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Backspace')
  await expect(page.getByText(/面值 100、200 元，售价 98、200 元/)).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/\/manage\/ecard\/list$/)
  await settled(page)

  await find(page, name)
  await expect(focusedRow(page)).toContainText('已上架')
  await page.keyboard.press('Shift+C')
  await expect(page).toHaveURL(/\/manage\/ecard\/list\/edit\/\d+$/)
  await expect(page.getByRole('textbox', { name: /^名称/ })).toHaveValue(`${name}（副本）`)
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(page).toHaveURL(/\/manage\/ecard\/list(\?|$)/)
  await settled(page)
  // The list is as it was left: on the card that was copied.
  await expect(focusedRow(page)).toContainText('已上架')
  await page.keyboard.press('p')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox', { name: '原因' })).toBeFocused()
  await page.keyboard.type('活动结束')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(focusedRow(page)).toContainText('已下架')
  await expect(page.getByRole('article').getByText('活动结束')).toBeVisible()
  expect(found).toEqual([])
})
