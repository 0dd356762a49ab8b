import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { settle_batch } from '#src/areas/settle/batch.table.ts'
import { batchStates } from '#src/areas/settle/batch.ts'
import { linesHash } from '#src/areas/settle/batches.server.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { settle_merchant } from '#src/areas/settle/settleMerchant.table.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { brokenBooks } from '../../help/ledgerInvariants.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy()
}, 120_000)

it('has batches of every state, whose lines and sums are those of the books', async () => {
  const { db } = database
  const batches = await db.select().from(settle_batch)
  expect(new Set(batches.map(batch => batch.status))).toEqual(new Set(Object.keys(batchStates)))
  for (const batch of batches.filter(one => one.status === 'confirming').slice(0, 5)) {
    const lines = await db.select().from(settle_line).where(eq(settle_line.batch_id, batch.id))
    expect(lines.length).toBeGreaterThan(0)
  }
  const { rows: wrong } = await db.execute(
    sql`select b.no from settle_batch b left join ledger_txn t on t.id = b.txn_id left join ledger_entry e on e.txn_id = t.id left join ledger_account a on a.id = e.account_id and a.kind = 'merchant_balance' where b.status = 'posted' group by b.id having coalesce(-sum(e.amount_cents) filter (where a.id is not null), 0) <> b.payable_cents`,
  )
  expect(wrong).toEqual([])
  const { rows: loose } = await db.execute(
    sql`select l.id from settle_line l left join settle_batch b on b.id = l.batch_id where l.batch_id is not null and (b.id is null or b.status = 'void' or (b.status = 'posted') <> (l.status in ('settled', 'refunded')))`,
  )
  expect(loose).toEqual([])
  expect(await brokenBooks(database)).toEqual({})
})
it('makes the hash that the database makes', async () => {
  const { db } = database
  const drafts = await db.select().from(settle_batch).where(eq(settle_batch.status, 'draft'))
  const same = await Promise.all(
    drafts.map(async batch => (await linesHash(db, batch.id)) === batch.lines_hash),
  )
  // A line that was refunded since the run yesterday keeps its batch from being posted.
  expect(same.filter(Boolean).length).toBeGreaterThan(0)
})
it('has lines that are held and changes that wait for a second person', async () => {
  const { db } = database
  expect(await db.$count(settle_line, eq(settle_line.held, true))).toBeGreaterThan(0)
  // Six of all merchants, and the account of one who sells film tickets.
  expect(await db.$count(settle_merchant, sql`pending_change is not null`)).toBe(7)
})
