import { expect, type Page } from '@playwright/test'
import { codes, enter, keys, settled, test } from './desk.ts'

/** What opens over a queue by keys, and what it stands in. */
const layers = {
  palette: ['Control+k', '.s-palette-back'],
  'a rejection': ['r', '.bp6-dialog'],
  'what can be undone': ['w u', '.bp6-dialog'],
  'the exports': ['w d', '.bp6-popover'],
} as const
const standing = '.s-palette-back, .bp6-dialog, .bp6-drawer, .bp6-popover'
const holdsFocus = (page: Page, selector: string) =>
  expect
    .poll(() =>
      page.evaluate(
        ([all, one]) => {
          const top = [...document.querySelectorAll(all!)].at(-1)
          const box = top?.closest('.bp6-overlay') ?? top
          return top?.matches(one!) === true && box!.contains(document.activeElement)
        },
        [standing, selector],
      ),
    )
    .toBe(true)

// Each kind over each, and what arrives late, is tests/shell/layers.test.tsx.
for (const [under, [openUnder, box]] of Object.entries(layers))
  test(`over ${under}, whatever comes has the focus and Esc and gives it back, or does not come`, async ({
    page,
  }) => {
    await enter(page, 'auditor', '/manage/audit/card')
    await settled(page)
    await expect(page.getByRole('grid')).toBeFocused()
    for (const [over, [openOver, overBox]] of Object.entries(layers)) {
      if (over === under) continue
      await keys(page, openUnder)
      await holdsFocus(page, box)
      await keys(page, openOver)
      const stacks = over === 'palette' && under === 'the exports'
      await expect(page.locator(standing)).toHaveCount(stacks ? 2 : 1)
      if (stacks) {
        await holdsFocus(page, overBox)
        await page.keyboard.press('Escape')
        await expect(page.locator(standing)).toHaveCount(1)
      }
      await holdsFocus(page, box)
      await page.keyboard.press('Escape')
      await expect(page.locator(standing)).toHaveCount(0)
      await expect(page.getByRole('grid')).toBeFocused()
    }
    await page.keyboard.press('Control+k')
    await page.keyboard.type('cz')
    await expect(page.getByRole('combobox', { name: '命令面板' })).toHaveValue('cz')
  })

test('Escape and Enter of an input method neither close a dialog nor send it', async ({ page }) => {
  const sent: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/audit/card/reject')) sent.push(request.url())
  })
  await enter(page, 'auditor', '/manage/audit/card')
  await settled(page)
  await page.keyboard.press('r')
  await expect(codes(page).first()).toBeFocused()
  await page.keyboard.press('1')
  const words = page.getByRole('textbox', { name: '原因说明' })
  await expect(words).toBeFocused()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Input.imeSetComposition', { text: 'tup', selectionStart: 3, selectionEnd: 3 })
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await cdp.send('Input.insertText', { text: '图片不清' })
  await expect(words).toHaveValue(/图片不清/)
  // As Safari tells of the press that ended it.
  await cdp.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Enter',
    code: 'Enter',
    windowsVirtualKeyCode: 229,
  })
  await expect(words).toBeFocused()
  expect(sent).toEqual([])
  await page.keyboard.press('Enter')
  await expect.poll(() => sent.length).toBe(1)
})
