import { expect, type Page } from '@playwright/test'
import { command, complaints, enter, focusedRow, keys, settled, tabTitle, test } from './desk.ts'

const panes = (page: Page) => page.locator('[data-pane]:visible')
const places = (page: Page) =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>('[data-pane]')]
        .filter(pane => pane.checkVisibility())
        .map(pane => {
          const { left, top, width, height } = pane.getBoundingClientRect()
          return [pane.dataset.pane!, [left, top, width, height].map(Math.round)]
        }),
    ),
  )
const front = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset.pane ?? '',
  )
/** By its keys, or by its name in the palette. */
const ways = [
  ['by key', (page: Page, sequence: string, _: string) => keys(page, sequence)],
  ['by palette', (page: Page, _: string, title: string) => command(page, title)],
] as const

for (const [way, act] of ways) {
  test(`panes are split, tabbed, moved, swapped, resized, maximised and closed ${way}`, async ({
    page,
  }) => {
    const found = complaints(page)
    await enter(page, 'auditor', '/manage/audit/card')
    await settled(page)
    await act(page, 'w v', '向右分屏')
    await expect(panes(page)).toHaveCount(2)
    await expect.poll(() => front(page)).toBe('p2')
    await act(page, 'w s', '向下分屏')
    await expect(panes(page)).toHaveCount(3)
    await expect.poll(() => front(page)).toBe('p3')
    const first = await places(page)
    expect(first.p3![0]).toBe(first.p2![0])
    expect(first.p3![1]).toBeGreaterThan(first.p2![1]!)

    await act(page, 'w h', '聚焦左侧窗格')
    await expect.poll(() => front(page)).toBe('p1')
    await act(page, 'w l', '聚焦右侧窗格')
    await expect.poll(() => front(page)).toBe('p2')
    await act(page, 'w j', '聚焦下方窗格')
    await expect.poll(() => front(page)).toBe('p3')
    await act(page, 'w k', '聚焦上方窗格')
    await expect.poll(() => front(page)).toBe('p2')
    await act(page, 'w n', '下一个窗格')
    await expect.poll(() => front(page)).toBe('p3')
    await act(page, 'w p', '上一个窗格')
    await expect.poll(() => front(page)).toBe('p2')

    const before = (await places(page)).p2!
    await act(page, 'w .', '窗格加宽')
    await expect.poll(async () => (await places(page)).p2![2]).toBeGreaterThan(before[2]!)
    await act(page, 'w ,', '窗格变窄')
    await act(page, 'w =', '窗格加高')
    await expect.poll(async () => (await places(page)).p2![3]).toBeGreaterThan(before[3]!)
    await act(page, 'w -', '窗格变矮')
    await act(page, 'w e', '窗格等分')
    await expect.poll(() => places(page)).toEqual(first)

    await act(page, 'w Shift+j', '窗格下移')
    await expect.poll(async () => (await places(page)).p2).toEqual(first.p3)
    await act(page, 'w Shift+k', '窗格上移')
    await expect.poll(async () => (await places(page)).p2).toEqual(first.p2)
    await act(page, 'w Shift+h', '窗格左移')
    await expect.poll(async () => (await places(page)).p2).toEqual(first.p1)
    await act(page, 'w Shift+l', '窗格右移')
    await expect.poll(async () => (await places(page)).p2![0]).toBe(first.p2![0])
    await act(page, 'w x', '与下一个窗格互换')
    await expect.poll(async () => (await places(page)).p2).not.toEqual(first.p2)
    await act(page, 'w x', '与下一个窗格互换')

    await act(page, 'w m', '最大化或还原窗格')
    await expect(panes(page)).toHaveCount(1)
    expect(await front(page)).toBe('p2')
    await act(page, 'w m', '最大化或还原窗格')
    await expect(panes(page)).toHaveCount(3)

    await act(page, 'w t', '新建标签')
    await expect(page.getByRole('tablist').getByRole('tab', { name: '工作台' })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await expect(panes(page)).toHaveCount(3)
    await expect(page).toHaveURL(/\/manage$/)
    await act(page, 'w [', '上一个窗格标签')
    await expect(page).toHaveURL(/\/manage\/audit\/card$/)
    await act(page, 'w ]', '下一个窗格标签')
    await expect(page).toHaveURL(/\/manage$/)

    await act(page, 'w q', '关闭窗格')
    await expect(page.getByRole('tab', { name: '工作台' })).toHaveCount(0)
    await act(page, 'w o', '关闭其他窗格')
    await expect(panes(page)).toHaveCount(1)
    await act(page, 'w q', '关闭窗格')
    await expect(page).toHaveURL(/\/manage$/)
    expect(found).toEqual([])
  })
}

test('a separator is moved by keys', async ({ page }) => {
  await enter(page, 'auditor', '/manage/audit/card')
  await settled(page)
  await keys(page, 'w v')
  const bar = page.locator('.s-separators').getByRole('separator')
  await expect(bar).toHaveAttribute('aria-valuenow', '50')
  await bar.focus()
  for (const [key, share] of [
    ['ArrowLeft', '45'],
    ['ArrowRight', '50'],
    ['Enter', '10'],
    ['Enter', '50'],
    ['End', '90'],
    ['Home', '10'],
    ['Enter', '50'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(bar).toHaveAttribute('aria-valuenow', share)
  }
  const { p1, p2 } = await places(page)
  expect(Math.abs(p1![2]! - p2![2]!)).toBeLessThanOrEqual(2)
})

test('seventeen changes of the layout mount nothing anew and lose neither text, scroll nor focus', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'auditor', '/manage/audit/bulks?state=approved')
  await settled(page)
  // The longest list three times over: it has something to scroll in a pane of any size.
  await keys(page, 'w v w s')
  await expect(panes(page)).toHaveCount(3)
  await settled(page)
  // In a narrow pane the detail is there once it was opened.
  await keys(page, 'Enter w n Enter w n Enter w n')
  await expect(page.locator('article')).toHaveCount(3)
  await settled(page)
  // A page drawn anew has other elements: each is marked, given text that nothing but it holds, and
  // scrolled.
  const marked = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-pane]')].map(pane => {
      const shown = pane.querySelector<HTMLElement>('.s-page:not([hidden])')!
      const grid = shown.querySelector<HTMLElement>('.m-grid')!
      for (const element of [shown, grid, shown.querySelector('article')!])
        Object.assign(element, { marked: pane.dataset.pane })
      const loose = document.createElement('input')
      loose.className = 'loose'
      loose.value = `半句话 ${pane.dataset.pane}`
      shown.querySelector('.m-filters')!.append(loose)
      grid.scrollTop = 60
      const body = shown.querySelector<HTMLElement>('.a-body')!
      // The item may be a short one.
      const filler = document.createElement('div')
      filler.style.height = '1000px'
      body.append(filler)
      // Text of another width is anchored by the browser: it is read on at the same words, not at
      // the same pixel.
      body.scrollTop = 90
      return [pane.dataset.pane!, grid.scrollTop] as const
    }),
  )
  expect(marked.map(([pane]) => pane)).toEqual(['p1', 'p2', 'p3'])
  const left = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement & { marked?: string }>('[data-pane]')]
        .filter(pane => ['p1', 'p2', 'p3'].includes(pane.dataset.pane!))
        .map(pane => {
          const shown = [
            ...pane.querySelectorAll<HTMLElement & { marked?: string }>('.s-page'),
          ].find(one => one.marked)
          const grid = shown?.querySelector<HTMLElement & { marked?: string }>('.m-grid')
          const body = shown?.querySelector<HTMLElement>('.a-body')
          const article = shown?.querySelector<HTMLElement & { marked?: string }>('article')
          return {
            pane: pane.dataset.pane,
            same: [shown, grid, article].every(one => one?.marked === pane.dataset.pane),
            text: shown?.querySelector<HTMLInputElement>('.loose')?.value,
            ...(pane.checkVisibility()
              ? { rows: grid?.scrollTop, read: (body?.scrollTop ?? 0) > 0 }
              : {}),
          }
        }),
    )
  const steps: readonly (readonly [string, string])[] = [
    ['focus left', 'w h'],
    ['wider', 'w .'],
    ['narrower', 'w ,'],
    ['swap', 'w x'],
    ['swap back', 'w x'],
    ['move right', 'w Shift+l'],
    ['move left', 'w Shift+h'],
    ['a tab', 'w t'],
    ['tab away', 'w ['],
    ['tab back', 'w ]'],
    ['close the tab', 'w q'],
    ['maximise', 'w m'],
    ['restore', 'w m'],
    ['split again', 'w v'],
    ['close it', 'w q'],
    ['equal', 'w e'],
    ['focus next', 'w n'],
  ]
  expect(steps).toHaveLength(17)
  for (const [name, sequence] of steps) {
    await keys(page, sequence)
    await page.evaluate(() => new Promise(requestAnimationFrame))
    for (const one of await left()) {
      const was = marked.find(([pane]) => pane === one.pane)!
      expect({ name, ...one }).toEqual({
        name,
        pane: one.pane,
        same: true,
        text: `半句话 ${one.pane}`,
        ...(one.rows === undefined ? {} : { rows: was[1], read: true }),
      })
    }
    // The caret is always in the pane in front.
    expect([
      name,
      await page.evaluate(() => document.activeElement?.closest('[data-pane]') !== null),
    ]).toEqual([name, true])
  }
  expect(found).toEqual([])
})

