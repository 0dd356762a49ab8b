import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { page_link, service_contact } from '#src/areas/content/content.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { customer } from '#src/modules/system/contract/customer.ts'
import { hlink } from '#src/modules/system/contract/hlink.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'

onlyOn('postgres')('of a record, at the same moment', () => {
  let database: Database
  let app: App
  let two: [string, string]
  beforeAll(async () => {
    database = await openCopy({ poolSize: 20 })
    app = await openApp(database)
    const people = [
      await addStaff(database, { perms: ['*'] }),
      await addStaff(database, { perms: ['*'] }),
    ]
    two = [people[0]!.token, people[1]!.token]
  })
  let made = 0
  const link = async () => {
    const path = `pages/race/${++made}`
    const [row] = await database.db
      .insert(page_link)
      .values({ name: `争抢 ${made}`, type: 'page', path, health: 'ok', checked_at: unixNow() })
      .returning()
    return row!
  }
  const linesOf = async (id: number) =>
    database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'page_link'), eq(op_log.object_id, id)))

  it('of two editors one saves, and the other is told who it was', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, version, type, path } = await link()
      const said = await Promise.all(
        two.map((token, n) =>
          send(app, hlink.edit, { id, version, type, path, name: `第 ${n} 位` }, { token }),
        ),
      )
      expect(said.map(one => one.status).sort()).toEqual([200, 409])
      const late = said.find(one => one.status === 409)!
      const winner = said.findIndex(one => one.status === 200)
      expect(late.data).toMatchObject({
        rule: 'stale',
        current: { id, version: version + 1, name: `第 ${winner} 位` },
        by: { name: expect.any(String) },
      })
      const done = (await linesOf(id)).filter(line => line.result === 'ok')
      expect(done).toHaveLength(1)
    }
  })
  it('is switched off once: the log has one line, the second is late', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, version } = await link()
      const said = await Promise.all(
        two.map(token => send(app, hlink.disable, { id, version, reason: '下线' }, { token })),
      )
      expect(said.map(one => one.status).sort()).toEqual([200, 409])
      const done = (await linesOf(id)).filter(line => line.result === 'ok')
      expect(done.map(line => line.after)).toEqual([{ status: 'off' }])
      const [row] = await database.db.select().from(page_link).where(eq(page_link.id, id))
      expect([row!.status, row!.version]).toEqual(['off', version + 1])
    }
  })
  it('edited and deleted is one of the two, never an answer that nothing stands behind', async () => {
    for (let round = 0; round < 5; round++) {
      const [row] = await database.db
        .insert(service_contact)
        .values({ scene: 'merchant', type: 'chat', value: `race_${++made}`, status: 'off' })
        .returning()
      const { id, version } = row!
      const [edited, gone] = await Promise.all([
        send(app, customer.setAutoReply, { id, version, text: '稍候' }, { token: two[0] }),
        send(app, customer.del, { id, version }, { token: two[1] }),
      ])
      const there = await database.db
        .select()
        .from(service_contact)
        .where(eq(service_contact.id, id))
      expect([edited.status, gone.status]).toEqual(there.length > 0 ? [200, 409] : [404, 200])
    }
  })
})
