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
  write,
} from './desk.ts'

const logo = async () => ({
  name: '店标.png',
  mimeType: 'image/png',
  buffer: await sharp({
    create: { width: 300, height: 300, channels: 3, background: { r: 200, g: 60, b: 40 } },
  })
    .png()
    .toBuffer(),
})
/** A merchant of an open shop that has all licences of the shop's main category, and that category. */
const sound = (page: Page, token: string) =>
  page.evaluate(async key => {
    const get = async (path: string) => {
      const answer = await fetch(`/api/manageback/${path}`, {
        headers: { 'authori-zation': `Bearer ${key}` },
      })
      return (await answer.json()).data
    }
    const { list } = await get('stores/stores/lst?status=open&pageSize=100')
    for (const row of list as { id: number; merchant_status: string }[]) {
      const { merchant_id, merchant_name, categories } = await get(
        `stores/editStores/detail?id=${row.id}`,
      )
      const { id, name } = (categories as { id: number; name: string }[])[0]!
      const { licences } = await get(
        `stores/addStores/standing?merchant_id=${merchant_id}&category_ids=${id}`,
      )
      const isWhole = (licences as { held: boolean }[]).every(one => one.held)
      if (row.merchant_status === 'active' && isWhole)
        return { merchant: merchant_name as string, category: name }
    }
    throw new Error('no shop of the demo has a merchant with all licences')
  }, token)

test('an online shop is added, audited, and changed, by keys alone', async ({
  page,
  colleague,
}) => {
  test.setTimeout(150_000)
  const found = complaints(page)
  const own = String(Date.now()).slice(-7)
  const name = `键盘旗舰店${own}`
  handsOver(page, [await logo()])
  const token = await enter(page, 'admin', '/manage/stores/stores')
  await settled(page)
  const like = await sound(page, token)
  await page.keyboard.press('c')
  await expect(page).toHaveURL(/\/manage\/stores\/addStores/)
  const form = page.getByRole('form', { name: '新增线上店铺' })
  await expect(form).toBeVisible()
  const choose = async (label: RegExp, typed: string) => {
    await tabTo(page, form.getByRole('combobox', { name: label }))
    await page.keyboard.type(typed)
    await expect(form.getByRole('option', { name: typed }).first()).toBeVisible()
    await page.keyboard.press('Enter')
  }
  /** What is typed of a place is chosen once the list stands still. */
  const place = async (label: RegExp, typed: string) => {
    const field = form.getByRole('combobox', { name: label })
    await tabTo(page, field)
    await page.keyboard.type(typed)
    await expect(form.locator('[role=listbox][aria-busy=false]:visible [role=option]')).toHaveText([
      typed,
    ])
    await page.keyboard.press('Enter')
    await expect(field).toHaveAttribute('aria-expanded', 'false')
  }

  await expect(form.getByRole('combobox', { name: /^商户/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('m')
  await choose(/^商户/, like.merchant)
  await tabTo(page, form.getByRole('combobox', { name: /^城市/ }))
  await page.keyboard.press('ArrowDown')
  await write(page, /^店铺名称/, name, form)
  await choose(/^主营分类/, like.category)
  await write(page, /^客服电话/, '021-60001234', form)
  await tabTo(page, form.getByRole('button', { name: '增加时段' }))
  await page.keyboard.press('Enter')
  await tabTo(page, form.getByRole('button', { name: /^店标/ }))
  await page.keyboard.press('Enter')
  await place(/^发货地/, '浙江省杭州市')
  await choose(/^运费模板/, '全国包邮')
  await write(page, /^退货收货人/, '张仓', form)
  await write(page, /^收货人电话/, '13700001111', form)
  await place(/^退货省市区/, '浙江省杭州市西湖区')
  await write(page, /^街道与门牌/, `文三路 ${own} 号`, form)
  await expect(page.getByText('资料齐全')).toBeVisible()
  await expect(page.getByText('没有重名')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('已提交审核', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/manage\/stores\/editStores\?id=\d+/)

  // A colleague decides.
  const desk = await colleague()
  await enter(desk, 'supervisor', `/manage/shop/audit?keyword=${encodeURIComponent(name)}`)
  await settled(desk)
  await desk.keyboard.press('j')
  await expect(desk.getByText(`文三路 ${own} 号`)).toBeVisible()
  await desk.keyboard.press('a')
  await expect(desk.getByText('筛选出的都处理完了')).toBeVisible()

  // It rests until there is something to sell.
  await page.goto(`/manage/stores/stores?keyword=${encodeURIComponent(name)}`)
  await settled(page)
  await page.keyboard.press('j')
  await expect(focusedRow(page)).toContainText('休息中')
  await expect(page.getByText('至少一件可售商品')).toBeVisible()
  await page.keyboard.press('e')
  await expect(page).toHaveURL(/\/manage\/stores\/editStores\?id=\d+/)
  await settled(page)

  // The phone holds at once; the name waits, and what was not meant is put back.
  await tabTo(page, page.getByRole('textbox', { name: /^客服电话/ }))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('021-60005678')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('已保存，立即生效')).toBeVisible()
  const title = page.getByRole('textbox', { name: /^店铺名称/ })
  await tabTo(page, title)
  await page.keyboard.press('End')
  await page.keyboard.type('错')
  await expect(page.getByRole('button', { name: '恢复店铺名称' })).toBeVisible()
  await page.keyboard.press('Control+Shift+U')
  await expect(title).toHaveValue(name)
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
