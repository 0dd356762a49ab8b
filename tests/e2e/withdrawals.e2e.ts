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
import { withdrawalsOf, type Owners } from './rows.ts'

/** The cashier's queue, and the same of sellers' commission. */
const pages: Readonly<Record<string, readonly [page: string, owner_kind: Owners]>> = {
  'a withdrawal': ['/manage/settle/withdraw', 'merchant'],
  commission: ['/manage/distribution/withdrawal', 'distributor'],
}
const because = async (page: Page, reason: string) => {
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByRole('textbox').first())
  await page.keyboard.type(reason)
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
}
for (const [what, [PAGE, owner_kind]] of Object.entries(pages))
  test(`${what} is approved, paid, failed and paid again, by keys alone`, async ({
    page,
    colleague,
  }, info) => {
    test.setTimeout(180_000)
    const found = complaints(page)
    const [no, refused] = (await withdrawalsOf(info, [
      { owner_kind, channel: 'bank' },
      { owner_kind, channel: 'wechat_transfer', fails: true },
    ])) as [string, string]
    /** Goes to one in a state: it is the row in focus, and says so. */
    const at = async (desk: Page, keyword: string, [status, word]: readonly [string, string]) => {
      await desk.goto(`${PAGE}?status=${status}&keyword=${keyword}`)
      await settled(desk)
      await expect(focusedRow(desk)).toContainText(word, { timeout: 60_000 })
      await expect(desk.getByRole('article').getByText(keyword).first()).toBeVisible()
    }
    await enter(page, 'supervisor', PAGE)
    for (const one of [no, refused]) {
      await at(page, one, ['pending', '待审核'])
      await decide(page, 'a')
      await expect(page.getByRole('article').getByText(one)).toHaveCount(0)
    }

    // Whoever approved it pays it not; a colleague does.
    const cashier = await colleague()
    await enter(cashier, 'admin', PAGE)
    await at(cashier, no, ['approved', '已通过'])
    await decide(cashier, 'p')
    await at(cashier, no, ['paying', '打款中'])
    await cashier.keyboard.press('f')
    await because(cashier, '账号不存在，银行退回')
    await at(cashier, no, ['failed', '失败'])
    await expect(cashier.getByRole('article').getByText('账号不存在，银行退回')).toBeVisible()
    await decide(cashier, 't')
    await at(cashier, no, ['paying', '打款中'])
    await expect(cashier.getByRole('article').getByText(`${no}R2`)).toBeVisible()

    // The cashier sends a refused withdrawal again, and WeChat's answer comes by itself.
    await at(cashier, refused, ['approved', '已通过'])
    await decide(cashier, 'p')
    await at(cashier, refused, ['failed', '失败'])
    await decide(cashier, 't')
    await at(cashier, refused, ['paid', '已打款'])
    expect(found).toEqual([])
  })
