import { expect, type Page } from '@playwright/test'
import { codes, complaints, job, signIn, test } from './desk.ts'

const strip = (page: Page) => page.locator('.a-practice-strip')
const options = (page: Page) => page.getByRole('listbox', { name: '结果' }).getByRole('option')
/** A key that is named in sight, beside what it does. */
const names = (page: Page, key: string, does: string) =>
  page
    .locator('.a-hint', { hasText: does })
    .locator('kbd', { hasText: new RegExp(`^${key}$`) })
    .first()

/**
 * The usability script: what somebody without a manual does in the first minutes. Every step is
 * taken by a key that stood on screen before it was pressed.
 */
job(
  'a newcomer asks how to audit, decides a first submission right, and is told why; nobody touched the mouse',
  async ({ page }) => {
    const found = complaints(page)
    await signIn(page, 'newcomer')
    // The search box names the key that opens it.
    await expect(page.locator('.s-search kbd')).toHaveText(/Ctrl\s?K/)
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: '命令面板' })).toBeFocused()
    await page.keyboard.type('怎么审核')
    await expect(options(page).filter({ hasText: '练习审核' }).first()).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await expect(page.locator('.s-palette-foot')).toContainText('执行')
    await page.keyboard.press('Enter', { delay: 60 })
    await expect(page).toHaveURL(/\/manage\/audit\/practice$/)
    await expect(strip(page)).toContainText('练习：不影响真实数据')
    await expect(strip(page)).toContainText('已判断 0 / 8')
    await expect(page.getByRole('grid', { name: '练习审核' })).toBeFocused()

    // Newcomers begin with several panes: this is the one in front.
    const mine = page.locator('.a-practice')
    // What the rules say on top decides the first one: a forbidding finding is rejected with the
    // reason that its words name, anything else here passes.
    const findings = mine.getByLabel('机审结果').or(mine.getByText('机审未发现问题'))
    await expect(findings).toBeVisible()
    await expect(names(page, 'A', '通过')).toBeVisible()
    await expect(names(page, 'R', '驳回')).toBeVisible()
    // Down to one that the rules object to by name.
    const reasons = [
      [/没有图片|图片模糊/, '图片不合格'],
      [/违禁词/, '文案违规'],
      [/缺少资质|过期/, '资质缺失或过期'],
      [/重复/, '重复提交'],
      [/门店未营业/, '门店信息有误'],
      [/须低于门市价/, '价格不实'],
    ] as const
    const list = mine.getByLabel('机审结果')
    const heading = mine.locator('article h2')
    let code: string | undefined
    for (let at = 0; at < 8 && !code; at++) {
      const words = (await list.count()) > 0 ? await list.innerText() : ''
      code = reasons.find(([said]) => said.test(words))?.[1]
      if (code) break
      const before = await heading.innerText()
      await page.keyboard.press('j')
      await expect(heading).not.toHaveText(before)
      await expect(findings).toBeVisible()
    }
    const title = await heading.innerText()
    await page.keyboard.press('r')
    await expect(codes(page).first()).toBeFocused()
    // Each reason shows its digit.
    const digit = (
      await page
        .getByRole('dialog')
        .getByRole('checkbox', { name: code! })
        .locator('kbd')
        .innerText()
    ).trim()
    await page.keyboard.press(digit)
    await expect(page.getByRole('textbox', { name: '原因说明' })).toBeFocused()
    await expect(
      page.getByRole('dialog').locator('footer kbd, .bp6-dialog-footer kbd').last(),
    ).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(strip(page)).toContainText('已判断 1 / 8 · 正确 1')
    await expect(strip(page)).toContainText('判断正确')
    // On to the next by itself; the last one is a key away, with the lesson.
    await expect(heading).not.toHaveText(title)
    await expect(names(page, 'U', '回看')).toBeVisible()
    await page.keyboard.press('u')
    await expect(heading).toHaveText(title)
    await expect(page.getByRole('status', { name: '练习讲评' })).toContainText(code!)
    // Taken back by the key of the real queue, and it waits again.
    await expect(page.locator('.a-lesson kbd', { hasText: 'Z' })).toBeVisible()
    await page.keyboard.press('Control+z')
    await expect(strip(page)).toContainText('已判断 0 / 8')
    expect(found).toEqual([])
  },
)

test('help names the keys of pages that were not opened, after a reload too, and leads to an action behind •••', async ({
  page,
}) => {
  const found = complaints(page)
  await signIn(page, 'admin')
  const article = (id: string) => `/manage/help?id=${id}`
  await page.goto(article('audit'))
  await page.reload()
  const help = page.locator('.s-page').first()
  await expect(help.locator('kbd.m-key').first()).toBeVisible()
  await expect(help).not.toContainText('未设按键')

  // Later validity is no main action of the order list: its entry stands in the menu.
  await page.goto(article('extend'))
  const place = page.getByRole('button', { name: /^延长有效期/ })
  await place.focus()
  await page.keyboard.press('Enter')
  const shown = page.locator('[data-pointed-at]')
  await expect(shown).toHaveAttribute('data-command', 'order.bulks.extendValidity')
  await expect(shown).toBeFocused()
  await expect(shown).toBeVisible()
  expect(found).toEqual([])
})
