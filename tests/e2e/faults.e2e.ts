import { expect, type Page, type Request } from '@playwright/test'
import {
  codes,
  complaints,
  enter,
  focusedRow,
  keys,
  settled,
  standIn,
  test,
  toasts,
  countOf,
} from './desk.ts'

const heading = (page: Page) => page.locator('article h2')
const tabCount = (page: Page, name: RegExp) => () => countOf(page, name)
const reached = (page: Page, call: string) => {
  const seen: Request[] = []
  page.on('request', request => {
    if (request.url().endsWith(call)) seen.push(request)
  })
  return seen
}
/** On a submission of the queue that one person may approve alone. */
const openQueue = async (page: Page, queue: 'voucher' | 'card' | 'product') => {
  await enter(page, 'supervisor', `/manage/audit/${queue}`)
  await settled(page)
  await expect(heading(page)).toBeVisible()
  for (let i = 0; i < 12; i++) {
    const row = focusedRow(page)
    const id = (await row.getAttribute('id'))!
    await expect
      .poll(async () => (await row.textContent())!.includes((await heading(page).textContent())!))
      .toBe(true)
    if (
      /待审核/.test((await row.textContent())!) &&
      (await page.getByText('机审未发现问题').count()) > 0
    )
      return id
    await page.keyboard.press('j')
    await expect(row).not.toHaveAttribute('id', id)
  }
  throw new Error('Nothing here can be approved')
}

test('without a line the strip says so, a decision is refused in words and comes back, and counts once when the line is there again', async ({
  page,
  context,
}) => {
  const id = await openQueue(page, 'voucher')
  const title = (await heading(page).textContent())!
  const approved = tabCount(page, /已通过/)
  const before = await approved()
  const seen = reached(page, '/audit/voucher/approve')
  await context.setOffline(true)
  await page.waitForFunction(() =>
    fetch('/healthz').then(
      () => false,
      () => true,
    ),
  )
  await page.keyboard.press('a')
  await expect(toasts(page).filter({ hasText: '网络连接中断，请检查网络后重试' })).toBeVisible()
  await expect(focusedRow(page)).toHaveAttribute('id', id)
  await expect(page.getByText('与服务器的连接已断开')).toBeVisible()
  await expect(heading(page)).toHaveText(title)
  await context.setOffline(false)
  await expect(page.getByText('与服务器的连接已断开')).toHaveCount(0, { timeout: 10_000 })
  expect(await approved()).toBe(before)
  await page.keyboard.press('a')
  await expect.poll(approved).toBe(before + 1)
  await expect(focusedRow(page)).not.toHaveAttribute('id', id)
  // The second try was the first one over again.
  expect(new Set(seen.map(request => request.headers()['idempotency-key'])).size).toBe(1)
  expect(seen.length).toBeGreaterThan(1)
})

