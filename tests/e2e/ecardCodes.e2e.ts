import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js'
import {
  complaints,
  enter,
  focusedRow,
  handsOver,
  keyboardTest as test,
  settled,
  tabTo,
} from './desk.ts'

/** A card whose codes come from there. */
const cardOf = (page: Page, token: string, source: 'generate' | 'import') =>
  page.evaluate(
    async ({ key, wanted }) => {
      const headers = { 'authori-zation': `Bearer ${key}` }
      const ask = async (path: string) =>
        (await (await fetch(`/api/manageback/ecard/list/code/${path}`, { headers })).json()).data
      const { list } = (await ask('cards?pageSize=100')) as { list: { id: number }[] }
      for (const { id } of list) {
        const stock = (await ask(`stock?card_id=${id}`)) as { source: string }
        if (stock.source === wanted) return id
      }
      throw new Error('no such card')
    },
    { key: token, wanted: source },
  )
const codesIn = async (path: string, password: string): Promise<string[]> => {
  const bytes = new Uint8Array(await readFile(path))
  const [entry] = await new ZipReader(new Uint8ArrayReader(bytes)).getEntries()
  if (!entry || entry.directory) throw new Error('no file in it')
  const text = await entry.getData(new TextWriter(), { password, useWebWorkers: false })
  return text.trim().split('\r\n').slice(1)
}
const because = async (page: Page, reason: string) => {
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByRole('textbox', { name: /^原因/ }))
  await page.keyboard.type(reason)
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
}

test('codes are made and handed over encrypted by two people, imported with bad lines told, frozen and set free, by keys alone', async ({
  page,
  colleague,
}) => {
  test.setTimeout(150_000)
  const found = complaints(page)
  const token = await enter(page, 'admin', '/manage/home')
  const made = await cardOf(page, token, 'generate')
  const bought = await cardOf(page, token, 'import')

  await page.goto(`/manage/ecard/list/code?card_id=${made}`)
  await settled(page)
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await tabTo(page, dialog.getByRole('textbox', { name: /^数量/ }))
  await page.keyboard.type('3')
  await because(page, '门店备货')
  await expect(page.getByText('已入库 3 张')).toBeVisible()

  // The newest batch stands first; its secrets take two people.
  await page.keyboard.press('2')
  await settled(page)
  await expect(focusedRow(page)).toContainText('生成')
  const batch = (await focusedRow(page).textContent())!.match(/B\d+/)![0]
  await page.keyboard.press('Shift+A')
  await because(page, '线下印制')
  await expect(focusedRow(page)).toContainText('待复核')

  const other = await colleague()
  await enter(other, 'supervisor', `/manage/ecard/list/code?card_id=${made}&view=batches`)
  await settled(other)
  await expect(focusedRow(other)).toContainText(batch)
  await other.keyboard.press('a')
  const agree = other.getByRole('dialog').getByRole('checkbox')
  await tabTo(other, agree)
  await other.keyboard.press('Space')
  await expect(agree).toBeChecked()
  await because(other, '已核对用途')
  await expect(focusedRow(other)).toContainText('可导出')

  await expect(focusedRow(page)).toContainText('可导出')
  await page.keyboard.press('d')
  const file = page.getByRole('dialog', { name: '加密文件与密码' })
  await expect(file.getByText(/^[2-9A-HJKMNP-Z]{20}$/)).toBeVisible()
  const password = (await file.locator('.m-revealed').textContent())!
  const saving = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  expect(await codesIn(await (await saving).path(), password)).toHaveLength(3)
  await page.keyboard.press('Escape')
  await expect(file).toHaveCount(0)

  // One of the new codes is frozen, and set free.
  await page.keyboard.press('1')
  await settled(page)
  await page.keyboard.press('f')
  await because(page, '核实来源')
  await expect(focusedRow(page)).toContainText('已冻结')
  await page.keyboard.press('u')
  await because(page, '核实无误')
  await expect(focusedRow(page)).toContainText('未售')

  // The good lines of a file go in; the others are told by their numbers.
  const no = String(Date.now()).slice(-9)
  const lines = [`N${no}1,S${no}1`, 'nonsense', `N${no}1,S${no}2`, `N${no}3,S${no}3`]
  handsOver(page, {
    name: 'codes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(lines.join('\r\n')),
  })
  // From the list its key leads to the page of its codes, which asks at once, and only once.
  await page.goto(`/manage/ecard/list?keyword=${bought}`)
  await settled(page)
  await page.keyboard.press('i')
  await expect(page).toHaveURL(new RegExp(`/list/code\\?card_id=${bought}$`))
  await expect(dialog.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await tabTo(page, dialog.getByRole('textbox', { name: /^原因/ }))
  await page.keyboard.type('供应商到货')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByRole('button', { name: /选择文件/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('入库 2 张，2 行未导入')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('2')
  await settled(page)
  const told = page.getByRole('article')
  await expect(told.getByText('格式不符：应为“卡号,卡密”')).toBeVisible()
  await expect(told.getByText('卡号与前面的行重复')).toBeVisible()
  expect(found).toEqual([])
})
