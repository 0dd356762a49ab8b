import { expect } from '@playwright/test'
import { answered, complaints, enter, settled, signIn, tabTitle } from './desk.ts'
import { pages } from './registry.ts'
import { darkened, faultsOf, test } from './sweep.ts'

test('the sign-in page is named, silent and accessible, light and dark', async ({ page }) => {
  const found = complaints(page)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('审核主管')).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('radio', { name: '深色' }).check()
  await expect(page.locator('html')).toHaveClass(/bp6-dark/)
  expect(await faultsOf(page, 'color-contrast')).toEqual([])
  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.getByLabel('Account', { exact: true })).toBeVisible()
  await expect(page.getByText('Super administrator')).toBeVisible()
  expect((await page.locator('main').innerText()).replace('中文', '')).not.toMatch(
    /\p{Script=Han}/u,
  )
  expect(found).toEqual([])
})

test('an unknown path ends on /error once, and the pages it names may be opened', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'auditor', '/manage/audit/bulks')
  await page.goto('/manage/audit/bulkz')
  await expect(page).toHaveURL(/\/error\?path=%2Fmanage%2Faudit%2Fbulkz$/)
  await expect(page.getByRole('heading', { name: '没有这个页面' })).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await expect(
    page.getByRole('list', { name: '查找相近页面' }).getByRole('link').first(),
  ).toHaveText(/团购审核/)
  await page.getByRole('link', { name: /团购审核/ }).click()
  await expect(page).toHaveURL(/\/manage\/audit\/bulks$/)
  await settled(page)
  await page.goto('/nowhere/at/all')
  await expect(page).toHaveURL(/\/error\?path=/)
  await page.goto('/error')
  await expect(page.getByRole('link', { name: '回到工作台' })).toBeVisible()
  await page.getByRole('link', { name: '回到工作台' }).click()
  // The panes as they were left.
  await expect(page).toHaveURL(/\/manage\/audit\/bulks$/)
  expect(found).toEqual([])
})

test('letter case, doubled and trailing slashes open the page all the same', async ({ page }) => {
  await enter(page, 'admin', '/manage')
  // Every page's spellings are told apart in tests/shell/registry.test.ts; here that the address
  // bar is mended too.
  for (const of of pages.filter(one =>
    ['/manage', '/manage/audit/bulks', '/manage/system/warning/logs'].includes(one.path),
  )) {
    for (const variant of [
      of.path.toUpperCase(),
      `${of.path}/`,
      of.path.replaceAll('/', '//'),
      `${of.path.replace('/manage', '//Manage')}///`,
    ]) {
      // A path that begins with two slashes would name another host to `goto`.
      await page.goto(new URL(test.info().project.use.baseURL!).origin + variant)
      await expect(page).toHaveTitle(tabTitle(of.title))
      await expect(page).toHaveURL(url => url.pathname === of.path)
    }
  }
})

test('who may not open a page is told so, without its name, and is shown none of it', async ({
  page,
}) => {
  // Every demo account may read every page: the answer about the rights is narrowed.
  await page.route('**/api/manageback/session/me', async route => {
    const response = await route.fetch()
    const body = await response.json()
    body.data.permits = body.data.permits.filter(
      (permit: string) => permit !== 'audit.product.view',
    )
    await route.fulfill({ response, json: body })
  })
  await enter(page, 'newcomer', '/manage/audit/product')
  await expect(page.getByRole('heading', { name: '没有权限打开此页' })).toBeVisible()
  await expect(page.locator('.s-page').getByText('商品审核')).toHaveCount(0)
  await expect(page).toHaveTitle('Mallet')
  await expect(page.locator('.s-pane-header')).not.toContainText('商品审核')
  await expect(page.getByRole('region', { name: '没有权限', exact: true })).toBeVisible()
  await expect(page.getByRole('list', { name: '查找相近页面' }).getByRole('link')).not.toHaveCount(
    0,
  )
  await expect(page.getByRole('list', { name: '查找相近页面' })).not.toContainText(
    '/manage/audit/product',
  )
  await page.keyboard.press('Control+k')
  await page.keyboard.type('商品审核')
  await expect(
    page.getByRole('listbox', { name: '结果' }).getByText('商品审核', { exact: true }),
  ).toHaveCount(0)
})

test('a newcomer reads, and every action that is not theirs says which right it needs', async ({
  page,
}) => {
  await signIn(page, 'newcomer')
  await page.goto('/manage/audit/card')
  await settled(page)
  await expect(
    page
      .getByRole('toolbar', { name: '操作' })
      .first()
      .getByRole('button', { name: /通过审核/ }),
  ).toHaveCount(0)
  await page.keyboard.press('a')
  await expect(page.getByText('需要权限：通过审核')).toBeVisible()
})

test('with more contrast every word has 7:1, light and dark', async ({ page, token }) => {
  await enter(page, 'admin', '/manage/audit/bulks', {
    token,
    'theme:admin': 'system',
    'contrast:admin': 'more',
  })
  for (const path of ['/manage/audit/bulks', '/manage/help', '/manage/system/staff']) {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(path)
    await settled(page)
    await expect(page.locator('html')).toHaveAttribute('data-contrast', 'more')
    expect([path, ...(await faultsOf(page, 'color-contrast-enhanced'))]).toEqual([path])
    await darkened(page)
    expect([path, ...(await faultsOf(page, 'color-contrast-enhanced'))]).toEqual([path])
  }
})

test('at 200 % zoom and beyond nothing is cut off: the page itself scrolls in no direction, palette and questions fit', async ({
  page,
  token,
}) => {
  await enter(page, 'admin', '/manage/audit/bulks', { token })
  for (const [width, height] of [
    [720, 450],
    [640, 360],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const path of [
      '/manage/order/bulks',
      '/manage/help',
      '/manage/audit/practice',
      // What nobody holds: another journey may have claimed the first of all.
      '/manage/audit/bulks?state=pending',
    ]) {
      await page.goto(path)
      await settled(page)
      expect([
        path,
        ...(await page.evaluate(() => [
          document.documentElement.scrollWidth - innerWidth,
          document.documentElement.scrollHeight - innerHeight,
        ])),
      ]).toEqual([path, 0, 0])
    }
    const fits = async (name: string) => {
      const box = (await page.getByRole('dialog', { name }).boundingBox())!
      expect([name, box.x >= 0, box.x + box.width <= width]).toEqual([name, true, true])
    }
    await page.keyboard.press('Control+k')
    await expect(
      page.getByRole('listbox', { name: '结果' }).getByRole('option').last(),
    ).toBeAttached()
    await fits('命令面板')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('grid')).toBeFocused()
    await page.keyboard.press('r')
    await expect(page.getByRole('dialog').getByRole('checkbox').first()).toBeFocused()
    await fits('驳回')
    const send = page.getByRole('dialog').getByRole('button', { name: /^驳回/ })
    await send.scrollIntoViewIfNeeded()
    await expect(send).toBeInViewport({ ratio: 0.9 })
    await page.keyboard.press('Escape')
    await answered(page)
  }
})
