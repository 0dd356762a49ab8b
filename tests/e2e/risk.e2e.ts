import { expect, type Page } from '@playwright/test'
import { answered, command, complaints, countOf, focusedRow, job, settled, signIn } from './desk.ts'
import { rowsBy } from './rows.ts'

const heading = (page: Page) => page.locator('article.m-inspector > header h3')
const answer = async (page: Page, reason: string) => {
  await expect(page.getByRole('textbox', { name: '原因' })).toBeFocused()
  await page.keyboard.type(reason)
  await page.keyboard.press('Enter')
  await answered(page)
}

job(
  'risk staff freeze and confirm one hit and release the next, go to the rules and the lists, by keyboard alone',
  async ({ page }, info) => {
    const found = complaints(page)
    await signIn(page, 'admin')
    await command(page, 'ptfkzx')
    await expect(page).toHaveURL(/\/manage\/system\/risk/)
    await expect(page.getByRole('grid', { name: '平台风控中心' })).toBeFocused()
    await expect(heading(page)).toBeVisible()
    // Hits of the journey's own: orders of other journeys make more of the demo's rules.
    const rule_id = await rowsBy<number>(info, 'benefitRows.server.ts', { what: 'hits' })
    await page.goto(`/manage/system/risk?rule_id=${rule_id}`)
    await settled(page)
    const counts = async () => ({
      waiting: await countOf(page, /待处理/),
      confirmed: await countOf(page, /确认风险/),
      released: await countOf(page, /误报放行/),
    })
    await expect.poll(counts).toEqual({ waiting: 3, confirmed: 0, released: 0 })
    const row = focusedRow(page)
    await page.keyboard.press('f')
    await expect(page.getByRole('dialog', { name: '冻结相关订单' })).toContainText(
      /[A-Z]{2}\d{10,}/,
    )
    const first = (await row.getAttribute('id'))!
    while (
      !(await page
        .getByRole('textbox', { name: '原因' })
        .evaluate(node => node === document.activeElement))
    )
      await page.keyboard.press('Tab')
    await answer(page, '疑似套现，先冻结')
    await expect(page.getByText('本命中冻结').first()).toBeVisible()
    await page.keyboard.press('a')
    await answer(page, '同一设备批量下单')
    await expect(row).not.toHaveAttribute('id', first)

    const second = (await row.getAttribute('id'))!
    await page.keyboard.press('r')
    await answer(page, '老会员正常复购')
    await expect(row).not.toHaveAttribute('id', second)
    await expect.poll(counts).toEqual({ waiting: 1, confirmed: 1, released: 1 })

    await page.keyboard.press('2')
    await expect(page).toHaveURL(/view=rules/)
    await expect(page.getByRole('grid', { name: /规则$/ })).toBeFocused()
    await page.keyboard.press('t')
    await expect(
      page
        .getByRole('spinbutton', { name: '天数' })
        .or(page.getByRole('textbox', { name: '天数' })),
    ).toBeFocused()
    await page.keyboard.press('Enter')
    await answered(page)
    await expect(page.getByText(/近 7 天会拦住的真实订单/)).toBeVisible()
    await page.keyboard.press('3')
    await expect(page).toHaveURL(/view=lists/)
    await expect(page.getByRole('grid', { name: /黑白名单$/ })).toBeFocused()
    expect(found).toEqual([])
  },
)
