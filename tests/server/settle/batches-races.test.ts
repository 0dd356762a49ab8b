import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { merchants } from '#src/areas/ledger/ledger.ts'
import { balanceOf } from '#src/areas/ledger/post.server.ts'
import { settle_batch } from '#src/areas/settle/batch.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { batches as calls } from '#src/modules/settle/contract/detail.ts'
import { openDatabase, type Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { copyOfTemplate, onlyOn } from '../../farm.ts'
import { atEnd } from '../../farm/ends.ts'
import { addStaff, openApp, send, type Said } from '../../help/app.ts'
import { freezing, freshSale, linesBy, refundOf } from '../../help/settle.ts'

const now = unixNow()
const period = { from: now - 7 * DAY, to: now - DAY }

onlyOn('postgres')('two people at the same moment', () => {
  let database: Database
  let app: App
  let people: Awaited<ReturnType<typeof addStaff>>[]
  beforeAll(async () => {
    const copy = await copyOfTemplate()
    database = await openDatabase({ ...copy.options, poolSize: 12 })
    atEnd(async () => {
      await database.close()
      await copy.remove()
    })
    app = await openApp(database)
    people = await Promise.all(
      [0, 1, 2].map(() => addStaff(database, { perms: ['settle.detail.*'] })),
    )
  }, 120_000)
  let sent = 0
  const by = (n: number) => ({
    token: people[n]!.token,
    key: `settle-race-Q${++sent}`,
  })
  const made = async () => {
    const sale = await freshSale(database)
    const ids = await freezing(database, sale, [{ merchant_cents: 700 }, { merchant_cents: 300 }])
    return { sale, ids }
  }
  const generate = (merchant_id: number, n = 0) =>
    send(app, calls.generate, { ...period, merchant_ids: [merchant_id] }, by(n))
  const batchesOf = (merchant_id: number) =>
    database.db.select().from(settle_batch).where(eq(settle_batch.merchant_id, merchant_id))
  const one = async (merchant_id: number) => {
    const [batch] = await batchesOf(merchant_id)
    return { id: batch!.id, version: batch!.version }
  }
  const confirmed = async () => {
    const { sale, ids } = await made()
    await generate(sale.merchant.id)
    await send(app, calls.send, await one(sale.merchant.id), by(0))
    await send(app, calls.confirm, { ...(await one(sale.merchant.id)), proof: 'a.png' }, by(0))
    return { sale, ids, held: await one(sale.merchant.id) }
  }
  const ok = (said: readonly Said[]) => said.filter(each => each.status === 200)
  const not = (said: readonly Said[]) => said.filter(each => each.status !== 200)

  it('generate: one has the batch, the other is told that nothing is left', async () => {
    for (let round = 0; round < 5; round++) {
      const { sale } = await made()
      const said = await Promise.all([generate(sale.merchant.id, 0), generate(sale.merchant.id, 1)])
      expect(await batchesOf(sale.merchant.id)).toHaveLength(1)
      const done = said.map(each => each.data.done ?? 0)
      expect(done.toSorted()).toEqual([0, 1])
    }
  })
  it('post: one does, the other is told who did', async () => {
    for (let round = 0; round < 5; round++) {
      const { sale, held } = await confirmed()
      const said = await Promise.all([1, 2].map(n => send(app, calls.post, held, by(n))))
      expect(ok(said)).toHaveLength(1)
      const winner = people[said[0]!.status === 200 ? 1 : 2]!
      expect(not(said)[0]!.message).toContain(winner.account)
      expect(await balanceOf(database.db, merchants('merchant_balance', sale.merchant.id))).toBe(
        -1000,
      )
    }
  })
  it('post and void: one does, the other is told who did', async () => {
    for (let round = 0; round < 5; round++) {
      const { sale, ids, held } = await confirmed()
      const said = await Promise.all([
        send(app, calls.post, held, by(1)),
        send(app, calls.void, { ...held, reason: '重新核对' }, by(2)),
      ])
      expect(ok(said)).toHaveLength(1)
      const posted = said[0]!.status === 200
      expect(not(said)[0]!.message).toContain(people[posted ? 1 : 2]!.account)
      const lines = await linesBy(database, ids)
      expect(new Set(lines.map(line => line.status))).toEqual(
        new Set([posted ? 'settled' : 'freezing']),
      )
      expect(await balanceOf(database.db, merchants('merchant_balance', sale.merchant.id))).toBe(
        posted ? -1000 : 0,
      )
    }
  })
  it('post and a refund: money is taken where it is, whoever is first', async () => {
    for (let round = 0; round < 8; round++) {
      const { sale, ids, held } = await confirmed()
      const [said, back] = await Promise.all([
        send(app, calls.post, held, by(1)),
        refundOf(database, ids[0]!, 200),
      ])
      expect(back).toBe(true)
      const own = (kind: 'merchant_frozen' | 'merchant_balance') =>
        balanceOf(database.db, merchants(kind, sale.merchant.id))
      if (said.status === 200)
        expect([await own('merchant_frozen'), await own('merchant_balance')]).toEqual([0, -800])
      else {
        expect(said.data.rule).toBe('lines_changed')
        expect([await own('merchant_frozen'), await own('merchant_balance')]).toEqual([-800, 0])
      }
    }
  })
})
