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
  // The key on the main button of the dialog that reveals a value.
  /^color-contrast: \.bp6-intent-primary > \.bp6-button-text > kbd/,
]
/** Old rows are dimmed until the new ones are there. */
const leftOut = `${LEFT_OUT}, [data-stale]`
const LAYER = '[role=dialog], [role=alertdialog]'
/** Nothing moves but what never ends. */
const settled = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(
        () =>
          document
            .getAnimations()
            .filter(one => one.effect?.getComputedTiming().iterations !== Infinity).length,
      ),
    )
    .toBe(0)
const faultsIn = async (page: Page, within: string, colours = false): Promise<string[]> => {
  const only = colours
    ? ({ type: 'rule', values: ['color-contrast'] } as const)
    : ({ type: 'tag', values: WCAG } as const)
  const all = await faultsWithin(page, only, within, leftOut)
  return all.filter(fault => !known.some(one => one.test(fault)))
}
/** Each part by itself, as the search leaves it: axe looks at the whole page each time. */
const eachPart = async (page: Page, visit: (part: string) => Promise<string[]>): Promise<void> => {
  // Some forty parts, one after the other.
  test.slow()
  const found = complaints(page)
  await page.setViewportSize(sizes[0])
  await open(page)
  // Puts axe into the page.
  await faultsOf(page)
  const faults: string[] = []
  for (const part of specimens) {
    await page.getByLabel('查找部件').fill(part)
    await expect(page.getByRole('article', { name: part, exact: true })).toBeVisible()
    faults.push(...(await visit(part)).map(fault => `${part}: ${fault}`))
  }
  expect(faults).toEqual([])
  expect(found).toEqual([])
}
test('every part is accessible in both themes', async ({ page }) => {
  await eachPart(page, async () => {
    const light = await faultsIn(page, 'main')
    await page.getByLabel('查找部件').press('Escape')
    await page.keyboard.press('t')
    await settled(page)
    const dark = await faultsIn(page, 'main', true)
    for (const _ of looks.slice(1)) await page.keyboard.press('t')
    return [...light, ...dark]
  })
})
type Held = { drawHeld?: () => void }
/** Lets the page draw no frame, as one that is very busy, until `drawFrames`. */
const holdFrames = (page: Page) =>
  page.evaluate(() => {
    const held: FrameRequestCallback[] = []
    const draw = globalThis.requestAnimationFrame
    globalThis.requestAnimationFrame = callback => held.push(callback)
    ;(globalThis as Held).drawHeld = () => {
      globalThis.requestAnimationFrame = draw
      for (const callback of held) draw(callback)
    }
  })
const drawFrames = (page: Page) => page.evaluate(() => (globalThis as Held).drawHeld?.())
test('every layer is accessible, has the focus at once, and goes with Escape', async ({ page }) => {
  await eachPart(page, async part => {
    const layers = page.locator('[data-layer]')
    // What stands in for a dialog draws nothing.
    const count = part === 'coming' ? 0 : await layers.count()
    const faults: string[] = []
    for (let at = 0; at < count; at++) {
      await holdFrames(page)
      await layers.nth(at).press('Enter')
      await expect(page.locator(LAYER)).toHaveCount(1)
      const hasFocus = await page.evaluate(
        layer => document.activeElement?.closest(layer) != null,
        LAYER,
      )
      if (!hasFocus) faults.push(`layer ${at} waits for a frame to take the focus`)
      await drawFrames(page)
      await settled(page)
      faults.push(...(await faultsIn(page, LAYER)))
      await page.keyboard.press('Escape')
      await expect(page.locator(LAYER)).toHaveCount(0)
    }
    return faults
  })
})
test('the gallery fits at every size', async ({ page }) => {
  await open(page)
  for (const size of sizes) {
    await page.setViewportSize(size)
    const over = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(await over()).toBeLessThanOrEqual(0)
  }
})
