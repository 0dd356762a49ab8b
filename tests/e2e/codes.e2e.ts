import { expect, type Locator, type Page } from '@playwright/test'
import {
  answered,
  command,
  complaints,
  focusedRow,
  job,
  keyboardTest as test,
  keys,
  settled,
  signIn,
  standIn,
  tabTo,
  toasts,
  tokenOf,
} from './desk.ts'

type Row = { id: number; order_no: string; phone: string; units: number; left_cents: number }
/**
 * A group-buy order, paid and unused, of so many codes (the first of these numbers that there is
 * one of), each worth more than some cents and promised to go back, of a store that is open; its
 * buyer's phone as it is printed.
 */
const orderOf = async (page: Page, units: readonly number[], over_cents = 0): Promise<Row> => {
  const token = await tokenOf(page, 'admin')
  const ask = async (method: 'get' | 'post', path: string, data?: object) =>
    (
      await (
        await page.context().request[method](`/api/manageback/order/bulks/${path}`, {
          headers: {
            'Authori-zation': `Bearer ${token}`,
            'Idempotency-Key': crypto.randomUUID(),
          },
          ...(data && { data }),
        })
      ).json()
    ).data
  for (const n of units)
    for (let at = 1; at <= 8; at++) {
      const { list } = (await ask('get', `lst?status=pending_use&pageSize=100&page=${at}`)) as {
        list: (Row & {
          refund_state: string
          merchant_closed: boolean
          store_status: string
          promise: string | null
        })[]
      }
      const row = list.find(
        one =>
          one.units === n &&
          one.refund_state === 'none' &&
          one.promise !== 'none' &&
          !one.merchant_closed &&
          one.store_status === 'open' &&
          one.left_cents > n * over_cents,
      )
      if (row)
        return {
          ...row,
          phone: (await ask('post', 'revealPhone', { id: row.id, reason: '旅程测试' })).phone,
        }
    }
  throw new Error(`no order of ${units.join(' or ')} codes above ${over_cents}`)
}
const card = ['kqdd', '卡券订单'] as const
const detailOf = async (
  page: Page,
  typed: string,
  order_no: string,
  [name, title] = ['tgdd', '团购订单'] as readonly [string, string],
) => {
  await command(page, name)
  await expect(page.getByRole('grid', { name: title })).toBeFocused()
  await page.keyboard.press('/')
  await page.keyboard.type(typed)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/q=/)
  await settled(page)
  for (
    let n = 0;
    n < 30 && !(await focusedRow(page).filter({ visible: true }).textContent())!.includes(order_no);
    n++
  )
    await page.keyboard.press('j')
  await expect(focusedRow(page).filter({ visible: true })).toContainText(order_no)
}
const reasoned = async (page: Page, reason: string) => {
  await expect(page.getByRole('textbox', { name: '原因', exact: true })).toBeVisible()
  await page.keyboard.type(reason)
  await page.keyboard.press('Enter')
}

job(
  'an order is found by a pasted phone and two of its codes are given back, with a second person’s word, by keyboard alone',
  async ({ page, colleague }) => {
    const found = complaints(page)
    // Two of them are worth more than whoever answers callers may decide alone. The demo has few of
    // four, and at some hours none.
    const { id, order_no, phone, units } = await orderOf(page, [4, 3], 100_00)
    await signIn(page, 'service')
    await detailOf(
      page,
      `+86 ${phone.slice(0, 3)} ${phone.slice(3, 7)} ${phone.slice(7)}`,
      order_no,
    )
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`bulks/detail\\?id=${id}`))
    await expect(page.getByRole('table').first()).toBeVisible()
    await tabTo(page, page.getByRole('checkbox', { name: /^选择尾号/ }).first())
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(2)
    await page.keyboard.press('r')
    const told = page.getByRole('dialog').getByText(/将退回 ¥[\d,.]+/)
    await expect(told).toBeVisible()
    const amount = /¥([\d,.]+)/.exec((await told.textContent())!)![1]!
    await reasoned(page, '行程取消，退两张')
    await answered(page)
    await expect(page.getByText('待复审').first()).toBeVisible()
    // Nobody gives the second word to their own.
    await page.keyboard.press('p')
    await expect(toasts(page).filter({ hasText: '不能是同一人' })).toBeVisible()

    const other = await colleague()
    await signIn(other, 'admin')
    await detailOf(other, order_no, order_no)
    await other.keyboard.press('p')
    await expect(
      other.getByRole('dialog').getByText(`退款 ¥${amount}，苏晚晴 已同意，待复审`),
    ).toBeVisible()
    await other.keyboard.press('Enter')
    await answered(other)
    // The first person's page hears of it, and of the money that arrived.
    await expect(page.getByRole('row').filter({ hasText: '已退款' }).first()).toBeVisible({
      timeout: 40_000,
    })
    await expect(
      page.getByRole('table').first().getByRole('row').filter({ hasText: '未使用' }),
    ).toHaveCount(units - 2)
    expect(found).toEqual([])
  },
)

