// The kit's Grid with 100,000 rows of 15 columns: key to paint near the top and deep in it, and
// scrolling by wheel with jumps.
import { fit } from '#src/kit/fit.ts'
import { openBrowser, press, servePage } from './browser.ts'
import { atLeast, atMost, bench, exactly, median, quantile, told, within } from './table.ts'

const FRAME = 1000 / 60
await bench('list of 100,000 rows, 15 columns', async note => {
  const [browser, site] = [await openBrowser(), await servePage('rows')]
  const keys: number[] = []
  const deep: number[] = []
  const fps: number[] = []
  const long: number[] = []
  let blank = 0
  for (let load = 0; load < 3; load++) {
    for (const [at, into] of [
      [1, keys],
      [90_000, deep],
    ] as const) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      page.on('pageerror', error => {
        throw error
      })
      await page.goto(`${site.address}?at=${at}`, { waitUntil: 'load' })
      await page.getByRole('grid').focus()
      await page.waitForTimeout(300)
      for (let i = 0; i < 20; i++) into.push((await press(page, 'ArrowDown')).paint)
      const told = await page.locator('[role=row][data-focused]').getAttribute('aria-rowindex')
      if (Number(told) !== at + 21) throw new Error(`the focus stands in row ${told}`)
      await page.close()
    }
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(site.address, { waitUntil: 'load' })
    await page.waitForTimeout(300)
    await page.mouse.move(700, 450)
    const measured = page.evaluate(() => window.probe.frames(4000))
    for (let i = 0; i < 100; i++) {
      await page.mouse.wheel(0, i % 25 === 24 ? 400_000 : 300)
      await page.waitForTimeout(30)
    }
    const frames = await measured
    fps.push((1000 * frames.length) / frames.reduce((sum, one) => sum + one, 0))
    long.push(frames.filter(one => one > 50).length)
    // Whatever stands in the window is drawn: from its first pixel to its last.
    if (
      await page.evaluate(() => {
        const box = document.querySelector('[role=grid]')!.getBoundingClientRect()
        return [0.2, 0.5, 0.9].some(
          part =>
            !document
              .elementFromPoint(box.left + 200, box.top + box.height * part)
              ?.closest('[role=row]'),
        )
      })
    )
      blank++
    await page.close()
  }
  // The same rows with what can be done with each: in a column, and where the pointer rests.
  const offered: Record<string, { fps: number; key: number }> = {}
  for (const acts of ['none', 'column', 'hover']) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(`${site.address}?acts=${acts}`, { waitUntil: 'load' })
    await page.getByRole('grid').focus()
    await page.mouse.move(700, 450)
    await page.waitForTimeout(500)
    const strokes: number[] = []
    for (let i = 0; i < 20; i++) strokes.push((await press(page, 'ArrowDown')).paint)
    const measured = page.evaluate(() => window.probe.frames(2000))
    for (let i = 0; i < 50; i++) {
      await page.mouse.wheel(0, 300)
      await page.waitForTimeout(30)
    }
    const frames = await measured
    offered[acts] = {
      fps: (1000 * frames.length) / frames.reduce((sum, one) => sum + one, 0),
      key: median(strokes),
    }
    await page.close()
  }
  // Columns are fitted to what is drawn, however many rows there are, and to any width.
  const fitted: Record<number, number> = {}
  for (const rows of [100, 100_000]) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(`${site.address}?rows=${rows}`, { waitUntil: 'load' })
    await page.getByRole('grid').focus()
    await page.waitForTimeout(300)
    fitted[rows] = await page.evaluate(async () => {
      const list = document.querySelector<HTMLElement>('[role=grid]')!.parentElement!
      const begun = performance.now()
      for (let i = 0; i < 40; i++) {
        list.style.right = i % 2 === 0 ? '640px' : '0'
        // A picture with the new width, and one with what was fitted to it.
        await new Promise(requestAnimationFrame)
        await new Promise(requestAnimationFrame)
      }
      return (performance.now() - begun) / 40
    })
    await page.close()
  }
  const wishes = (n: number) =>
    Array.from({ length: n }, (_, at) => ({
      key: `c${at}`,
      least: 60 + (at % 5) * 12,
      usual: 90,
      whole: 120 + (at % 7) * 20,
      words: at % 3 !== 0,
      rank: at % 4,
    }))
  const fitTime = (n: number) => {
    const of = wishes(n)
    const begun = performance.now()
    for (let i = 0; i < 3000; i++) fit(of, 640 + (i % 900))
    return performance.now() - begun
  }
  fitTime(20)
  await browser.close()
  site.close()
  note(
    within('key → paint at row 90,000 against the top', median(deep), median(keys), 3),
    atMost(`key → paint near the top, p50 of ${keys.length}`, median(keys), FRAME, 'ms'),
    atMost('key → paint near the top, p95', quantile(keys, 0.95), 2 * FRAME, 'ms'),
    atMost(`key → paint at row 90,000, p50 of ${deep.length}`, median(deep), FRAME, 'ms'),
    atMost('key → paint at row 90,000, p95', quantile(deep, 0.95), 2 * FRAME, 'ms'),
    atLeast('scrolling 4 s by wheel with jumps, frames a second', median(fps), 55, 'fps'),
    told('frames over 50 ms, median of 3', median(long), 'frames'),
    exactly('blank after scrolling', blank, 0),
    within(
      'fitting columns to another width with 100,000 rows against 100',
      fitted[100_000]!,
      fitted[100]!,
      1.5,
    ),
    within('widths of 40 columns against 20', fitTime(40), fitTime(20), 5),
    ...['column', 'hover'].flatMap(acts => [
      within(
        `key → paint with actions in rows (${acts}) against without`,
        offered[acts]!.key,
        offered['none']!.key,
        1.5,
      ),
      within(
        `time of a frame while scrolling with them (${acts}) against without`,
        1 / offered[acts]!.fps,
        1 / offered['none']!.fps,
        1.25,
      ),
    ]),
  )
})