test('coming back to a pane comes back to the very control', async ({ page }) => {
  await enter(page, 'auditor', '/manage/audit/card')
  await settled(page)
  await page.keyboard.press('/')
  await page.keyboard.type('卡')
  await expect(page.getByRole('search').getByRole('textbox')).toBeFocused()
  await command(page, '向右分屏')
  await expect.poll(() => front(page)).toBe('p2')
  await keys(page, 'w h')
  await expect(
    page.locator('[data-pane=p1]').getByRole('search').getByRole('textbox'),
  ).toBeFocused()
})

test('back and forward stay inside the pane, and the address is that of the pane in front', async ({
  page,
}) => {
  await enter(page, 'auditor', '/manage/audit/bulks')
  await settled(page)
  await keys(page, 'w v')
  await keys(page, 'g a c')
  await expect(page).toHaveURL(/\/audit\/card$/)
  await keys(page, 'g a v')
  await expect(page).toHaveURL(/\/audit\/voucher$/)
  const title = (pane: string) =>
    page.locator('[data-pane]').and(page.locator(`[data-pane=${pane}]`))
  await page.goBack()
  await expect(page).toHaveURL(/\/audit\/card$/)
  await expect(title('p1')).toHaveAttribute('aria-label', '团购审核')
  await expect(title('p2')).toHaveAttribute('aria-label', '卡券审核')
  await page.goForward()
  await expect(page).toHaveURL(/\/audit\/voucher$/)
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(title('p2')).toHaveAttribute('aria-label', '卡券审核')
  await keys(page, 'w h')
  await expect(page).toHaveURL(/\/audit\/bulks$/)
  await expect(page).toHaveTitle(tabTitle('团购审核'))
  await keys(page, 'w l')
  await expect(page).toHaveURL(/\/audit\/card$/)
})

