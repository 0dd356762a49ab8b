import { expect } from '@playwright/test'
import { enter, test } from './desk.ts'

const BEGIN = Date.parse(process.env.TEST_CLOCK ?? '2026-11-18T10:30:00+08:00')
const HOUR = 3_600_000

test('the page and its server go by the run’s clock, which runs', async ({ page }) => {
  const token = await enter(page, 'admin', '/manage')
  const [now, made, asText] = await page.evaluate(() => [
    Date.now(),
    new Date().getTime(),
    Date.parse(Date()),
  ])
  const answer = await page.context().request.get('/api/manageback/system/loginLogs/lst', {
    headers: { 'Authori-zation': `Bearer ${token}` },
  })
  const newest = ((await answer.json()).data.list as { created_at: number }[])[0]!.created_at * 1000
  for (const at of [now!, made!, asText!, newest]) {
    expect(at).toBeGreaterThan(BEGIN - 1000)
    expect(at).toBeLessThan(BEGIN + HOUR)
  }
  await expect.poll(() => page.evaluate(() => Date.now())).toBeGreaterThan(now! + 50)
})
