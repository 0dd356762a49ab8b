// The palette with 10,000 commands beside kbar and cmdk's own filter, all three in one browser and
// one run.
import { openBrowser, press, servePage } from './browser.ts'
import { atMost, bench, median, quantile, timesBetter, told } from './table.ts'

const FRAME = 1000 / 60
/** Initials, full pinyin, English: a letter at a time. */
const words = ['tgsh', 'tuangoushenhe', 'tongguo', 'refund', 'ddlb', 'jujue']
type Figures = { open: number[]; focus: number[]; key: number[] }

await bench('palette, 10,000 commands, keystroke to paint', async note => {
  const [browser, site] = [await openBrowser(), await servePage('palette')]
  const measure = async (of: string, loads: number, typed: readonly string[]): Promise<Figures> => {
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
  const mallet = await measure('mallet', 2, words)
  const kbar = await measure('kbar', 1, words)
  const cmdk = await measure('cmdk', 1, ['tgsh', 'refund'])
  await browser.close()
  site.close()
  const p50 = (of: Figures) => median(of.key)
  note(
    timesBetter('keystroke → paint, p50, against kbar', p50(mallet), p50(kbar), 4),
    timesBetter("keystroke → paint, p50, against cmdk's own filter", p50(mallet), p50(cmdk), 20),
    atMost(`keystroke → paint, p50 of ${mallet.key.length}`, p50(mallet), FRAME, 'ms'),
    atMost('keystroke → paint, p95', quantile(mallet.key, 0.95), 2 * FRAME, 'ms'),
    atMost(`open → painted, p50 of ${mallet.open.length}`, median(mallet.open), 2 * FRAME, 'ms'),
    atMost('open → focus, p50', median(mallet.focus), FRAME, 'ms'),
    told('open → painted, the first time', mallet.open[0]!, 'ms'),
    told(`kbar: keystroke → paint, p50 of ${kbar.key.length}`, p50(kbar), 'ms'),
    told('kbar: keystroke → paint, p95', quantile(kbar.key, 0.95), 'ms'),
    told('kbar: open → painted, p50', median(kbar.open), 'ms'),
    told(`cmdk's filter: keystroke → paint, p50 of ${cmdk.key.length}`, p50(cmdk), 'ms'),
    told("cmdk's filter: keystroke → paint, p95", quantile(cmdk.key, 0.95), 'ms'),
    told("cmdk's filter: open → painted, p50", median(cmdk.open), 'ms'),
  )
})
