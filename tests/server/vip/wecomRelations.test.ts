import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { segmentsOf, type RelationEvent } from '#src/areas/wecom/relation.ts'
import { applyRelations, type Happened } from '#src/areas/wecom/relations.server.ts'
import { wecom_customer, wecom_follow } from '#src/areas/wecom/wecom.table.ts'
import type { Database } from '#src/server/db/database.ts'
import { randomFrom } from '#src/server/demo/random.ts'
import { openCopy } from '../../farm.ts'
import { freshAdvisers, freshCustomer, wecomSums } from '../../help/wecomRows.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy()
}, 120_000)

describe('relations of customers and advisers', () => {
  it('counts what the demo holds', async () => {
    expect(await wecomSums(database)).toEqual({ customers: 0, staff: 0, groups: 0, twice: 0 })
  })
  it('are the same whatever order events come in, counted, once live, and lost with the last', async () => {
    const random = randomFrom(7)
    const advisers = await freshAdvisers(database, 3)
    for (let run = 0; run < 25; run++) {
      const customer = await freshCustomer(database)
      const events: Happened[] = Array.from({ length: random.int(1, 10) }, () => ({
        customer_id: customer.id,
        staff_id: random.pick(advisers).id,
        kind: random.pick(['add', 'add', 'del_staff', 'del_customer', 'transfer'] as const),
        at: 1_700_000_000 + random.int(1, 20) * 100,
      }))
      const sent = random.shuffle([...events, ...events.slice(0, 3)])
      while (sent.length > 0) {
        const part = sent.splice(0, random.int(1, 3))
        await database.transaction(tx => applyRelations(tx, part))
      }
      const rows = await database.db
        .select()
        .from(wecom_follow)
        .where(eq(wecom_follow.customer_id, customer.id))
      for (const { id } of advisers) {
        const own: RelationEvent[] = events.filter(one => one.staff_id === id)
        expect(
          rows
            .filter(row => row.staff_id === id)
            .map(({ added_at, status, lost_at }) => ({ added_at, status, lost_at }))
            .toSorted((a, b) => a.added_at - b.added_at),
        ).toEqual(segmentsOf(own))
      }
      const live = rows.filter(row => row.status === 'following').length
      const [after] = await database.db
        .select()
        .from(wecom_customer)
        .where(eq(wecom_customer.id, customer.id))
      expect(after).toMatchObject({
        follow_count: live,
        state: live > 0 ? 'following' : 'lost',
      })
    }
    expect(await wecomSums(database)).toEqual({ customers: 0, staff: 0, groups: 0, twice: 0 })
  })
  it('stay counted when many come in for one adviser at once', async () => {
    const [adviser] = await freshAdvisers(database, 1)
    const customers = await Promise.all(Array.from({ length: 8 }, () => freshCustomer(database)))
    await Promise.all(
      customers.map(({ id }) =>
        database.transaction(tx =>
          applyRelations(tx, [
            { customer_id: id, staff_id: adviser!.id, kind: 'add', at: 1_700_000_000 },
          ]),
        ),
      ),
    )
    const { rows } = await database.db.execute<{ n: number }>(
      sql`select customer_count n from wecom_staff where id = ${adviser!.id}`,
    )
    expect(rows[0]!.n).toBe(8)
  })
})
