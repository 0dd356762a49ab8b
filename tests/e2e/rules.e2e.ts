import { expect, type Page } from '@playwright/test'
import { command, complaints, job, signIn, tabTo, toasts } from './desk.ts'

const [PAY, STORE, US] = [/^支付时限/, /^商户撤销核销/, /^平台撤销核销/]
const field = (page: Page, name: RegExp) =>
  page.getByRole('form', { name: '团购' }).getByRole('textbox', { name })
const answer = async (page: Page, control: ReturnType<typeof field>, typed: string) => {
  await tabTo(page, control)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(typed)
}
const save = async (page: Page, reason: string) => {
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog', { name: '保存规则' })
  await expect(dialog.getByRole('textbox', { name: '原因' })).toBeFocused()
  await page.keyboard.type(reason)
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toBeHidden()
}

job(
  'two change the rules of an order at once: the second settles field by field what both have changed, and nothing is lost',
  { tag: '@race' },
  async ({ page, colleague }) => {
    const found = complaints(page)
    const other = await colleague()
    for (const one of [page, other]) {
      await signIn(one, 'admin')
      await command(one, 'ddddgz')
      await expect(one).toHaveURL(/\/order\/config/)
      const kinds = one.getByRole('tablist', { name: '订单类型' })
      await tabTo(one, kinds.getByRole('tab', { selected: true }), 'Shift+Tab')
      await one.keyboard.press('ArrowRight')
      await expect(field(one, PAY)).toBeVisible()
    }
    const now = async (name: RegExp) => await field(page, name).inputValue()
    const pay = 321
    const [byStore, byUs] = [
      (await now(STORE)) === '1' ? '2' : '1',
      (await now(US)) === '24' ? '36' : '24',
    ]
    await answer(page, field(page, PAY), String(pay))
    await answer(page, field(page, US), byUs)
    await answer(other, field(other, PAY), String(pay + 1))
    await answer(other, field(other, STORE), byStore)
    await save(other, '延长支付时限')
    await expect(toasts(other).filter({ hasText: '保存规则' })).toBeVisible()

    await expect(page.getByText('他人刚改了 2 项')).toBeVisible()
    await page.keyboard.press('Control+s')
    const settling = page.getByRole('dialog', { name: /也改了这些内容/ })
    await expect(settling.getByRole('status')).toContainText('1 项双方都改了')
    await expect(settling.getByRole('row').filter({ hasText: '商户撤销核销' })).toContainText(
      '已合并',
    )
    // Nobody goes past a choice that is open.
    await page.keyboard.press('Enter')
    await expect(settling.getByRole('alert')).toContainText('还有 1 项没有选择')
    await page.keyboard.press('ArrowRight')
    await expect(settling.getByRole('radio', { checked: true })).toHaveText(String(pay))
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: '保存规则' })
    await expect(dialog.getByRole('textbox', { name: '原因' })).toBeFocused()
    await page.keyboard.type('按法务意见')
    await page.keyboard.press('Control+Enter')
    await expect(dialog).toBeHidden()
    for (const one of [page, other])
      for (const [name, value] of [
        [PAY, String(pay)],
        [STORE, byStore],
        [US, byUs],
      ] as const)
        await expect(field(one, name)).toHaveValue(value)
    expect(found).toEqual([])
  },
)
