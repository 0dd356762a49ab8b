import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { previewKey, previewOf, PREVIEW_SECONDS } from '#src/areas/ecard/previewKey.ts'
import { unixNow } from '#src/domain/time.ts'
import { cardPreview as calls } from '#src/modules/ecard/contract/preview.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { aCard, type Card } from '../../help/ecard.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let clerk: Person
let card: Card
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  clerk = await addStaff(database, { perms: ['ecard.list.preview.*'] })
  card = await aCard(database, { state: 'off' })
})
const open = (scene: string, token?: string) =>
  send(app, calls.opened, { scene }, token === undefined ? {} : { token })

it('a preview code opens the card to staff alone, for half an hour', async () => {
  const said = await send(app, calls.key, { id: card.id }, { token: clerk.token })
  expect(said.status).toBe(200)
  const { scene, until } = said.data
  expect(scene.length).toBeLessThanOrEqual(32)
  expect(until - unixNow()).toBeLessThanOrEqual(PREVIEW_SECONDS)
  expect((await open(scene, clerk.token)).data).toEqual({ id: card.id, until })
  expect((await open(scene)).status).toBe(410_000)
  const stranger = await addStaff(database, { perms: ['system.banner.view'] })
  expect((await open(scene, stranger.token)).status).toBe(403)
})
it('a code that is over says so, and one that nobody signed opens nothing', async () => {
  const over = previewKey(card.id, unixNow(), app.install.sign)
  const said = await open(over, clerk.token)
  expect([said.status, said.data.rule]).toEqual([422, 'preview_over'])
  const other = previewKey(card.id, unixNow() + 99_999, () => 'A'.repeat(43))
  expect((await open(other, clerk.token)).status).toBe(404)
  expect((await open('x', clerk.token)).status).toBe(404)
})
it('a preview has nothing that orders, pays or changes', () => {
  expect(Object.values(calls).map(call => call.kind)).toEqual(['read', 'read'])
})
it('a key names its card and its end, within what WeChat carries', () => {
  const sign = (text: string) => text.padEnd(43, '_').split('').reverse().join('')
  const id = fc.integer({ min: 1, max: 2_147_483_647 })
  fc.assert(
    fc.property(id, fc.integer({ min: 0, max: 4_102_444_800 }), (card_id, until) => {
      const key = previewKey(card_id, until, sign)
      expect(key.length).toBeLessThanOrEqual(32)
      expect(previewOf(key, sign)).toEqual({ id: card_id, until })
    }),
  )
})
