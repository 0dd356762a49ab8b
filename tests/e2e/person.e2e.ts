import { expect, type Page } from '@playwright/test'
import { command, enter, keyboardTest, keys, PASSWORD, settled, signIn, tokenOf } from './desk.ts'

const menu = (page: Page) => page.getByRole('menu', { name: /的菜单/ })
const lock = (page: Page) => page.getByRole('dialog', { name: /锁屏/ })
/** What of the work can be read: by eye, or in the tree of a screen reader. */
const readable = (page: Page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll('.s-workbench, .s-workbench *, .bp6-portal *')].filter(node =>
        node.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
      ).length,
  )

keyboardTest('the menu of the person, by keys alone', async ({ page }) => {
  await enter(page, 'supervisor', '/manage/audit/bulks')
  await settled(page)
  await keys(page, 'w Shift+M')
  await expect(menu(page)).toBeVisible()
  await expect(page.getByRole('menuitem', { name: /个人资料/ })).toBeFocused()
  await expect(page.getByRole('menuitemradio', { name: /浅色主题/ })).toBeChecked()
  await page.keyboard.press('Enter')
  const profile = page.getByRole('dialog', { name: '个人资料' })
  await expect(profile).toContainText('supervisor')
  await expect(profile).toContainText('审核')
  await page.keyboard.press('Escape')
  await expect(profile).toBeHidden()

  // The palette finds it by its name and by its sounds.
  for (const typed of ['修改密码', 'xiugaimima']) {
    await command(page, typed)
    const dialog = page.getByRole('dialog', { name: '修改密码' })
    await expect(dialog.getByLabel('原密码')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('请输入原密码')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  await keys(page, 'g Shift+H')
  await expect(page).toHaveURL(/manage\/help/)
  await expect(
    page.getByRole('navigation', { name: '主菜单' }).locator('.s-menu-foot').getByRole('link'),
  ).toHaveAttribute('aria-current', 'page')
})

keyboardTest('a session elsewhere is seen, and ended', async ({ page, colleague }) => {
  await enter(page, 'service', '/manage')
  const other = await colleague()
  await signIn(other, 'service')
  await keys(page, 'w Shift+D')
  const dialog = page.getByRole('dialog', { name: '我的会话' })
  await expect(dialog.getByText('当前')).toBeVisible()
  const rows = dialog.getByRole('listitem')
  const before = await rows.count()
  expect(before).toBeGreaterThan(1)
  await expect(dialog.getByRole('button', { name: /^下线：/ }).first()).toBeFocused()
  // One more that opens meanwhile comes by itself.
  await tokenOf(page, 'service')
  await expect(rows).toHaveCount(before + 1)
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(before)
  await page.keyboard.press('Tab')
  while (
    !(await dialog
      .getByRole('button', { name: '下线其他全部' })
      .evaluate(node => node === document.activeElement))
  )
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(1)
  await expect(other.getByRole('dialog', { name: '确认退出？' })).toBeVisible()
})

keyboardTest(
  'the lock hides the work of all windows, and gives it back as it was',
  async ({ page, context }) => {
    await enter(page, 'auditor', '/manage/audit/bulks')
    await settled(page)
    const second = await context.newPage()
    await second.goto('/manage')
    await expect(second.getByRole('navigation', { name: '主菜单' })).toBeVisible()
    await page.bringToFront()
    await keys(page, 'w v')
    await command(page, '修改密码')
    const half = page.getByRole('dialog', { name: '修改密码' })
    await expect(half.getByLabel('原密码')).toBeFocused()
    await page.keyboard.type('half-written')

    // Over a dialog too, and in the other window.
    await page.keyboard.press('Control+Shift+L')
    await expect(lock(page)).toBeVisible()
    await expect(lock(second)).toBeVisible()
    expect([await readable(page), await readable(second)]).toEqual([0, 0])
    expect(await page.locator('body').ariaSnapshot()).not.toMatch(/团购|主菜单|修改密码/)
    await expect(page).toHaveTitle('锁屏 · Mallet')

    // No key goes by it; two Escapes do not either.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.keyboard.press('j')
    await expect(lock(page)).toBeVisible()
    await expect(lock(page).getByLabel('登录密码')).toBeFocused()
    await page.keyboard.press('Backspace')
    await page.keyboard.type('Wrong#2026')
    await page.keyboard.press('Enter')
    await expect(lock(page).getByRole('alert')).toContainText('还可以尝试 4 次')

    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(lock(page)).toBeHidden()
    await expect(lock(second)).toBeHidden()
    await expect(half.getByLabel('原密码')).toHaveValue('half-written')
    await expect(half.getByLabel('原密码')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.locator('[data-pane]').filter({ visible: true })).toHaveCount(2)

    // A reload opens nothing.
    await page.keyboard.press('Control+Shift+L')
    await expect(lock(page)).toBeVisible()
    await page.reload()
    await expect(lock(page).getByLabel('登录密码')).toBeFocused()
    await expect(page.locator('.s-page').first()).toBeAttached()
    expect(await readable(page)).toBe(0)
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(lock(page)).toBeHidden()
    await expect(page.locator('[data-pane]').filter({ visible: true })).toHaveCount(2)
    // The keys are the panes' again.
    await keys(page, 'w n')
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: '命令面板' })).toBeFocused()
  },
)
