import type { Browser } from '@playwright/test'
import { press, servePage } from './browser.ts'
import { median, quantile } from './table.ts'

/** Initials, full pinyin, English: a letter at a time. */
export const WORDS = ['tgsh', 'tuangoushenhe', 'tongguo', 'refund', 'ddlb', 'jujue']
/** Whose palette stands on the page, each over the same 10,000 commands. */
export type PaletteOf = 'mallet' | 'kbar' | 'cmdk'
export type Figures = { open: number[]; focus: number[]; key: number[] }

/** Serves the page of the three palettes; `measure` answers ms to paint, over so many loads of it. */
export const servePalettes = async (browser: Browser) => {
  const site = await servePage('palette')
  const measure = async (
    of: PaletteOf,
    loads: number,
    typed: readonly string[],
  ): Promise<Figures> => {
    const figures: Figures = { open: [], focus: [], key: [] }
    for (let load = 0; load < loads; load++) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      page.on('pageerror', error => {
        throw error
      })
      await page.goto(`${site.address}?of=${of}`, { waitUntil: 'load' })
      await page.waitForTimeout(500)
      // The first opening builds what is kept afterwards; it is measured too, and is one of many.
      for (const word of typed) {
        const opened = await press(page, 'Control+k')
        figures.open.push(opened.paint)
        if (opened.focus !== undefined) figures.focus.push(opened.focus)
        for (const letter of word) figures.key.push((await press(page, letter)).paint)
        if (
          !(await page.evaluate(
            () =>
              document.activeElement?.tagName === 'INPUT' &&
              (document.activeElement as HTMLInputElement).value.length > 0,
          ))
        )
          throw new Error(`${of}: nothing was typed`)
        await page.keyboard.press('Escape')
        await page.waitForTimeout(300)
      }
      await page.close()
    }
    return figures
  }
  return { measure, close: site.close }
}

/**
 * What kbar's palette took from a key to its paint, ms, on the machine that the budgets in ms were
 * made on.
 */
const KBAR_THERE = { p50: 70, p95: 149 }
/** How many times slower than on that machine the same page is here and now. */
export type Pace = { p50: number; p95: number }
/** The pace of this machine by kbar's keystrokes; a quicker one gets no stricter budget. */
export const paceOf = ({ key }: Pick<Figures, 'key'>): Pace => ({
  p50: Math.max(1, median(key) / KBAR_THERE.p50),
  p95: Math.max(1, quantile(key, 0.95) / KBAR_THERE.p95),
})
