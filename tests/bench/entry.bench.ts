// What travels until the first list is read: the built console, signed in, a fresh browser, the
// audit queue asked for by its address.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { dist, openBrowser } from './browser.ts'
import { serveBuilt, signIn } from './server.ts'
import { atMost, bench, median, told } from './table.ts'

const KB = 1024
const gz = (path: string) =>
  gzipSync(readFileSync(join(dist, 'client', path)), { level: 9 }).length / KB

await bench('entry size, KB gz, and time to the first list', async note => {
  const html = readFileSync(join(dist, 'client/index.html'), 'utf8')
  const entry = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(found => found[1]!)
  const [browser, server] = [await openBrowser(), await serveBuilt()]
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
  })
  const first = await context.newPage()
  await signIn(first, server.address)
  const state = await context.storageState()
  await context.close()
  const times: number[] = []
  let asked: string[] = []
  let wire = 0
  for (let load = 0; load < 5; load++) {
    // A context of its own has an empty cache; the session is carried over.
    const fresh = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: 'zh-CN',
      storageState: state,
    })
    const page = await fresh.newPage()
    asked = []
    const sizes: Promise<number>[] = []
    page.on('response', answer => {
      const path = new URL(answer.url()).pathname.slice(1)
      if (!/\.(js|css)$/.test(path)) return
      asked.push(path)
      sizes.push(
        answer
          .request()
          .sizes()
          .then(
            size => size.responseBodySize,
            () => 0,
          ),
      )
    })
    const began = performance.now()
    await page.goto(`${server.address}/manage/audit/bulks`, { waitUntil: 'commit' })
    await page.locator('[role=row][id]').first().waitFor()
    times.push(performance.now() - began)
    wire = (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0) / KB
    await fresh.close()
  }
  await browser.close()
  await server.close()
  const sum = (paths: readonly string[], ending: string) =>
    [...new Set(paths)]
      .filter(path => path.endsWith(ending))
      .reduce((total, path) => total + gz(path), 0)
  if (sum(entry, '.js') === 0 || sum(asked, '.js') === 0) throw new Error('no script was seen')
  note(
    atMost('entry JS', sum(entry, '.js'), 140, 'KB'),
    atMost('entry CSS', sum(entry, '.css'), 50, 'KB'),
    atMost('all JS to the first list', sum(asked, '.js'), 294, 'KB'),
    atMost('all CSS to the first list', sum(asked, '.css'), 50, 'KB'),
    told('JS and CSS on the wire, as the server packs them', wire, 'KB'),
    told(`requests for JS and CSS`, new Set(asked).size, ''),
    told('address → first row, median of 5', median(times), 'ms'),
  )
})
