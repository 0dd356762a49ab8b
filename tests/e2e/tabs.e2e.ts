import { expect, type Page } from '@playwright/test'
import { command, enter, keyboardTest, keys, settled, test } from './desk.ts'

const strip = (page: Page) => page.getByRole('tablist', { name: '打开的标签页' })
const tabs = (page: Page) => strip(page).getByRole('tab')
const front = (page: Page) => strip(page).getByRole('tab', { selected: true })
const entry = (page: Page, name: string) =>
  page.getByRole('navigation', { name: '主菜单' }).getByRole('link', { name })

/** Whether a request keeps that pages have tabs. */
const isChoice = (sent: string) => /"workspace\.tabs"/.test(sent) && /"value":true/.test(sent)

keyboardTest(
  'by keys alone: pages have tabs, keep what is in them, are pinned, moved, closed and stay through a reload',
  async ({ page }) => {
    await enter(page, 'auditor', '/manage')
    await settled(page)
    await keys(page, 'g a b')
    await expect(page.getByRole('grid', { name: '团购审核' })).toBeVisible()
    await settled(page)
    await page.keyboard.press('/')
    await page.keyboard.type('没有这样的团购')
    await keys(page, 'Enter Escape')
    await expect(page).toHaveURL(/keyword|q=/)
    const filtered = page.url()
    await command(page, '卡券审核')
    await expect(tabs(page)).toHaveText(['团购审核', '卡券审核'])
    await settled(page)
    await keys(page, 'g a v')
    await expect(tabs(page)).toHaveText(['团购审核', '卡券审核', '代金券审核'])
    await settled(page)

    // Chosen again, a page comes back in its tab as it was left.
    await keys(page, 'g a b')
    await expect(front(page)).toHaveText('团购审核')
    await expect(page).toHaveURL(filtered)
    await expect(tabs(page)).toHaveCount(3)

    await keys(page, 'w Shift+n')
    await expect(tabs(page)).toHaveText(['卡券审核', '团购审核', '代金券审核'])
    await keys(page, 'w ]')
    await expect(front(page)).toHaveText('代金券审核')
    await keys(page, 'w Shift+p')
    await expect(tabs(page)).toHaveText(['代金券审核', '卡券审核', '团购审核'])

    await page.reload()
    await settled(page)
    await expect(tabs(page)).toHaveText(['代金券审核', '卡券审核', '团购审核'])
    await expect(front(page)).toHaveText('代金券审核')
    await keys(page, 'w [')
    await expect(page).toHaveURL(filtered)

    await keys(page, 'w Shift+o')
    await expect(tabs(page)).toHaveText(['代金券审核', '团购审核'])
    await keys(page, 'w z')
    await expect(tabs(page)).toHaveText(['代金券审核', '卡券审核', '团购审核'])
    await command(page, '关闭右侧标签页')
    await expect(tabs(page)).toHaveCount(3)
    await keys(page, 'w [')
    await command(page, '关闭右侧标签页')
    await expect(tabs(page)).toHaveText(['代金券审核', '卡券审核'])
    await keys(page, 'w q')
    await expect(strip(page)).toHaveCount(0)
    await expect(page.getByRole('heading', { name: '代金券审核' })).toBeVisible()

    await command(page, '开启或关闭页面标签')
    await keys(page, 'g a c')
    await expect(page.getByRole('heading', { name: '卡券审核' })).toBeVisible()
    await expect(strip(page)).toHaveCount(0)
    // The server keeps the choice for whoever signs in as the same person next.
    const kept = page.waitForResponse(
      answer => answer.ok() && isChoice(answer.request().postData() ?? ''),
    )
    await command(page, '开启或关闭页面标签')
    await keys(page, 'g a b')
    await expect(tabs(page)).toHaveText(['卡券审核', '团购审核'])
    await kept
  },
)

keyboardTest(
  'what is half written stays in its tab while another is in front',
  async ({ page }) => {
    await enter(page, 'admin', '/manage/mall/add')
    await settled(page)
    const name = page.getByRole('textbox', { name: '商场名称' })
    await name.focus()
    await page.keyboard.type('半成品商场')
    await command(page, 'tgsh')
    await expect(front(page)).toHaveText('团购审核')
    await settled(page)
    await keys(page, 'w [')
    await expect(name).toHaveValue('半成品商场')
    await expect(name).toBeFocused()
  },
)

test('with the mouse: a click in the menu opens or shows a tab; its menu, the middle button and a drag work on it', async ({
  page,
}) => {
  await enter(page, 'auditor', '/manage/audit/bulks')
  await settled(page)
  for (const name of ['卡券审核', '代金券审核', '商品审核']) {
    await entry(page, name).click()
    await expect(page).toHaveTitle(new RegExp(name))
    await settled(page)
  }
  await entry(page, '卡券审核').click()
  await expect(front(page)).toHaveText('卡券审核')
  await expect(tabs(page)).toHaveText(['团购审核', '卡券审核', '代金券审核', '商品审核'])

  const [from, to] = [await tabs(page).nth(3).boundingBox(), await tabs(page).nth(0).boundingBox()]
  await page.mouse.move(from!.x + 20, from!.y + 10)
  await page.mouse.down()
  await page.mouse.move(to!.x + 10, to!.y + 10, { steps: 8 })
  await page.mouse.up()
  await expect(tabs(page)).toHaveText(['商品审核', '团购审核', '卡券审核', '代金券审核'])

  await tabs(page).nth(3).click({ button: 'middle' })
  await expect(tabs(page)).toHaveText(['商品审核', '团购审核', '卡券审核'])
  await tabs(page).nth(0).click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^固定/ }).click()
  await tabs(page).nth(2).click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^关闭其他/ }).click()
  await expect(tabs(page)).toHaveText(['商品审核', '卡券审核'])
  await tabs(page).nth(0).click({ button: 'middle' })
  await expect(tabs(page)).toHaveCount(2)
})

test('of thirty tabs the one in front is in sight, and a list names them all', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  await enter(page, 'admin', '/manage/audit/bulks')
  await settled(page)
  for (let n = 1; n < 30; n++) await keys(page, 'w t')
  await expect(tabs(page)).toHaveCount(30)
  await expect(front(page)).toBeInViewport({ ratio: 1 })
  await keys(page, 'w Shift+t')
  const listed = page.locator('.s-tab-list').getByRole('option')
  await expect(listed).toHaveCount(30)
  await listed.first().click()
  await expect(front(page)).toHaveText('团购审核')
  await expect(front(page)).toBeInViewport({ ratio: 1 })
})
