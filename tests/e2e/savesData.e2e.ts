import { expect } from '@playwright/test'
import { enter, settled, test } from './desk.ts'

/** What is only needed by who takes something back, and comes ahead of it. */
const AHEAD = /\/undo-dialog-/
/** Longer than the workbench waits until nobody waits for anything. */
const LATER_MS = 4000

test('what is fetched ahead is left out where the browser saves data', async ({ page }) => {
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  const isAhead = () => asked.some(url => AHEAD.test(url))
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true })
  await enter(page, 'admin', '/manage/system/city')
  await settled(page)
  await page.waitForTimeout(LATER_MS)
  expect(isAhead()).toBe(false)

  await cdp.send('Emulation.setDataSaverOverride', { dataSaverEnabled: false })
  await page.reload()
  await settled(page)
  await expect.poll(isAhead).toBe(true)
})
