import { sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { openApp } from '../help/app.ts'

let app: App
beforeAll(async () => {
  app = await openApp(await openCopy(), { modules: [] })
})
const open = (url: string, accept: string) =>
  app.fastify.inject({ method: 'GET', url, headers: { accept, 'accept-language': 'en' } })

it.each([
  '/%c0%ae',
  '/l/%c0%ae',
  '/uploads/%c0%ae',
  '/uploads/none.png',
  '/uploads/%00',
  '/l/none',
])('whoever opens a public address that leads nowhere finds a page of ours: %s', async url => {
  const said = await open(url, 'text/html,*/*;q=0.8')
  expect(said.statusCode).toBeLessThan(500)
  expect(said.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(said.body).toMatch(/^<!doctype html>.*<h1>/s)
})
it('whoever asks for data is answered data', async () => {
  const said = await open('/api/none', 'application/json')
  expect([said.statusCode, said.json().status]).toEqual([404, 404])
})
it('a designed page that can’t be read is not said to be missing', async () => {
  const database = await openCopy()
  const own = await openApp(database, { modules: [] })
  await database.db.execute(sql`alter table page_scheme rename to page_scheme_elsewhere`)
  const said = await own.fastify.inject({
    method: 'GET',
    url: '/p/home/1',
    headers: { accept: 'text/html' },
  })
  expect(said.statusCode).toBeGreaterThanOrEqual(500)
  expect(said.headers['content-type']).toBe('text/html; charset=utf-8')
})
