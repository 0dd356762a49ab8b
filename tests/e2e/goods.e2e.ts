import { expect, type Page } from '@playwright/test'
import { complaints, enter, keyboardTest as test, settled, tabTo, tokenOf } from './desk.ts'

const base = '/api/manageback/shop/goods'
type Row = { id: number; version: number; title: string; stock_left: number; sort: number }
/** The group-buys of a page as the server has them, and what changes them beside the page. */
const server = (page: Page, token: string) => {
  const headers = { 'Authori-zation': `Bearer ${token}` }
  const { request } = page.context()
  return {
    rows: async (query: string) =>
      (await (await request.get(`${base}/${query}`, { headers })).json()).data.list as Row[],
    send: async (verb: string, data: object) => {
      const answer = await request.post(`${base}/${verb}`, { headers, data })
      expect(((await answer.json()) as { status: number }).status).toBe(200)
    },
  }
}

test('a block from Excel is pasted into the grid, a bad cell mended, a colleague met, and all saved, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await enter(page, 'admin', '/manage/shop/goods?state=on_sale')
  await settled(page)
  const { rows, send } = server(page, await tokenOf(page, 'admin'))
  const [first, second] = await rows('lst?state=on_sale&pageSize=50')
  // Whatever an earlier run left there, these are others.
  const mine = [first!, second!].map(row => [row.stock_left + 1201, row.sort + 41])
  const theirs = first!.stock_left + 777
  const put = ({ id, version, stock_left, sort }: Row) => ({ id, version, stock_left, sort })

  await page.keyboard.press('e')
  const grid = page.getByRole('grid', { name: '团购价格与库存' })
  await expect(grid).toBeAttached()
  const field = page.getByRole('textbox', { name: `${first!.title} 商品` })
  await expect(field).toBeFocused()
  for (let n = 0; n < 6; n++) await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('textbox', { name: `${first!.title} 可售库存` })).toBeFocused()

  // The column of what is sold lies between, and stays as it is.
  const block = `${mine[0]!.join('\t0\t')}\r\nabc\t0\t${mine[1]![1]}\r\n`
  await page.evaluate(text => navigator.clipboard.writeText(text), block)
  await page.keyboard.press('Control+v')
  await expect(page.getByText('2 格只读或超出表格，未写入')).toBeVisible()
  await expect(page.getByText('已改 2 行 4 格')).toBeVisible()
  const bad = page.getByRole('gridcell', { name: 'abc' })
  await expect(bad).toHaveAttribute('aria-invalid', 'true')
  await expect(bad).toHaveAccessibleDescription(/请填写整数；原 \d+/)
  await expect(page.getByRole('button', { name: '保存 1 行' })).toBeVisible()

  await page.keyboard.press('F8')
  await expect(page.getByRole('textbox', { name: `${second!.title} 可售库存` })).toBeFocused()
  await page.keyboard.type(String(mine[1]![0]))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: '保存 2 行' })).toBeVisible()
  // What is typed is taken back, and done again.
  await page.keyboard.press('Control+z')
  await expect(bad).toBeVisible()
  await page.keyboard.press('Control+y')
  await expect(page.getByRole('gridcell', { name: String(mine[1]![0]) })).toBeVisible()

  // Another session is quicker with one of them: what they made it is told before anything is sent.
  await send('editStock', {
    id: first!.id,
    version: first!.version,
    stock: theirs,
    reason: '同事补货',
  })
  const told = page.getByRole('list', { name: '待处理' })
  await expect(told).toContainText(`改为 ${theirs}`)
  await expect(page.getByRole('button', { name: '保存 1 行' })).toBeVisible()
  await page.keyboard.press('F6')
  await expect(page.getByRole('textbox', { name: '修改原因' })).toBeFocused()
  await page.keyboard.press('F6')
  await tabTo(page, told.getByRole('button', { name: '保留我的' }))
  await page.keyboard.press('Enter')
  await expect(told).toHaveCount(0)

  await page.keyboard.press('F6')
  await expect(page.getByRole('textbox', { name: '修改原因' })).toBeFocused()
  await page.keyboard.type('旺季备货')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('gridcell', { name: '已保存' })).toHaveCount(2)
  await expect(page.getByText('没有未保存的修改')).toBeVisible()
  const now = await rows('lst?state=on_sale&pageSize=50')
  const saved = [first!, second!].map(row => now.find(one => one.id === row.id)!)
  expect(saved.map(row => [row.stock_left, row.sort])).toEqual(mine)
  await send('saveGrid', {
    rows: saved.map(row =>
      put({ ...(row.id === first!.id ? first! : second!), version: row.version }),
    ),
    reason: '测试还原',
  })
  expect(found).toEqual([])
})
