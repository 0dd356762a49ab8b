import { expect } from '@playwright/test'
import { complaints, enter, keyboardTest as test, settled } from './desk.ts'

test('an entry goes online with a badge, is moved and taken offline, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/config/entry?city_id=3')
  await settled(page)
  const board = page.getByRole('grid', { name: '金刚区' })
  const row = board.locator('[data-focused]')
  const dialog = page.getByRole('dialog')
  await expect(board).toBeFocused()
  const name = (await row.locator('.ce-name').textContent())!.trim().split(' ')[0]!

  // A badge until a time that the form proposes.
  const badge = `新${String(Date.now()).slice(-5)}`
  await page.keyboard.press('b')
  await expect(dialog.getByRole('textbox', { name: '角标文字' })).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(badge)
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(row).toContainText(badge)
  const phone = page.getByRole('list', { name: '用户看到的入口' })
  await expect(phone).toContainText(badge)

  // One place down, and saved.
  await page.keyboard.press('Alt+ArrowDown')
  await expect(phone.getByRole('listitem').nth(1)).toContainText(name)
  await page.keyboard.press('s')
  await expect(page.getByText('顺序已保存')).toBeVisible()
  await expect(board.getByRole('row').nth(1)).toContainText(name)
  // The next move is of the order that was saved, once the board has it.
  await expect(page.getByText(/未保存：/)).toHaveCount(0)
  await settled(page)
  await page.keyboard.press('Alt+ArrowUp')
  await expect(phone.getByRole('listitem').first()).toContainText(name)
  await page.keyboard.press('s')
  await expect(board.getByRole('row').first()).toContainText(name)
  await expect(page.getByText(/未保存：/)).toHaveCount(0)

  // Offline and online again; consumers no longer see it, and see it again.
  await page.keyboard.press('f')
  await expect(dialog).toBeVisible()
  await page.keyboard.type('临时下线')
  const anyway = dialog.getByRole('checkbox', { name: '活动进行中，仍要下线' })
  if ((await anyway.count()) > 0) await anyway.press('Space')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(row).toContainText('已下线')
  await expect(phone).not.toContainText(badge)
  await page.keyboard.press('o')
  await expect(row).toContainText('已上线')
  await expect(phone).toContainText(badge)

  // The design behind it is one column away.
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('d')
  await expect(page).toHaveURL(/\/manage\/config\/entry\/homePage\?city_id=3/)
  expect(found).toEqual([])
})
