import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { count, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { prepareDemo } from '#src/server/demo/firstDemo.ts'
import { settings } from '#src/server/http/config.ts'
import { onlyOn, openCopy } from '../farm.ts'
import { startPostgres } from '../farm/postgres.ts'

// All other tests have a twentieth of it: what only shows in the size that `npm start` makes shows
// here.
onlyOn('postgres')('the demo in the size that a first start gives it', () => {
  it('grows whole, and once', async () => {
    // A server of its own: what grows for a minute in one transaction would hold up the seals of the
    // log in every database beside it.
    const server = await startPostgres()
    const folder = mkdtempSync(join(tmpdir(), 'mallet-full-'))
    const database = await openDatabase({ url: server.url('postgres') })
    try {
      const told: string[] = []
      const how = {
        seed: Number(settings.MALLET_SEED.initial),
        scale: Number(settings.MALLET_SCALE.initial),
        data: folder,
      }
      await prepareDemo(database, how, { write: text => told.push(text) })
      await prepareDemo(database, how, { write: text => told.push(text) })
      expect(told.filter(line => line.includes('Demo data is there'))).toHaveLength(1)
      const [orders] = await database.db
        .select({ n: count(), last: sql<number>`max(${order.id})` })
        .from(order)
      expect([orders!.n, orders!.last]).toEqual([67_018, 67_018])
    } finally {
      await database.close()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }, 600_000)
  it('is put into nobody’s own database', async () => {
    const database = await openCopy()
    await database.db.update(admin).set({ email: sql`'own' || ${admin.id} || '@shop.example'` })
    await expect(prepareDemo(database, { seed: 1, scale: 0.01, data: '/nowhere' })).rejects.toThrow(
      '此库不是演示数据，未做任何修改',
    )
  })
})

onlyOn('lite')('the demo in the embedded database', () => {
  it('is left tidy, as nothing else tidies there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mallet-tidy-'))
    const database = await openDatabase({ folder: join(folder, 'database') })
    try {
      await prepareDemo(database, { seed: 7, scale: 0.001, data: folder }, { write: () => {} })
      const { rows } = await database.pool.query<{ seen: boolean }>(
        `select relallvisible > 0 as seen from pg_class where relname in ('audit_task', 'order')`,
      )
      expect(rows).toEqual([{ seen: true }, { seen: true }])
    } finally {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }, 600_000)
})
