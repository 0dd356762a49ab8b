import { expect, type CDPSession, type Page } from '@playwright/test'
import { codes, command, enter, focusedRow, keys, settled, test, toasts, tokenIn } from './desk.ts'

/** Types as an input method does: letters under composition, then what they become. */
const ime = async (page: Page) => {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  return {
    compose: (text: string) =>
      cdp.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      }),
    commit: (text: string) => cdp.send('Input.insertText', { text }),
  }
}
const palette = (page: Page) => page.getByRole('combobox', { name: '命令面板' })
const results = (page: Page) => page.getByRole('listbox', { name: '结果' }).getByRole('option')
/** Decisions that reach the server. */
const decisions = (page: Page) => {
  const seen: string[] = []
  page.on('request', request => {
    if (
      request.method() === 'POST' &&
      /audit\/\w+\/(approve|reject|batchApprove|batchReject)$/.test(request.url())
    )
      seen.push(request.url())
  })
  return seen
}

test('the palette lists while an input method composes, and the Enter that commits does not act', async ({
  page,
}) => {
  await enter(page, 'auditor', '/manage')
  const { compose, commit } = await ime(page)
  await page.keyboard.press('Control+k')
  await expect(palette(page)).toBeFocused()
  await compose("tuan'gou")
  await expect(results(page).first()).toContainText('团购审核')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await expect(palette(page)).toBeFocused()
  await expect(page).toHaveURL(/\/manage$/)
  await expect(results(page).first()).toHaveAttribute('aria-selected', 'true')
  await commit('团购')
  await expect(palette(page)).toHaveValue('团购')
  await expect(results(page).first()).toContainText('团购审核')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/manage\/audit\/bulks$/)
})

test('a language chosen by its command is spoken at once, in the other tab too', async ({
  page,
}) => {
  await enter(page, 'auditor', '/manage')
  const other = await page.context().newPage()
  await enter(other, 'auditor', '/manage', { token: await tokenIn(page) })
  const spoken = (tab: Page, lang: string) =>
    expect(tab.locator('html')).toHaveAttribute('lang', lang)
  await page.bringToFront()
  await command(page, 'English')
  for (const tab of [page, other]) await spoken(tab, 'en')
  await expect(other.getByRole('navigation', { name: 'Main menu' })).toBeVisible()
})