job(
  'a code redeemed from two panes is redeemed once: the second pane says when, where and by whom',
  { tag: '@race' },
  async ({ page }) => {
    const { id, order_no } = await orderOf(page, [1])
    await signIn(page, 'admin')
    await detailOf(page, order_no, order_no)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`bulks/detail\\?id=${id}`))
    await settled(page)
    await keys(page, 'w v')
    const panes = page.locator('[data-pane]')
    await expect(panes).toHaveCount(2)
    await settled(page)
    const redeem = async (pane: Locator) => {
      await tabTo(page, pane.getByRole('checkbox', { name: /^选择尾号/ }))
      await page.keyboard.press('Space')
      await page.keyboard.press('c')
      await expect(page.getByRole('dialog', { name: '平台代核销' })).toBeVisible()
      await tabTo(page, page.getByRole('textbox', { name: '原因', exact: true }))
      await page.keyboard.type('门店断网')
      await page.keyboard.press('Enter')
    }
    // The second pane does not hear yet of what the first has done.
    let release = () => {}
    const heard = new Promise<void>(resolve => {
      release = resolve
    })
    await standIn(page, '**/order/bulks/detail?*', async route => {
      await heard
      await route.continue()
    })
    await redeem(panes.nth(1))
    await answered(page)
    await expect(panes.nth(1).getByRole('checkbox', { name: /^选择尾号/ })).toBeFocused()
    await keys(page, 'w h')
    await expect
      .poll(() =>
        page.evaluate(
          () => document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset.pane,
        ),
      )
      .toBe('p1')
    await redeem(panes.nth(0))
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText(
      /\d{2}:\d{2}.*林知远|林知远.*\d{2}:\d{2}/,
    )
    await page.keyboard.press('Escape')
    release()
    for (const pane of [panes.nth(0), panes.nth(1)])
      await expect(pane.getByText('已使用').first()).toBeVisible()
  },
)

test('uses of a card worth more than one’s limit are given by another person’s word, and the first person’s page hears of it, by keyboard alone', async ({
  page,
  colleague,
}) => {
  const found = complaints(page)
  const token = await tokenOf(page, 'admin')
  const { list } = (
    await (
      await page
        .context()
        .request.get('/api/manageback/order/card/lst?status=pending_use&pageSize=200', {
          headers: { 'Authori-zation': `Bearer ${token}` },
        })
    ).json()
  ).data as {
    list: (Row & {
      qty: number
      bonus: number
      paid_cents: number
      gift: string
      frozen: boolean
      refund_state: string
      merchant_closed: boolean
      times_ask: object | null
    })[]
  }
  // As many again as were bought are worth what was paid: more than the 200 yuan of whoever answers
  // callers.
  const { id, order_no, units } = list.find(
    one =>
      one.qty === 1 &&
      one.bonus === 0 &&
      one.paid_cents > 250_00 &&
      one.refund_state === 'none' &&
      !one.frozen &&
      !one.merchant_closed &&
      !one.times_ask &&
      one.gift === 'none',
  )!
  await signIn(page, 'service')
  await detailOf(page, order_no, order_no, card)
  await page.keyboard.press('a')
  await expect(page.getByRole('textbox', { name: '补偿次数' })).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(String(units))
  await tabTo(page, page.getByRole('textbox', { name: '原因', exact: true }))
  await reasoned(page, '闭店三个月')
  await expect(toasts(page).filter({ hasText: /超过你的额度，已提交另一人复核/ })).toBeVisible()
  await expect(focusedRow(page).filter({ visible: true })).toContainText(`+${units} 待复核`)
  // Beside the list it is said who asked, and that it takes another.
  await expect(page.getByRole('status').filter({ hasText: '苏晚晴 申请给尾号' })).toContainText(
    '须另一人复核',
  )

  const other = await colleague()
  await signIn(other, 'admin')
  await detailOf(other, order_no, order_no, card)
  await other.keyboard.press('Enter')
  await expect(other).toHaveURL(new RegExp(`card/detail\\?id=${id}`))
  await expect(other.getByRole('status').filter({ hasText: '苏晚晴 申请给尾号' })).toContainText(
    '闭店三个月',
  )
  await other.keyboard.press('Shift+A')
  await expect(other.getByRole('dialog')).toContainText(`补偿 ${units} 次`)
  await reasoned(other, '核实无误')
  await answered(other)
  await expect(other.getByRole('status').filter({ hasText: '申请给尾号' })).toBeHidden()
  await expect(focusedRow(page).filter({ visible: true })).not.toContainText('待复核', {
    timeout: 40_000,
  })
  expect(found).toEqual([])
})
