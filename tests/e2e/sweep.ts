import { createRequire } from 'node:module'
import AxeBuilder from '@axe-core/playwright'
import { expect, type BrowserContext, type Page } from '@playwright/test'
import type { z } from 'zod'
import { provinces } from '#src/areas/place/divisions.ts'
import { KEPT } from '#src/shell/toast-place.ts'
import { test as alone, complaints, settled, tabTitle, toasts, tokenOf } from './desk.ts'
import { bareSums, blackIcons, hiddenTasks } from './looks.ts'
import { pages } from './registry.ts'

/**
 * All pages are opened in one browser, as a person does: what was loaded once is not loaded again.
 * Each begins without anything stored.
 */
export const test = alone.extend<{ page: Page }, { warm: BrowserContext; token: string }>({
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
      const { baseURL, viewport, locale, timezoneId, contextOptions } = project.use
      const context = await browser.newContext({
        ...contextOptions,
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

/** The axe of AxeBuilder, in half as many bytes. */
const AXE = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve(
  'axe-core/axe.min.js',
)
/** What a test of the sweep listens to. */
const HEARD = ['console', 'pageerror', 'response'] as const
/**
 * The sweep opens page after page in one tab, each by its address: a tab begins with a process of
 * its own, which compiles all of the workbench and of axe anew. Between two pages stands another
 * document, where what the last one stored goes.
 */
const inOneTab = test.extend<{ page: Page }, { tab: Page; sparing: () => Promise<void> }>({
  tab: [
    async ({ warm }, lend) => {
      const page = await warm.newPage()
      // The browser is handed axe once, and compiles it once, for all documents of the tab.
      await page.addInitScript({ path: AXE })
      await lend(page)
      await page.close()
    },
    { scope: 'worker' },
  ],
  /** From now on the tab saves data: what it would need later is not fetched ahead. */
  sparing: [
    async ({ tab, warm }, lend) => {
      const cdp = await warm.newCDPSession(tab)
      await lend(async () => {
        await cdp.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true })
      })
    },
    { scope: 'worker' },
  ],
  page: async ({ tab }, lend) => {
    await tab.setViewportSize(SIZES[0])
    await tab.emulateMedia({ colorScheme: 'light' })
    await tab.goto('/healthz')
    await tab.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    await lend(tab)
    for (const event of HEARD) tab.removeAllListeners(event)
  },
})

type Node = { target: unknown; any: { message: string }[]; all: { message: string }[] }
type Violation = { id: string; nodes: Node[] }
const told = (violations: readonly Violation[]) =>
  violations.flatMap(({ id, nodes }) =>
    nodes.map(
      node =>
        `${id}: ${[node.target].flat().join(' ')} · ${node.any[0]?.message ?? node.all[0]?.message ?? ''}`,
    ),
  )
/** Three rows of a list stand for all. */
export const LEFT_OUT = '.m-grid-row:nth-child(n+4)'
/** Where a page itself stands in the workbench. */
const PANE = '.s-pane'
export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/**
 * What axe finds of WCAG 2.2 AA, or of one rule, in all of the workbench or `within` a part. Style
 * sheets, which are the same for every part, are looked at with all of it.
 */
export const faultsOf = async (page: Page, only?: string, within?: string): Promise<string[]> => {
  const all = new AxeBuilder({ page })
    .exclude(LEFT_OUT)
    .options({ resultTypes: ['violations'], preload: within === undefined })
    .setLegacyMode()
  const axe = within === undefined ? all : all.include(within)
  const { violations } = await (only ? axe.withRules([only]) : axe.withTags(WCAG)).analyze()
  return told(violations)
}
type Axe = {
  run: (where: object, how: object) => Promise<{ violations: Violation[] }>
}
/**
 * The same of one rule, where only colours changed since `faultsOf`, which has left axe in the
 * page: it is not sent and compiled once more.
 */
const faultsAgain = (page: Page, rule: string, within = 'html'): Promise<string[]> =>
  faultsWithin(page, { type: 'rule', values: [rule] }, within)
/** What axe, which is in the page already, finds of some rules within one element. */
export const faultsWithin = async (
  page: Page,
  only: { type: 'rule' | 'tag'; values: readonly string[] },
  within: string,
  leftOut = LEFT_OUT,
): Promise<string[]> =>
  told(
    await page.evaluate(
      async ([not, runOnly, where]) => {
        const { axe } = window as unknown as { axe: Axe }
        const how = { runOnly, resultTypes: ['violations'], preload: false }
        return (await axe.run({ include: [[where]], exclude: [[not]] }, how)).violations
      },
      [leftOut, only, within] as const,
    ),
  )
/** The page in dark colours, once they have come. */
export const darkened = async (page: Page): Promise<void> => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveClass(/bp6-dark/)
  // One that is taken back is over too, and its promise is refused.
  await page.evaluate(async () => {
    await Promise.allSettled(document.getAnimations().map(animation => animation.finished))
  })
}
/** Speaks English, as where another tab of the same person was told to: its command has a journey. */
const inEnglish = (page: Page) =>
  page.evaluate(() => {
    const [key, newValue] = ['mallet.lang', 'en']
    localStorage.setItem(key, newValue)
    dispatchEvent(new StorageEvent('storage', { key, newValue }))
  })
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
/** Names, the keys, placeholders, addresses, and codes in groups of four. */
const sameInBoth =
  /^(Mallet|English|Ctrl.*|Alt.*|Esc|Del|\{\w+\}|https?:\/\/\S+|[2-9A-Z]{4}(-[2-9A-Z]{1,4})+)$/

/** The query parameter that a page can't do without. */
const neededBy = ({ search }: (typeof pages)[number]): string | undefined =>
  Object.entries((search as { shape?: Record<string, z.ZodType> } | undefined)?.shape ?? {}).find(
    ([, rule]) => !rule.safeParse(undefined).success,
  )?.[0]
/** Where the ids of a record that a page is about come from, where it isn't the list above it. */
const listOf: Readonly<Record<string, string>> = { city_id: '/api/manageback/city/list' }
const sellers = '/api/manageback/distribution/index'
/** The same for pages whose record is found in a part of the list above them, or in one beside it. */
const listFor: Readonly<Record<string, string>> = {
  '/manage/distribution/index/group/detail': `${sellers}/teams`,
  '/manage/distribution/index/group/customer': `${sellers}/teams`,
  '/manage/distribution/index/groupMembers': `${sellers}/teams`,
  '/manage/distribution/index/expertDetail': `${sellers}/lst?kind=expert`,
  '/manage/distribution/index/guideDetail': `${sellers}/lst?kind=guide`,
  '/manage/distribution/index/guideBindingCustomer': `${sellers}/lst?kind=guide`,
  '/manage/distribution/index/distStoreDetail': `${sellers}/lst?kind=store`,
  '/manage/channel/statistics/detail': '/api/manageback/channel/code/lst',
  '/manage/vip/pointsShop/Detail': '/api/manageback/vip/pointsShop/Detail/found',
}
/** The address of a page; one that shows a record is given the first of the list above it. */
const addressOf = async (
  page: Page,
  token: string,
  of: (typeof pages)[number],
): Promise<string> => {
  const needed = neededBy(of)
  const inPath = of.path.endsWith('/:id')
  if (needed === undefined && !inPath) return of.path
  // `…/index/edit/:id` stands under the list of `…/index`.
  const parent = of.path.split('/').slice(0, inPath ? -2 : -1)
  const above = of.under ?? parent.join('/')
  const list =
    listFor[of.path] ??
    listOf[needed ?? ''] ??
    `/api/manageback${above.replace(/^\/manage/, '')}/lst`
  const answer = await (
    await page.context().request.get(`${list}${list.includes('?') ? '&' : '?'}pageSize=1`, {
      headers: { 'Authori-zation': `Bearer ${token}` },
    })
  ).json()
  const { id } = answer.data.list[0]
  return inPath ? of.path.replace(':id', id) : `${of.path}?${needed}=${id}`
}

/** The windows in which no list may cut what says something else when it is cut. */
const SIZES = [
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
] as const
/** How long a list may take to fit its columns to another window, in ms: pictures may be few. */
const FITS_MS = 1000
/** Numbers, states and moments that a list cuts once it has fitted its columns to its room. */
export const cutCells = (page: Page): Promise<string[]> =>
  page.evaluate(async ms => {
    const frame = () => new Promise(requestAnimationFrame)
    const holdsOneOnly = ({ firstElementChild: only, textContent }: Element) =>
      only?.matches('.m-num') === true && only.textContent === textContent
    const isFirm = (cell: HTMLElement) =>
      cell.dataset.align === 'end' ||
      cell.querySelector('time, .m-badge') !== null ||
      holdsOneOnly(cell) ||
      // A phone, or the number of an order, a card or a parcel.
      /^[A-Z]{0,4}[\d*]{7,}$/.test(cell.textContent)
    const cut = () =>
      [...document.querySelectorAll<HTMLElement>('.m-grid [data-column]')]
        .filter(cell => cell.scrollWidth > cell.clientWidth && cell.checkVisibility())
        .filter(isFirm)
        .map(cell => `${cell.dataset.column}: ${cell.textContent}`)
    await frame()
    await frame()
    const until = performance.now() + ms
    while (cut().length > 0 && performance.now() < until) await frame()
    return cut()
  }, FITS_MS)
/** Quantities of lists and small tables that run their thousands together. */
const runTogether = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.s-pane [data-align=end]')]
      .filter(cell => cell.checkVisibility() && /^[-+]?\d{4,}$/.test(cell.textContent))
      .map(cell => `${cell.dataset.column ?? 'table'}: ${cell.textContent}`),
  )
