import { expect, type Page } from '@playwright/test'
import { command, complaints, handsOver, job, signIn, tokenOf } from './desk.ts'

const GOOD = 28
/**
 * A warehouse's sheet of thirty parcels: whole orders and units of orders that wait, and two lines
 * that can't go.
 */
const sheetOf = async (page: Page): Promise<{ csv: string; total: number }> => {
  const token = await tokenOf(page, 'admin')
  const get = async (path: string) =>
    (
      await (
        await page.context().request.get(`/api/manageback/order/elist/${path}`, {
          headers: { 'Authori-zation': `Bearer ${token}` },
        })
      ).json()
    ).data
  const { list } = (await get('lst?status=pending_ship&pageSize=100')) as {
    list: { id: number; order_no: string }[]
  }
  const lines: string[] = []
  let no = 1_938_270_000_000
  for (const [at, row] of list.entries()) {
    const rest = GOOD - lines.length
    if (rest === 0) break
    // Orders go whole as long as there are enough of them; else a parcel a unit.
    if (list.length - at >= rest) {
      lines.push(`${row.order_no},顺丰,SF${++no},`)
      continue
    }
    const { items } = (await get(`detail?id=${row.id}`)) as { items: { id: number; qty: number }[] }
    lines.push(
      ...items
        .flatMap(item => Array.from({ length: item.qty }, () => item.id))
        .slice(0, rest)
        .map(id => `${row.order_no},,SF${++no},${id}*1`),
    )
  }
  expect(lines.length).toBe(GOOD)
  return {
    csv: [
      '订单号,快递公司,快递单号,发货商品',
      ...lines,
      'EL0000000000000,顺丰,SF1938279999998,',
      `${list[0]!.order_no},中通快递,SF1938279999999,1*1`,
    ].join('\r\n'),
    total: lines.length + 2,
  }
}

job(
  'the warehouse ships thirty parcels from a sheet with two bad lines; the same sheet again ships nothing twice: by keyboard alone',
  async ({ page }) => {
    const found = complaints(page)
    const { csv, total } = await sheetOf(page)
    handsOver(page, { name: '11月22日发货.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await signIn(page, 'admin')
    await command(page, 'dsdd')
    await expect(page).toHaveURL(/\/manage\/order\/elist/)
    await expect(page.getByRole('grid', { name: '电商订单' })).toBeFocused()

    const dialog = page.getByRole('dialog', { name: '批量导入发货' })
    const importFile = async () => {
      await page.keyboard.press('Shift+S')
      await expect(dialog.getByRole('button', { name: /选择文件/ })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(dialog.getByRole('status')).toContainText(`共 ${total} 行`)
    }
    const bad = dialog.getByRole('row').filter({ hasText: '有问题' })
    await importFile()
    await expect(bad).toHaveCount(2)
    await expect(bad.filter({ hasText: '没有这个订单' })).toHaveCount(1)
    await expect(
      bad.filter({ hasText: /SF1938279999999 不是中通快递的单号.*像是顺丰速运|已在第 \d+ 行/ }),
    ).toHaveCount(1)
    await expect(dialog.getByRole('button', { name: `发货 ${GOOD} 行` })).toBeFocused()
    await page.keyboard.press('Enter')
    // Three calls of ten rows each, on a machine that may be busy.
    await expect(dialog.getByRole('status')).toContainText(`已发货 ${GOOD}`, { timeout: 40_000 })
    await expect(bad).toHaveCount(2)
    await expect(dialog.getByRole('button', { name: '关闭' }).last()).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()

    await importFile()
    await expect(dialog.getByRole('status')).toContainText(`已发过 ${GOOD}`)
    await expect(dialog.getByRole('button', { name: /^发货/ })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('grid', { name: '电商订单' })).toBeFocused()

    expect(found).toEqual([])
  },
)
