import { expect, type Page } from '@playwright/test'
import {
  answered,
  command,
  complaints,
  enter,
  job,
  keyboardTest,
  rejectBy,
  signIn,
  standIn,
  test,
  countOf,
} from './desk.ts'

const heading = (page: Page) => page.locator('article h2')
const openCount = (page: Page) => countOf(page, /待处理/)

job(
  'an auditor finds the group-buy queue by tgsh and decides twenty submissions without touching the mouse',
  async ({ page }) => {
    const found = complaints(page)
    await signIn(page, 'auditor')
    await command(page, 'tgsh')
    await expect(page).toHaveURL(/\/manage\/audit\/bulks/)
    await expect(page.getByRole('grid', { name: '团购审核' })).toBeFocused()
    await expect(heading(page)).toBeVisible()
    const before = await openCount(page)

    const decided: string[] = []
    let approved = 0
    let rejected = 0
    while (decided.length < 20) {
      const row = page.locator('.m-grid-row[data-focused]')
      const id = (await row.getAttribute('id'))!
      await expect(heading(page)).toHaveText(
        (await row.locator('[role=gridcell]').nth(1).textContent())!,
      )
      if (/审核中|待复审|待补充/.test((await row.textContent())!)) {
        await page.keyboard.press('j')
        await expect(row).not.toHaveAttribute('id', id)
        continue
      }
      await expect(page.getByLabel('机审结果').or(page.getByText('机审未发现问题'))).toBeVisible()
      const forbidden = await page.getByText('不可通过', { exact: true }).count()
      if (forbidden > 0 || decided.length % 4 === 3) {
        await rejectBy(page, '4')
        await answered(page)
        rejected += 1
      } else {
        await page.keyboard.press('a')
        approved += 1
      }
      await expect(row).not.toHaveAttribute('id', id)
      decided.push(id)
    }
    expect(new Set(decided).size).toBe(20)
    // A submission that needs a second person stays open, so count what left and what waits for
    // that person.
    await expect
      .poll(async () => (await openCount(page)) + 20 - (await countOf(page, /待复审/)))
      .toBeGreaterThanOrEqual(before - 4)
    await expect.poll(() => openCount(page)).toBeLessThan(before)
    expect([approved + rejected, approved > 0, rejected >= 5]).toEqual([20, true, true])

    await page.keyboard.press('Control+z')
    await expect(page.getByText(/已撤销/)).toBeVisible()
    await expect.poll(() => countOf(page, /我领取的/)).toBe(1)
    expect(found).toEqual([])
  },
)

keyboardTest(
  'after a decision the eye stays, goes back to the list or goes on, as the person chose',
  async ({ page }) => {
    await enter(page, 'auditor', '/manage/audit/product?state=pending')
    const [grid, row] = [
      page.getByRole('grid', { name: '商品审核' }),
      page.locator('.m-grid-row[data-focused]'),
    ]
    await expect(grid).toBeFocused()
    const decide = async (where: string) => {
      await command(page, '决定之后去哪里')
      await page.keyboard.type(where)
      await page.keyboard.press('Enter')
      await expect(page.locator('[data-palette]')).toHaveCount(0)
      if (where === '回到列表') {
        await page.keyboard.press('z')
        await expect(grid).toBeHidden()
      }
      const [id, title] = [(await row.getAttribute('id'))!, (await heading(page).textContent())!]
      await rejectBy(page, '4')
      await answered(page)
      await expect(row).not.toHaveAttribute('id', id)
      return title
    }
    const titleOfRow = row.locator('[role=gridcell]').nth(1)
    const stayed = await decide('停在这一条')
    await expect(page.locator('article').getByText('已驳回').first()).toBeVisible()
    await expect(heading(page)).toHaveText(stayed)
    // The list has gone on to the next, which one step shows.
    const next = (await titleOfRow.textContent())!
    await page.keyboard.press('j')
    await expect(heading(page)).toHaveText(next)
    await expect(titleOfRow).toHaveText(next)
    for (const where of ['回到列表', '前往下一条']) {
      await decide(where)
      await expect(grid).toBeVisible()
      await expect(heading(page)).toHaveText((await titleOfRow.textContent())!)
    }
  },
)

test('a decision made by a colleague a moment ago is not made again: the loser is told who decided', async ({
  page,
  browser,
}) => {
  await signIn(page, 'auditor')
  await page.goto('/manage/audit/bulks?state=pending')
  await expect(heading(page)).toBeVisible()
  const title = await heading(page).textContent()
  const other = await (await browser.newContext()).newPage()
  await signIn(other, 'supervisor')
  await other.goto('/manage/audit/bulks?state=pending')
  await expect(heading(other)).toHaveText(title!)
  // The auditor's decision is under way while the supervisor's arrives first.
  let release = () => {}
  const decided = new Promise<void>(resolve => {
    release = resolve
  })
  await standIn(page, '**/audit/bulks/reject', async route => {
    await decided
    await route.continue()
  })
  await rejectBy(page, '1')
  await rejectBy(other, '2')
  await expect(heading(other)).not.toHaveText(title!)
  const winner = (await other.locator('.s-topbar button').last().textContent())!.trim()
  release()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText(winner)
  await page.keyboard.press('Escape')
  await answered(page)
})