/**
 * What is wrong in any window that people work in: first in the one that is open, which is put back
 * at the end.
 */
const atSizes = async (page: Page, faults: () => Promise<string[]>): Promise<string[]> => {
  const own = page.viewportSize()!
  const others = SIZES.filter(size => size.width !== own.width)
  const found: string[] = []
  for (const size of [own, ...others]) {
    if (size !== own) await page.setViewportSize(size)
    for (const one of await faults()) found.push(`${size.width}×${size.height} ${one}`)
  }
  await page.setViewportSize(own)
  return found
}

/** The blue buttons of a page; one that can't be pressed is told so. */
const blueButtons = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.bp6-button.bp6-intent-primary')]
      .filter(
        button =>
          button.checkVisibility() &&
          !button.matches('.bp6-minimal, .bp6-outlined') &&
          // What others bring is told over the list, whenever they do: it is no task.
          !button.closest('.bp6-dialog, .bp6-popover, .m-new-rows'),
      )
      .map(button => (button.matches('.bp6-disabled') ? 'off: ' : '') + button.textContent),
  )
/** More than one, or one that can't be pressed, is a fault: the blue button is the page's main task. */
export const blueFaults = async (page: Page): Promise<string[]> => {
  const all = await blueButtons(page)
  return all.length > 1 ? all : all.filter(button => button.startsWith('off: '))
}

