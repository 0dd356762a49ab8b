import { expect } from '@playwright/test'
import { complaints, enter, focusedRow, keyboardTest as test, settled, tabTo } from './desk.ts'

test('a hit of e-cards is claimed, its graph walked, its cards frozen, and released again, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/ecard/risk')
  await settled(page)
  const because = async (reason: string) => {
    const dialog = page.getByRole('dialog')
    await tabTo(page, dialog.getByRole('textbox', { name: /^原因/ }))
    await page.keyboard.type(reason)
    await page.keyboard.press('Control+Enter')
    await expect(dialog).toHaveCount(0)
  }
  // The first hit that has cards to freeze: several rules find some without.
  const detail = page.getByRole('article')
  const graph = detail.getByRole('application')
  for (let n = 0; n < 20 && (await graph.count()) === 0; n++) {
    await page.keyboard.press('j')
    await settled(page)
  }
  await expect(graph).toBeVisible()
  await page.keyboard.press('c')
  await expect(focusedRow(page)).toContainText('处理中')

  // The graph takes the focus; keys follow its ties, and what stands there is told.
  await tabTo(page, graph)
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await expect(detail.locator('figcaption')).toContainText(/付款人|卡|持卡人|发卡门店/)
  await page.keyboard.press('Escape')

  await page.keyboard.press('f')
  await because('核实资金来源')
  await expect(page.getByText(/已冻结 \d+ 张卡/)).toBeVisible()
  await page.keyboard.press('p')
  await because('疑似套现')
  await expect(detail.getByText(/可疑交易报告 STR\d{8}-\d+/)).toBeVisible()
  await page.keyboard.press('r')
  await because('已核实为正常团购')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(found).toEqual([])
})

test('what is unspent of a confirmed hit is asked to go back, order by order, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/ecard/risk?state=confirmed')
  await settled(page)
  await expect(focusedRow(page)).toContainText('确认风险')
  await page.keyboard.press('Shift+F')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/由另一人在电子卡订单复审后原路退回/)).toBeVisible()
  await tabTo(page, dialog.getByRole('textbox', { name: /^原因/ }))
  await page.keyboard.type('盗刷购卡')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(/已为 \d+ 单申请退款，待他人复审/)).toBeVisible()
  // Nothing is left that could be asked for a second time.
  await page.keyboard.press('Shift+F')
  await expect(page.getByText('没有可退的卡').first()).toBeVisible()
  expect(found).toEqual([])
})
