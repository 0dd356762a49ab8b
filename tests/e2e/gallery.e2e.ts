import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { looks } from '#src/gallery/looks.ts'
import { complaints, test } from './desk.ts'
import { faultsOf, faultsWithin, LEFT_OUT, WCAG } from './sweep.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const specimens = readdirSync(join(root, 'src/gallery/specimens')).map(file => file.split('.')[0]!)
const built = join(root, 'test-results/gallery')
const kinds: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}
const ADDRESS = 'http://gallery.test'
/** The gallery as it is built, read from its folder: it has no server. */
const open = async (page: Page): Promise<void> => {
  await page.route(`${ADDRESS}/**`, route => {
    const path = new URL(route.request().url()).pathname
    const file = join(built, normalize(path === '/' ? '/index.html' : path))
    return existsSync(file)
      ? route.fulfill({ contentType: kinds[extname(file)] ?? '', body: readFileSync(file) })
      : route.fulfill({ status: 204 })
  })
  await page.goto(ADDRESS)
  await expect(page.getByRole('article').first()).toBeVisible()
}
test.beforeAll(async () => {
  await build({
    root: join(root, 'src/gallery'),
    configFile: false,
    logLevel: 'error',
    publicDir: join(root, 'public'),
    plugins: [react()],
    build: { outDir: built, emptyOutDir: true, minify: false, chunkSizeWarningLimit: 10_000 },
  })
})

const sizes = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 768, height: 1024 },
] as const
/** Faults of the kit's that are known. This list only shrinks. */
const known: readonly RegExp[] = [
  // A tree without nodes still says that it is a tree.
  /^aria-required-children: .*tree/,
  // Days of the month before and after, of Blueprint's calendar.
  /^color-contrast: .*rdp-day_outside/,
]
/** Old rows are dimmed until the new ones are there. */
const leftOut = `${LEFT_OUT}, [data-stale]`
const LAYER = '[role=dialog], [role=alertdialog]'
const settled = (page: Page) =>
  page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(one => one.effect?.getComputedTiming().iterations !== Infinity)
    await Promise.all(ending.map(one => one.finished))
  })
const faultsIn = async (page: Page, within: string, colours = false): Promise<string[]> => {
  const only = colours
    ? ({ type: 'rule', values: ['color-contrast'] } as const)
    : ({ type: 'tag', values: WCAG } as const)
  const all = await faultsWithin(page, only, within, leftOut)
  return all.filter(fault => !known.some(one => one.test(fault)))
}
/** Each part by itself, as the search leaves it: axe looks at the whole page each time. */
test('every part is accessible in both themes, and every layer that it opens', async ({ page }) => {
  const found = complaints(page)
  await page.setViewportSize(sizes[0])
  await open(page)
  const search = page.getByLabel('查找部件')
  await faultsOf(page)
  for (const part of specimens) {
    const t0 = Date.now()
    await search.fill(part)
    const article = page.getByRole('article', { name: part, exact: true })
    await expect(article).toBeVisible()
    expect(await faultsIn(page, 'main'), part).toEqual([])
    const t1 = Date.now()
    await page.locator('h1').click()
    await page.keyboard.press('t')
    await settled(page)
    expect(await faultsIn(page, 'main', true), part).toEqual([])
    for (const _ of looks.slice(1)) await page.keyboard.press('t')
    const t2 = Date.now()
    const layers = article.locator('[data-layer]')
    for (let at = 0; at < (await layers.count()); at++) {
      // It draws nothing.
      if (part === 'coming') continue
      await layers.nth(at).press('Enter')
      await expect(page.locator(LAYER)).toHaveCount(1)
      await settled(page)
      expect(await faultsIn(page, LAYER), `${part} ${at}`).toEqual([])
      await page.keyboard.press('Escape')
      await expect(page.locator(LAYER)).toHaveCount(0)
    }
    console.log(part, t1 - t0, t2 - t1, Date.now() - t2)
  }
  expect(found).toEqual([])
})
test('the gallery fits at every size', async ({ page }) => {
  await open(page)
  for (const size of sizes) {
    await page.setViewportSize(size)
    const over = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(await over()).toBeLessThanOrEqual(0)
  }
})
