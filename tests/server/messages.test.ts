import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { dropOldMessages, tellPeople } from '#src/areas/message/message.server.ts'
import { message } from '#src/areas/message/message.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { messages as calls, type MessageRow } from '#src/modules/message/contract.ts'
import messageModule from '#src/modules/message/server.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'

let database: Database
let app: App
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database, { modules: [messageModule] })
})
type Person = Awaited<ReturnType<typeof addStaff>>
let made = 0
const tell = (to: readonly number[], more: { about?: string; by?: number } = {}) =>
  database.transaction(tx =>
    tellPeople(tx, {
      to,
      kind: 'export_done',
      about: `test:${++made}`,
      facts: { of: ['团购订单', 'Group-buy orders'], n: 12 },
      ...more,
    }),
  )
const mine = async (one: Person, input: object = {}, lang: 'zh' | 'en' = 'zh') =>
  (await send(app, calls.mine, input, { token: one.token, lang })).data as {
    list: MessageRow[]
    total: number
  }
const unread = async (one: Person) =>
  (await send(app, calls.unread, {}, { token: one.token })).data.n as number

describe('messages', () => {
  it('are the person’s own, the newest first, in the language they read', async () => {
    const [one, other] = [await addStaff(database), await addStaff(database)]
    await tell([one.id])
    await tell([one.id])
    const { list, total } = await mine(one)
    expect([total, list.map(row => row.title), list[0]!.id > list[1]!.id]).toEqual([
      2,
      Array(2).fill('团购订单导出完成，共 12 行'),
      true,
    ])
    expect((await mine(one, {}, 'en')).list[0]!.title).toBe('Group-buy orders: 12 rows exported')
    expect(await mine(other)).toEqual({ list: [], total: 0 })
    expect([await unread(one), await unread(other)]).toEqual([2, 0])
  })
  it('tell of an event once, and not whoever did it', async () => {
    const [one, other] = [await addStaff(database), await addStaff(database)]
    await tell([one.id, other.id, one.id], { about: 'once', by: other.id })
    await tell([one.id], { about: 'once' })
    expect([await unread(one), await unread(other)]).toEqual([1, 0])
  })
  it('come with their event or not at all', async () => {
    const one = await addStaff(database)
    await database
      .transaction(async tx => {
        await tellPeople(tx, { to: [one.id], kind: 'job_done', about: 'gone', facts: {} })
        throw new Error('the event did not happen')
      })
      .catch(() => {})
    expect(await unread(one)).toBe(0)
  })
  it('are marked as read by their person only', async () => {
    const [one, other] = [await addStaff(database), await addStaff(database)]
    await tell([one.id])
    const [{ id }] = (await mine(one)).list as [MessageRow]
    await send(app, calls.markRead, { ids: [id] }, { token: other.token })
    await send(app, calls.markAllRead, { until: id }, { token: other.token })
    expect(await unread(one)).toBe(1)
    await send(app, calls.markRead, { ids: [id] }, { token: one.token })
    expect([await unread(one), (await mine(one)).list[0]!.read_at]).toEqual([0, expect.any(Number)])
    expect((await mine(one, { unread: true })).list).toEqual([])
  })
  it('marked as read all at once are those that were seen; what came since is not', async () => {
    const one = await addStaff(database)
    await tell([one.id])
    await tell([one.id])
    const [{ id }] = (await mine(one)).list as [MessageRow]
    await tell([one.id])
    await send(app, calls.markAllRead, { until: id }, { token: one.token })
    expect(await unread(one)).toBe(1)
  })
  it('are kept for three months', async () => {
    const one = await addStaff(database)
    await tell([one.id])
    await tell([one.id])
    const [{ id }] = (await mine(one)).list as [MessageRow]
    await database.db
      .update(message)
      .set({ created_at: unixNow() - 91 * DAY })
      .where(eq(message.id, id))
    await dropOldMessages(database.db, unixNow())
    expect((await mine(one)).list.map(row => row.id)).toEqual([expect.not.toSatisfy(n => n === id)])
  })
})
