import { expect } from '@playwright/test'
import { enter, settled, test } from './desk.ts'

/** What is left of a screen of 1440 × 900 at 300 %. */
const zoomed = { width: 480, height: 300 }

for (const at of ['/manage/order/elist', '/manage/audit/product', '/manage/system/staff'])
  test(`at 300 % zoom at least three rows of ${at} are in sight`, async ({ page }) => {
    await enter(page, 'admin', at)
    await page.setViewportSize(zoomed)
    await settled(page)
    const rows = await page.locator('.m-grid').evaluate(grid => {
      const box = grid.getBoundingClientRect()
      const heads = [...grid.querySelectorAll('[role=columnheader]')]
      const from = Math.max(...heads.map(head => head.getBoundingClientRect().bottom))
      const to = Math.min(box.bottom, innerHeight)
      const row = grid.querySelector('[role=row][aria-rowindex="2"]')!.getBoundingClientRect()
      return Math.floor((to - from) / row.height)
    })
    expect(rows).toBeGreaterThanOrEqual(3)
    await expect(page.getByRole('navigation', { name: '主菜单' })).toHaveCount(0)
  })
