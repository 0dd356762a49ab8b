import { expect, type Page } from '@playwright/test'
import { complaints, enter, keyboardTest as test, settled } from './desk.ts'

const CITY = 4
const blocks = (page: Page) => page.getByRole('grid', { name: /页面，共/ })
const chosen = (page: Page) => blocks(page).getByRole('row', { selected: true })
const liveNo = async (page: Page) =>
  Number(/\d+/.exec((await page.getByText(/^线上版本 \d+$/).textContent())!)![0])
/** Whether the draft on this machine has the words already. */
const isKept = (page: Page, words: string): Promise<boolean> =>
  page.evaluate(
    of =>
      new Promise<boolean>(done => {
        const open = indexedDB.open('keyval-store')
        open.addEventListener('success', () => {
          const all = open.result.transaction('keyval').objectStore('keyval').getAll()
          all.addEventListener('success', () => done(JSON.stringify(all.result).includes(of)))
        })
      }),
    words,
  )

test('a home page is designed, published and rolled back by keys alone', async ({ page }) => {
  const found = complaints(page)
  const words = `好店上新${String(Date.now()).slice(-5)}`
  await enter(page, 'admin', `/manage/config/entry/homePage?city_id=${CITY}`)
  await settled(page)
  await expect(blocks(page)).toBeFocused()
  const before = await liveNo(page)
  const dialog = page.getByRole('dialog')

  // A heading comes below the first block, is undone and redone, and goes to the top.
  await page.keyboard.press('a')
  await expect(dialog.getByRole('combobox', { name: '组件' })).toBeFocused()
  await dialog.getByRole('combobox', { name: '组件' }).selectOption('text')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(chosen(page)).toHaveAccessibleName(/^2 标题栏/)
  await blocks(page).focus()
  await page.keyboard.press('Control+z')
  await expect(chosen(page)).not.toHaveAccessibleName(/标题栏/)
  await page.keyboard.press('Control+Shift+z')
  await expect(chosen(page)).toHaveAccessibleName(/^2 标题栏/)
  await page.keyboard.press('Alt+ArrowUp')
  await expect(chosen(page)).toHaveAccessibleName(/^1 标题栏/)

  // It lacks its words, so it can't be published: the fault leads to it.
  await expect(page.getByRole('button', { name: '标题栏：必填' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: '标题' })).toBeFocused()
  await page.keyboard.type(words)
  await expect(chosen(page)).toHaveAccessibleName(`1 标题栏 · ${words}`)

  // What is not saved survives a reload.
  await expect(page.getByText('未保存')).toBeVisible()
  await expect.poll(() => isKept(page, words)).toBe(true)
  page.once('dialog', asked => void asked.accept())
  await page.reload()
  await settled(page)
  await expect(page.getByText('已恢复未保存的修改')).toBeVisible()
  await expect(blocks(page).getByRole('row').first()).toHaveAccessibleName(`1 标题栏 · ${words}`)

  await blocks(page).focus()
  await page.keyboard.press('p')
  await dialog.getByRole('textbox', { name: '发布说明' }).fill(words)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(`线上版本 ${before + 1}`)).toBeVisible()
  expect(await (await page.request.get(`/p/home/${CITY}`)).text()).toContain(words)

  // The version before comes back as a copy.
  await blocks(page).focus()
  await page.keyboard.press('b')
  await dialog.getByRole('textbox', { name: '版本号' }).fill(String(before))
  await dialog.getByRole('textbox', { name: '原因' }).fill('试验结束')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(`线上版本 ${before + 2}`)).toBeVisible()
  expect(await (await page.request.get(`/p/home/${CITY}`)).text()).not.toContain(words)
  expect(found).toEqual([])
})
