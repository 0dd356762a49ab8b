import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { yuan } from '#src/domain/money.ts'
import { joined, keptAsSaid } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { ledger_account, ledger_entry, ledger_txn, settle_day } from './ledger.table.ts'
import {
  accountKey,
  accountKinds,
  mayHave,
  postingFault,
  type AccountOf,
  type Posting,
} from './ledger.ts'

type Account = typeof ledger_account.$inferSelect
type Entry = typeof ledger_entry.$inferInsert
export type Posted = {
  id: number
  no: string
  /** False where the same key was posted before: nothing moved now. */
  fresh: boolean
}

/** Postings into a day hold it shared; whoever closes the day holds it alone. */
const dayLock = (day: string) => sql`hashtext(${`ledger day ${day}`})`
/** Keeps postings out of a day until the transaction ends, and waits for those under way. */
export const holdDay = (tx: Db, day: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(${dayLock(day)})`)

const refuseClosedDays = async (tx: Db, days: readonly string[]): Promise<void> => {
  for (const day of days)
    await tx.execute(sql`select pg_advisory_xact_lock_shared(${dayLock(day)})`)
  const [closed] = await tx
    .select({ day: settle_day.day })
    .from(settle_day)
    .where(and(inArray(settle_day.day, [...days]), eq(settle_day.status, 'closed')))
    .limit(1)
  if (closed)
    throw ruled('day_closed', [
      `${closed.day} 已日结，不能再记账；请记到下一个未结的日期`,
      `The books of ${closed.day} are closed: post into the next open day`,
    ])
}

/** Signs that a memo has room for. */
const MEMO = 512
/** Writes the transactions down, each once; those with a key that is known are not written again. */
const writeTxns = async (tx: Db, postings: readonly Posting[]): Promise<Posted[]> => {
  const written = await tx
    .insert(ledger_txn)
    .values(
      postings.map(({ lines, at, memo, place, ...of }) => ({
        ...of,
        ...place,
        memo: keptAsSaid(memo ?? '', MEMO),
        created_at: at,
        day: dateOf(at),
        amount_cents: lines.reduce((sum, one) => sum + Math.max(0, one.amount_cents), 0),
      })),
    )
    .onConflictDoNothing({ target: ledger_txn.idem_key })
    .returning({ id: ledger_txn.id, no: ledger_txn.no, key: ledger_txn.idem_key })
  const fresh = new Map(written.map(one => [one.key, one]))
  const missed = postings.filter(one => !fresh.has(one.idem_key)).map(one => one.idem_key)
  const before = new Map(
    missed.length === 0
      ? []
      : (
          await tx
            .select({ id: ledger_txn.id, no: ledger_txn.no, key: ledger_txn.idem_key })
            .from(ledger_txn)
            .where(inArray(ledger_txn.idem_key, missed))
        ).map(one => [one.key, one] as const),
  )
  return postings.map(({ idem_key }, at) => {
    const { id, no } = (fresh.get(idem_key) ?? before.get(idem_key))!
    const first = postings.findIndex(one => one.idem_key === idem_key) === at
    return { id, no, fresh: first && fresh.has(idem_key) }
  })
}

/** Opens the accounts that are not there yet and holds all of them, always in one order. */
export const holdAccounts = async (
  tx: Db,
  wanted: readonly AccountOf[],
): Promise<Map<string, Account>> => {
  const each = [...new Map(wanted.map(one => [accountKey(one), one])).values()]
  const those = or(
    ...each.map(of =>
      and(
        eq(ledger_account.kind, of.kind),
        eq(ledger_account.owner_kind, of.owner_kind),
        eq(ledger_account.owner_id, of.owner_id),
      ),
    ),
  )
  const held = () =>
    tx.select().from(ledger_account).where(those).orderBy(ledger_account.id).for('update')
  let rows = await held()
  if (rows.length < each.length) {
    const there = new Set(rows.map(accountKey))
    await tx
      .insert(ledger_account)
      .values(
        each
          .filter(one => !there.has(accountKey(one)))
          .map(({ kind, owner_kind, owner_id }) => ({ kind, owner_kind, owner_id })),
      )
      .onConflictDoNothing()
    rows = await held()
  }
  return new Map(rows.map(row => [accountKey(row), row]))
}

const refuseOverdrawn = (account: Account, before_cents: number): void => {
  const { balance_cents } = account
  if (mayHave(account.kind, balance_cents)) return
  const [zh, en] = accountKinds[account.kind]
  throw ruled('short_balance', [
    `${zh}不足：现有 ${yuan(Math.abs(before_cents))} 元，还差 ${yuan(Math.abs(balance_cents))} 元`,
    `${en}: ¥${yuan(Math.abs(before_cents))} is there, ¥${yuan(Math.abs(balance_cents))} too little`,
  ])
}

/** The entries of one transaction; the held accounts move along with them. */
const entriesOf = (of: Posting, txn_id: number, held: Map<string, Account>): Entry[] => {
  const touched = [...new Set(of.lines.map(accountKey))].map(key => held.get(key)!)
  const before = touched.map(account => account.balance_cents)
  const entries = of.lines.map((line): Entry => {
    const account = held.get(accountKey(line))!
    account.balance_cents += line.amount_cents
    return {
      txn_id,
      account_id: account.id,
      at: of.at,
      amount_cents: line.amount_cents,
      balance_after_cents: account.balance_cents,
      order_id: line.order_id ?? null,
      line_id: line.line_id ?? null,
    }
  })
  touched.forEach((account, at) => refuseOverdrawn(account, before[at]!))
  return entries
}

/**
 * Posts transactions into the journal, each once by its key: a known one answers the first and
 * moves nothing. Throws 422 `short_balance` where an account would fall to the side it never may
 * be on, and `day_closed` for a closed day. To be called last in a transaction: the accounts are
 * held from here on.
 */
export const postAll = async (tx: Db, postings: readonly Posting[]): Promise<Posted[]> => {
  if (postings.length === 0) return []
  for (const one of postings) {
    const fault = postingFault(one)
    if (fault) throw new Error(`${one.idem_key}: ${fault[1]}`)
  }
  const posted = await writeTxns(tx, postings)
  const fresh = postings.flatMap((of, at) =>
    posted[at]!.fresh ? [{ of, txn_id: posted[at]!.id }] : [],
  )
  if (fresh.length === 0) return posted
  await refuseClosedDays(tx, [...new Set(fresh.map(({ of }) => dateOf(of.at)))].sort())
  const held = await holdAccounts(
    tx,
    fresh.flatMap(one => one.of.lines),
  )
  const entries = fresh.flatMap(({ of, txn_id }) => entriesOf(of, txn_id, held))
  await tx.insert(ledger_entry).values(entries)
  const balances = [...held.values()].map(
    ({ id, balance_cents }) => sql`(${id}::int, ${balance_cents}::bigint)`,
  )
  await tx.execute(
    sql`update ledger_account a set balance_cents = v.cents, version = a.version + 1 from (values ${sql.join(balances, sql`, `)}) v(id, cents) where a.id = v.id`,
  )
  return posted
}

/** Posts one transaction (`postAll`). */
export const post = async (tx: Db, posting: Posting): Promise<Posted> =>
  (await postAll(tx, [posting]))[0]!

/** The balance of an account (cents, debit positive); 0 where it was never used. */
export const balanceOf = async (db: Db, of: AccountOf): Promise<number> => {
  const [row] = await db
    .select({ cents: ledger_account.balance_cents })
    .from(ledger_account)
    .where(
      and(
        eq(ledger_account.kind, of.kind),
        eq(ledger_account.owner_kind, of.owner_kind),
        eq(ledger_account.owner_id, of.owner_id),
      ),
    )
  return row?.cents ?? 0
}

/** Postings that fall into a day that is closed go into today, and say where they belong. */
export const intoOpenDays = async (
  tx: Db,
  postings: readonly Posting[],
  now: number,
): Promise<Posting[]> => {
  const days = [...new Set(postings.map(one => dateOf(one.at)))].filter(day => day < dateOf(now))
  if (days.length === 0) return [...postings]
  const closed = new Set(
    (
      await tx
        .select({ day: settle_day.day })
        .from(settle_day)
        .where(and(inArray(settle_day.day, days), eq(settle_day.status, 'closed')))
    ).map(row => row.day),
  )
  return postings.map(one => {
    const day = dateOf(one.at)
    const memo = joined([`补记 ${day}`, `Belongs to ${day}`])
    return closed.has(day) ? { ...one, at: now, memo } : one
  })
}
