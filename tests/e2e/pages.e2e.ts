import AxeBuilder from '@axe-core/playwright'
import { test as alone, expect, type BrowserContext, type Page } from '@playwright/test'
import { runnerImport } from 'vite'
import type { z } from 'zod'
import type * as registry from '#commands/index.ts'
import { provinces } from '#src/areas/place/divisions.ts'
import { answered, command, complaints, enter, settled, signIn, tabTitle, tokenOf } from './desk.ts'

// Pages are found by a glob, which Vite resolves and Playwright does not.
const { pages } = (await runnerImport<typeof registry>('/commands/index.ts', { configFile: false }))
  .module

/**
 * All pages are opened in one browser, as a person does: what was loaded once is not loaded again.
 * Each begins without anything stored.
 */
const test = alone.extend<{ page: Page }, { warm: BrowserContext; token: string }>({
  /** Pages are opened in one session of the administrator's. */
  token: [
    async ({ warm }, lend) => {
      const page = await warm.newPage()
      await lend(await tokenOf(page, 'admin'))
      await page.close()
    },
    { scope: 'worker' },
  ],
  warm: [
    async ({ browser }, lend, { project }) => {
      const { baseURL, viewport, locale, timezoneId } = project.use
      const context = await browser.newContext({
        baseURL: baseURL!,
        viewport: viewport!,
        locale: locale!,
        timezoneId: timezoneId!,
      })
      await lend(context)
      await context.close()
    },
    { scope: 'worker' },
  ],
  page: async ({ warm }, lend) => {
    const page = await warm.newPage()
    await page.addInitScript(() => {
      if (!sessionStorage.getItem('cleared')) {
        localStorage.clear()
        sessionStorage.setItem('cleared', '1')
      }
    })
    await lend(page)
    await page.close()
  },
})

/**
 * What axe finds of WCAG 2.2 AA. Three rows of a list stand for all; where only the colours
 * changed, only they are judged.
 */
const faultsOf = async (page: Page, only?: string) => {
  const axe = new AxeBuilder({ page })
    .exclude('.m-grid-row:nth-child(n+4)')
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
  const { violations } = await (
    only
      ? axe.withRules([only])
      : axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
  ).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      node =>
        `${id}: ${node.target.join(' ')} · ${node.any[0]?.message ?? node.all[0]?.message ?? ''}`,
    ),
  )
}
const inSight = (page: Page) =>
  page.evaluate(() => {
    const words = new Set<string>()
    for (const element of document.querySelectorAll('.s-workbench *')) {
      if (!element.checkVisibility() || element.closest('svg')) continue
      for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
        words.add(element.getAttribute(name) ?? '')
      for (const child of element.childNodes)
        if (child.nodeType === 3) words.add(child.textContent!.trim())
    }
    return [...words].filter(Boolean)
  })
/**
 * What the server answered but for its words of the interface (menu, to-dos): the data, which is of
 * one language only. `forget` leaves who is signed in: that is asked once.
 */
const answersOf = (page: Page) => {
  let answers: { lasting: boolean; text: Promise<string> }[] = []
  page.on('response', response => {
    if (
      response.url().includes('/api/manageback/') &&
      !/getUserLeftMenu|home\/todos|events/.test(response.url())
    )
      answers.push({
        lasting: response.url().includes('/session/'),
        text: response.text().catch(() => ''),
      })
  })
  return {
    all: async () => [...(await Promise.all(answers.map(one => one.text))), places].join('\n'),
    forget: () => {
      answers = answers.filter(one => one.lasting)
    },
  }
}
/** Names of provinces and cities are data of one language too; the browser knows them by itself. */
const places = provinces
  .flatMap(province => [province.name, ...province.children.map(city => city.city_name)])
  .join('\n')
/** Words of the interface that are not of its language; what the data says is left out. */
const foreignWords = async (page: Page, data: string, language: 'zh' | 'en') => {
  // A quotation mark in the data stands escaped in the answer.
  const words = (await inSight(page)).filter(
    word => !data.includes(JSON.stringify(word).slice(1, -1)),
  )
  if (language === 'en')
    return words.filter(word =>
      (word.match(/\p{Script=Han}+/gu) ?? []).some(run => !data.includes(run)),
    )
  return words.filter(
    word =>
      /[A-Za-z]{3,}/.test(word) &&
      !/\p{Script=Han}/u.test(word) &&
      !data.includes(word) &&
      !sameInBoth.test(word),
  )
}
/** Names, the keys, placeholders, and addresses. */
const sameInBoth = /^(Mallet|English|Ctrl.*|Alt.*|Esc|Del|\{\w+\}|https?:\/\/\S+)$/

/** The query parameter that a page can't do without. */
const neededBy = ({ search }: (typeof pages)[number]): string | undefined =>
  Object.entries((search as { shape?: Record<string, z.ZodType> } | undefined)?.shape ?? {}).find(
    ([, rule]) => !rule.safeParse(undefined).success,
  )?.[0]
/** Where the ids of a record that a page is about come from, where it isn't the list above it. */
const listOf: Readonly<Record<string, string>> = { city_id: '/api/manageback/city/list' }
/** The address of a page; one that shows a record is given the first of the list above it. */
const addressOf = async (
  page: Page,
  token: string,
  of: (typeof pages)[number],
): Promise<string> => {
  const needed = neededBy(of)
  if (needed === undefined) return of.path
  const list =
    needed === 'id'
      ? of.path.replace(/^\/manage\/(.*)\/[^/]+$/, '/api/manageback/$1/lst')
      : listOf[needed]!
  const answer = await (
    await page
      .context()
      .request.get(`${list}?pageSize=1`, { headers: { 'Authori-zation': `Bearer ${token}` } })
  ).json()
  return `${of.path}?${needed}=${answer.data.list[0].id}`
}

for (const of of pages) {
  test(`${of.path} opens, is named, silent, accessible and of one language`, async ({
    page,
    token,
  }) => {
    const found = complaints(page)
    const answers = answersOf(page)
    await enter(page, 'admin', await addressOf(page, token, of), { token, 'theme:admin': 'system' })
    await settled(page)
    await expect(page).toHaveTitle(tabTitle(of.title))
    await expect(page.locator('.s-pane-header h2')).toHaveText(of.title)
    expect(await faultsOf(page)).toEqual([])
    expect(await foreignWords(page, await answers.all(), 'zh')).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(page.locator('html')).toHaveClass(/bp6-dark/)
    await page.evaluate(() =>
      Promise.all(document.getAnimations().map(animation => animation.finished)),
    )
    expect(await faultsOf(page, 'color-contrast')).toEqual([])
    // What the server says of the page is asked for again: what it said in Chinese counts no more.
    answers.forget()
    await command(page, 'English')
    await expect(page).toHaveTitle(tabTitle(of.en))
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await expect
      .poll(async () => foreignWords(page, await answers.all(), 'en'), { intervals: [100] })
      .toEqual([])
    expect(found).toEqual([])
  })
}

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
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(page.locator('html')).toHaveClass(/bp6-dark/)
    await page.evaluate(() =>
      Promise.all(document.getAnimations().map(animation => animation.finished)),
    )
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
      '/manage/audit/bulks',
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