/**
 * What a message stands on though it must be seen: the same list as the shell's; null where the
 * message has gone meanwhile.
 */
const coveredNow = (page: Page): Promise<string[] | null> =>
  page.evaluate(
    async ([kept, ms]) => {
      const frame = () => new Promise(requestAnimationFrame)
      const covered = () => {
        const box = document.querySelector('.s-toast')?.getBoundingClientRect()
        if (!box) return null
        return [...document.querySelectorAll<HTMLElement>(kept)]
          .filter(one => {
            const { left, right, top, bottom, width, height } = one.getBoundingClientRect()
            const isClear =
              left >= box.right || right <= box.left || top >= box.bottom || bottom <= box.top
            return !isClear && width > 0 && height > 0 && one.checkVisibility()
          })
          .map(one => `${one.className}: ${one.textContent.slice(0, 20)}`)
      }
      const until = performance.now() + ms
      while ((covered() ?? []).length > 0 && performance.now() < until) await frame()
      return covered()
    },
    [KEPT.join(), FITS_MS] as const,
  )
const raise = async (page: Page) => {
  // The key of 复制链接: to open the palette for it takes four times as long.
  if ((await toasts(page).count()) === 0) await page.keyboard.press('Control+Shift+C')
  await expect(toasts(page).first()).toBeVisible()
}
/** What a message stands on: one that went by itself, on a busy machine, is raised once more. */
const coveredBy = async (page: Page): Promise<string[]> => {
  for (;;) {
    await raise(page)
    const covered = await coveredNow(page)
    if (covered) return covered
  }
}
/**
 * Raises a message and says what it stands on, in every window that people work in, with what else
 * is `asked` of each of them.
 */
