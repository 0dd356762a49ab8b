import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { store_shelf } from '#src/areas/merchant/merchant.table.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { freshMerchant, freshOffer } from '../../help/merchants.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy()
})
const sells = async (store_id: number) => {
  const found = database.db.select().from(store_shelf).where(eq(store_shelf.store_id, store_id))
  return (await found)[0]!.sells
}
/** Whether a transaction waits for another one in this database. */
const isWaiting = async (): Promise<boolean> => {
  const { rows } = await database.pool.query(
    'select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid where not l.granted and a.datname = current_database()',
  )
  return rows.length > 0
}
/** Two transactions: the second comes to wait for the first, which commits then. */
const together = async (first: string, second: string) => {
  const [one, other] = [await database.pool.connect(), await database.pool.connect()]
  try {
    for (const client of [one, other]) await client.query('begin')
    await one.query(first)
    const waits = other.query(second)
    while (!(await isWaiting())) await new Promise(setImmediate)
    await one.query('commit')
    await waits
    await other.query('commit')
  } finally {
    one.release()
    other.release()
  }
}
const offer = (state: 'on_sale' | 'off_sale', id: number) =>
  `update product set state = '${state}' where id = ${id}`
const link = (product_id: number, store_id: number) =>
  `insert into product_store (product_id, store_id) values (${product_id}, ${store_id})`

it('of two last products that go off sale at once, none leaves the store selling', async () => {
  const own = await freshMerchant(database)
  const of = { merchant_id: own.id, store_id: own.store_id }
  const [one, other] = [await freshOffer(database, of), await freshOffer(database, of)]
  for (const { id } of [one, other]) await database.pool.query(link(id, own.store_id))
  expect(await sells(own.store_id)).toBe(true)
  await together(offer('off_sale', one.id), offer('off_sale', other.id))
  expect(await sells(own.store_id)).toBe(false)
  await together(offer('on_sale', one.id), offer('on_sale', other.id))
  expect(await sells(own.store_id)).toBe(true)
})
it('a product that goes off sale while it is linked sells nowhere, whichever is first', async () => {
  for (const isFirst of [true, false]) {
    const own = await freshMerchant(database)
    const { id } = await freshOffer(database, { merchant_id: own.id, store_id: own.store_id })
    const acts = [link(id, own.store_id), offer('off_sale', id)] as const
    await (isFirst ? together(acts[0], acts[1]) : together(acts[1], acts[0]))
    expect(await sells(own.store_id)).toBe(false)
  }
})
