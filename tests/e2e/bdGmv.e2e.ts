import { expect } from '@playwright/test'
import { complaints, enter, keyboardTest as test, settled, toasts } from './desk.ts'

test('a result is drilled into, stands beside the month before, and a month is locked and unlocked, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/shop/bd/gmv')
  await settled(page)
  await page.keyboard.press('j')
  await page.keyboard.press('o')
  await expect(page.getByRole('heading', { name: '门店', exact: true })).toBeVisible()
  await expect(page.getByText('归付款当时管辖该门店的 BD')).toBeVisible()
  await page.keyboard.press('p')
  await expect(page.getByText('对比期净额').first()).toBeVisible()

  // A month is locked once it is over; what is wrong stands at its field.
  await page.keyboard.press('l')
  const dialog = page.getByRole('dialog')
  const month = dialog.getByRole('textbox', { name: '月份' })
  const shown = Number((await month.inputValue()).replace(/\D/g, ''))
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('本月尚未结束')).toBeVisible()
  const last = shown % 100 === 1 ? shown - 89 : shown - 1
  await month.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(String(last))
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(toasts(page).filter({ hasText: '已锁定' })).toBeVisible()
  await page.keyboard.press('u')
  await month.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(String(last))
  await dialog.getByRole('textbox', { name: '原因' }).focus()
  await page.keyboard.type('补录线下订单')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  expect(found).toEqual([])
})
