import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js'
import {
  answered,
  complaints,
  enter,
  focusedRow,
  keyboardTest as test,
  settled,
  tabTo,
  write,
} from './desk.ts'

const because = async (page: Page, reason: string) => {
  await write(page, /^原因/, reason)
  await page.keyboard.press('Control+Enter')
  await answered(page)
}
const linesIn = async (path: string, password: string): Promise<string[]> => {
  const bytes = new Uint8Array(await readFile(path))
  const [entry] = await new ZipReader(new Uint8ArrayReader(bytes)).getEntries()
  if (!entry || entry.directory) throw new Error('no file in it')
  const text = await entry.getData(new TextWriter(), { password, useWebWorkers: false })
  return text.trim().split('\r\n').slice(1)
}
const no = String(Date.now()).slice(-8)

test('a plan is written, sold, and its numbers are agreed to by another, handed over and held back, by keys alone', async ({
  page,
  colleague,
}) => {
  test.setTimeout(150_000)
  const found = complaints(page)
  const name = `旅程卡${no}`
  await enter(page, 'admin', '/manage/vip/card')
  await settled(page)
  await page.keyboard.press('c')
  await write(page, /^名称/, name)
  await write(page, /^原价/, '30')
  await write(page, /^售价/, '25')
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await page.goto(`/manage/vip/card?keyword=${name}`)
  await settled(page)
  await page.keyboard.press('b')
  const benefit = page.getByRole('dialog').getByRole('checkbox', { name: '会员价' })
  await tabTo(page, benefit)
  await page.keyboard.press('Space')
  await expect(benefit).toBeChecked()
  await page.keyboard.press('Control+Enter')
  await answered(page)
  const detail = page.getByRole('article')
  await expect(detail.getByText(/月卡 30 天，¥25.00；到期不续费；享会员价/)).toBeVisible()
  await page.keyboard.press('o')
  await expect(detail.getByText('在售').first()).toBeVisible()

  // Above a thousand numbers a second person agrees.
  await page.goto('/manage/vip/card/manage')
  await settled(page)
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('option').first()).toBeVisible()
  await page.keyboard.type(name)
  await expect(dialog.getByRole('option')).toHaveText([name])
  await page.keyboard.press('Enter')
  await write(page, /^数量/, '1001')
  await write(page, /^渠道/, '旅程渠道')
  await write(page, /^有效期至/, '2030-03-01 00:00')
  await because(page, '旅程制卡')
  await expect(focusedRow(page)).toContainText('待复核')
  await page.keyboard.press('a')
  await expect(page.locator('.s-toast').filter({ hasText: '请由他人处理' })).toBeVisible()

  const other = await colleague()
  await enter(other, 'supervisor', '/manage/vip/card/manage')
  await settled(other)
  await expect(focusedRow(other)).toContainText(name)
  const sent = other.waitForResponse(said => said.url().endsWith('/approveBatch'))
  await other.keyboard.press('a')
  expect((await sent).status()).toBe(200)
  await expect(async () => {
    await page.reload()
    await settled(page)
    await expect(focusedRow(page)).toContainText('已制成', { timeout: 500 })
  }).toPass({ timeout: 60_000 })

  await page.keyboard.press('d')
  await write(page, /^原因/, '交付渠道')
  await page.keyboard.press('Control+Enter')
  const file = page.getByRole('dialog', { name: '加密文件与密码' })
  await expect(file.getByText(/^[2-9A-HJKMNP-Z]{20}$/)).toBeVisible()
  const password = (await file.locator('.m-revealed').textContent())!
  const saving = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  expect(await linesIn(await (await saving).path(), password)).toHaveLength(1001)
  await page.keyboard.press('Escape')
  await expect(file).toHaveCount(0)

  await page.keyboard.press('i')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await answered(page)
  await expect(focusedRow(page)).toContainText('1,001')

  // A new number is held back, then given free.
  await page.keyboard.press('2')
  await settled(page)
  await page.keyboard.press('f')
  await because(page, '核实来源')
  await expect(focusedRow(page)).toContainText('已冻结')
  await page.keyboard.press('u')
  await expect(focusedRow(page)).toContainText('已发放')
  expect(found).toEqual([])
})
