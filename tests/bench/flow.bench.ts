// The whole product with all switched on: the built console with 10,000 commands, twelve panes of
// lists, and the audit queue from decision to decision.
import { rmSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { urlOf } from '#src/contract/call.ts'
import { layouts } from '#src/modules/workbench/contract.ts'
import { buildGrown, openBrowser, press, probing, turned } from './browser.ts'
import { paceOf, servePalettes, WORDS } from './palettePage.ts'
import { serveBuilt, signIn } from './server.ts'
import { atLeast, atMost, atMostAt, bench, exactly, median, quantile, told } from './table.ts'

const FRAME = 1000 / 60
/** As many as a small demo has to decide. */
const DECISIONS = 40
/**
 * Twelve lists. The budgets were made for four in sight and eight kept behind them; all twelve in
 * sight is told beside.
 */
const lists = [
  'audit/bulks',
  'audit/card',
  'audit/voucher',
  'audit/product',
  'order/bulks',
  'order/card',
  'order/voucher',
  'order/goods',
  'order/elist',
  'order/rollBuy',
  'order/eRefund',
  'system/logs',
].map(path => `/manage/${path}`)
const layout = (column: string, panes = lists) => ({
  v: 2,
  panes: panes.map(at => ({ at })),
  tree: `r(${Array.from({ length: 4 }, () => column).join(',')})`,
  focus: 0,
  maximised: false,
})
const [fourInSight, allInSight] = [layout('25t0(3)'), layout('25c(33.,33.,34.)')]
/**
 * The set that stands in sight at the end of `fourInSight`, by itself: what keeping two more behind
 * it is measured by.
 */
const oneSet = layout(
  '25.',
  [0, 3, 6, 9].map(at => lists[at]!),
)

const send = (page: Page, url: string, body: unknown) =>
  page.evaluate(
    async ([to, what]) =>
      (
        await (
          await fetch(to, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              'Authori-zation': `Bearer ${localStorage.getItem('token')}`,
              region: 'pro',
            },
            body: JSON.stringify(what),
          })
        ).json()
      ).data,
    [url, body] as const,
  )
const heap = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize / 1024 / 1024
}

/**
 * Twelve panes of a layout, each drawn once: what a row, the next pane and the palette take, ms,
 * and what stands there.
 */
const withTwelve = async (page: Page, address: string, state: object) => {
  const { code } = (await send(page, urlOf(layouts.link), { state })) as { code: string }
  await page.goto(`${address}/manage?layout=${code}`)
  await page.waitForFunction(
    n => document.querySelectorAll('[data-pane]').length === n,
    lists.length,
  )
  // The longest list of each stands in front at the end.
  for (const tab of (await page.locator('.s-tab [role=tab]').all()).reverse()) {
    await tab.click()
    await page.waitForTimeout(700)
  }
  // What is kept behind others holds no rows; a list or two of the demo may be empty.
  await page.waitForFunction(() => {
    const seen = [...document.querySelectorAll('[data-pane]')].filter(pane =>
      pane.checkVisibility(),
    )
    return (
      seen.length > 0 &&
      seen.filter(pane => pane.querySelector('[role=row][id]')).length >= seen.length * 0.75
    )
  })
  await page.waitForTimeout(4000)
  await page.locator('[data-pane] [role=grid]').filter({ visible: true }).first().focus()
  await page.waitForTimeout(500)
  const row: number[] = []
  for (let i = 0; i < 20; i++) {
    row.push(await turned(page, '[data-front] .m-grid [data-focused]', i < 12 ? 'j' : 'k'))
    await page.waitForTimeout(250)
  }
  // A whole sequence: which pane has the focus is read by every pane's header.
  const pane: number[] = []
  for (const side of 'lllhhhlllhhh') {
    await page.keyboard.press('w')
    await page.waitForTimeout(100)
    pane.push((await press(page, side)).paint)
  }
  const tab: number[] = []
  for (const side of ']]][[[') {
    await page.keyboard.press('w')
    await page.waitForTimeout(100)
    tab.push((await press(page, side)).paint)
  }
  const [opened, key]: [number[], number[]] = [[], []]
  for (const word of ['tgsh', 'tongguo', 'refund', 'ddlb']) {
    opened.push((await press(page, 'Control+k')).paint)
    for (const letter of word) key.push((await press(page, letter)).paint)
    await page.keyboard.press('Escape')
    await page.waitForTimeout(300)
  }
  return {
    panes: await page.locator('[data-pane]').count(),
    row,
    pane,
    tab,
    opened,
    key,
    nodes: await page.evaluate(() => document.querySelectorAll('*').length),
    heap: await heap(page),
  }
}

