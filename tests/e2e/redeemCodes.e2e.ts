import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js'
import { prefixNow } from './codePrefix.ts'
import {
  complaints,
  enter,
  focusedRow,
  keyboardTest as test,
  settled,
  tabTo,
  write,
} from './desk.ts'

/** The codes of an encrypted file. */
const codesIn = async (path: string, password: string): Promise<string[]> => {
  const bytes = new Uint8Array(await readFile(path))
  const [entry] = await new ZipReader(new Uint8ArrayReader(bytes)).getEntries()
  if (!entry || entry.directory) throw new Error('no file in it')
  const text = await entry.getData(new TextWriter(), { password, useWebWorkers: false })
  return text
    .trim()
    .split('\r\n')
    .slice(1)
    .map(line => line.split(',')[1]!)
}
/** The phone of a member of the demo, as an order reveals it. */
const phoneOf = (page: Page, token: string) =>
  page.evaluate(async key => {
    const headers = { 'authori-zation': `Bearer ${key}`, 'content-type': 'application/json' }
    const list = await fetch('/api/manageback/order/bulks/lst?pageSize=1', { headers })
    const { id } = (await list.json()).data.list[0] as { id: number }
    const answer = await fetch('/api/manageback/order/bulks/revealPhone', {
      method: 'POST',
      headers,
      body: JSON.stringify({ id, reason: '核对会员' }),
    })
    return (await answer.json()).data.phone as string
  }, token)
const find = async (page: Page, words: string) => {
  await page.keyboard.press('/')
  await page.keyboard.type(words)
  await page.keyboard.press('Enter')
  const rows = page.locator('.m-grid-row').filter({ visible: true })
  await expect(rows.filter({ hasNotText: words })).toHaveCount(0)
  await expect(rows.first()).toBeVisible()
  await settled(page)
  await page.keyboard.press('j')
  await expect(focusedRow(page)).toContainText(words)
}

