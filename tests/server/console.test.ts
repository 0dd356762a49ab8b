import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type LightMyRequestResponse } from 'fastify'
import { expect, it } from 'vitest'
import { consoleRoutes } from '#src/server/http/console.ts'

/** As `npm test` has built it a moment ago. */
const folder = join(import.meta.dirname, '../../dist/client')

it('what was built lies packed beside itself, whole', () => {
  const packed = readdirSync(join(folder, 'assets')).filter(name => /\.(br|gz)$/.test(name))
  expect(packed.length).toBeGreaterThan(100)
  for (const name of packed) {
    const bytes = readFileSync(join(folder, 'assets', name))
    expect([
      name,
      (name.endsWith('.br') ? brotliDecompressSync(bytes) : gunzipSync(bytes)).equals(
        readFileSync(join(folder, 'assets', name.slice(0, -3))),
      ),
    ]).toEqual([name, true])
  }
})

it('what was built is React for production, whatever environment the shell names', () => {
  const scripts = readdirSync(join(folder, 'assets')).filter(name => name.endsWith('.js'))
  const slow = scripts.filter(name =>
    readFileSync(join(folder, 'assets', name), 'utf8').includes('jsxDEV'),
  )
  expect(slow).toEqual([])
})

it('a browser that takes it gets the packed file, for ever; one that does not gets the plain one', async () => {
  const app = Fastify()
  await consoleRoutes(app, folder)
  const name = readdirSync(join(folder, 'assets'))
    .find(one => one.endsWith('.js.br'))!
    .slice(0, -3)
  const ask = (accepts: string) =>
    app.inject({ url: `/assets/${name}`, headers: { 'accept-encoding': accepts } })
  const [packed, plain] = [await ask('gzip, br'), await ask('identity')]
  expect([packed.headers['content-encoding'], plain.headers['content-encoding']]).toEqual([
    'br',
    undefined,
  ])
  expect(brotliDecompressSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
  expect(packed.headers['cache-control']).toContain('immutable')
  await app.close()
})

it('a hashed file is read once, and answered by the same headers and bytes from then on', async () => {
  const own = mkdtempSync(join(tmpdir(), 'mallet-kept-'))
  mkdirSync(join(own, 'assets'))
  const file = join(own, 'assets/words-1a2b3c4d.js')
  writeFileSync(file, 'export const words = 1\n')
  const app = Fastify()
  await consoleRoutes(app, own)
  const ask = (headers: Record<string, string> = {}) =>
    app.inject({
      url: '/assets/words-1a2b3c4d.js',
      headers: { 'accept-encoding': 'gzip, deflate, br', ...headers },
    })
  const told = ({
    statusCode,
    headers: { date: _, ...headers },
    body,
  }: LightMyRequestResponse) => ({
    statusCode,
    headers,
    body,
  })
  const first = await ask()
  expect(first.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'application/javascript; charset=utf-8',
    'content-length': '23',
  })
  const etag = String(first.headers['etag'])
  // What asks for a part, or for news, is answered by the file.
  expect((await ask({ 'if-none-match': etag })).statusCode).toBe(304)
  const part = await ask({ range: 'bytes=0-5' })
  expect([part.statusCode, part.body]).toEqual([206, 'export'])
  rmSync(file)
  expect(told(await ask())).toEqual(told(first))
  // Another way of asking has been answered nothing yet.
  expect((await ask({ 'accept-encoding': 'identity' })).statusCode).toBe(404)
  await app.close()
  rmSync(own, { recursive: true })
})

it('an address of the console without a file of its own is answered by its page, and a wrong file is none', async () => {
  const app = Fastify()
  await consoleRoutes(app, folder)
  const page = await app.inject({ url: '/' })
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.body).toContain('<div id="root">')
  for (const url of ['/assets/none.js', '/assets', '/assets/', '/.env'])
    expect([url, (await app.inject({ url })).statusCode]).toEqual([url, 404])
  for (const url of [
    '/../package.json',
    '/..%2fpackage.json',
    '/assets/..%2f..%2f..%2fpackage.json',
  ])
    expect([url, (await app.inject({ url })).statusCode]).toEqual([url, 404])
  await app.close()
})