await bench('the whole product: 10,000 commands, twelve panes, decision to decision', async note => {
  const folder = await buildGrown()
  const browser = await openBrowser()
  const palettes = await servePalettes(browser)
  const pace = paceOf(await palettes.measure('kbar', 1, WORDS))
  palettes.close()
  const server = await serveBuilt(folder, '0.1')
  try {
    const page = await browser.newPage({ viewport: { width: 2560, height: 1440 }, locale: 'zh-CN' })
    const faults: string[] = []
    page.on('pageerror', error => faults.push(String(error)))
    await probing(page)
    await signIn(page, server.address, 'admin')
    const { code } = (await send(page, urlOf(layouts.link), { state: oneSet })) as { code: string }
    await page.goto(`${server.address}/manage?layout=${code}`)
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll('[data-pane]')].filter(pane =>
          pane.querySelector('[role=row][id]'),
        ).length >= 3,
    )
    await page.waitForTimeout(4000)
    const one = await heap(page)
    const four = await withTwelve(page, server.address, fourInSight)
    const all = await withTwelve(page, server.address, allInSight)
    await page.close()

    const auditor = await browser.newPage({
      viewport: { width: 1440, height: 900 },
      locale: 'zh-CN',
    })
    auditor.on('pageerror', error => faults.push(String(error)))
    await probing(auditor)
    await signIn(auditor, server.address, 'auditor')
    const decided: number[] = []
    let slow = 0
    const decideIn = async (queue: string) => {
      await auditor.goto(`${server.address}/manage/${queue}`)
      await auditor.locator('.m-grid-row[data-focused]').waitFor()
      await auditor.waitForTimeout(2500)
      const focused = () =>
        auditor
          .locator('.m-grid-row[data-focused]')
          .getAttribute('id', { timeout: 3000 })
          .catch(() => null)
      for (let passed = 0; decided.length < DECISIONS && passed < 12;) {
        const [at, words] = [
          await focused(),
          await auditor
            .locator('.m-grid-row[data-focused]')
            .textContent()
            .catch(() => ''),
        ]
        if (at === null) return
        // What a colleague has, what waits for somebody else and what may not pass is gone by.
        if (
          /审核中|待复审|待补充/.test(words ?? '') ||
          (await auditor.getByText('不可通过', { exact: true }).count()) > 0
        ) {
          await auditor.keyboard.press('j')
          await auditor.waitForTimeout(250)
          if ((await focused()) === at) return
          passed++
          continue
        }
        const took = await turned(auditor, 'article h2', 'a')
        if (Number.isNaN(took)) {
          slow++
          passed++
          await auditor.keyboard.press('Escape')
          await auditor.keyboard.press('j')
          continue
        }
        decided.push(took)
        passed = 0
        // An auditor reads for a moment; what follows is fetched meanwhile.
        await auditor.waitForTimeout(250)
      }
    }
    for (const queue of ['audit/bulks', 'audit/product', 'audit/card', 'audit/voucher'])
      if (decided.length < DECISIONS) await decideIn(queue)
    note(
      exactly('panes open', Math.min(four.panes, all.panes), lists.length),
      exactly('errors on a page', faults.length, 0),
      atMostAt(
        pace.p50,
        '12 panes, 4 in sight, 10,000 commands: j and k → paint, p50 of 20',
        median(four.row),
        FRAME,
      ),
      atMostAt(pace.p95, 'j and k → paint, p95', quantile(four.row, 0.95), 2 * FRAME),
      atMostAt(
        pace.p50,
        'global key (the pane beside) → paint, p50 of 12',
        median(four.pane),
        2 * FRAME,
      ),
      told('global key → paint, p95', quantile(four.pane, 0.95), 'ms'),
      told('a pane kept behind comes to the front → all painted, p50 of 6', median(four.tab), 'ms'),
      atMostAt(pace.p50, 'palette open → painted, p50', median(four.opened), 2 * FRAME),
      told(
        `palette keystroke → all painted, records that the server finds too, p50 of ${four.key.length}`,
        median(four.key),
        'ms',
      ),
      told('palette keystroke → all painted, p95', quantile(four.key, 0.95), 'ms'),
      atMost('elements in the document', four.nodes, 5000, ''),
      atMost('heap, against one set of four panes', four.heap, 1.5 * one, 'MB'),
      told('heap, one set of four', one, 'MB'),
      told('all 12 in sight: j and k → paint, p50', median(all.row), 'ms'),
      told('all 12 in sight: global key → paint, p50', median(all.pane), 'ms'),
      told('all 12 in sight: palette open → painted, p50', median(all.opened), 'ms'),
      told('all 12 in sight: elements', all.nodes, ''),
      told('all 12 in sight: heap', all.heap, 'MB'),
      atLeast('decisions measured', decided.length, DECISIONS, ''),
      atMostAt(pace.p95, 'decision key → next item painted, p95', quantile(decided, 0.95), 100),
      told('decision key → next item painted, p50', median(decided), 'ms'),
      told('decisions that led nowhere in 5 s', slow, ''),
    )
  } finally {
    await browser.close()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
