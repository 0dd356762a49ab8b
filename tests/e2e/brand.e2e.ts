import { expect, type Page } from '@playwright/test'
import { complaints, enter, focusedRow, keyboardTest as test, settled, tabTo } from './desk.ts'

test('a brand that was entered twice is merged by keys alone, and leads to the other', async ({
  page,
}) => {
  const found = complaints(page)
  // The merged one of an earlier try is no duplicate any more: another one stands first.
  await enter(page, 'admin', '/manage/brand/index?alike=1&keyword=旗舰店')
  await settled(page)
  await page.keyboard.press('j')
  const name = await page.getByRole('article').first().getAttribute('aria-label')
  await page.keyboard.press('m')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/将转入目标品牌，不可撤销/)).toBeVisible()
  const reason = dialog.getByRole('textbox', { name: '原因' })
  await reason.focus()
  await page.keyboard.type('同一品牌录入两次')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(/已转入 \d+ 家门店、\d+ 件商品/)).toBeVisible()

  await page.goto(`/manage/brand/index?state=merged&keyword=${encodeURIComponent(name!)}`)
  await settled(page)
  await page.keyboard.press('j')
  await expect(focusedRow(page)).toContainText(name!)
  await expect(page.getByRole('article').first()).toContainText('已并入')
  expect(found).toEqual([])
})

/** A name of this try alone: one that failed half way may have left its own. */
const stamp = () => `旅程${Date.now().toString(36)}`
/** Asks the server as somebody who is signed in; answers what it said. */
const asked = <T>(page: Page, token: string, path: string, body?: object): Promise<T> =>
  page.evaluate(
    async ([key, to, sent]) => {
      const answer = await fetch(`/api/manageback/${to}`, {
        method: sent ? 'POST' : 'GET',
        headers: {
          'authori-zation': `Bearer ${key}`,
          ...(sent && {
            'content-type': 'application/json',
            'idempotency-key': crypto.randomUUID(),
          }),
        },
        ...(sent && { body: sent }),
      })
      return (await answer.json()).data
    },
    [token, path, body && JSON.stringify(body)] as const,
  )
test('an application for a brand is refused, taken back and approved by keys alone', async ({
  page,
  colleague,
}) => {
  const found = complaints(page)
  const name = stamp()
  const token = await enter(page, 'admin', '/manage/brand/audit')
  const { list } = await asked<{ list: { id: number; name: string }[] }>(
    page,
    token,
    'brand/audit/merchants?pageSize=1',
  )
  const { list: brands } = await asked<{
    list: { category_id: number; trademark_classes: number[]; trademark_end_at: number }[]
  }>(page, token, 'brand/index/lst?state=on&keyword=炉边&pageSize=1')
  const { category_id, trademark_classes, trademark_end_at } = brands[0]!
  await asked(page, token, 'brand/audit/submit', {
    merchant_id: list[0]!.id,
    name,
    category_id,
    company: list[0]!.name,
    trademark_no: String(Date.now()).slice(-8),
    trademark_classes,
    trademark_end_at,
    trademark_image: 'demo/licence.webp',
  })

  // Whoever submitted it may not decide it; a colleague does.
  const desk = await colleague()
  await enter(desk, 'supervisor', `/manage/brand/audit?keyword=${encodeURIComponent(name)}`)
  await settled(desk)
  await desk.keyboard.press('j')
  await expect(desk.getByRole('article', { name })).toContainText('机审未发现问题')
  await desk.keyboard.press('n')
  await expect(desk.getByText(/已领取，保留 \d 分钟/)).toBeVisible()
  await desk.keyboard.press('d')
  const dialog = desk.getByRole('dialog')
  await expect(dialog.getByText('已有品牌')).toBeVisible()
  await desk.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await desk.keyboard.press('r')
  await expect(dialog).toBeVisible()
  await desk.keyboard.press('1')
  await desk.keyboard.type('注册证照片模糊，请重新上传')
  await desk.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(desk.getByText('筛选出的都处理完了')).toBeVisible()
  await desk.keyboard.press('Control+z')
  await expect(focusedRow(desk)).toContainText('审核中')
  // What was said at the end of the queue stands until the detail is there again.
  await expect(desk.getByRole('article', { name })).toBeVisible()
  await desk.keyboard.press('a')
  await expect(desk.getByText('筛选出的都处理完了')).toBeVisible()

  await page.goto(`/manage/brand/index?keyword=${encodeURIComponent(name)}`)
  await settled(page)
  await page.keyboard.press('j')
  await expect(page.getByRole('article', { name })).toContainText(list[0]!.name)
  expect(found).toEqual([])
})

test('a store is given a brand and that is taken back by keys alone', async ({ page }) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/shop/brand')
  const stores = page.getByRole('grid', { name: '门店', exact: true })
  await expect(stores.getByRole('row').first()).toBeVisible()
  await settled(page)
  const brands = page.getByRole('grid', { name: '品牌', exact: true })
  await tabTo(page, brands)
  await page.keyboard.press('j')
  await tabTo(page, stores)
  const free = stores.getByRole('row')
  const before = await free.count()
  const name = (await free.first().locator('.sf-name').textContent())!
  await page.keyboard.press('b')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('品牌', { exact: true }).first()).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(stores.getByText(name, { exact: true })).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(stores.getByText(name, { exact: true })).toBeVisible()
  await expect(free).toHaveCount(before)
  expect(found).toEqual([])
})
