import { expect, type Page } from '@playwright/test'
import { answered, command, complaints, job, signIn, countOf } from './desk.ts'

const heading = (page: Page) => page.locator('article.m-inspector > header h3')
const answer = async (page: Page, reason: string) => {
  await expect(page.getByRole('textbox', { name: '原因' })).toBeFocused()
  await page.keyboard.type(reason)
  await page.keyboard.press('Enter')
  await answered(page)
}

job(
  'risk staff freeze and confirm one hit and release the next, go to the rules and the lists, by keyboard alone',
  async ({ page }) => {
    job.setTimeout(90_000)
    const found = complaints(page)
    await signIn(page, 'admin')
    await command(page, 'ptfkzx')
    await expect(page).toHaveURL(/\/manage\/system\/risk/)
    await expect(page.getByRole('grid', { name: '平台风控中心' })).toBeFocused()
    await expect(heading(page)).toBeVisible()
    const before = {
      waiting: await countOf(page, /待处理/),
      confirmed: await countOf(page, /确认风险/),
      released: await countOf(page, /误报放行/),
    }
    const row = page.locator('.m-grid-row[data-focused]')

    // The first that is nobody's and has orders which can still be frozen.
    for (let n = 0; n < 30; n++) {
      const id = (await row.getAttribute('id'))!
      if (/待处理/.test((await row.textContent())!)) {
        await page.keyboard.press('f')
        await expect(page.getByRole('dialog', { name: '冻结相关订单' })).toBeVisible()
        if (
          (await page
            .getByRole('dialog')
            .locator('.bp6-tag, .bp6-button')
            .filter({ hasText: /^[A-Z]{2}\d{10,}/ })
            .count()) > 0
        )
          break
        await page.keyboard.press('Escape')
        await answered(page)
      }
      await page.keyboard.press('j')
      await expect(row).not.toHaveAttribute('id', id)
    }
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

    while (!/待处理/.test((await row.textContent())!)) {
      const id = (await row.getAttribute('id'))!
      await page.keyboard.press('j')
      await expect(row).not.toHaveAttribute('id', id)
    }
    const second = (await row.getAttribute('id'))!
    await page.keyboard.press('r')
    await answer(page, '老会员正常复购')
    await expect(row).not.toHaveAttribute('id', second)
    await expect
      .poll(async () => ({
        waiting: await countOf(page, /待处理/),
        confirmed: await countOf(page, /确认风险/),
        released: await countOf(page, /误报放行/),
      }))
      .toEqual({
        waiting: before.waiting - 2,
        confirmed: before.confirmed + 1,
        released: before.released + 1,
      })

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
    await expect(page.getByText(/近 7 天会拦住的真实订单/)).toBeVisible()
    await page.keyboard.press('3')
    await expect(page).toHaveURL(/view=lists/)
    await expect(page.getByRole('grid', { name: /黑白名单$/ })).toBeFocused()
    expect(found).toEqual([])
  },
)