test('a field and an input method own the keyboard: no single key acts there', async ({ page }) => {
  const seen = decisions(page)
  await enter(page, 'auditor', '/manage/audit/card')
  await settled(page)
  // A list that was empty meanwhile is drawn anew: the row's own number stands at the end of its
  // id.
  const row = /-\d+$/.exec((await focusedRow(page).getAttribute('id'))!)![0]
  await page.keyboard.press('/')
  const field = page.getByRole('search').getByRole('textbox')
  await expect(field).toBeFocused()
  const { compose, commit } = await ime(page)
  await compose('jar')
  for (const key of ['a', 'r', 'j', 'x', 'Escape', 'Enter']) await page.keyboard.press(key)
  await commit('')
  await field.fill('')
  await page.keyboard.type('arjx?')
  await expect(field).toHaveValue('arjx?')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await field.fill('')
  await expect(focusedRow(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('grid')).toBeFocused()
  await expect(focusedRow(page)).toHaveAttribute('id', new RegExp(`${row}$`))
  expect(seen).toEqual([])
})

test('chords are not their letters: Ctrl+A selects, and approves nothing', async ({ page }) => {
  const seen = decisions(page)
  await enter(page, 'auditor', '/manage/audit/card')
  await settled(page)
  await page.keyboard.press('Control+a')
  await expect(page.getByText(/^已选 \d+ 项$/)).toBeVisible()
  await page.keyboard.press('Alt+a')
  await page.keyboard.press('Control+Shift+a')
  await expect(toasts(page)).toHaveCount(0)
  await page.keyboard.press('Shift+u')
  await expect(page.getByText(/^已选 \d+ 项$/)).toHaveCount(0)
  expect(seen).toEqual([])
})

test('a sequence opens a page; its first key shows what may follow, and Escape forgets it', async ({
  page,
}) => {
  const seen = decisions(page)
  await enter(page, 'auditor', '/manage')
  await settled(page)
  await page.keyboard.press('g')
  const hint = page.locator('.s-whichkey')
  await expect(hint).toBeVisible()
  await page.keyboard.press('a')
  await expect(hint).toContainText('团购审核')
  await expect(hint).toContainText('代金券审核')
  await page.keyboard.press('Escape')
  await expect(hint).toHaveCount(0)
  await keys(page, 'g a b')
  await expect(page).toHaveURL(/\/manage\/audit\/bulks$/)
  await settled(page)
  // In the middle of a sequence `a` is not approval, and neither is a key that ends nothing.
  await keys(page, 'g a q')
  await expect(hint).toHaveCount(0)
  await keys(page, 'g a c')
  await expect(page).toHaveURL(/\/manage\/audit\/card$/)
  expect(seen).toEqual([])
})

test('the ? sheet is made of what works here, and is searched by words and by key', async ({
  page,
}) => {
  await enter(page, 'auditor', '/manage/audit/card')
  await settled(page)
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog')
  const search = sheet.getByRole('searchbox', { name: '搜索快捷键' })
  await expect(search).toBeFocused()
  await expect(sheet.getByText('本页：卡券审核')).toBeVisible()
  const all = await sheet.locator('dt').count()
  expect(all).toBeGreaterThan(40)
  await page.keyboard.type('分屏')
  await expect(sheet.locator('dt')).toHaveText(['向下分屏', '向右分屏'])
  await page.keyboard.press('Control+k')
  await expect(sheet.locator('dt')).toHaveText(['打开命令面板'])
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect(page.getByRole('grid')).toBeFocused()
})

test('digits choose a reason, and full-width typing is half-width typing', async ({ page }) => {
  await enter(page, 'auditor', '/manage/audit/card')
  await settled(page)
  await page.keyboard.press('Control+k')
  await expect(palette(page)).toBeFocused()
  await page.keyboard.insertText('ＴＧＳＨ')
  await expect(results(page).first()).toContainText('团购审核')
  await page.keyboard.press('Escape')
  await page.keyboard.press('r')
  await expect(codes(page).first()).toBeFocused()
  await page.keyboard.press('3')
  await expect(codes(page).nth(2)).toHaveAttribute('aria-checked', 'true')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a key recorded by keyboard alone works at once, is shown where keys are shown, and is there on another machine; letters press what is in sight', async ({
  page,
  browser,
}) => {
  const seen = decisions(page)
  const token = await enter(page, 'newcomer', '/manage')
  await settled(page)
  const bind = async (name: string, key: string) => {
    await page.keyboard.press('Control+k')
    await expect(palette(page)).toBeFocused()
    await page.keyboard.type('自定义快捷键')
    await expect(results(page).first()).toContainText('自定义快捷键')
    await page.keyboard.press('Enter', { delay: 60 })
    const dialog = page.getByRole('dialog', { name: '自定义快捷键' })
    await expect(dialog.getByRole('searchbox')).toBeFocused()
    await page.keyboard.type(name)
    await expect(dialog.getByRole('listbox').getByRole('option').first()).toContainText(name)
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('button', { name: /请按下新的按键/ })).toBeFocused()
    await page.keyboard.press(key)
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('button', { name: /使用/ })).toBeFocused()
    const kept = page.waitForResponse(
      answer => answer.url().endsWith('session/saveSetting') && answer.status() === 200,
    )
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('searchbox')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await kept
  }
  await bind('向下分屏', 'Alt+y')
  // A newcomer may begin with several panes.
  const before = await page.locator('[data-pane]').count()
  await page.keyboard.press('Alt+y')
  await expect(page.locator('[data-pane]')).toHaveCount(before + 1)
  // Everything shows it: here the palette.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('向下分屏')
  await expect(results(page).first()).toContainText('AltY')
  await page.keyboard.press('Escape')
  // Another machine of the same person: nothing of it is stored there.
  const elsewhere = await (
    await browser.newContext({ baseURL: new URL(page.url()).origin })
  ).newPage()
  await enter(elsewhere, 'newcomer', '/manage', { token })
  await settled(elsewhere)
  await elsewhere.keyboard.press('Control+k')
  await elsewhere.keyboard.type('向下分屏')
  await expect(results(elsewhere).first()).toContainText('AltY')
  await elsewhere.context().close()
  // Letters over both panes; those of a link open it.
  await page.keyboard.press(';')
  const letters = page.locator('.s-hints kbd')
  await expect(letters.nth(20)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(letters).toHaveCount(0)
  await page.keyboard.down('Alt')
  await expect(letters.nth(20)).toBeVisible()
  const link = (await page
    .getByRole('navigation', { name: '主菜单' })
    .getByRole('searchbox')
    .boundingBox())!
  const codes = await letters.evaluateAll(all =>
    all.map(one => ({
      code: one.textContent,
      box: one.getBoundingClientRect().toJSON() as DOMRect,
    })),
  )
  const near = codes.reduce((a, b) =>
    Math.hypot(a.box.x - link.x, a.box.y - link.y) <= Math.hypot(b.box.x - link.x, b.box.y - link.y)
      ? a
      : b,
  )
  for (const letter of near.code) await page.keyboard.press(letter.toLowerCase())
  await page.keyboard.up('Alt')
  await expect(
    page.getByRole('navigation', { name: '主菜单' }).getByRole('searchbox'),
  ).toBeFocused()
  await expect(letters).toHaveCount(0)
  expect(seen).toEqual([])
})

