import { expect } from '@playwright/test'
import { test } from './desk.ts'

test('a journey’s seat is left as it was found', async ({ page, context, seat }) => {
  const heard: string[] = []
  page.on('console', said => heard.push(said.text()))
  await page.route('**/healthz?kept', route => route.fulfill({ status: 204 }))
  await context.route('**/healthz?kept', route => route.fulfill({ status: 204 }))
  for (const one of [page, context]) {
    await one.addInitScript(() => Object.assign(window, { left: true }))
    await one.exposeFunction(one === page ? 'ofPage' : 'ofContext', () => {})
  }
  await context.grantPermissions(['clipboard-read'])
  await page.goto('/healthz')
  await page.evaluate(async () => {
    localStorage.setItem('left', '1')
    sessionStorage.setItem('left', '1')
    document.cookie = 'left=1'
    await new Promise(done => {
      indexedDB.open('left').onsuccess = done
    })
  })
  await page.setViewportSize({ width: 800, height: 600 })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await context.newPage()
  await context.setOffline(true)

  await seat.leave()
  await page.goto('/healthz?kept')
  const found = await page.evaluate(async () => {
    console.log('still heard')
    return {
      stored: [localStorage.length, sessionStorage.length, document.cookie],
      databases: await indexedDB.databases(),
      put: ['left', 'ofPage', 'ofContext'].filter(name => name in window),
      answered: (await fetch('/healthz?kept')).status,
      allowed: (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName }))
        .state,
      size: [innerWidth, innerHeight],
      looks: ['print', '(prefers-color-scheme: dark)'].filter(one => matchMedia(one).matches),
    }
  })
  expect(found).toEqual({
    stored: [0, 0, ''],
    databases: [],
    put: [],
    answered: 200,
    allowed: 'prompt',
    size: [1440, 900],
    looks: [],
  })
  expect(context.pages()).toEqual([page])
  expect(heard).toEqual([])
})
