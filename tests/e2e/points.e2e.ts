import { expect } from '@playwright/test'
import {
  answered,
  complaints,
  enter,
  keyboardTest as test,
  sayYes,
  settled,
  write,
} from './desk.ts'
import { rowsBy } from './rows.ts'

test('a rate is asked for, tried and approved by another, by keys alone', async ({
  page,
  colleague,
}) => {
  const found = complaints(page)
  const n = Date.now()
  // No two rates begin at one moment: each run has a day of its own.
  const begins = new Date(Date.UTC(2031, 0, 1) + (Math.floor(n / 1000) % 3000) * 86_400_000)
  const day = begins.toISOString().slice(0, 10)
  await enter(page, 'admin', '/manage/vip/score/rate')
  await settled(page)
  await page.keyboard.press('c')
  await write(page, '每消费 1 元得积分', '1.5')
  await write(page, '抵 1 元所需积分', '120')
  await write(page, '每单最多抵扣', '25')
  await write(page, '有效月数', '12')
  await write(page, '等级倍率', '4=1.2，5=1.3')
  await write(page, '生效时间', `${day} 00:00`)
  await write(page, '原因', `旅程${String(n).slice(-7)}`)
  const saved = page.waitForResponse(one => one.url().includes('/vip/score/rate/save'))
  await page.keyboard.press('Control+Enter')
  const { id } = ((await (await saved).json()) as { data: { id: number } }).data
  await answered(page)

  const name = `${day} 起比例`
  const other = await colleague()
  await enter(other, 'supervisor', '/manage/vip/score/rate?state=waiting')
  await settled(other)
  await other.keyboard.press('Home')
  for (let at = 0; at < 60 && !other.url().includes(`row=${id}`); at++) {
    if (await other.getByRole('article').getByRole('heading', { name }).isVisible()) break
    await other.keyboard.press('j')
  }
  await expect(other.getByRole('article').getByText('等级 4')).toBeVisible()
  const approved = other.waitForResponse(one => one.url().includes('/vip/score/rate/approve'))
  await other.keyboard.press('a')
  await sayYes(other)
  expect((await approved).status()).toBe(200)
  await page.goto('/manage/vip/score/rate?state=scheduled')
  await settled(page)
  await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible()
  expect(found).toEqual([])
})
test('the ledger turns its lots on and off and is narrowed, by keys alone', async ({
  page,
}, info) => {
  const found = complaints(page)
  const uid = await rowsBy<string>(info, 'memberRows.server.ts', { what: 'earned' })
  await enter(page, 'admin', `/manage/vip/score/detail?kind=earn&biz_kind=clocked&member=${uid}`)
  await settled(page)
  await page.keyboard.press('Home')
  const detail = page.getByRole('article')
  await expect(detail.getByText('积分批次')).toBeVisible()
  await page.keyboard.press('l')
  await expect(detail.getByText('积分批次')).toBeHidden()
  await page.keyboard.press('r')
  await expect(page.getByRole('dialog').getByText(/积分，先扣本批/)).toBeVisible()
  await page.keyboard.press('Escape')
  expect(found).toEqual([])
})
