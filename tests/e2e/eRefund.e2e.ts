import { expect, type Page } from '@playwright/test'
import { answered, command, complaints, countOf, job, sayYes, signIn } from './desk.ts'

const focused = (page: Page) => page.locator('.m-grid-row[data-focused]')
/**
 * Walks down until a case is of this sort; its deadline still runs, so that the clock does not
 * decide it meanwhile.
 */
const walkTo = async (page: Page, sort: readonly RegExp[]): Promise<string> => {
  await page.keyboard.press('Home')
  for (let n = 0; n < 40; n++) {
    const [text, id] = [
      (await focused(page).textContent())!,
      (await focused(page).getAttribute('id'))!,
    ]
    if (!/超时/.test(text) && sort.every(one => one.test(text))) return id
    await page.keyboard.press('j')
    await expect(focused(page)).not.toHaveAttribute('id', id)
  }
  throw new Error(`no case like ${sort.join()}`)
}

job(
  'after-sale staff pay one case back, refuse the next, let goods come back, and answer a buyer, by keyboard alone',
  async ({ page }) => {
    const found = complaints(page)
    await signIn(page, 'admin')
    await command(page, 'dsshd')
    await expect(page).toHaveURL(/\/manage\/order\/eRefund/)
    await expect(page.getByRole('grid', { name: '电商售后单' })).toBeFocused()
    await expect(page.getByRole('article')).toBeVisible()

    // What the decision would do stands above it and is asked; then the eye is on the next case.
    const paid = await walkTo(page, [/待处理/, /仅退款/, /未发货/])
    await expect(page.getByRole('article').getByRole('status')).toContainText(/不可撤回/)
    const no = await page.getByRole('article').getAttribute('aria-label')
    await page.keyboard.press('a')
    await sayYes(page)
    await expect(focused(page)).not.toHaveAttribute('id', paid)
    await expect(page.locator(`[id="${paid}"]`)).toContainText('打款中')
    await expect(page.getByRole('article')).not.toHaveAttribute('aria-label', no!)

    const before = await countOf(page, /已拒绝/)
    // Not the goods that the next step lets come back: at some hours there are few.
    const refused = await walkTo(page, [/待处理/, /仅退款/])
    await page.keyboard.press('r')
    await expect(page.getByRole('radio').first()).toBeFocused()
    await page.keyboard.press('3')
    await page.keyboard.type('请补充开箱照片')
    await page.keyboard.press('Control+Enter')
    await answered(page)
    await expect(page.locator(`[id="${refused}"]`)).toHaveCount(0)
    await expect.poll(() => countOf(page, /已拒绝/)).toBe(before + 1)

    const back = await walkTo(page, [/待处理/, /退货退款/])
    await page.keyboard.press('b')
    await expect(
      page.getByRole('dialog', { name: '同意退货' }).getByRole('option').first(),
    ).toBeVisible()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')
    await expect(page.locator(`[id="${back}"]`)).toContainText('待退货')

    // The whole file on a page of its own.
    await walkTo(page, [/待退货/])
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/eRefund\/detail\?.*id=/)
    await expect(page.getByRole('article').getByText('退货地址')).toBeVisible()
    await page.keyboard.press('l')
    await expect(page.getByRole('textbox', { name: '回复内容' })).toBeFocused()
    await page.keyboard.type('请保留好快递单号')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('article').getByText('请保留好快递单号')).toBeVisible()
    await answered(page)
    // What is to come back has a week, so it may stand at the end of the queue by now.
    const here = page.url()
    const [, at, of] = /第 (\d+) \/ (\d+) 单/.exec(
      (await page.getByText(/第 \d+ \/ \d+ 单/).textContent())!,
    )!
    await page.keyboard.press('n')
    if (at === of) await expect(page.getByText('已是最后一单')).toBeVisible()
    else await expect(page).not.toHaveURL(here)

    expect(found).toEqual([])
  },
)
