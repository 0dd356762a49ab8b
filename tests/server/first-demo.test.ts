import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { count, sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { prepareDemo } from '#src/server/demo/firstDemo.ts'
import { settings } from '#src/server/http/config.ts'
import { onlyOn, openCopy } from '../farm.ts'

// All other tests have a twentieth of it: what only shows in the size that `npm start` makes shows
// here.
onlyOn('postgres')('the demo in the size that a first start gives it', () => {
  it('grows whole, and once', async () => {
    const { admin } = inject('template') as { admin: string }
    const name = `t_full_${process.pid}`
    const folder = mkdtempSync(join(tmpdir(), 'mallet-full-'))
    const client = new pg.Client(admin)
    await client.connect()
    await client.query(`create database ${name}`)
    const url = new URL(admin)
    url.pathname = `/${name}`
    const database = await openDatabase({ url: url.href })
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
      expect([orders!.n, orders!.last]).toEqual([60_002, 60_002])
    } finally {
      await database.close()
      await client.query(`drop database ${name} with (force)`)
      await client.end()
      rmSync(folder, { recursive: true, force: true })
    }
  }, 240_000)
  it('is put into nobody’s own database', async () => {
    const database = await openCopy()
    await database.db.update(admin).set({ email: sql`'own' || ${admin.id} || '@shop.example'` })
    await expect(prepareDemo(database, { seed: 1, scale: 0.01, data: '/nowhere' })).rejects.toThrow(
      '此库不是演示数据，未做任何修改',
    )
  })
})
