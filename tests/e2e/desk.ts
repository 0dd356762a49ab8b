import {
  test as plain,
  expect,
  type Browser,
  type BrowserContext,
  type FileChooser,
  type Locator,
  type Page,
  type Route,
} from '@playwright/test'
import { takeSeat, type Seat } from './seat.ts'

export const PASSWORD = 'Mallet#2026'

/** Milliseconds from the true clock to that of the run (tests/farm/clock.mjs). */
const OFFSET = Number(process.env.TEST_CLOCK_OFFSET)
/** In a page: its clock runs, and began with the run's. The same as tests/farm/clock.mjs. */
const goByTheRun = (offset: number) => {
  const True = Date
  const now = () => True.now() + offset
  globalThis.Date = new Proxy(True, {
    construct: (_, of, as) => Reflect.construct(True, of.length === 0 ? [now()] : of, as) as Date,
    apply: () => new True(now()).toString(),
    get: (_, key) => (key === 'now' ? now : (Reflect.get(True, key) as unknown)),
  })
}
/**
 * A test whose pages all go by the run's clock, as their server does, whatever machine they are
 * opened at. Every journey's test is this one (tests/farm/clock.test.ts).
 */
export const test = plain.extend<
  { context: BrowserContext; page: Page },
  { browser: Browser; seat: Seat }
>({
  browser: [
    async ({ browser }, lend) => {
      const open = browser.newContext.bind(browser)
      browser.newContext = async (...options) => {
        const context = await open(...options)
        await context.addInitScript(goByTheRun, OFFSET)
        return context
      }
      await lend(browser)
    },
    { scope: 'worker' },
  ],
  seat: [
    async ({ browser }, lend, { project }) => {
      const { baseURL, viewport, locale, timezoneId, contextOptions } = project.use
      const seat = await takeSeat(browser, {
        ...contextOptions,
        baseURL: baseURL!,
        viewport: viewport!,
        locale: locale!,
        timezoneId: timezoneId!,
      })
      await lend(seat)
      await seat.context.close()
    },
    { scope: 'worker' },
  ],
  context: async ({ seat }, lend, info) => {
    await lend(seat.context)
    // What failed ends its worker; its page is looked at as it is.
    if (info.status === info.expectedStatus) await seat.leave()
  },
  page: async ({ context }, lend) => {
    await lend(context.pages()[0]!)
  },
})

/**
 * Makes the mouse useless in every page of a context: nothing takes a pointer event. One that
 * arrives all the same is heard, whatever page it was on and however often that was loaded anew;
 * and a click that keys make (its `detail` is 0) is told from one that is made otherwise. Answers
 * what was heard.
 */
export const withoutMouse = async (context: BrowserContext): Promise<readonly string[]> => {
  const heard: string[] = []
  await context.exposeFunction('pointerHeard', (what: string) => {
    heard.push(what)
  })
  await context.addInitScript(() => {
    const { pointerHeard } = window as unknown as { pointerHeard: (what: string) => void }
    const hear = (event: Event) => {
      if (event.isTrusted && (event.type !== 'click' || (event as MouseEvent).detail > 0))
        pointerHeard(
          `${event.type} on ${(event.target as Element | null)?.nodeName} at ${location.pathname}`,
        )
    }
    for (const kind of [
      'pointerdown',
      'mousedown',
      'touchstart',
      'wheel',
      'click',
      'dblclick',
      'contextmenu',
    ])
      addEventListener(kind, hear, { capture: true, passive: true })
    addEventListener('DOMContentLoaded', () => {
      document.documentElement.style.pointerEvents = 'none'
    })
  })
  return heard
}

/**
 * A test that no pointer event may reach: neither its page nor those of the colleagues it asks for,
 * each at a machine of their own.
 */
