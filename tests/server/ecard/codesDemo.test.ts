import { sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy()
})
const wrong = async (query: ReturnType<typeof sql>) =>
  (await database.db.execute<{ n: number }>(query)).rows[0]!.n

it('demo codes stand in every state that needs no order', async () => {
  const { rows } = await database.db.execute<{ state: string }>(
    sql`select distinct state from ecard_code where order_id is null`,
  )
  expect(rows.map(row => row.state)).toEqual(
    expect.arrayContaining([
      'free',
      'sold',
      'active',
      'used_up',
      'frozen',
      'void',
      'refunded',
      'expired',
    ]),
  )
})
it('every code is worth its face less what was spent, and in one count of its face', async () => {
  expect(
    await wrong(sql`
      select count(*)::int n from ecard_code c
      where c.balance_cents <> (select coalesce(sum(l.amount_cents), 0) from ecard_ledger l where l.code_id = c.id)
        or (c.activated_at is not null and c.face_cents <> (select coalesce(sum(l.amount_cents), 0) from ecard_ledger l where l.code_id = c.id and l.type = 'activate'))
        or (c.state = 'used_up') <> (c.activated_at is not null and c.balance_cents = 0 and c.state not in ('frozen', 'expired'))`),
  ).toBe(0)
  expect(
    await wrong(sql`
      select count(*)::int n from ecard_attr a join (select attr_id,
        count(*) filter (where state = 'free') free, count(*) filter (where state = 'held') held, count(*) as all_n from ecard_code group by 1) n on n.attr_id = a.id
      where a.free_n <> n.free or a.held_n <> n.held or a.free_n + a.held_n + a.sold_n + a.void_n <> n.all_n`),
  ).toBe(0)
})
it('the ledger of cards is only ever added to', async () => {
  for (const change of [
    sql`update ecard_ledger set amount_cents = 1`,
    sql`delete from ecard_ledger`,
    sql`truncate ecard_ledger`,
  ])
    await expect(database.transaction(tx => tx.execute(change))).rejects.toThrow()
  expect(await wrong(sql`select count(*)::int n from ecard_ledger`)).toBeGreaterThan(0)
})