export const toastFaults = async (
  page: Page,
  asked: () => Promise<string[]> = async () => [],
): Promise<string[]> => {
  await raise(page)
  const found = await atSizes(page, async () => [...(await coveredBy(page)), ...(await asked())])
  // It is closed where it has not gone meanwhile.
  await page.evaluate(() => document.querySelector<HTMLElement>('.s-toast .s-close')?.click())
  await expect(toasts(page)).toHaveCount(0)
  return found
}

/** Where a page is turned to another part of itself; the states of a list are its rows. */
const TURNS = [
  '.s-pane [role=tablist]:not([aria-label="状态"]) [role=tab]',
  '.s-pane [role=radiogroup] [role=radio]',
].join()
const CHOSEN = '[aria-selected=true], [aria-checked=true], :disabled'
/** What is wrong in each part that a page can be turned to, one after the other. */
const inOtherViews = async (page: Page, faults: () => Promise<string[]>): Promise<string[]> => {
  const turns = page.locator(TURNS)
  const found: string[] = []
  for (let at = 0; at < (await turns.count()); at++) {
    const turn = turns.nth(at)
    const isTurned = await turn.evaluate((one, chosen) => one.matches(chosen), CHOSEN)
    if (isTurned || !(await turn.isVisible())) continue
    const name = await turn.textContent()
    await turn.click()
    await settled(page)
    for (const one of await faults()) found.push(`${name}: ${one}`)
  }
  return found
}

/**
 * `within` is the part that is looked at for accessibility; all of the workbench without it. What is
 * fetched ahead is the same for all pages as well.
 */
const visit = (of: (typeof pages)[number], within?: string) =>
  inOneTab(
    `${of.path} opens, is named, silent, accessible, of one language, cuts no number, has one blue button and keeps messages out of the way`,
    async ({ page, token, sparing }) => {
      if (within) await sparing()
      const address = await addressOf(page, token, of)
      await page.evaluate(
        given => {
          for (const [key, value] of Object.entries(given)) localStorage.setItem(key, value)
        },
        { token, 'mallet.account': 'admin', 'theme:admin': 'system' },
      )
      const found = complaints(page)
      const answers = answersOf(page)
      await page.goto(address)
      await expect(page.getByRole('navigation', { name: '主菜单' })).toBeVisible()
      await settled(page)
      await expect(page).toHaveTitle(tabTitle(of.title))
      await expect(page.locator('.s-pane-header h2')).toHaveText(of.title)
      const wcag = { type: 'tag', values: WCAG } as const
      // Only axe's builder goes into frames.
      const isPart = within !== undefined && page.frames().length === 1
      const faults = isPart ? faultsWithin(page, wcag, within) : faultsOf(page, undefined, within)
      expect(await faults).toEqual([])
      expect(await foreignWords(page, await answers.all(), 'zh')).toEqual([])
      expect(await blueFaults(page)).toEqual([])
      expect(await runTogether(page)).toEqual([])
      expect(await bareSums(page)).toEqual([])
      const inRoom = async () => [...(await cutCells(page)), ...(await hiddenTasks(page))]
      expect(await toastFaults(page, inRoom)).toEqual([])
      const inView = async () => [
        ...(await foreignWords(page, await answers.all(), 'zh')),
        ...(await blueFaults(page)),
        ...(await runTogether(page)),
        ...(await atSizes(page, () => cutCells(page))),
      ]
      expect(await inOtherViews(page, inView)).toEqual([])
      await darkened(page)
      expect(await faultsAgain(page, 'color-contrast', within)).toEqual([])
      expect(await blackIcons(page)).toEqual([])
      // What the server says of the page is asked for again: what it said in Chinese counts no more.
      answers.forget()
      await inEnglish(page)
      await expect(page).toHaveTitle(tabTitle(of.en))
      await expect(page.locator('html')).toHaveAttribute('lang', 'en')
      await expect
        .poll(async () => foreignWords(page, await answers.all(), 'en'), { intervals: [100] })
        .toEqual([])
      expect(found).toEqual([])
    },
  )
/**
 * Opens every page of one part of so many, and holds it to what every page keeps. Parts are dealt
 * out page by page, so that they take about as long. The workbench round the pages is the same for
 * all: it is looked at with the first.
 */
export const sweep = (part: number, parts: number): void => {
  const [first, ...others] = pages.filter((_, at) => at % parts === part)
  visit(first!)
  for (const of of others) visit(of, PANE)
}
