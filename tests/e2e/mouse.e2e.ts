import { expect, type Locator, type Page } from '@playwright/test'
import { complaints, enter, mouseTest as test, settled } from './desk.ts'

const menu = (page: Page) => page.getByRole('navigation', { name: '主菜单' })
const dialog = (page: Page) => page.getByRole('dialog')
const centreOf = async (of: Locator) => {
  const { x, y, width, height } = (await of.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}
/** For so many ms after a drop, dnd-kit takes a click for the drag's own. */
const DROPPED_MS = 50
const drag = async (page: Page, from: Locator, to: Locator) => {
  const [begin, end] = [await centreOf(from), await centreOf(to)]
  await page.mouse.move(begin.x, begin.y)
  await page.mouse.down()
  await page.mouse.move(end.x, end.y, { steps: 12 })
  await page.mouse.up()
  await page.waitForTimeout(2 * DROPPED_MS)
}

test('an auditor claims, approves, takes it back and rejects by mouse alone', async ({ page }) => {
  const found = complaints(page)
  await enter(page, 'auditor', '/manage/home')
  await menu(page).getByText('代金券审核', { exact: true }).click()
  await settled(page)
  const takeBack = async (what: string) => {
    const told = (text: string) => page.locator('.s-toast').filter({ hasText: text })
    await told(`${what}：`).getByRole('button', { name: '撤销' }).click()
    await expect(told(`已撤销：${what}`)).toBeVisible()
  }
  const name = page.locator('.a-head h2')
  await page.getByRole('button', { name: '领取下一条', exact: true }).click()
  await expect(page.getByText(/^已领取，/)).toBeVisible()
  const claimed = await name.textContent()

  await page.getByRole('button', { name: '通过审核', exact: true }).click()
  await takeBack('通过审核')

  await page.getByRole('tab', { name: /^我领取的/ }).click()
  await settled(page)
  await page.getByRole('row').filter({ hasText: claimed! }).first().click()
  await page.getByRole('button', { name: '驳回', exact: true }).click()
  await dialog(page).getByText('图片不合格').click()
  await dialog(page).getByText('文案违规').click()
  await expect(dialog(page).getByRole('checkbox', { checked: true })).toHaveCount(2)
  await dialog(page).getByRole('textbox', { name: '原因说明' }).fill('图片模糊，标题有极限词')
  await dialog(page).getByRole('button', { name: '驳回' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await takeBack('驳回')
  expect(found).toEqual([])
})

test('a list is filtered, sorted, put beside itself and closed by mouse alone', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/home')
  await menu(page).getByText('系统', { exact: true }).click()
  await menu(page).getByText('员工账号', { exact: true }).click()
  await settled(page)
  const heading = page.getByRole('columnheader', { name: /^姓名/ })
  await heading.getByRole('button').click()
  await expect(heading).toHaveAttribute('aria-sort', /ending$/)

  await page.getByRole('button', { name: '向右分屏' }).click()
  const panes = page.locator('.s-pane')
  await expect(panes).toHaveCount(2)
  const wide = (await panes.first().boundingBox())!.width
  const edge = (await page.getByRole('separator').first().boundingBox())!
  await page.mouse.move(edge.x + edge.width / 2, 400)
  await page.mouse.down()
  await page.mouse.move(edge.x - 120, 400, { steps: 8 })
  await page.mouse.up()
  await expect.poll(async () => (await panes.first().boundingBox())!.width).toBeLessThan(wide - 80)
  await page.getByRole('button', { name: '关闭窗格' }).last().click()
  await expect(panes).toHaveCount(1)
  expect(found).toEqual([])
})

test('a page is designed by mouse alone: a block comes, is dragged, written and goes', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/config/entry/homePage?city_id=5')
  await settled(page)
  const blocks = page.getByRole('grid', { name: /页面，共/ }).getByRole('row')
  const before = await blocks.count()
  await page.getByRole('button', { name: /^留白/ }).click()
  await expect(blocks).toHaveCount(before + 1)
  const id = await page.getByRole('row', { selected: true }).getAttribute('id')
  const added = page.locator(`#${id}`)
  const at = async () => Number(await added.getAttribute('aria-rowindex'))
  const began = await at()
  await drag(page, added.locator('.cd-handle'), blocks.nth(began === 1 ? 2 : 0))
  await expect.poll(at).not.toBe(began)

  const act = async (name: string) => {
    await page.locator('.m-toolbar').getByRole('button', { name: '更多' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await act('撤销一步编辑')
  await expect.poll(at).toBe(began)
  await added.click()
  await act('删除组件')
  await expect(blocks).toHaveCount(before)
  expect(found).toEqual([])
})
