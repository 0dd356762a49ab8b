import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'

/** What a worker's journeys open their pages in, one after the other. */
export type Seat = {
  context: BrowserContext
  page: Page
  /** Puts everything back as it was before a journey. */
  leave: () => Promise<void>
}

type Disposable = { dispose: () => Promise<void> }
/** Every page and context has listeners of Playwright's own; all others are a journey's. */
type Emitter = {
  eventNames: () => (string | symbol)[]
  listeners: (name: string | symbol) => unknown[]
  off: (name: string | symbol, listener: unknown) => void
}
const listening = (to: Emitter): Set<unknown> =>
  new Set(to.eventNames().flatMap(name => to.listeners(name)))
const hearNoMore = (to: Emitter, but: ReadonlySet<unknown>) => {
  for (const name of to.eventNames())
    for (const one of to.listeners(name)) if (!but.has(one)) to.off(name, one)
}
/** Collects what is put into every document of a page or context, so that it can be taken out. */
const collect = (of: Page | BrowserContext, into: Disposable[]) => {
  const keep =
    <Given extends unknown[], Made extends Disposable>(make: (...given: Given) => Promise<Made>) =>
    async (...given: Given) => {
      const made = await make.apply(of, given)
      into.push(made)
      return made
    }
  of.addInitScript = keep(of.addInitScript) as Page['addInitScript']
  of.exposeFunction = keep(of.exposeFunction)
}

/**
 * A context with one tab for all journeys of a worker: what a browser has loaded and compiled once
 * it keeps, and a tab keeps its process. Whatever a journey may leave there is put back after it;
 * one that fails ends its worker, and with it the seat.
 */
export const takeSeat = async (
  browser: Browser,
  options: BrowserContextOptions & { baseURL: string; viewport: { width: number; height: number } },
): Promise<Seat> => {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  const put: Disposable[] = []
  for (const one of [context, page]) collect(one, put)
  const openCdp = context.newCDPSession.bind(context)
  context.newCDPSession = async of => {
    const session = await openCdp(of)
    put.push({ dispose: () => session.detach().catch(() => {}) })
    return session
  }
  const own = [context, page].map(one => listening(one as unknown as Emitter))
  const leave = async () => {
    for (const [at, one] of [context, page].entries())
      hearNoMore(one as unknown as Emitter, own[at]!)
    for (const other of context.pages()) if (other !== page) await other.close()
    for (const one of put.splice(0)) await one.dispose()
    for (const one of [context, page]) await one.unrouteAll({ behavior: 'ignoreErrors' })
    await context.setOffline(false)
    await context.clearPermissions()
    // Another document of the server's: what the tab holds for its journey's is emptied there.
    await page.goto('/healthz')
    await page.evaluate(() => sessionStorage.clear())
    await cdp.send('Storage.clearDataForOrigin', {
      origin: new URL(options.baseURL).origin,
      storageTypes: 'all',
    })
    await context.clearCookies()
    await page.setViewportSize(options.viewport)
    await page.emulateMedia({
      media: null,
      colorScheme: 'light',
      reducedMotion: options.reducedMotion ?? 'no-preference',
      forcedColors: 'none',
      contrast: 'no-preference',
    })
    await page.mouse.move(-1, -1)
    await cdp.send('Page.resetNavigationHistory')
  }
  return { context, page, leave }
}