test('a page is pinned by key, stands on the workbench beside the recent ones, and is taken off again', async ({
  page,
}) => {
  await enter(page, 'newcomer', '/manage/audit/voucher')
  await settled(page)
  await keys(page, 'w f')
  await expect(page.getByText('已固定到工作台：代金券审核')).toBeVisible()
  await keys(page, 'g a c')
  await settled(page)
  await keys(page, 'g h')
  await expect(page.getByRole('region', { name: '固定的页面' }).getByRole('link')).toHaveText([
    '代金券审核',
  ])
  await expect(page.getByRole('region', { name: '最近打开' }).getByRole('link')).toHaveText([
    '卡券审核',
  ])
  await page.getByRole('region', { name: '固定的页面' }).getByRole('link').press('Enter')
  await expect(page).toHaveURL(/\/audit\/voucher$/)
  await command(page, '取消固定')
  await expect(page.getByText('已取消固定：代金券审核')).toBeVisible()
  await keys(page, 'g h')
  await expect(page.getByRole('region', { name: '固定的页面' })).toHaveCount(0)
})

test('a half written form is not left in silence: one stays, keeps the draft or throws it away, all by keys', async ({
  page,
}) => {
  await enter(page, 'admin', '/manage/mall/add')
  await settled(page)
  // In a pane that fills the place a page takes the place of the one before it, in no tab.
  const name = page.getByRole('textbox', { name: '商场名称' })
  await expect(name).toBeFocused()
  await keys(page, 'Escape w m')
  await name.focus()
  await page.keyboard.type('半成品商场')
  const question = page.getByRole('alertdialog', { name: '有未保存的修改' })
  await command(page, 'tgsh')
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(name).toBeFocused()
  await expect(page).toHaveURL(/\/mall\/add$/)
  await command(page, 'tgsh')
  await expect(page.getByRole('button', { name: '保留草稿' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/audit\/bulks$/)
  // A page that was left and came back hears its keys.
  await page.goBack()
  await expect(page).toHaveURL(/\/mall\/add$/)
  await expect(name).toHaveValue('半成品商场')
  await page.goForward()
  await expect(question).toBeVisible()
  await expect(page).toHaveURL(/\/mall\/add$/)
  await expect(question.getByRole('button', { name: '保留草稿' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(question.getByRole('button', { name: '放弃修改' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/audit\/bulks$/)
  await settled(page)
  await page.keyboard.press('j')
  await expect(page.locator('[role=row][data-focused]')).toHaveAttribute('aria-rowindex', '3')
  await page.goBack()
  await expect(name).toHaveValue('')
})

test('an order’s page opens beside its list and follows the focused row, until it is unlinked', async ({
  page,
}) => {
  await enter(page, 'service', '/manage/order/bulks')
  await settled(page)
  const panes = page.locator('[data-pane]')
  const shows = async () =>
    expect(
      panes
        .nth(1)
        .getByText((await focusedRow(page, panes.nth(0)).textContent())!.match(/\d{12,}/)![0])
        .first(),
    ).toBeVisible()
  await keys(page, 'w i')
  await expect(panes).toHaveCount(2)
  await expect(panes.nth(0).getByRole('grid', { name: '团购订单' })).toBeFocused()
  await expect(page.getByRole('button', { name: /^已联动：通道 1/ })).toHaveCount(2)
  await shows()
  for (let n = 0; n < 3; n++) await page.keyboard.press('j')
  await shows()
  await page.reload()
  await settled(page)
  await page.keyboard.press('j')
  await shows()
  const kept = await focusedRow(page, panes.nth(0)).textContent()
  await keys(page, 'w 0')
  await page.keyboard.press('j')
  await expect(focusedRow(page, panes.nth(0))).not.toHaveText(kept!)
  await expect(
    panes
      .nth(1)
      .getByText(kept!.match(/\d{12,}/)![0])
      .first(),
  ).toBeVisible()
})
