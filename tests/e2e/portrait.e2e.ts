import { expect } from '@playwright/test'
import {
  answered,
  complaints,
  enter,
  focusedRow,
  keyboardTest as test,
  settled,
  tabTo,
  toasts,
} from './desk.ts'

const no = String(Date.now()).slice(-6)

test('a bar is opened and kept, two audiences are compared, and a field is made, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/customer/portrait')
  await settled(page)
  const dialog = page.getByRole('dialog')
  const detail = page.getByRole('article')
  const sides = page.getByRole('region', { name: '对比人群' })
  await expect(sides.getByText('全部会员')).toBeVisible()

  // A bar shows its chart and its people, and is kept: one that tells how many it has.
  const bar = focusedRow(page)
  const people = () => bar.getByRole('gridcell').nth(3).innerText()
  do {
    const left = await bar.innerText()
    await page.keyboard.press('j')
    await expect.poll(() => bar.innerText()).not.toBe(left)
  } while (!/^[1-9]/.test(await people()))
  await expect(detail.getByText(/显示最新/).first()).toBeVisible()
  const kept = `旅程选区${no}`
  await page.keyboard.press('p')
  await tabTo(page, dialog.getByRole('textbox', { name: /^名称/ }))
  await page.keyboard.press('Control+a')
  await page.keyboard.type(kept)
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(toasts(page).getByText(/已存为分群，\d+ 人/)).toBeVisible()

  // What was kept is compared with everybody.
  await page.keyboard.press('c')
  await expect(dialog.getByRole('combobox', { name: '人群 A' })).toBeFocused()
  await page.keyboard.type(kept)
  const offered = dialog.getByRole('listbox', { name: '人群 A' }).getByRole('option')
  await expect(offered).toHaveText([kept])
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await settled(page)
  await expect(sides.getByText(kept)).toBeVisible()
  await expect(sides.getByText('刷新于')).toHaveCount(2)

  await page.keyboard.press('l')
  await expect(sides.getByText('已计入流失客户')).toBeVisible()

  await page.keyboard.press('e')
  await tabTo(page, dialog.getByRole('textbox', { name: /^名称/ }))
  await page.keyboard.type(`字段${no}`)
  await tabTo(page, dialog.getByRole('textbox', { name: /^选项/ }))
  await page.keyboard.type('喜欢')
  await page.keyboard.press('Enter')
  await page.keyboard.type('不喜欢')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(detail.getByText(`字段${no}`)).toBeVisible()
  expect(found).toEqual([])
})