test('an answer lost after the decision was kept, and the person’s second try, make one effect', async ({
  page,
}) => {
  await openQueue(page, 'voucher')
  const rejected = tabCount(page, /已驳回/)
  const before = await rejected()
  const keysSent: string[] = []
  await standIn(page, '**/audit/voucher/reject', async route => {
    keysSent.push(route.request().headers()['idempotency-key']!)
    if (keysSent.length > 1) {
      await route.continue()
      return
    }
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.keyboard.press('r')
  await expect(codes(page).first()).toBeFocused()
  await page.keyboard.press('1')
  const words = page.getByRole('textbox', { name: '原因说明' })
  await expect(words).toBeFocused()
  const typed = await words.inputValue()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
    '网络连接中断，请检查网络后重试',
  )
  await expect(words).toHaveValue(typed)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(toasts(page).filter({ hasText: '驳回：已完成' })).toBeVisible()
  await expect.poll(rejected).toBe(before + 1)
  expect(keysSent).toHaveLength(2)
  expect(keysSent[0]).toBe(keysSent[1])
})

test(
  'Enter twice and a key held down decide one submission',
  { tag: '@race' },
  async ({ page }) => {
    const id = await openQueue(page, 'voucher')
    const approvals = reached(page, '/audit/voucher/approve')
    for (let i = 0; i < 50; i++) await page.keyboard.down('a')
    await page.keyboard.up('a')
    await expect(toasts(page).filter({ hasText: '通过审核：已完成' })).toBeVisible()
    await expect(focusedRow(page)).not.toHaveAttribute('id', id)
    expect(approvals).toHaveLength(1)

    const rejections = reached(page, '/audit/voucher/reject')
    await standIn(page, '**/audit/voucher/reject', async route => {
      await new Promise(go => setTimeout(go, 300))
      await route.continue()
    })
    await page.keyboard.press('r')
    await expect(codes(page).first()).toBeFocused()
    await page.keyboard.press('1')
    await expect(page.getByRole('textbox', { name: '原因说明' })).toBeFocused()
    for (let i = 0; i < 3; i++) await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(rejections).toHaveLength(1)
    // Several decisions in a row are one message that counts them, or names the last.
    await expect(toasts(page)).toHaveCount(1)
    await page.keyboard.press('Control+z')
    await expect(toasts(page).filter({ hasText: '已撤销：驳回' })).toBeVisible()
  },
)

test('an undo brings the row back, and the focus to it', async ({ page }) => {
  const id = await openQueue(page, 'product')
  const title = (await heading(page).textContent())!
  await page.keyboard.press('a')
  await expect(focusedRow(page)).not.toHaveAttribute('id', id)
  await expect(toasts(page).filter({ hasText: '通过审核：已完成' })).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(toasts(page).filter({ hasText: '已撤销：通过审核' })).toBeVisible()
  await expect(focusedRow(page)).toHaveAttribute('id', id)
  await expect(heading(page)).toHaveText(title)
})

test('a server that can’t decide now says so, and the row is back', async ({ page }) => {
  const id = await openQueue(page, 'product')
  await standIn(page, '**/audit/product/approve', route =>
    route.fulfill({
      status: 503,
      json: {
        status: 503,
        msg: '数据库繁忙，请稍后重试',
        message: '数据库繁忙，请稍后重试',
        data: null,
      },
    }),
  )
  await page.keyboard.press('a')
  await expect(toasts(page).filter({ hasText: '数据库繁忙，请稍后重试' })).toBeVisible()
  await expect(focusedRow(page)).toHaveAttribute('id', id)
  // A gateway's page is no answer of ours.
  await page.unroute('**/audit/product/approve')
  await standIn(page, '**/audit/product/approve', route =>
    route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>Gateway Timeout</h1>' }),
  )
  await page.keyboard.press('a')
  await expect(toasts(page).filter({ hasText: '请求超时，请重试' })).toBeVisible()
  await expect(focusedRow(page)).toHaveAttribute('id', id)
})

test('a batch takes what was done out of the selection and keeps what failed, with the reason', async ({
  page,
}) => {
  await openQueue(page, 'product')
  await standIn(page, '**/audit/product/batchApprove', async route => {
    const { tasks } = route.request().postDataJSON() as { tasks: { id: number }[] }
    const [first, ...rest] = tasks.map(task => task.id)
    await route.fulfill({
      json: {
        status: 200,
        msg: '',
        message: '',
        data: {
          ok: [first],
          failed: rest.map(id => ({ id, code: 'taken', msg: '沈若溪 正在审核' })),
        },
      },
    })
  })
  const plain = page
    .locator('.m-grid-row', { hasText: '待审核' })
    .filter({ hasNot: page.locator('[data-tone=warn]') })
  for (let i = 0; i < 2; i++) await plain.nth(i).getByRole('checkbox').check()
  await expect(page.getByText('已选 2 项')).toBeVisible()
  await page.keyboard.press('Shift+a')
  // What becomes of both is seen first.
  await expect(page.getByRole('dialog', { name: '批量通过' })).toContainText('共 2 项')
  await page.keyboard.press('Enter')
  await expect(
    toasts(page).filter({ hasText: '1 项完成，1 项失败：沈若溪 正在审核' }),
  ).toBeVisible()
  await expect(page.getByText('已选 1 项')).toBeVisible()
})

test('rubbish in every stored setting does not keep the workbench from starting', async ({
  page,
}) => {
  await enter(page, 'auditor', '/manage/audit/card')
  await settled(page)
  await keys(page, 'w v')
  await keys(page, 'g a b')
  await settled(page)
  await page.waitForTimeout(400)
  const names = await page.evaluate(() => Object.keys(localStorage).filter(key => key !== 'token'))
  expect(names.some(name => name.startsWith('mallet.layout.'))).toBe(true)
  expect(names.some(name => name.startsWith('mallet.recent:'))).toBe(true)
  const found = complaints(page)
  for (const rubbish of [
    '{',
    'null',
    '{"tree":{"type":"split"},"byId":{}}',
    '{"tree":"p1","byId":{"p1":{"at":7}}}',
    '[{"a":1}]',
  ]) {
    // Written as the page goes, after it has kept its own.
    await page.evaluate(
      ([text, all]) =>
        addEventListener('pagehide', () => {
          for (const store of [localStorage, sessionStorage])
            for (const key of all) store.setItem(key, text)
        }),
      [rubbish, names] as const,
    )
    await page.goto('/manage/audit/card')
    await expect(page.getByRole('navigation', { name: /主菜单|Main menu/ })).toBeVisible()
    await expect(page.getByRole('grid').first()).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(page.locator('[data-palette] input')).toBeFocused()
    await page.keyboard.press('Escape')
  }
  expect(found).toEqual([])
})

test('code that does not load is told apart, offers a reload, and the draft is there after it', async ({
  page,
}) => {
  await enter(page, 'auditor', '/manage/audit/bulks')
  await settled(page)
  await page.keyboard.press('r')
  await expect(codes(page).first()).toBeFocused()
  await page.keyboard.press('2')
  await page.keyboard.press('End')
  await page.keyboard.type('，请补齐')
  const words = page.getByRole('textbox', { name: '原因说明' })
  const typed = await words.inputValue()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await standIn(page, /\/assets\/voucher-[^/]*\.js$/, route =>
    route.fulfill({ status: 404, body: 'gone' }),
  )
  await keys(page, 'g a v')
  await expect(page.getByRole('heading', { name: '页面代码没有加载成功' })).toBeVisible()
  await page.unroute(/\/assets\/voucher-[^/]*\.js$/)
  await page.getByRole('button', { name: '重新加载' }).click()
  await expect(page.getByRole('grid', { name: '代金券审核' })).toBeVisible()
  await page.goBack()
  await keys(page, 'g a b')
  await settled(page)
  await page.keyboard.press('r')
  await expect(words).toHaveValue(typed)
})
