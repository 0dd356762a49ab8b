import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type SQL } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { lineOf, merchants, ours } from '#src/areas/ledger/ledger.ts'
import { post } from '#src/areas/ledger/post.server.ts'
import { recountLedger, sealLedger, verifyLedgerChain } from '#src/areas/ledger/verify.server.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'

let database: Database
let made = 0
beforeAll(async () => {
  database = await openCopy()
})
const add = () =>
  database.transaction(tx =>
    post(tx, {
      biz: 'charge_in',
      biz_id: ++made,
      biz_no: `C${made}`,
      idem_key: `chain:Q:${made}`,
      at: unixNow(),
      memo: '充值',
      lines: [...lineOf(ours('bank_cash'), 700), ...lineOf(merchants('merchant_balance', 1), -700)],
    }),
  )
/** Transactions of other databases on the same server hold a seal back for a moment. */
const sealAll = async () => {
  for (;;) {
    await sealLedger(database, unixNow())
    if ((await verifyLedgerChain(database.db, 0, 1)).unsealed === 0) return
    await sleep(20)
  }
}
const verify = async () => {
  let at = await verifyLedgerChain(database.db)
  while (at.next !== null && !at.broken) at = await verifyLedgerChain(database.db, at.next)
  return at
}
/** What somebody does who owns the database, and what undoes it. */
const behind = async (change: SQL, look: () => Promise<void>, undo: SQL) => {
  const guarded = async (run: SQL) => {
    const each = async (how: SQL) => {
      for (const table of ['ledger_txn', 'ledger_entry'])
        await database.db.execute(
          sql`alter table ${sql.identifier(table)} ${how} trigger ${sql.identifier(`${table}_append_only`)}`,
        )
    }
    await each(sql`disable`)
    await database.db.execute(run)
    await each(sql`enable always`)
  }
  await guarded(change)
  await look()
  await guarded(undo)
}

describe('the journal', () => {
  it('is sealed whole, holds, and has nothing to seal twice', async () => {
    await add()
    await sealAll()
    expect(await verify()).toMatchObject({ broken: null, unsealed: 0 })
    expect(await sealLedger(database, unixNow())).toEqual([])
    expect(await recountLedger(database.db)).toBeUndefined()
  })
  it('refuses to be changed, its seals too', async () => {
    await add()
    await sealAll()
    for (const table of ['ledger_txn', 'ledger_entry', 'ledger_seal'])
      for (const act of [sql`delete from`, sql`truncate`])
        await expect(
          database.db.execute(sql`${act} ${sql.identifier(table)}`),
        ).rejects.toMatchObject({ cause: { message: expect.stringMatching(/append-only|refer/) } })
  })
  it.each([
    ['a memo', 'ledger_txn', sql`memo = '别的'`, sql`memo = '充值'`],
    ['a place', 'ledger_txn', sql`city_id = 99`, sql`city_id = 0`],
    ['whom it was for', 'ledger_txn', sql`biz_id = biz_id + 1`, sql`biz_id = biz_id - 1`],
    ['a time', 'ledger_txn', sql`created_at = created_at - 9`, sql`created_at = created_at + 9`],
    ['a line', 'ledger_entry', sql`line_id = 4242`, sql`line_id = null`],
    ['a time of an entry', 'ledger_entry', sql`at = at - 1`, sql`at = at + 1`],
  ])('tells by its transaction a change of %s', async (_, table, set, back) => {
    const { id } = await add()
    await sealAll()
    const those = sql`where ${sql.identifier(table === 'ledger_txn' ? 'id' : 'txn_id')} = ${id}`
    await behind(
      sql`update ${sql.identifier(table)} set ${set} ${those}`,
      async () => {
        expect((await verify()).broken).toMatchObject({ kind: 'changed', row_id: id })
      },
      sql`update ${sql.identifier(table)} set ${back} ${those}`,
    )
    expect((await verify()).broken).toBeNull()
  })
  it('tells an entry that came to a transaction that was sealed', async () => {
    const { id } = await add()
    await sealAll()
    await behind(
      sql`insert into ledger_entry (txn_id, account_id, at, amount_cents, balance_after_cents) select txn_id, account_id, at, 5, balance_after_cents from ledger_entry where txn_id = ${id} limit 1`,
      async () => {
        expect((await verify()).broken).toMatchObject({ kind: 'changed', row_id: id })
        expect(await recountLedger(database.db)).toEqual({ rule: 'unbalanced', id })
      },
      sql`delete from ledger_entry where txn_id = ${id} and amount_cents = 5`,
    )
    expect((await verify()).broken).toBeNull()
  })
  it('tells what was not sealed yet too: money that does not balance, or a balance after it', async () => {
    const { id } = await add()
    const own = sql`where txn_id = ${id} and amount_cents > 0`
    const {
      rows: [entry],
    } = await database.db.execute<{ id: number }>(sql`select id from ledger_entry ${own}`)
    await behind(
      sql`update ledger_entry set amount_cents = amount_cents + 1 ${own}`,
      async () => expect(await recountLedger(database.db)).toEqual({ rule: 'unbalanced', id }),
      sql`update ledger_entry set amount_cents = amount_cents - 1 ${own}`,
    )
    await behind(
      sql`update ledger_entry set balance_after_cents = balance_after_cents + 1 ${own}`,
      async () =>
        expect(await recountLedger(database.db)).toEqual({
          rule: 'running_balance',
          id: entry!.id,
        }),
      sql`update ledger_entry set balance_after_cents = balance_after_cents - 1 ${own}`,
    )
    expect(await recountLedger(database.db)).toBeUndefined()
  })
  it('tells an account whose balance was written by hand', async () => {
    const {
      rows: [account],
    } = await database.db.execute<{ id: number }>(
      sql`update ledger_account set balance_cents = balance_cents + 5 where kind = 'bank_cash' returning id`,
    )
    expect(await recountLedger(database.db)).toEqual({ rule: 'balance', id: account!.id })
    await database.db.execute(
      sql`update ledger_account set balance_cents = balance_cents - 5 where id = ${account!.id}`,
    )
    expect(await recountLedger(database.db)).toBeUndefined()
  })
})
