import { expect, type Page } from '@playwright/test'
import { complaints, enter, handsOver, keyboardTest as test, settled } from './desk.ts'

const csv = (rows: readonly (readonly (string | number)[])[]) => ({
  name: '门店.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`\ufeff${rows.map(cells => cells.join(',')).join('\r\n')}`),
})
/** A merchant that trades, and a leaf of the store categories with the one above it. */
const known = (page: Page, token: string) =>
  page.evaluate(async key => {
    const get = async (path: string) => {
      const answer = await fetch(`/api/manageback/shop/stores/add/${path}`, {
        headers: { 'authori-zation': `Bearer ${key}` },
      })
      return (await answer.json()).data.list as { id: number; name: string }[]
    }
    const [owner] = await get('merchants?pageSize=1')
    const [leaf] = await get('leaves?pageSize=1')
    return { merchant: owner!.id, category: leaf!.name }
  }, token)

test('stores are imported from a file: tried, mended and imported again, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  const own = String(Date.now()).slice(-8)
  const names = [`导入一店${own}`, `导入二店${own}`]
  const hand = handsOver(page)
  const token = await enter(page, 'admin', '/manage/shop/stores')
  await settled(page)
  const { merchant, category } = await known(page, token)
  const head = ['商户', '门店', '分类', '地址', '电话', '人均']
  const good = [merchant, names[0]!, category, `导入路 ${own} 号`, '021-55550000', '88.00']
  const bad = [merchant, names[1]!, '没有的分类', `导入路 ${own} 号`, '021-55550000', '']
  hand(csv([head, good, bad]))

  await page.keyboard.press('i')
  const dialog = page.getByRole('dialog', { name: '批量导入门店' })
  await expect(dialog.getByRole('button', { name: /^选择文件/ })).toBeFocused()
  await page.keyboard.press('Enter')
  const lines = dialog.getByRole('region', { name: '逐行结果' })
  await expect(lines).toContainText('没有找到末级分类“没有的分类”')
  await expect(dialog.getByText('识别到 6 列')).toBeVisible()
  const go = dialog.getByRole('button', { name: /^导入 1 行/ })
  await expect(go).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('已导入 1')).toBeVisible()
  await expect(lines).toContainText('已存为草稿')

  // The mended file holds both lines: the first is there already.
  hand(csv([head, good, [...bad.slice(0, 2), category, ...bad.slice(3)]]))
  await expect(dialog.getByRole('button', { name: '换一个文件' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('无需导入 1')).toBeVisible()
  await expect(go).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('已导入 1')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await page.goto(`/manage/shop/stores?keyword=${encodeURIComponent(own)}`)
  await settled(page)
  for (const name of names) await expect(page.getByText(name).first()).toBeVisible()
  expect(found).toEqual([])
})

test('online shops are imported from a file by keys alone, a bad line by itself', async ({
  page,
}) => {
  const found = complaints(page)
  const own = String(Date.now()).slice(-8)
  const hand = handsOver(page)
  const token = await enter(page, 'admin', '/manage/stores/stores')
  await settled(page)
  const [merchant, leaf] = await page.evaluate(async key => {
    const get = async (path: string) => {
      const answer = await fetch(`/api/manageback/stores/addStores/${path}?pageSize=1`, {
        headers: { 'authori-zation': `Bearer ${key}` },
      })
      return (await answer.json()).data.list[0] as { id: number; name: string }
    }
    return [await get('pickMerchant'), await get('leaves')]
  }, token)
  const head = ['商户', '店铺', '类型', '主营分类', '发货地']
  const good = [merchant!.id, `导入网店${own}`, '品牌旗舰店', leaf!.name, '上海市']
  hand(csv([head, good, [merchant!.id, `导入云店${own}`, '商场云店', leaf!.name, '上海市']]))

  await page.keyboard.press('i')
  const dialog = page.getByRole('dialog', { name: '批量导入店铺' })
  await expect(dialog.getByRole('button', { name: /^选择文件/ })).toBeFocused()
  await page.keyboard.press('Enter')
  const lines = dialog.getByRole('region', { name: '逐行结果' })
  await expect(lines).toContainText('须填写“商场”')
  await expect(dialog.getByRole('button', { name: /^导入 1 行/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('已导入 1')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.goto(`/manage/stores/stores?keyword=${encodeURIComponent(own)}`)
  await settled(page)
  await expect(page.getByText(`导入网店${own}`).first()).toBeVisible()
  expect(found).toEqual([])
})
