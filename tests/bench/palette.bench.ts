// The palette with 10,000 commands beside kbar and cmdk's own filter, all three in one browser and
// one run.
import { openBrowser } from './browser.ts'
import { paceOf, servePalettes, WORDS, type Figures } from './palettePage.ts'
import { atMostAt, bench, median, quantile, timesBetter, told } from './table.ts'

const FRAME = 1000 / 60

await bench('palette, 10,000 commands, keystroke to paint', async note => {
  const browser = await openBrowser()
  const site = await servePalettes(browser)
  const mallet = await site.measure('mallet', 2, WORDS)
  const kbar = await site.measure('kbar', 1, WORDS)
  const cmdk = await site.measure('cmdk', 1, ['tgsh', 'refund'])
  await browser.close()
  site.close()
  const p50 = (of: Figures) => median(of.key)
  const pace = paceOf(kbar)
  note(
    timesBetter('keystroke → paint, p50, against kbar', p50(mallet), p50(kbar), 4),
    timesBetter("keystroke → paint, p50, against cmdk's own filter", p50(mallet), p50(cmdk), 20),
    atMostAt(pace.p50, `keystroke → paint, p50 of ${mallet.key.length}`, p50(mallet), FRAME),
    atMostAt(pace.p95, 'keystroke → paint, p95', quantile(mallet.key, 0.95), 2 * FRAME),
    atMostAt(
      pace.p50,
      `open → painted, p50 of ${mallet.open.length}`,
      median(mallet.open),
      2 * FRAME,
    ),
    atMostAt(pace.p50, 'open → focus, p50', median(mallet.focus), FRAME),
    told('open → painted, the first time', mallet.open[0]!, 'ms'),
    told(`kbar: keystroke → paint, p50 of ${kbar.key.length}`, p50(kbar), 'ms'),
    told('kbar: keystroke → paint, p95', quantile(kbar.key, 0.95), 'ms'),
    told('kbar: open → painted, p50', median(kbar.open), 'ms'),
    told(`cmdk's filter: keystroke → paint, p50 of ${cmdk.key.length}`, p50(cmdk), 'ms'),
    told("cmdk's filter: keystroke → paint, p95", quantile(cmdk.key, 0.95), 'ms'),
    told("cmdk's filter: open → painted, p50", median(cmdk.open), 'ms'),
  )
})
