import { expect, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import {
  complaints,
  enter,
  focusedRow,
  handsOver,
  keyboardTest as test,
  settled,
  tabTo,
} from './desk.ts'
import { draftMerchant, offerOf } from './rows.ts'

/** Pictures of a journey's own, by their shade of green. */
const pictures = (greens: readonly number[]) =>
  Promise.all(
    greens.map(async green => ({
      name: `照片${green}.png`,
      mimeType: 'image/png',
      buffer: await sharp({
        create: { width: 800, height: 600, channels: 3, background: { r: 30, g: green, b: 60 } },
      })
        .png()
        .toBuffer(),
    })),
  )
/** Types into a field that offers rows, and takes the one that it finds. */
const take = async (page: Page, field: Locator, typed: string) => {
  await tabTo(page, field)
  await page.keyboard.type(typed)
  const offered = page.getByRole('listbox').getByRole('option')
  await expect(offered).toHaveCount(1)
  await expect(offered).toContainText(typed)
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue(new RegExp(typed))
}
/** Approves the one that a queue has by this word. */
const approve = async (desk: Page, queue: string, keyword: string) => {
  await desk.goto(`/manage/${queue}?keyword=${encodeURIComponent(keyword)}`)
  await settled(desk)
  await expect(focusedRow(desk)).toContainText(keyword)
  await expect(desk.getByRole('article').getByText(keyword).first()).toBeVisible()
  const approved = desk.waitForResponse(said => said.url().endsWith(`/${queue}/approve`))
  await desk.keyboard.press('a')
  expect((await approved).status()).toBe(200)
}

test('a merchant is taken from its application to its first product on sale, by keys alone', async ({
  page,
  colleague,
}, info) => {
  test.setTimeout(180_000)
  const found = complaints(page)
  const { name, category } = await draftMerchant(info)
  const handOver = handsOver(page, await pictures([60]))

  // The picture of its licence is all that the application lacks.
  await enter(page, 'admin', `/manage/shop/index?status=draft&keyword=${encodeURIComponent(name)}`)
  await settled(page)
  await expect(focusedRow(page)).toContainText(name)
  await page.keyboard.press('m')
  const application = page.getByRole('form', { name: '商户资料' })
  await tabTo(page, application.getByRole('button', { name: /^营业执照照片/ }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('资料齐全')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('已提交审核', { exact: true })).toBeVisible()

  // Whoever submitted it may not decide it.
  const desk = await colleague()
  await enter(desk, 'supervisor', '/manage/home')
  await approve(desk, 'shop/audit', name)

  const store = `旅程小馆${name.slice(-7)}`
  handOver(await pictures([90, 120, 150]))
  await page.goto('/manage/shop/stores/add')
  const form = page.getByRole('form', { name: '新增门店' })
  await take(page, form.getByRole('combobox', { name: /^商户/ }), name)
  await tabTo(page, form.getByRole('textbox', { name: /^门店名称/ }))
  await page.keyboard.type(store)
  await take(page, form.getByRole('combobox', { name: /^经营分类/ }), category)
  await tabTo(page, form.getByRole('combobox', { name: /^城市/ }))
  await page.keyboard.press('ArrowDown')
  const mall = form.getByRole('combobox', { name: /^商场/ })
  await tabTo(page, mall)
  await expect(form.getByRole('option', { name: '商场外' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(mall).toHaveValue('商场外')
  await tabTo(page, form.getByRole('textbox', { name: /^地址/ }))
  await page.keyboard.type(`旅程路 ${name.slice(-7)} 号`)
  await tabTo(page, form.getByRole('textbox', { name: '经纬度' }))
  await page.keyboard.type('80.223456, 40.223456')
  await page.keyboard.press('Enter')
  await tabTo(page, form.getByRole('textbox', { name: /^电话/ }))
  await page.keyboard.type('021-60001234')
  await tabTo(page, form.getByRole('button', { name: '增加时段' }))
  await page.keyboard.press('Enter')
  await tabTo(page, form.getByRole('button', { name: /^门店图片/ }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('资料齐全')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('已提交审核', { exact: true })).toBeVisible()
  await approve(desk, 'shop/audit', store)

  // Its app alone submits what it sells.
  const { title } = await offerOf(info, name)
  await approve(desk, 'audit/bulks', title)
  await page.goto(`/manage/shop/goods?keyword=${encodeURIComponent(title)}`)
  await settled(page)
  await expect(focusedRow(page)).toContainText(title)
  await expect(focusedRow(page)).toContainText('在售')
  await expect(page.getByRole('article').getByText(store).first()).toBeVisible()
  expect(found).toEqual([])
})