export const keyboardTest = test.extend<{
  handsOff: readonly string[]
  colleague: () => Promise<Page>
}>({
  handsOff: [
    async ({ context }, lend) => {
      const heard = await withoutMouse(context)
      await lend(heard)
      expect(heard, 'a pointer event reached a journey by keyboard alone').toEqual([])
    },
    { auto: true },
  ],
  colleague: async ({ browser }, lend) => {
    const machines: { context: BrowserContext; heard: readonly string[] }[] = []
    await lend(async () => {
      const context = await browser.newContext()
      machines.push({ context, heard: await withoutMouse(context) })
      return context.newPage()
    })
    for (const { context } of machines) await context.close()
    expect(
      machines.flatMap(({ heard }) => heard),
      'a pointer event reached a colleague’s machine',
    ).toEqual([])
  },
})
/** A test that hears every key which is pressed outside a field that is typed in, and refuses it. */
export const mouseTest = test.extend<{ keysOff: readonly string[] }>({
  keysOff: [
    async ({ context }, lend) => {
      const heard: string[] = []
      await context.exposeFunction('keyHeard', (what: string) => {
        heard.push(what)
      })
      await context.addInitScript(() => {
        const { keyHeard } = window as unknown as { keyHeard: (what: string) => void }
        const hear = ({ key, target, isTrusted }: KeyboardEvent) => {
          const isText = (target as Element).matches('input, textarea, [contenteditable=true]')
          if (isTrusted && !(isText && key.length === 1)) keyHeard(`${key} at ${location.pathname}`)
        }
        addEventListener('keydown', hear, true)
      })
      await lend(heard)
      expect(heard, 'a key reached a journey by mouse alone').toEqual([])
    },
    { auto: true },
  ],
})
/** One of the main jobs; tests/jobs.test.ts holds them against their list by this word. */
export const job = keyboardTest.extend({})

/**
 * Collects what the console complains of; network refusals that a test provokes are named by the
 * test.
 */
export const complaints = (page: Page): string[] => {
  const found: string[] = []
  page.on('pageerror', error => found.push(String(error)))
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') found.push(message.text())
  })
  return found
}

/** Signs in by keyboard; the workbench stands when it returns. */
export const signIn = async (page: Page, account: string, password = PASSWORD) => {
  await page.goto('/')
  await expect(page.getByLabel('账号', { exact: true })).toBeFocused()
  await page.keyboard.type(account)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('navigation', { name: '主菜单' })).toBeVisible()
}

/** Opens the palette, types, and takes the first entry. */
export const command = async (page: Page, typed: string) => {
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: '命令面板' })).toBeFocused()
  await page.keyboard.type(typed)
  await expect(
    page.getByRole('listbox', { name: '结果' }).getByRole('option').first(),
  ).toBeVisible()
  // As long as a finger takes: what comes meanwhile must not hear the key come up.
  await page.keyboard.press('Enter', { delay: 60 })
}

/** What was asked is answered and gone; a question that stays, refused, says why. */
export const answered = (page: Page) =>
  expect.poll(() => page.getByRole('dialog').allInnerTexts(), { intervals: [50] }).toEqual([])

/** Says yes to what an action tells before it is done. */
export const sayYes = async (page: Page) => {
  await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Control+Enter')
}

/** Decides by a key and says yes. Resolves when the server has done it. */
export const decide = async (page: Page, key: string) => {
  const dialog = page.getByRole('dialog')
  const sent = page.waitForResponse(said => /\/(approve|pay|retry)$/.test(said.url()))
  await page.keyboard.press(key)
  await sayYes(page)
  expect((await sent).status()).toBe(200)
  await expect(dialog).toHaveCount(0)
}

/**
 * Answers an open page's requests in the server's place. A page that is already open goes on asking
 * the server for a moment after the browser has said that they are caught (its renderer is told
 * last): of two thousand keys pressed right away five got past. So a request is sent until it is
 * caught.
 */
export const standIn = async (
  page: Page,
  url: string | RegExp,
  answer: (route: Route) => unknown,
) => {
  await page.route('**/healthz?caught', route => route.fulfill({ status: 204 }))
  await page.route(url, answer)
  await page.waitForFunction(async () => (await fetch('/healthz?caught')).status === 204)
}

/** The reasons that an audit's question offers, several of which may hold. */
export const codes = (page: Page) => page.getByRole('dialog').getByRole('checkbox')
/**
 * Rejects what has the focus by the digit of a reason; resolves when the questions are open and
 * answered.
 */
export const rejectBy = async (page: Page, digit: string) => {
  await page.keyboard.press('r')
  await expect(codes(page).first()).toBeFocused()
  await page.keyboard.press(digit)
  await expect(page.getByRole('textbox', { name: '原因说明' })).toBeFocused()
  await page.keyboard.press('Enter')
}

const base = (page: Page) => page.context().request
/** A session made without the sign-in page; its token ends it again. */
export const tokenOf = async (page: Page, account: string): Promise<string> => {
  const answer = await (
    await base(page).post('/api/manageback/login', { data: { account, password: PASSWORD } })
  ).json()
  if (!answer.data) throw new Error(`${account} was not let in: ${answer.message}`)
  return answer.data.token
}
/** Ends a session on the server, as a kick or a sign-out elsewhere would. */
export const endSession = async (page: Page, token: string) => {
  await base(page).post('/api/manageback/logout', {
    data: {},
    headers: { 'Authori-zation': `Bearer ${token}` },
  })
}
export const tokenIn = (page: Page) => page.evaluate(() => localStorage.getItem('token')!)

