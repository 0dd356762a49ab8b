// A sequence of 17 changes of the layout, by keys and by mouse. The first pane's page must be the
// same one throughout: no remount, no lost scroll, no lost input.
import type { Page } from '@playwright/test'
import { openBrowser } from './browser.ts'
import { serveBuilt, signIn } from './server.ts'
import { bench, exactly, told } from './table.ts'

declare global {
  interface Window {
    kept: { page: Element; input: HTMLInputElement; grid: HTMLElement }
  }
}
const TYPED = '没有发送的草稿'
const SCROLL = 320

await bench('layout sequence, 17 changes', async note => {
  const [browser, server] = [await openBrowser(), await serveBuilt()]
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
  const faults: string[] = []
  page.on('pageerror', error => faults.push(String(error)))
  await signIn(page, server.address)
  await page.goto(`${server.address}/manage/audit/bulks?state=approved`)
  await page.locator('[data-pane=p1] [role=row][id]').first().waitFor()
  // A control of React's own keeps its text in state; one that nobody controls would lose it with
  // its element.
  await page.evaluate(
    ({ typed, scroll }) => {
      const pane = document.querySelector('[data-pane=p1]')!
      const grid = pane.querySelector<HTMLElement>('[role=grid]')!
      const input = document.createElement('input')
      input.value = typed
      grid.parentElement!.append(input)
      grid.scrollTop = scroll
      window.kept = { page: pane.querySelector('.s-pane-body')!.firstElementChild!, input, grid }
    },
    { typed: TYPED, scroll: SCROLL },
  )

  const state = (of: Page) =>
    of.evaluate(typed => {
      const pane = document.querySelector<HTMLElement>('[data-pane=p1]')!
      const { page: was, input, grid } = window.kept
      const visible = pane.offsetParent !== null || pane.getClientRects().length > 0
      return {
        remounted: !was.isConnected || !pane.contains(was) || !grid.isConnected,
        input: input.isConnected && input.value === typed,
        scroll: visible ? grid.scrollTop : undefined,
        panes: document.querySelectorAll('[data-pane]').length,
        visible,
        places: [...document.querySelectorAll<HTMLElement>('[data-pane]')]
          .map(one => `${one.dataset.pane} ${one.getAttribute('style')}`)
          .join('; '),
        active: document.activeElement?.closest('[data-pane]')?.getAttribute('data-pane') ?? null,
      }
    }, TYPED)
  const keys =
    (...strokes: string[]) =>
    async () => {
      for (const stroke of strokes) {
        await page.keyboard.press(stroke)
        await page.waitForTimeout(60)
      }
    }
  const drag = async () => {
    const from = (await page.locator('[data-pane=p1]').boundingBox())!
    const others = await page.locator('[data-pane]:not([data-pane=p1])').all()
    const boxes = (await Promise.all(others.map(one => one.boundingBox()))).filter(
      box => box !== null,
    )
    const to = boxes[0]!
    // A hand moves once a frame: of several moves in one, the library that drags are taken by hears
    // the last first and then the one before.
    const move = async (
      x: number,
      y: number,
      steps: number,
      [fromX, fromY]: readonly [number, number],
    ) => {
      for (let step = 1; step <= steps; step++) {
        await page.mouse.move(
          fromX + ((x - fromX) * step) / steps,
          fromY + ((y - fromY) * step) / steps,
        )
        await page.waitForTimeout(20)
      }
    }
    const [grip, lifted] = [
      [from.x + 60, from.y - 15],
      [from.x + 90, from.y + 20],
    ] as const
    await page.mouse.move(...grip)
    await page.mouse.down()
    await move(...lifted, 4, grip)
    await page.waitForTimeout(100)
    await move(to.x + to.width / 2, to.y + to.height - 12, 12, lifted)
    await page.waitForTimeout(100)
    await page.mouse.up()
  }
  const steps: [string, () => Promise<void>, panes: number][] = [
    ['split right', keys('w', 'v'), 2],
    ['wider', keys('w', '.'), 2],
    ['split below', keys('w', 's'), 3],
    ['move left', keys('w', 'Shift+H'), 3],
    ['swap with the next', keys('w', 'x'), 3],
    ['equal', keys('w', 'e'), 3],
    ['to the first pane', keys('w', 'n', 'w', 'n'), 3],
    ['a tab with it', keys('w', 't'), 4],
    ['tab away and back', keys('w', '[', 'w', ']', 'w', '['), 4],
    ['maximise', keys('w', 'm'), 4],
    ['restore', keys('w', 'm'), 4],
    ['move down', keys('w', 'Shift+J'), 4],
    ['drag by the mouse', drag, 4],
    ['taller', keys('w', '='), 4],
    ['close another', keys('w', 'n', 'w', 'q'), 3],
    ['swap once more', keys('w', 'x'), 3],
    [
      'close the others',
      async () => {
        await page.evaluate(() => (document.querySelector('[data-pane=p1]') as HTMLElement).focus())
        await keys('w', 'o')()
      },
      1,
    ],
  ]
  let remounts = 0
  let inputs = 0
  let scrolls = 0
  let wrong = 0
  let idle = 0
  for (const [name, does, panes] of steps) {
    const before = await state(page)
    await does()
    await page.waitForTimeout(400)
    const now = await state(page).catch(() => undefined)
    const told: string[] = []
    if (!now || now.remounted) {
      remounts++
      told.push('remounted')
    }
    if (!now?.input) {
      inputs++
      told.push('input lost')
    }
    if (now?.scroll !== undefined && Math.abs(now.scroll - SCROLL) > 1) {
      scrolls++
      told.push(`scroll ${now.scroll}`)
    }
    if (now?.panes !== panes) {
      wrong++
      told.push(`${now?.panes} panes, not ${panes}`)
    }
    // A step that changes nothing proves nothing.
    if (now?.places === before.places && !/^(to the first|tab away)/.test(name)) {
      idle++
      told.push('nothing moved')
    }
    if (told.length > 0) console.error(`  … ${name}: ${told.join(', ')}`)
    if (!now) break
  }
  const end = await state(page).catch(() => undefined)
  await browser.close()
  await server.close()
  note(
    exactly('remounts of the first pane', remounts, 0),
    exactly('times its input was lost', inputs, 0),
    exactly('times its scroll was lost', scrolls, 0),
    exactly('steps that left another number of panes', wrong, 0),
    exactly('seen at the end, with the focus', end?.visible && end.active === 'p1' ? 1 : 0, 1),
    exactly('steps that moved nothing', idle, 0),
    exactly('errors on the page', faults.length, 0),
    told('steps', steps.length, ''),
  )
})