test('a batch is made for a partner, approved, handed over encrypted and redeemed at the desk, by keys alone', async ({
  page,
  colleague,
}) => {
  test.setTimeout(150_000)
  const found = complaints(page)
  const name = `联名礼${String(Date.now()).slice(-7)}`
  const token = await enter(page, 'admin', '/manage/redeemCode/index')
  await settled(page)
  const phone = await phoneOf(page, token)
  await page.keyboard.press('c')
  await expect(page).toHaveURL(/redeemCode\/index\/add/)
  const form = page.getByRole('form', { name: '新增兑换码批次' })
  await expect(form).toBeVisible()
  await write(page, /^批次名称/, name, form)
  await write(page, /^合作方/, '某某银行', form)
  await write(page, /^数量/, '5', form)
  await write(page, /^前缀/, prefixNow(), form)
  await write(page, /^积分$/, '20', form)
  await write(page, /^实物奖品/, '保温杯', form)
  await write(page, /^实物单件成本/, '8', form)
  await write(page, /^预算/, '100', form)
  await write(page, /^开始时间/, '2020-01-01 00:00', form)
  await write(page, /^结束时间/, '2030-03-01 00:00', form)
  await expect(page.getByText('足够（至少 100 万倍）')).toBeVisible()
  // What a code comes to stands beside it while it is written; the list, kept behind, has batches
  // that say the same.
  const beside = (words: RegExp) => page.getByText(words).filter({ visible: true })
  await expect(beside(/^20 积分.*积分商城/)).toBeVisible()
  await expect(beside(/^实物「保温杯」：到店核销领取，最晚 2030-03-01/)).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/redeemCode\/index$/)
  await settled(page)

  const other = await colleague()
  await enter(other, 'supervisor', '/manage/redeemCode/index')
  await settled(other)
  await find(other, name)
  await expect(focusedRow(other)).toContainText('待审核')
  await other.keyboard.press('a')
  await expect(focusedRow(other)).toContainText('启用')

  await find(page, name)
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox', { name: /^数量/ })).toHaveValue('5')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('已生成 5 个')).toBeVisible()
  // The row itself tells of its codes: their rate stands where none could be told before.
  await expect(page.getByRole('article').getByText('0（0%）')).toBeVisible()
  await page.keyboard.press('d')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Control+Enter')
  const file = page.getByRole('dialog', { name: '加密文件与密码' })
  await expect(file.getByText(/^[2-9A-HJKMNP-Z]{20}$/)).toBeVisible()
  await expect(file.getByRole('button', { name: /保存 ZIP/ })).toBeFocused()
  const password = (await file.locator('.m-revealed').textContent())!
  const saving = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const saved = await saving
  expect(saved.suggestedFilename()).toMatch(/^codes-\d+-1-5\.zip$/)
  const [good, another] = await codesIn(await saved.path(), password)
  await page.keyboard.press('Escape')
  await expect(file).toHaveCount(0)
  await expect(focusedRow(page)).toContainText('某某银行')

  // A scanner types and ends in Enter; the field has the focus for the next one.
  await page.keyboard.press('g')
  await page.keyboard.press('x')
  await page.keyboard.press('v')
  const field = page.getByRole('textbox', { name: '兑换码' })
  await expect(field).toBeFocused()
  const scan = async (code: string) => {
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
  }
  await scan(`${good!.slice(0, -1)}${good!.endsWith('2') ? '3' : '2'}`)
  await expect(page.getByText(/码输错了/)).toBeVisible()
  await expect(field).toBeFocused()
  await scan(` ${good!.toLowerCase()} `)
  await expect(page.getByText('可以兑换')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  const asks = page.getByRole('dialog')
  await expect(asks.getByRole('textbox', { name: '会员手机号' })).toBeFocused()
  await page.keyboard.type(phone)
  await page.keyboard.press('Tab')
  await page.keyboard.type(phone.slice(-4))
  await page.keyboard.press('Control+Enter')
  await expect(asks).toHaveCount(0)
  await expect(page.getByText('兑换成功，实物奖品待核销').first()).toBeVisible()
  await expect(field).toBeFocused()
  await scan(good!)
  await expect(page.getByText(/已于 .* 由 林知远 兑换/)).toBeVisible()

  // Its prize is handed over, and the mistake taken back.
  await expect(page.getByText('待核销：保温杯')).toBeVisible()
  await page.keyboard.press('Control+Shift+Enter')
  const where = asks.getByRole('combobox', { name: '核销门店' })
  await expect(where).toBeFocused()
  await page.keyboard.press('ArrowDown')
  // The stores are asked for first.
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(where).not.toHaveValue('')
  await page.keyboard.press('Control+Enter')
  await expect(asks).toHaveCount(0)
  await expect(page.getByText('已核销：保温杯')).toBeVisible()
  await expect(field).toBeFocused()
  await page.keyboard.press('Control+Shift+u')
  await expect(asks.getByRole('textbox', { name: '原因' })).toBeFocused()
  await page.keyboard.type('拿错了')
  await page.keyboard.press('Control+Enter')
  await expect(asks).toHaveCount(0)
  await expect(page.getByText('待核销：保温杯')).toBeVisible()
  await scan(another!)
  await expect(page.getByText('可以兑换')).toBeVisible()

  // The record of it is taken back: the code is open again.
  await page.goto(`/manage/redeemCode/redeem?tail=${good!.replaceAll('-', '').slice(-4)}&result=ok`)
  await settled(page)
  await page.keyboard.press('j')
  await expect(focusedRow(page)).toContainText('成功')
  await page.keyboard.press('r')
  await asks.getByRole('textbox', { name: '原因' }).focus()
  await page.keyboard.type('会员要求撤销')
  await page.keyboard.press('Control+Enter')
  await expect(asks).toHaveCount(0)
  await expect(focusedRow(page)).toContainText('已撤销')
  expect(found).toEqual([])
})

test('days of a plan, an e-card and a film ticket are priced, refused beyond the budget, and sent to be approved, by keys alone', async ({
  page,
}) => {
  const name = `会员月${String(Date.now()).slice(-7)}`
  await enter(page, 'admin', '/manage/redeemCode/index/add')
  await settled(page)
  const form = page.getByRole('form', { name: '新增兑换码批次' })
  await write(page, /^批次名称/, name, form)
  await write(page, /^合作方/, '某某银行', form)
  await write(page, /^数量/, '5', form)
  await write(page, /^前缀/, prefixNow(), form)
  for (const label of [/^影票/, /^电子卡/, /^会员时长卡种/]) {
    await tabTo(page, form.getByRole('combobox', { name: label }))
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
    await page.keyboard.press('Enter')
  }
  await write(page, /^每码赠送天数/, '31', form)
  await write(page, /^预算/, '0', form)
  await write(page, /^开始时间/, '2020-01-01 00:00', form)
  await write(page, /^结束时间/, '2030-03-01 00:00', form)
  await page.keyboard.press('Control+Enter')
  await expect(form.getByText(/预计成本 .* 元，超出预算/)).toBeVisible()
  await write(page, /^预算/, '10000', form)
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/redeemCode\/index$/)
  await settled(page)
  await find(page, name)
  await expect(focusedRow(page)).toContainText('待审核')
  const detail = page.getByRole('article')
  await expect(detail.getByText(/^会员时长「.+」31 天/)).toBeVisible()
  await expect(detail.getByText(/^电子卡「.+」[\d.]+ 元/)).toBeVisible()
  await expect(detail.getByText(/^影票「.+」（最高 45.00 元）/)).toBeVisible()
})