/**
 * Opens an address as someone who is signed in already, by the session of `settings.token` or a new
 * one. `settings` are put into the storage first. Answers the token.
 */
export const enter = async (
  page: Page,
  account: string,
  address: string,
  settings: Record<string, string> = {},
): Promise<string> => {
  const token = settings.token ?? (await tokenOf(page, account))
  await page.addInitScript(
    given => {
      if (sessionStorage.getItem('entered')) return
      sessionStorage.setItem('entered', '1')
      for (const [key, value] of Object.entries(given)) localStorage.setItem(key, value)
    },
    { token, 'mallet.account': account, ...settings },
  )
  await page.goto(address)
  await expect(page.getByRole('navigation', { name: /主菜单|Main menu/ })).toBeVisible()
  return token
}
/** How long a page may take until it is still, in ms. */
const STILL_MS = 30_000
/** The page went to another document while it was asked something. */
const isGone = (error: unknown) => /context was destroyed|navigat/.test(String(error))
/** Nothing in sight is still being loaded, and keys act on what is shown. */
export const settled = async (page: Page): Promise<void> => {
  const until = Date.now() + STILL_MS
  // Looked at with every picture that is drawn: the steps in which an expectation is tried again
  // would be most of a page's test. A page that gives way to another may be still for one picture,
  // and a page's actions are at hand once its first picture is drawn: three in a row tell.
  // `waitForFunction` would have each document compile all of Playwright's selectors for it.
  const isStill = page.evaluate(async ms => {
    const seen = (selector: string) =>
      [...document.querySelectorAll(selector)].some(element => element.checkVisibility())
    const end = performance.now() + ms
    for (let pictures = 0; pictures < 3;) {
      if (performance.now() > end) return false
      await new Promise(requestAnimationFrame)
      const isStill = seen('.s-page:not([hidden])') && !seen('.m-lines, [aria-busy=true]')
      pictures = isStill ? pictures + 1 : 0
    }
    return true
  }, STILL_MS)
  try {
    expect(await isStill, 'the page came to rest').toBe(true)
  } catch (error) {
    if (!isGone(error) || Date.now() > until) throw error
    await settled(page)
  }
}
/** A tab of a list: one without room stands in the menu behind the others until it is the one. */
const tabOf = (page: Page, name: RegExp) =>
  page.locator('.m-tabs').filter({ visible: true }).getByRole('tab', { name, includeHidden: true })
/** The count that a tab of a list tells. */
export const countOf = async (page: Page, name: RegExp) =>
  Number((await tabOf(page, name).textContent())!.replace(/\D/g, ''))
/** From tab to tab of a list, until it is the one. */
export const toTab = async (page: Page, name: RegExp) => {
  const tab = tabOf(page, name)
  while ((await tab.getAttribute('aria-selected')) !== 'true') await page.keyboard.press(']')
  await settled(page)
}
/** Tab after Tab, until the control has the focus. */
export const tabTo = async (page: Page, control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
  await expect(control).toBeVisible()
  for (
    let at = 0;
    at < 120 && !(await control.evaluate(node => node === document.activeElement));
    at++
  )
    await page.keyboard.press(key)
  await expect(control).toBeFocused()
}
/** Fills the field of a label by keys, whatever it holds: in the question that is open, or `within`. */
export const write = async (
  page: Page,
  label: string | RegExp,
  text: string,
  within = page.getByRole('dialog'),
) => {
  await tabTo(page, within.getByRole('textbox', { name: label }).first())
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}
/** A sequence such as `g a b`. */
export const keys = async (page: Page, sequence: string) => {
  for (const key of sequence.split(' ')) await page.keyboard.press(key)
}
/** The row that has the focus in the pane in front. */
export const focusedRow = (page: Page, pane = page.locator('body')) =>
  pane.locator('.m-grid-row[data-focused]').filter({ visible: true })
export const toasts = (page: Page) => page.locator('.s-toast')
type Files = Parameters<FileChooser['setFiles']>[0]
/**
 * Answers every file chooser from now on with what was handed over last. To be asked for early: the
 * browser takes a moment to begin to listen.
 */
export const handsOver = (page: Page, files?: Files) => {
  let next = files
  page.on('filechooser', chooser => chooser.setFiles(next!))
  return (more: Files) => {
    next = more
  }
}
/** The browser tab's title for a page, however many wait there. */
export const tabTitle = (title: string): RegExp =>
  new RegExp(`^(\\([\\d,+]+\\) )?${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')} · Mallet$`)
