import { expect, type Page } from '@playwright/test'
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

/** Pictures of a store, each of its own. */
const pictures = () =>
  Promise.all(
    [40, 90, 140].map(async green => ({
      name: `门店${green}.png`,
      mimeType: 'image/png',
      buffer: await sharp({
        create: { width: 400, height: 300, channels: 3, background: { r: 20, g: green, b: 90 } },
      })
        .png()
        .toBuffer(),
    })),
  )
/** An open store of a category that stores may be of, whose merchant has all its licences. */
const sound = (page: Page, token: string) =>
  page.evaluate(async key => {
    const get = async (path: string) => {
      const answer = await fetch(`/api/manageback/${path}`, {
        headers: { 'authori-zation': `Bearer ${key}` },
      })
      return (await answer.json()).data
    }
    const leaves = await get('shop/stores/add/leaves?pageSize=200')
    const mayBe = new Set((leaves.list as { id: number }[]).map(({ id }) => id))
    const { list } = await get('shop/stores/lst?status=open&pageSize=100')
    for (const row of list as {
      id: number
      name: string
      city_id: number
      merchant_id: number
      merchant_status: string
    }[]) {
      const { category_id } = await get(`shop/stores/edit/detail?id=${row.id}`)
      const { licences } = await get(
        `shop/stores/add/standing?city_id=${row.city_id}&merchant_id=${row.merchant_id}&category_id=${category_id}`,
      )
      const isWhole = (licences as { held: boolean }[]).every(one => one.held)
      if (row.merchant_status === 'active' && mayBe.has(category_id) && isWhole) return row.name
    }
    throw new Error('no store of the demo has a merchant with all licences')
  }, token)

test('a store is added, audited, found in the list and changed, by keys alone', async ({
  page,
  colleague,
}) => {
  test.setTimeout(150_000)
  const found = complaints(page)
  const own = String(Date.now()).slice(-7)
  const name = `键盘小馆${own}（河畔店）`
  handsOver(page, await pictures())
  const token = await enter(page, 'admin', '/manage/shop/stores')
  await settled(page)
  const like = await sound(page, token)
  await page.keyboard.press('c')
  await expect(page).toHaveURL(/\/manage\/shop\/stores\/add/)
  const form = page.getByRole('form', { name: '新增门店' })
  await expect(form).toBeVisible()

  // Most of it is as at another store.
  await expect(form.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await page.keyboard.press('o')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('combobox', { name: '复制自' })).toBeFocused()
  await page.keyboard.type(like)
  await expect(dialog.getByRole('option').first()).toContainText(like)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(`已复制「${like}」的资料`)).toBeVisible()
  await tabTo(page, form.getByRole('textbox', { name: /^门店名称/ }))
  await page.keyboard.type(name)
  await tabTo(page, form.getByRole('combobox', { name: /^城市/ }))
  await page.keyboard.press('ArrowDown')
  const mall = form.getByRole('combobox', { name: /^商场/ })
  await tabTo(page, mall)
  await expect(form.getByRole('option', { name: '商场外' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(mall).toHaveValue('商场外')
  await tabTo(page, form.getByRole('textbox', { name: /^地址/ }))
  await page.keyboard.type(`河畔路 ${own} 号`)
  await tabTo(page, form.getByRole('textbox', { name: '经纬度' }))
  await page.keyboard.type('80.123456, 40.123456')
  await page.keyboard.press('Enter')
  await tabTo(page, form.getByRole('textbox', { name: /^电话/ }))
  await page.keyboard.type('021-60001234')
  await tabTo(page, form.getByRole('button', { name: /^门店图片/ }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('资料齐全')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('已提交审核', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/manage\/shop\/stores\/edit\?id=\d+/)

  // A colleague decides.
  const desk = await colleague()
  await enter(desk, 'supervisor', `/manage/shop/audit?keyword=${encodeURIComponent(name)}`)
  await settled(desk)
  await desk.keyboard.press('j')
  await expect(desk.getByText('河畔路')).toBeVisible()
  await desk.keyboard.press('a')
  await expect(desk.getByText('筛选出的都处理完了')).toBeVisible()

  await page.goto(`/manage/shop/stores?keyword=${encodeURIComponent(name)}`)
  await settled(page)
  await page.keyboard.press('j')
  await expect(focusedRow(page)).toContainText('营业中')
  await page.keyboard.press('e')
  await expect(page).toHaveURL(/\/manage\/shop\/stores\/edit\?id=\d+/)
  await settled(page)

  // The phone holds at once; the name waits.
  const phone = page.getByRole('textbox', { name: /^电话/ })
  await tabTo(page, phone)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('021-60005678')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('已保存，立即生效')).toBeVisible()
  await tabTo(page, page.getByRole('textbox', { name: /^门店名称/ }))
  await page.keyboard.press('End')
  await page.keyboard.type('新')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('已提交变更审核，通过前线上资料不变')).toBeVisible()
  await expect(page.getByRole('form', { name: '须审核' })).toHaveCount(0)
  await expect(page.locator('del')).toContainText(name)
  await page.keyboard.press('Shift+S')
  await expect(page.getByText('申请已撤回')).toBeVisible()
  await expect(page.getByRole('form', { name: '须审核' })).toBeVisible()
  expect(found).toEqual([])
})
