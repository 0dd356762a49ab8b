import { expect, type Page } from '@playwright/test'
import { answered, command, complaints, enter, handsOver, job, keys, tabTo } from './desk.ts'

const fill = async (page: Page, label: RegExp, text: string) => {
  await tabTo(page, page.getByRole('textbox', { name: label }))
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}
const rows = (page: Page, board: string) =>
  page.getByRole('grid', { name: board, exact: true }).getByRole('row')

job('publish a mall with floors, categories and recommendations', async ({ page }) => {
  job.setTimeout(180_000)
  const found = complaints(page)
  handsOver(page, 'docs/workbench.png')
  await enter(page, 'admin', '/manage')
  await command(page, 'sclb')
  await expect(page).toHaveURL(/\/manage\/mall$/)
  await expect(page.getByRole('grid', { name: '商场列表' })).toBeFocused()

  // A new mall: its data, a pin by arrow keys, a cover.
  await page.keyboard.press('c')
  await expect(page.getByRole('form', { name: '商场资料' })).toBeVisible()
  await fill(page, /^商场名称/, '晴川天地')
  await tabTo(page, page.getByRole('combobox', { name: /^城市/ }))
  await page.keyboard.press('ArrowDown')
  await fill(page, /^电话/, '021-51234567')
  await fill(page, /^地址/, '滨江大道 88 号')
  const map = page.getByRole('application')
  await tabTo(page, map)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowUp')
  await expect(map).toHaveAccessibleName(/\d+\.\d{6}, \d+\.\d{6}/)
  await tabTo(page, page.getByRole('button', { name: /^封面/ }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('group', { name: '第 1 张' })).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(page).toHaveURL(/\/manage\/mall\/add\?mid=\d+/)
  const mid = new URL(page.url()).searchParams.get('mid')!
  await expect(page.getByText('至少一个展示的楼层')).toBeVisible()

  // What is still missing is said, and leads to where it is done.
  await tabTo(page, page.getByRole('link', { name: '去添加楼层' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/manage/mall/floor\\?mid=${mid}`))
  for (const level of ['1', '2', '-1']) {
    await expect(page.getByText('还没有楼层').or(rows(page, '楼层').first())).toBeVisible()
    await page.keyboard.press('c')
    await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeFocused()
    await page.keyboard.type(level)
    await page.keyboard.press('Enter')
    await answered(page)
  }
  await expect(rows(page, '楼层')).toHaveCount(3)
  await expect(rows(page, '楼层').nth(0)).toContainText('B1')
  // A number and Enter moves; the order is saved as a whole.
  await tabTo(page, page.getByRole('grid', { name: '楼层', exact: true }))
  await page.keyboard.press('Home')
  await page.keyboard.press('3')
  await page.keyboard.press('Enter')
  await expect(rows(page, '楼层').nth(2)).toContainText('B1')
  await expect(page.getByText('未保存：移动了 1 项')).toBeVisible()
  await page.keyboard.press('s')
  await expect(page.getByText('顺序已保存')).toBeVisible()
  await expect(page.getByText(/未保存：/)).toBeHidden()

  // A guide category.
  await tabTo(page, page.getByRole('link', { name: '导购分类' }).last(), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/manage/mall/category\\?mid=${mid}`))
  await expect(page.getByText('还没有导购分类')).toBeVisible()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox', { name: /^名称/ })).toBeFocused()
  await page.keyboard.type('吃火锅')
  await tabTo(page, dialog.getByRole('button', { name: /^图标/ }))
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('更换图片')).toBeVisible()
  await tabTo(page, dialog.getByRole('combobox', { name: /^归集的经营分类/ }))
  await page.keyboard.type('火锅')
  await expect(
    dialog.getByRole('listbox', { name: /归集/ }).getByRole('option').first(),
  ).toContainText('火锅')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toBeHidden()
  await expect(rows(page, '一级分类')).toHaveCount(1)

  // Now it has all it needs: online.
  await page.keyboard.press('Escape')
  await tabTo(page, page.getByRole('link', { name: '商场资料' }).last(), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('form', { name: '商场资料' })).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('已保存并上线')).toBeVisible()
  await expect(page.getByRole('toolbar').getByText('已上线', { exact: true })).toBeVisible()

  // Recommendations of a mall with stores: chosen, ordered, saved, and there after a reload.
  await keys(page, 'Escape g m t')
  await expect(page).toHaveURL(/\/manage\/mall\/group/)
  const shelf = page.getByRole('grid', { name: '团购推荐位候选' })
  await expect(page.getByRole('combobox', { name: '商场', exact: true })).toBeVisible()
  await page.goto('/manage/mall/group?mid=1')
  const board = page.getByRole('grid', { name: '团购推荐位', exact: true })
  await expect(rows(page, '团购推荐位').first()).toBeVisible()
  const before = await rows(page, '团购推荐位').count()
  expect(before).toBeGreaterThan(1)
  // One is taken off, and chosen again from the candidates.
  await tabTo(page, board)
  await page.keyboard.press('Home')
  await page.keyboard.press('r')
  await expect(rows(page, '团购推荐位')).toHaveCount(before - 1)
  await page.keyboard.press('ArrowLeft')
  await expect(shelf).toBeFocused()
  const free = shelf.locator('.m-board-row:not([data-dim])').first()
  await expect(free).toBeVisible()
  await page.keyboard.press('Home')
  for (let at = 0; at < 30 && !(await free.getAttribute('data-focused')); at++)
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('a')
  await expect(rows(page, '团购推荐位')).toHaveCount(before)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('grid', { name: '团购推荐位', exact: true })).toBeFocused()
  await page.keyboard.press('End')
  const name = (await rows(page, '团购推荐位').last().locator('.ml-name').textContent())!
  await page.keyboard.press('Alt+Home')
  await expect(rows(page, '团购推荐位').first()).toContainText(name)
  await page.keyboard.press('s')
  await expect(page.getByText('顺序已保存').last()).toBeVisible()
  await page.reload()
  await expect(rows(page, '团购推荐位').first()).toContainText(name)
  expect(found).toEqual([])
})
