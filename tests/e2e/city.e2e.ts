import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { command, complaints, enter, job, settled, tabTo } from './desk.ts'

const picture = async (width: number, height: number) => ({
  name: 'banner.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width, height, channels: 3, background: '#e98b3a' } })
    .png()
    .toBuffer(),
})
const dialog = (page: Page) => page.getByRole('dialog')
const choices = (page: Page, question: string) =>
  dialog(page).getByRole('listbox', { name: question }).getByRole('option')
/** On to a control of the dialog. */
const tabIn = (page: Page, name: RegExp | string, role: 'textbox' | 'combobox' | 'button') =>
  tabTo(page, dialog(page).getByRole(role, { name }).first())
const submit = async (page: Page) => {
  await page.keyboard.press('Control+Enter')
  await expect(dialog(page)).toHaveCount(0)
}
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name }).first()

job('open a city and configure it', async ({ page }) => {
  const found = complaints(page)
  // Asked for from the start: begun only when the dialog is about to open, the browser may open its
  // own first.
  const file = await picture(800, 400)
  page.on('filechooser', chooser => void chooser.setFiles(file))
  await enter(page, 'admin', '/manage')
  await command(page, 'csgl')
  await expect(page).toHaveURL(/\/manage\/system\/city$/)
  await settled(page)
  await expect(page.getByRole('grid', { name: '城市' })).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('heading', { name: '西安' })).toBeVisible()

  // What is missing is said before anything is asked.
  await page.keyboard.press('o')
  await expect(page.locator('.s-toast').first()).toContainText(
    '缺少：有在线的轮播图、已保存首页展示方案',
  )

  // Its home page, a recommended store and how its malls are chosen.
  await page.keyboard.press('i')
  await expect(page).toHaveURL(/\/city\/config\?city_id=9$/)
  await settled(page)
  await page.keyboard.press('o')
  await tabIn(page, '首页标题', 'textbox')
  await page.keyboard.type('长安好生活')
  await submit(page)
  await expect(page.getByRole('region', { name: '西安首页的手机预览' })).toContainText('长安好生活')
  await page.keyboard.press('n')
  await tabIn(page, '门店', 'combobox')
  await expect(choices(page, '门店').first()).toBeVisible()
  const store = (await choices(page, '门店').first().textContent())!.split(' · ')[0]!
  await page.keyboard.press('Enter')
  await submit(page)
  await expect(page.getByRole('grid', { name: '推荐门店' })).toContainText(store)
  await page.keyboard.press('Shift+M')
  await tabIn(page, '标题', 'textbox')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('长安商圈')
  await submit(page)
  await expect(page.getByRole('region', { name: '长安商圈' })).toBeVisible()

  // A banner that is online.
  await command(page, 'lbtgl')
  await expect(page).toHaveURL(/\/manage\/system\/banner/)
  await settled(page)
  await page.keyboard.press('c')
  await tabIn(page, '标题', 'textbox')
  await page.keyboard.type('西安开城')
  await tabIn(page, '位置', 'combobox')
  await page.keyboard.press('ArrowDown')
  await tabIn(page, /上传|选择图片|图片/, 'button')
  await page.keyboard.press('Enter')
  await expect(dialog(page).locator('.m-images-one')).toHaveCount(1)
  await tabIn(page, '跳转链接', 'combobox')
  await page.keyboard.type('优惠券中心')
  await expect(choices(page, '跳转链接').first()).toContainText('优惠券中心')
  await page.keyboard.press('Enter')
  await tabIn(page, '投放城市', 'combobox')
  await page.keyboard.type('西安')
  await expect(choices(page, '投放城市')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await tabIn(page, '开始时间', 'textbox')
  await page.keyboard.type('2026-01-01 00:00')
  await tabIn(page, '结束时间', 'textbox')
  await page.keyboard.type('2036-01-01 00:00')
  await submit(page)
  await page.goto('/manage/system/banner?city_id=9')
  await expect(row(page, '西安开城')).toBeVisible()
  await expect(page.getByRole('grid', { name: '轮播图' })).toBeFocused()
  await page.keyboard.press('o')
  await expect(row(page, '西安开城')).toContainText('已上线')

  // Now it opens.
  await command(page, 'csgl')
  await settled(page)
  await expect(page.getByRole('grid', { name: '城市' })).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('heading', { name: '西安' })).toBeVisible()
  await expect(row(page, '西安')).not.toContainText('缺')
  await page.keyboard.press('o')
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.type('筹备完成，正式开城')
  await submit(page)
  await expect(row(page, '西安')).toContainText('已开城')
  expect(found).toEqual([])
})
