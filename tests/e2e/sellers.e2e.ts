import { expect, type Page } from '@playwright/test'
import {
  complaints,
  enter,
  focusedRow,
  keyboardTest as test,
  settled,
  tabTo,
  write,
} from './desk.ts'

const sent = async (page: Page) => {
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('an expert is invited, given another level, and paid more by two people, by keys alone', async ({
  page,
  colleague,
}) => {
  test.setTimeout(150_000)
  const found = complaints(page)
  const dialog = page.getByRole('dialog')
  const name = `旅程${String(Date.now()).slice(-8)}`
  await enter(page, 'admin', '/manage/distribution/index')
  await settled(page)

  // From the sellers to the invitations.
  await page.keyboard.press('i')
  await expect(page).toHaveURL(/inviteExpert$/)
  await settled(page)
  await page.keyboard.press('c')
  await write(page, '姓名', name)
  await dialog.getByRole('combobox', { name: '城市' }).focus()
  await page.keyboard.type('上海')
  await expect(dialog.getByRole('option').first()).toContainText('上海')
  await page.keyboard.press('Enter')
  await sent(page)
  await page.keyboard.press('/')
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await settled(page)
  await page.keyboard.press('j')
  await expect(focusedRow(page)).toContainText('待使用')
  await page.keyboard.press('d')
  await write(page, '原因', '名单有误')
  await sent(page)
  await expect(focusedRow(page)).toContainText('已停用')

  // The newest active expert gets another level.
  await page.goto('/manage/distribution/index?status=active')
  await settled(page)
  await page.keyboard.press('j')
  await page.keyboard.press('l')
  const level = dialog.getByRole('combobox', { name: '等级' })
  const next = (await level.inputValue()) === '2' ? '3' : '2'
  await level.selectOption(next)
  await write(page, '原因', '季度考核')
  await sent(page)
  await expect(focusedRow(page)).toContainText(`${next} 级`)

  // More than one person may give alone waits for another.
  await tabTo(page, page.getByRole('link', { name: '完整详情' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/expertDetail\?id=\d+/)
  await settled(page)
  await expect(page.getByText('季度考核').first()).toBeVisible()
  await page.keyboard.press('a')
  await write(page, '金额', '1500')
  await write(page, '原因', `补发奖励 ${name}`)
  await sent(page)
  const waits = page.getByRole('heading', { name: '待复核的佣金调整' })
  await expect(waits).toBeVisible()

  const other = await colleague()
  await enter(other, 'supervisor', new URL(page.url()).pathname + new URL(page.url()).search)
  await settled(other)
  await other.keyboard.press('e')
  await expect(other.getByRole('dialog').getByText(/申请调整 1,500.00 元/)).toBeVisible()
  await sent(other)
  await expect(waits).toHaveCount(0)
  await expect(page.getByRole('row').filter({ hasText: name })).toContainText('已入账')

  // Views turn by their numbers.
  await page.goto('/manage/distribution/index')
  await settled(page)
  await page.keyboard.press('4')
  await expect(page).toHaveURL(/view=teams/)
  await settled(page)
  await page.keyboard.press('j')
  await expect(focusedRow(page)).toBeVisible()
  expect(found).toEqual([])
})
