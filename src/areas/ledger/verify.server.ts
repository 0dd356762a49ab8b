import { sql, type SQL } from 'drizzle-orm'
import { sealChain, verifyChain, type Chain } from '#src/areas/log/chain.server.ts'
import type { op_log_seal } from '#src/areas/log/log.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { addToDays, recountDays } from './daily.server.ts'
import { ledger_seal } from './ledger.table.ts'

const chain: Chain = {
  table: 'ledger_txn',
  digest: 'ledger_digest',
  // The two tables of seals have the same columns.
  seals: ledger_seal as unknown as typeof op_log_seal,
  lock: 41_811,
  sealed: addToDays,
}
/** Seals the journal, each transaction with its entries (`sealChain`). */
export const sealLedger = (database: Database, now: number) => sealChain(database, chain, now)
/** Compares the journal with its seals (`verifyChain`). */
export const verifyLedgerChain = (db: Db, after = 0, most = 20) =>
  verifyChain(db, chain, after, most)

/** What does not fit: a rule, and the first row that breaks it. */
export type Misfit = { rule: keyof typeof rules; id: number }
/** Each answers the first row that breaks it; together they recount the whole journal. */
const rules = {
  unbalanced: sql`select t.id from ledger_txn t left join ledger_entry e on e.txn_id = t.id group by t.id having count(e.id) < 2 or coalesce(sum(e.amount_cents), 0) <> 0 or coalesce(sum(greatest(e.amount_cents, 0)), 0) <> t.amount_cents order by 1 limit 1`,
  running_balance: sql`select id from (select id, balance_after_cents <> sum(amount_cents) over (partition by account_id order by id) as wrong from ledger_entry) e where wrong order by id limit 1`,
  balance: sql`select a.id from ledger_account a left join (select account_id, sum(amount_cents) cents from ledger_entry group by 1) e on e.account_id = a.id where a.balance_cents <> coalesce(e.cents, 0) order by 1 limit 1`,
  daily: recountDays,
} satisfies Record<string, SQL>

/**
 * Recounts the journal: every transaction sums to zero, every entry tells the balance after it,
 * every account has the sum of its entries. Answers the first row that does not fit, or undefined.
 */
export const recountLedger = async (db: Db): Promise<Misfit | undefined> => {
  for (const [rule, query] of Object.entries(rules)) {
    const { rows } = await db.execute<{ id: number }>(query)
    if (rows[0]) return { rule: rule as Misfit['rule'], id: rows[0].id }
  }
  return undefined
}
