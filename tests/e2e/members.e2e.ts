import { expect, type Page } from '@playwright/test'
import { complaints, enter, focusedRow, keyboardTest as test, settled, write } from './desk.ts'

/** Sends the dialog, and waits until its write was answered. */
const sent = async (page: Page, call: string) => {
  const answered = page.waitForResponse(one => one.url().includes(`/vip/index/${call}`))
  await page.keyboard.press('Control+Enter')
  expect((await answered).status()).toBe(200)
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('a member is tagged and given points, a large sum by two people, by keys alone', async ({
  page,
  colleague,
}) => {
  test.setTimeout(150_000)
  const found = complaints(page)
  const n = String(Date.now()).slice(-8)
  await enter(page, 'admin', '/manage/vip/index?account_state=normal&vip=never')
  await settled(page)
  await page.keyboard.press('j')
  await expect(focusedRow(page)).toBeVisible()

  // The tag is made where it is set, and finds its member.
  await page.keyboard.press('t')
  await write(page, '新标签', n)
  await sent(page, 'setTags')
  await expect(page.getByText(n).first()).toBeVisible()

  // Few points are there at once.
  await page.keyboard.press('p')
  await write(page, '增减积分', '5')
  await write(page, '原因', `补发 ${n}`)
  await sent(page, 'adjustPoints')
  await expect(page.getByRole('cell', { name: '+5' }).first()).toBeVisible()

  // Many wait for another person.
  await page.keyboard.press('p')
  await write(page, '增减积分', '20000')
  await write(page, '原因', `活动 ${n}`)
  await sent(page, 'adjustPoints')
  const waits = page.getByRole('heading', { name: '待复核的调整' })
  await expect(waits).toBeVisible()

  const other = await colleague()
  await enter(other, 'supervisor', '/manage/vip/index?quick=adjusting')
  await settled(other)
  await expect(other.getByText(`活动 ${n}`).first()).toBeVisible()
  await other.keyboard.press('a')
  await expect(other.getByRole('dialog').getByText(/申请积分 20000/)).toBeVisible()
  await sent(other, 'approveAdjust')
  await expect(waits).toHaveCount(0)
  await expect(page.getByRole('cell', { name: '+20,000' }).first()).toBeVisible()

  // Frozen benefits refuse points, and come back with a reason.
  await page.keyboard.press('f')
  await write(page, '原因', '核实中')
  await sent(page, 'freezeBenefits')
  await expect(focusedRow(page)).toContainText('权益冻结')
  await page.keyboard.press('u')
  await write(page, '原因', '已核实')
  await sent(page, 'unfreezeBenefits')
  await expect(focusedRow(page)).toContainText('正常')
  expect(found).toEqual([])
})
