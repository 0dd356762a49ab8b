import { expect, type Page } from '@playwright/test'
import { test, command, complaints, enter, settled, tokenOf } from './desk.ts'

/** How many whole rows each list in sight has room for. */
const rowsSeen = (page: Page): Promise<number[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.m-grid')]
      .filter(grid => grid.checkVisibility() && grid.querySelector('.m-grid-row'))
      .map(grid => {
        const height = (part: string) => grid.querySelector<HTMLElement>(part)!.offsetHeight
        return Math.floor((grid.clientHeight - height('.m-grid-head')) / height('.m-grid-row'))
      }),
  )
const queues = ['bulks', 'card', 'voucher', 'product'].map(
  queue => `/manage/audit/${queue}?state=approved`,
)
const row = (...children: string[]) => ({ type: 'split', direction: 'row', children })
/** Four panes, two by two, as a team overlooks its queues. */
const fourPanes = {
  tree: { type: 'split', direction: 'column', children: [row('p1', 'p2'), row('p3', 'p4')] },
  byId: Object.fromEntries(queues.map((at, place) => [`p${place + 1}`, { at }])),
  focused: 'p1',
}
const idOf = async (page: Page, token: string): Promise<number> => {
  const answer = await page.context().request.get('/api/manageback/session/me', {
    headers: { 'Authori-zation': `Bearer ${token}` },
  })
  return (await answer.json()).data.id
}

test('a queue at 1280×720 shows 14 rows and more', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  await enter(page, 'auditor', queues[0]!)
  await settled(page)
  await expect.poll(async () => (await rowsSeen(page))[0]).toBeGreaterThanOrEqual(14)
})

test('four queues at 1440×900 show nine rows each; a detail comes over its list and goes by Esc', async ({
  page,
}) => {
  const found = complaints(page)
  const token = await tokenOf(page, 'auditor')
  const id = await idOf(page, token)
  await enter(page, 'auditor', '/', { token, [`mallet.layout.${id}`]: JSON.stringify(fourPanes) })
  await expect.poll(async () => (await rowsSeen(page)).length, { timeout: 30_000 }).toBe(4)
  await expect.poll(async () => Math.min(...(await rowsSeen(page)))).toBeGreaterThanOrEqual(9)

  const pane = page.locator('[data-pane][aria-label="团购审核"]')
  const list = pane.getByRole('grid', { name: '团购审核' })
  await expect(list).toBeFocused()
  await expect(pane.locator('.a-submission')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(pane.locator('.a-submission')).toBeVisible()
  await expect(list).not.toBeFocused()
  const first = await pane.locator('.a-submission').getAttribute('aria-label')
  // Its list goes on behind it.
  await page.keyboard.press('j')
  await expect(pane.locator('.a-submission')).not.toHaveAttribute('aria-label', first!)
  await page.keyboard.press('Escape')
  await expect(pane.locator('.a-submission')).toBeHidden()
  await expect(list).toBeFocused()

  // Filters are behind one button, which counts them; their key still leads to the keyword.
  const filters = pane.getByRole('search')
  await expect(filters).toBeHidden()
  await page.keyboard.press('/')
  await expect(filters.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('zz')
  await expect(pane.getByRole('button', { name: '筛选，已用 1 项' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(filters).toBeHidden()
  expect(found).toEqual([])
})

test('a detail is put away by Ctrl+I, and stays so for its page when it is opened again', async ({
  page,
}) => {
  await enter(page, 'auditor', '/manage/audit/voucher?state=approved')
  await settled(page)
  const submission = page.locator('.a-submission')
  await expect(submission).toBeVisible()
  await page.keyboard.press('Control+i')
  await expect(submission).toHaveCount(0)
  await page.reload()
  await settled(page)
  await expect(page.getByRole('grid')).toBeVisible()
  await expect(submission).toHaveCount(0)
  await page.keyboard.press('Control+i')
  await expect(submission).toBeVisible()
})

test('a filter that is written in stays where its list becomes narrow meanwhile, as when a detail widens', async ({
  page,
}) => {
  await page.setViewportSize({ width: 2560, height: 1440 })
  await enter(page, 'admin', '/manage/order/bulks')
  await settled(page)
  await expect(page.locator('.m-filter-button')).toBeHidden()
  await page.keyboard.press('/')
  const field = page.getByRole('search').getByRole('textbox').first()
  await expect(field).toBeFocused()
  await page.keyboard.type('BU1')
  await page.setViewportSize({ width: 860, height: 720 })
  await expect(page.locator('.m-filter-button')).toBeVisible()
  await expect(field).toBeFocused()
  await page.keyboard.type('7')
  await expect(field).toHaveValue('BU17')
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
})

test('columns are as wide as the words of the language that is chosen', async ({ page }) => {
  const widths = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.m-grid-head [data-column]')]
        .filter(cell => cell.checkVisibility())
        .map(cell => `${cell.dataset.column} ${cell.offsetWidth}`),
    )
  await page.setViewportSize({ width: 1280, height: 720 })
  await enter(page, 'admin', '/manage/vip/card/order')
  await settled(page)
  const before = await widths()
  await command(page, 'English')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await settled(page)
  await expect.poll(widths).not.toEqual(before)
  const turned = await widths()
  await page.reload()
  await settled(page)
  await expect.poll(widths).toEqual(turned)
})
