import { expect } from '@playwright/test'
import {
  answered,
  complaints,
  enter,
  keyboardTest as test,
  sayYes,
  settled,
  tabTo,
  write,
} from './desk.ts'

const no = String(Date.now()).slice(-6)

test('a zone is made, goods are written, put on its shelf and refilled, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  const zone = `旅程分区${no}`
  const goods = `旅程好物${no}`
  await enter(page, 'admin', '/manage/vip/pointsShop')
  await settled(page)
  await page.keyboard.press('c')
  await page.getByRole('dialog').getByRole('textbox').first().focus()
  await page.keyboard.type(zone)
  await page.keyboard.press('Control+Enter')
  await answered(page)

  // The new zone stands last.
  await tabTo(page, page.getByRole('grid', { name: '分区' }))
  await page.keyboard.press('End')
  await expect(page.getByRole('region', { name: new RegExp(zone) })).toBeVisible()
  await page.keyboard.press('a')
  await sayYes(page)
  await expect(page).toHaveURL(/pointsShop\/edit\?zone_id=\d+&kind=physical/)
  await settled(page)
  await write(page, /^商品名称/, goods, page.locator('body'))
  const supplier = page.getByRole('combobox', { name: /^货源商品/ })
  await tabTo(page, supplier)
  await page.keyboard.type('旗舰店')
  await expect(page.getByRole('option', { name: /旗舰店/ }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await write(page, /^积分价/, '800', page.locator('body'))
  await write(page, /^库存/, '5', page.locator('body'))
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/pointsShop\/edit\?id=\d+/)
  await expect(page.getByText('在架', { exact: true }).filter({ visible: true })).toBeVisible()

  await page.goto('/manage/vip/pointsShop')
  await settled(page)
  await tabTo(page, page.getByRole('grid', { name: '分区' }))
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('j')
  await page.keyboard.press('d')
  await expect(page.getByRole('heading', { name: goods })).toBeVisible()
  await page.keyboard.press('b')
  await page.getByRole('dialog').getByRole('textbox').first().focus()
  await page.keyboard.type('7')
  await page.keyboard.press('Tab')
  await page.keyboard.type('旅程补货')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(page.getByRole('cell', { name: '+7' })).toBeVisible()
  expect(found).toEqual([])
})
