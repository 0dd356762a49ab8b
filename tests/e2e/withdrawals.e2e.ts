import { expect, type Page } from '@playwright/test'
import {
  complaints,
  decide,
  enter,
  focusedRow,
  keyboardTest as test,
  settled,
  tabTo,
} from './desk.ts'

/** The cashier's queue, and the same of sellers' commission. */
const pages = {
  'a withdrawal': '/manage/settle/withdraw',
  commission: '/manage/distribution/withdrawal',
} as const
/** The number of the withdrawal whose file stands beside the list. */
const numberOf = async (page: Page): Promise<string> => {
  const file = page.getByRole('article')
  const no = file.getByText(/^TX\d+$/).first()
  await expect(no).toBeVisible()
  return (await no.textContent())!
}
const because = async (page: Page, reason: string) => {
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByRole('textbox').first())
  await page.keyboard.type(reason)
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
}
for (const [what, PAGE] of Object.entries(pages))
  test(`${what} is approved, paid, failed and paid again, by keys alone`, async ({
    page,
    colleague,
  }) => {
    test.setTimeout(180_000)
    const found = complaints(page)
    await enter(page, 'supervisor', `${PAGE}?channel=bank`)
    await settled(page)
    // What is on hold or was seen once is passed over.
    for (let n = 0; n < 10; n++) {
      if ((await focusedRow(page).textContent())?.includes('待审核')) break
      await page.keyboard.press('j')
    }
    await settled(page)
    const no = await numberOf(page)
    await decide(page, 'a')
    // The next one is there by itself.
    await expect(page.getByRole('article').getByText(no)).toHaveCount(0)

    // Whoever approved it pays it not; a colleague does.
    const cashier = await colleague()
    await enter(cashier, 'admin', `${PAGE}?status=approved&keyword=${no}`)
    await settled(cashier)
    await expect(focusedRow(cashier)).toContainText('已通过')
    await decide(cashier, 'p')
    await cashier.goto(`${PAGE}?status=paying&keyword=${no}`)
    await settled(cashier)
    await expect(focusedRow(cashier)).toContainText('打款中')
    await cashier.keyboard.press('f')
    await because(cashier, '账号不存在，银行退回')
    await cashier.goto(`${PAGE}?status=failed&keyword=${no}`)
    await settled(cashier)
    await expect(cashier.getByRole('article').getByText('账号不存在，银行退回')).toBeVisible()
    await decide(cashier, 't')
    await cashier.goto(`${PAGE}?status=paying&keyword=${no}`)
    await settled(cashier)
    await expect(cashier.getByRole('article').getByText(`${no}R2`)).toBeVisible()

    // A withdrawal that WeChat refused is sent once more, and its answer comes by itself.
    await cashier.goto(`${PAGE}?status=failed&channel=wechat_transfer`)
    await settled(cashier)
    // A seller who owes something is paid nothing.
    const retry = cashier.getByRole('button', { name: /^重试打款/ })
    for (let n = 0; n < 10 && (await retry.isDisabled()); n++) {
      await cashier.keyboard.press('j')
      await settled(cashier)
    }
    const again = await numberOf(cashier)
    await decide(cashier, 't')
    await cashier.goto(`${PAGE}?status=paid&keyword=${again}`)
    await expect(focusedRow(cashier)).toContainText('已打款', { timeout: 60_000 })
    expect(found).toEqual([])
  })
