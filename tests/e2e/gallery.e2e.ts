import { existsSync, readFileSync } from 'node:fs'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { looks } from '#src/gallery/looks.ts'
import { complaints, test } from './desk.ts'
import { faultsOf } from './sweep.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
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
  await expect(page.locator('.g-gallery canvas, .g-gallery svg[_echarts]').first()).toBeAttached()
}
test.beforeAll(async () => {
  await build({
    root: join(root, 'src/gallery'),
    configFile: false,
    logLevel: 'warn',
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
test('every part of the kit is accessible in every look, and fits at every size', async ({
  page,
}) => {
  const found = complaints(page)
  await page.setViewportSize(sizes[0])
  await open(page)
  for (const [at, look] of looks.entries()) {
    if (at > 0) await page.keyboard.press('t')
    await expect(page.locator('html')).toHaveClass(look.dark ? /bp6-dark/ : /^(?!.*bp6-dark)/)
    expect(await faultsOf(page, at === 0 ? undefined : 'color-contrast')).toEqual([])
  }
  for (const size of sizes) {
    await page.setViewportSize(size)
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).toBeLessThanOrEqual(0)
  }
  expect(found).toEqual([])
})
test('every layer opens over them, and is accessible', async ({ page }) => {
  const found = complaints(page)
  await page.setViewportSize(sizes[0])
  await open(page)
  const buttons = page.locator('[data-layer]')
  const layers = page.locator('[role=dialog], [role=alertdialog]')
  for (let at = 0; at < (await buttons.count()); at++) {
    const state = page.locator('.g-state', { has: page.locator('[data-layer]') }).nth(at)
    const name = (await state.getAttribute('aria-label'))!
    // It draws nothing.
    if (name.startsWith('coming')) continue
    await buttons.nth(at).press('Enter')
    await expect(layers, name).toHaveCount(1)
    await page.evaluate(() =>
      Promise.all(document.getAnimations().map(animation => animation.finished)),
    )
    expect(await faultsOf(page, undefined, '[role=dialog], [role=alertdialog]'), name).toEqual([])
    await page.keyboard.press('Escape')
    await expect(layers, name).toHaveCount(0)
  }
  expect(found).toEqual([])
})