test('the row that j and k come to stands in sight, whole, below the head of the columns, which stays', async ({
  page,
}) => {
  await enter(page, 'admin', '/manage/order/bulks')
  const grid = page.locator('[role=grid]')
  await expect(grid.locator('[role=row][id]').first()).toBeVisible()
  await grid.focus()
  const rowIn = () =>
    grid.evaluate(box => {
      const [row, head, all] = [
        box.querySelector('[data-focused]')!,
        box.querySelector('.m-grid-head')!,
        box,
      ].map(of => of.getBoundingClientRect()) as [DOMRect, DOMRect, DOMRect]
      return {
        at: Number(box.querySelector('[data-focused]')!.getAttribute('aria-rowindex')),
        scrolled: box.scrollTop > 0,
        head: Math.round(head.top - all.top),
        above: row.top >= head.bottom - 1,
        below: row.bottom <= all.top + box.clientHeight + 1,
      }
    })
  const first = (await rowIn()).at
  for (const [key, way] of [
    ['j', 1],
    ['k', -1],
  ] as const) {
    const from = (await rowIn()).at
    for (let step = 1; step <= 35; step++) {
      await page.keyboard.press(key)
      await expect.poll(rowIn, { message: `${key} ${step}`, intervals: [20, 50, 100] }).toEqual({
        at: from + way * step,
        scrolled: expect.any(Boolean),
        head: 0,
        above: true,
        below: true,
      })
    }
    expect((await rowIn()).scrolled).toBe(way === 1)
  }
  expect((await rowIn()).at).toBe(first)
})

test('three quick clicks tick the first three rows: ticking the first moves no row', async ({
  page,
}) => {
  await enter(page, 'admin', '/manage/audit/bulks')
  await settled(page)
  const ticks = page.locator('.m-grid-row').getByRole('checkbox')
  const places = await Promise.all([0, 1, 2].map(at => ticks.nth(at).boundingBox()))
  for (const place of places) await page.mouse.click(place!.x + 4, place!.y + 4)
  await expect(page.getByText('已选 3 项')).toBeVisible()
  for (const at of [0, 1, 2]) await expect(ticks.nth(at)).toBeChecked()
  expect(await ticks.nth(0).boundingBox()).toEqual(places[0])
})

test('state tabs without room stand in a menu, and the chosen one is always in view', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1000, height: 720 })
  await enter(page, 'admin', '/manage/order/elist')
  await settled(page)
  const more = page.getByRole('button', { name: '更多状态' })
  await more.focus()
  await page.keyboard.press('Enter')
  const last = page.getByRole('menuitem').last()
  const name = (await last.textContent())!.replace(/[\d,+\s]+$/, '')
  await last.focus()
  await page.keyboard.press('Enter')
  const chosen = page.getByRole('tab', { selected: true })
  await expect(chosen).toContainText(name)
  await expect(chosen).toBeInViewport({ ratio: 1 })
  // The next one after the last is the first; the key goes through those in the menu too.
  await page.getByRole('grid').or(page.locator('[data-pane]')).first().focus()
  await page.keyboard.press('[')
  await expect(chosen).not.toContainText(name)
  await expect(chosen).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 2560, height: 1440 })
  await expect(more).toHaveCount(0)
  await expect(page.getByRole('tab', { name })).toBeVisible()
})
