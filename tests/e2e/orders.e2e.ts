import { expect, type Page } from '@playwright/test'
import { answered, command, complaints, job, settled, signIn, toTab } from './desk.ts'

/** A page that is left stays behind the next one: the row in sight is meant. */
const focusedRow = (page: Page) => page.locator('.m-grid-row[data-focused]:visible')
const answer = async (page: Page, reason: string) => {
  await expect(page.getByRole('textbox', { name: '原因' })).toBeFocused()
  await page.keyboard.type(reason)
  await page.keyboard.press('Enter')
  await answered(page)
}

/**
 * Walks over the rows, from the first on, until the one in focus is it: a row keeps the focus from
 * tab to tab wherever it stands.
 */
const walkTo = async (page: Page, wanted: (text: string) => boolean) => {
  const row = focusedRow(page)
  const step = async (key: 'j' | 'k') => {
    const id = (await row.getAttribute('id'))!
    await page.keyboard.press(key)
    await expect(row).not.toHaveAttribute('id', id)
  }
  while ((await row.getAttribute('aria-rowindex')) !== '2') await step('k')
  while (!wanted((await row.textContent())!)) await step('j')
}

job(
  'a group is dissolved and its refunds go out; an order is found by its buyer’s phone and given back: by keyboard alone',
  async ({ page }) => {
    const found = complaints(page)
    await signIn(page, 'admin')
    await command(page, 'ptdd')
    await expect(page).toHaveURL(/\/manage\/order\/rollBuy/)
    await expect(page.getByRole('grid', { name: '拼团订单' })).toBeFocused()
    await page.keyboard.press('2')
    await expect(page.getByRole('grid', { name: '拼团', exact: true })).toBeFocused()
    await toTab(page, /拼团中/)

    // The first group with a payer: its refunds can be watched.
    await expect(focusedRow(page)).toBeVisible()
    await walkTo(page, text => /[1-9]\/\d/.test(text))
    const number = /PT\d+/.exec((await focusedRow(page).textContent())!)![0]
    await page.keyboard.press('d')
    await answer(page, '供应商缺货')
    await toTab(page, /未成团/)
    await page.keyboard.press('/')
    await page.keyboard.type(number)
    await page.keyboard.press('Enter')
    await expect(focusedRow(page)).toContainText(number)
    await expect(page.getByText('供应商缺货').first()).toBeVisible()
    // Payouts go at once, and the channel answers within seconds, perhaps before one has looked:
    // the list hears of it by itself.
    await expect(focusedRow(page)).not.toContainText('未退完', { timeout: 40_000 })
    const seats = page.locator('.m-inspector .o-table tbody tr')
    await expect(seats.filter({ hasText: '已退款' }).first()).toBeVisible()
    await expect(seats.filter({ hasText: '退款中' })).toHaveCount(0)

    // An order of group-buys that can be given back, by the phone of its buyer as somebody reads it
    // out.
    await command(page, 'tgdd')
    await expect(page).toHaveURL(/\/manage\/order\/bulks/)
    await expect(page.getByRole('grid', { name: '团购订单' })).toBeFocused()
    await toTab(page, /待使用/)
    await expect(focusedRow(page)).toBeVisible()
    const order = /BU\d+/.exec((await focusedRow(page).textContent())!)![0]
    await page.keyboard.press('v')
    await expect(page.getByRole('textbox', { name: '原因' })).toBeFocused()
    await page.keyboard.type('顾客来电核对')
    await page.keyboard.press('Enter')
    // What was revealed stands in a dialog of its own, whose title begins with what it is.
    const revealed = page.getByRole('dialog', { name: /完整手机号 ·/ })
    const phone = /1\d{10}/.exec((await revealed.locator('.m-revealed').textContent())!)![0]
    await page.keyboard.press('Escape')
    await expect(revealed).toBeHidden()
    await toTab(page, /全部/)
    await page.keyboard.press('/')
    await expect(page.getByRole('search').getByRole('textbox').first()).toBeFocused()
    await page.keyboard.type(`+86 ${phone.slice(0, 3)} ${phone.slice(3, 7)} ${phone.slice(7)}`)
    await page.keyboard.press('Enter')
    // A busy machine may search for the beginning of it on the way.
    await expect(page).toHaveURL(new RegExp(`q=.*${phone.slice(7)}`))
    await settled(page)
    await walkTo(page, text => text.includes(order))
    await expect(focusedRow(page)).toContainText(order)
    await page.keyboard.press('r')
    await answer(page, '行程取消')
    await expect(focusedRow(page)).toContainText(/退款中|已退款/)
    expect(found).toEqual([])
  },
)
